"""Which foldwise ran: its version, and the commit where the package lies in a git working tree."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import foldwise

__all__ = ["made_by"]


@cache
def made_by() -> str:
    """The version, with the commit if there is one.

    Examples
    --------
    >>> made_by().startswith("foldwise ")
    True
    """
    import subprocess

    words = ["git", "-C", str(Path(foldwise.__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        found = subprocess.run(words, capture_output=True, text=True, check=True, timeout=10)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return f"foldwise {foldwise.__version__}"
    return f"foldwise {foldwise.__version__}, commit {found.stdout.strip()}"
