"""What is needed to repeat a result: versions, and the digest of the evidence it rests on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

import foldwise

PACKAGES = ("numpy", "scipy", "scikit-learn")


def versions() -> tuple[tuple[str, str], ...]:
    """Names and versions of what was computed with.

    >>> [name for name, _ in versions()]
    ['foldwise', 'Python', 'numpy', 'scipy', 'scikit-learn']
    """
    own = ("foldwise", foldwise.__version__), ("Python", platform.python_version())
    return (*own, *((name, _version(name)) for name in PACKAGES))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
