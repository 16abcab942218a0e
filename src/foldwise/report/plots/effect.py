"""The answer in one picture: the difference, its interval, zero, and the region that does not matter."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from foldwise.core.units import difference_text, percents, span_text
from foldwise.report.plots._units import difference_label, side_words
from foldwise.report.style import INK, SAME, A, B, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.two_models import TwoModels

__all__ = ["CAPTION", "plot_effect"]

CAPTION = (
    "The difference (dot) and its interval (line). An interval that reaches across zero shows no difference; grey is "
    "the region of differences that do not matter."
)

_ROOM = 0.08
"""Empty space on either side, as a share of what is shown."""

_LINE_ENDS, _NEAREST = 0.68, 0.3
"""Where zero ends below the words, and how near their middle may come to a side, as shares of the axes."""


def plot_effect(c: TwoModels, ax: Axes | None = None) -> Axes:
    """The estimate with its interval, over zero and the region of practical equivalence.

    Parameters
    ----------
    c
        A comparison of two learners; what has no interval is drawn as a dot alone.
    ax
        Where to draw; new axes if None.
    """
    ax, scale = new_axes(ax, height=2.1), percents(c.unit)
    colour = INK if c.better is None else A if c.better == c.names[0] else B
    limits = _limits(c, scale)
    if c.rope > 0:
        ax.axvspan(-c.rope * scale, c.rope * scale, color=SAME, alpha=0.25, linewidth=0, label="does not matter")
    ax.axvline(0, ymax=_LINE_ENDS, color=INK, linewidth=0.9, linestyle="--", label="zero")
    if limits:
        ax.plot(limits, [0, 0], color=colour, linewidth=3.5, solid_capstyle="butt", label="interval")
    ax.plot([c.estimate * scale], [0], marker="o", markersize=9, color=colour, linestyle="none", label="difference")
    low, high = _reach([*limits, c.estimate * scale, 0.0], c)
    ax.set(xlabel=difference_label(c), yticks=[], ylim=(-1, 1.4), xlim=(low, high))
    ax.spines["left"].set_visible(False)
    place = min(max((c.estimate * scale - low) / (high - low), _NEAREST), 1 - _NEAREST)
    ax.text(place, 0.8, _words(c), transform=ax.transAxes, ha="center", va="center", color=INK, fontsize=9.5)
    side_words(ax, c)
    return ax


def _limits(c: TwoModels, scale: float) -> list[float]:
    if c.interval is None:
        return []
    found = [float(c.interval.low) * scale, float(c.interval.high) * scale]
    return found if all(map(math.isfinite, found)) else []


def _reach(shown: list[float], c: TwoModels) -> tuple[float, float]:
    """From end to end, with the region as far as it does not dwarf the interval."""
    spread = max(shown) - min(shown)
    rope = min(c.rope * percents(c.unit), max(2 * spread, *map(abs, shown))) or 1.0
    low, high = min(*shown, -rope), max(*shown, rope)
    room = _ROOM * (high - low)
    return low - room, high + room


def _words(c: TwoModels) -> str:
    span = "" if c.interval is None else f"   ({span_text(c.interval, c.unit)})"
    return plain(difference_text(c.estimate, c.unit) + span, limit=60)
