"""Figures as SVG that a page can hold inline: the same bytes every time, and the page's own colours."""

from __future__ import annotations

import io
import re
import threading
from html import escape
from typing import TYPE_CHECKING, Any

from foldwise.render.style import INK, RULE, A, B

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
