"""The versions that numbers depend on: of foldwise, Python and the packages that compute."""

from __future__ import annotations

import functools
import platform
from importlib.metadata import PackageNotFoundError, version

from foldwise import __version__

__all__ = ["environment"]

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


@functools.cache
def environment() -> dict[str, str]:
    """Versions in this process, by package; a package that is not installed is left out.

    Examples
    --------
    >>> list(environment())[:3]
    ['foldwise', 'Python', 'numpy']
    """
    found = {"foldwise": __version__, "Python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
