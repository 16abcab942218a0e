"""A result's plots by name: drawn one by one, side by side, or as a file to keep."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.result import Result
from foldwise.core.validation import one_of
from foldwise.document.document import Drawing
from foldwise.render import plots
from foldwise.render.style import WIDTH, new_figure
from foldwise.render.svg import figure_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PICTURE_FILES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
"""Endings, and what the web calls such files."""

DOTS_PER_INCH = 200


def alone(drawing: Drawing, **options: object) -> Figure:
    figure = _on(drawing, None, **options).get_figure(root=True)
    assert figure is not None
    return figure


def draw(known: Mapping[str, Drawing], kind: str | None = None, **options: object) -> Figure:
    """One of the plots by name, or the main ones side by side (the first, where none is called so)."""
    if kind is not None:
        return alone(_named(known, kind), **options)
    if options:
        names = ", ".join(known)
        raise InvalidInput(f"options of a plot ({', '.join(options)}) need its name, which is one of {names}")
    chosen = [drawing for drawing in known.values() if drawing.main] or list(known.values())[:1]
    if len(chosen) == 1:
        return alone(chosen[0])
    figure = new_figure(width=WIDTH * len(chosen))
    for drawing, ax in zip(chosen, figure.subplots(1, len(chosen), squeeze=False)[0], strict=True):
        _on(drawing, ax)
    return figure


def picture_file(result: Result, name: str, kind: str) -> bytes:
    """One plot by name (as ``result.plot`` takes it) as a file of one of the kinds of `PICTURE_FILES`, on white."""
    one_of(kind, "kind", PICTURE_FILES)
    figure = result.plot(name)
    if kind == "svg":
        return figure_file(figure, name).encode("utf-8")
    buffer = io.BytesIO()
    dateless = {"CreationDate": None} if kind == "pdf" else {"Software": None}
    try:
        figure.savefig(buffer, format=kind, dpi=DOTS_PER_INCH, facecolor="white", metadata=dateless)
    except (OverflowError, ValueError) as error:  # more pixels than a bitmap can have
        raise InvalidInput(f"the picture can't be drawn as {kind.upper()}: {error}") from error
    return buffer.getvalue()


def _on(drawing: Drawing, ax: Axes | None, **options: object) -> Axes:
    """Draw it into the axes given, or new ones, with options of that plot."""
    drawn: Axes = getattr(plots, f"plot_{drawing.plot}")(drawing.shows, ax, **options)
    return drawn


def _named(known: Mapping[str, Drawing], kind: str) -> Drawing:
    found = known.get(kind) or next((drawing for drawing in known.values() if kind in drawing.also), None)
    if found is None:
        raise UnknownName("plot", kind, known)
    return found
