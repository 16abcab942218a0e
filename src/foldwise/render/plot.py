"""A result's plots by name: drawn one by one, side by side, or as files; and as SVG that a page can hold inline."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.result import Result
from foldwise.core.validation import one_of
from foldwise.document.document import Drawing
from foldwise.render import plots
from foldwise.render.style import INK, RULE, WIDTH, A, B, new_figure

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


# ---- SVG: the same bytes every time, and the page's own colours.


# the settings of the SVG backend are global; pages may be made in several threads
_LOCK = threading.Lock()
_OF_THE_PAGE = {INK: "currentColor", RULE: f"var(--rule, {RULE})", A: f"var(--a, {A})", B: f"var(--b, {B})"}
"""Colours of the style that a page may replace by its own (Matplotlib writes small letters)."""
_NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}


def figure_svg(figure: Figure, name: str, *, description: str) -> str:
    """Return the figure as an ``<svg>`` element; `description` says what is to be seen, for people who can't see it.

    The style's ink, its rules and the two learners' colours become ``currentColor``, ``var(--rule)``, ``var(--a)`` and
    ``var(--b)``.
    """
    return for_a_page(_saved(figure, name, transparent=True), description)


def figure_file(figure: Figure, name: str) -> str:
    """Return the figure as the text of an SVG file of its own, the same bytes every time, on white."""
    return "\n".join(line.rstrip() for line in _saved(figure, name, facecolor="white").splitlines()) + "\n"


def _saved(figure: Figure, name: str, **ground: Any) -> str:
    """Text stays text, identifiers come from the name and no date is written: the same figure gives the same bytes."""
    import matplotlib as mpl

    buffer = io.StringIO()
    with _LOCK, mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure.savefig(buffer, format="svg", metadata=_NO_METADATA, **ground)
    return buffer.getvalue()


_RUN_OF_MARKERS = re.compile(
    r'\s*<use ([^>]*?) x="[^"]*" y="[^"]*" style="([^"]*)"/>(?:\s*<use \1 x="[^"]*" y="[^"]*" style="\2"/>){7,}'
)
"""Markers of one kind, each with the style of all."""


def compact(svg: str) -> str:
    """The same picture with the style of many markers once."""
    return _RUN_OF_MARKERS.sub(_together, svg)


def _together(run: re.Match[str]) -> str:
    """The same with the style once, at tenths of a point: thousands of markers were most of a page."""
    places = re.findall(r'x="([^"]*)" y="([^"]*)"', run[0])
    uses = "".join(f'<use {run[1]} x="{float(x):.1f}" y="{float(y):.1f}"/>\n' for x, y in places)
    return f'\n<g style="{run[2]}">\n{uses}</g>'


def for_a_page(document: str, description: str) -> str:
    """What Matplotlib, or `figure_file`, wrote, as an ``<svg>`` element in the page's own colours."""
    svg = document[document.index("<svg") :]
    svg = re.sub(r"\s*<style.*?</style>", "", svg, flags=re.DOTALL)
    # names that only number the artists would occur in every figure of a page
    svg = re.sub(r' id="[A-Za-z0-9.]*_\d+"', "", svg)
    svg = re.sub(r"font-family: [^;\"]*", "font-family: inherit", svg)
    svg = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font-size: \1; font-family: inherit", svg)
    svg = compact(svg)
    for colour, name in _OF_THE_PAGE.items():
        svg = svg.replace(colour.lower(), name)
    size = re.search(r'width="([\d.]+)pt" height="[\d.]+pt"', svg)
    assert size is not None
    opening = f'role="img" aria-label="{escape(description)}" width="{size[1]}"'
    return svg.replace(size[0], opening, 1).strip()
