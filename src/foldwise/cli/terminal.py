"""Standard streams that may be closed, or can't show every sign that an answer has."""

from __future__ import annotations

import codecs
import io
import os
import sys

__all__ = ["prepare_output"]

NEAREST = {"−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "→": "->", "≈": "~", "χ": "chi", "α": "alpha", "σ": "sigma"}
"""What stands for a sign that a code page lacks; a question mark for others."""


def prepare_output() -> None:
    """Let an answer be printed whatever standard output is: nowhere if it is closed, near signs on an old code page."""
    codecs.register_error("foldwise", _nearest)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper) and codecs.lookup(stream.encoding).name != "utf-8":
            stream.reconfigure(errors="foldwise")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(NEAREST.get(sign, "?") for sign in error.object[error.start : error.end]), error.end
