"""One look for all plots: Okabe and Ito's colours, quiet axes, names as plain text.

Nothing here touches Matplotlib's global state: figures are made without pyplot, and axes are dressed one by one, so
that a plot drawn into somebody else's figure leaves the rest of it alone. Matplotlib is imported when a plot is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from foldwise.core.formatting import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442")
"""Colours that people with any kind of colour vision can tell apart (Okabe & Ito 2008), black excepted."""

A, B, SAME = COLOURS[0], COLOURS[1], "#8c8c8c"
"""The first learner, the second, and neither."""

INK, RULE = "#3b3b3b", "#c9c9c9"
"""Text and lines; a page replaces both by its own colours, so that plots suit light and dark."""

WIDTH, HEIGHT = 4.6, 3.0
"""Inches of one plot; small, so that its text stays readable on a phone."""

LONGEST = 28  # Characters of a name in a plot.


def new_figure(*, width: float = WIDTH, height: float = HEIGHT) -> Figure:
    """An empty figure that belongs to nobody: no pyplot, no window; notebooks show it as it is."""
    from foldwise.render.shown_figure import ShownFigure

    return ShownFigure(figsize=(width, height), layout="constrained")


def new_axes(ax: Axes | None, *, width: float = WIDTH, height: float = HEIGHT) -> Axes:
    """The axes given, or those of a new figure, dressed in the common style."""
    if ax is None:
        ax = new_figure(width=width, height=height).add_subplot()
    return dress(ax)


def dress(ax: Axes) -> Axes:
    """Quiet axes: no box, thin rules behind the data, small text."""
    ax.set_axisbelow(True)
    ax.patch.set_alpha(0)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set(color=RULE, linewidth=0.8)
    ax.tick_params(colors=INK, labelsize=9, length=3, width=0.8)
    for label in (ax.xaxis.label, ax.yaxis.label):
        label.set(color=INK, fontsize=9.5)
    ax.title.set(color=INK, fontsize=10.5)
    return ax


def named_rows(ax: Axes, names: Sequence[str], *, size: float = 8.5) -> None:
    """A line for each name beside the axes, the first on top, without an axis of its own."""
    ax.set_yticks(range(len(names)), names, fontsize=size)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)


def estimate_row(
    ax: Axes, place: int, estimate: float, limits: Sequence[float], colour: str, *, size: float = 5.0, dot: str = "o"
) -> None:
    """A line between the limits of an estimate, where it has some, and a dot."""
    ax.plot(limits, [place] * len(limits), color=colour, linewidth=2, solid_capstyle="butt")
    ax.plot([estimate], [place], dot, color=colour, markersize=size)


def plain(text: object, *, limit: int = LONGEST) -> str:
    r"""A name as Matplotlib shows it unchanged: dollars start no formula, line breaks become spaces, long ones end in …

    >>> plain("costs $5"), plain("x" * 40, limit=10)
    ('costs \\$5', 'xxxxxxxxx…')
    """
    words = "".join(c if c.isprintable() else " " for c in str(text))
    shown = words if len(words) <= limit else words[: limit - 1].rstrip() + "…"
    return shown.replace("$", r"\$")


def told_apart(names: Sequence[str], *, limit: int = LONGEST) -> list[str]:
    """Names as `plain` shows them; long ones without the beginning that they share, or without their middle.

    >>> told_apart(["ColumnTransformer+logreg", "ColumnTransformer+forest", "nb"], limit=14)
    ['…logreg', '…forest', 'nb']
    >>> told_apart(["gpt-4", "gpt-4o"], limit=14)
    ['gpt-4', 'gpt-4o']
    """
    short = short_names(names, limit=limit)
    if len(set(short)) < len(set(names)):  # what they differ in was cut out
        number = {name: f" {place + 1}" for place, name in enumerate(dict.fromkeys(names))}
        short = [
            one if len(name) <= limit else plain(name, limit=limit - len(number[name])) + number[name]
            for one, name in zip(short, names, strict=True)
        ]
    return [plain(name, limit=limit) for name in short]


def whole_numbers(axis: Axis) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins=10, integer=True, min_n_ticks=1))
