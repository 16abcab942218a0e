"""A picture of a result as a file to keep: SVG, PNG or PDF."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result
from foldwise.core.validation import one_of
from foldwise.report.svg import figure_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PICTURE_FILES", "picture_file"]

PICTURE_FILES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
"""Endings, and what the web calls such files."""

DOTS_PER_INCH = 200


def picture_file(result: Result, name: str, kind: str) -> bytes:
    """One picture by name, on white.

    Parameters
    ----------
    result
        Any result that has pictures.
    name
        As ``result.plot`` takes it.
    kind
        One of `PICTURE_FILES`.
    """
    one_of(kind, "kind", PICTURE_FILES)
    figure = result.plot(name)
    if kind == "svg":
        return figure_file(figure, name).encode("utf-8")
    return _drawn(figure, kind)


def _drawn(figure: Figure, kind: str) -> bytes:
    buffer = io.BytesIO()
    dateless = {"CreationDate": None} if kind == "pdf" else {"Software": None}
    try:
        figure.savefig(buffer, format=kind, dpi=DOTS_PER_INCH, facecolor="white", metadata=dateless)
    except (OverflowError, ValueError) as error:  # more pixels than a bitmap can have
        raise InvalidInput(f"the picture can't be drawn as {kind.upper()}: {error}") from error
    return buffer.getvalue()
