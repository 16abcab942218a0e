"""Every pair of several models with its simultaneous interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.metric import metric_words
from foldwise.core.units import percents
from foldwise.report.style import INK, SAME, A, B, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.models.comparison import ModelsComparison

__all__ = ["plot_model_pairs"]

_LETTER = 0.075
"""Inches of a letter in the names beside the axis."""


def plot_model_pairs(c: ModelsComparison, ax: Axes | None = None) -> Axes:
    """The difference of each pair as a point and a line: blue where the first is better, orange where the second is.

    Parameters
    ----------
    c
        The comparison.
    ax
        Where to draw; new axes if None.
    """
    pairs = c.ordered_pairs
    names = [f"{plain(pair.a)} − {plain(pair.b)}" for pair in pairs]
    ax = new_axes(ax, width=3.6 + _LETTER * max(24, *map(len, names)), height=1.0 + 0.24 * len(pairs))
    scale = percents(c.unit)
    ax.axvline(0, color=INK, linewidth=0.9, linestyle="--")
    for place, pair in enumerate(pairs):
        colour = SAME if pair.better is None else A if pair.better == pair.a else B
        if pair.interval is not None:
            limits = [scale * pair.low, scale * pair.high]
            ax.plot(limits, [place, place], color=colour, linewidth=2, solid_capstyle="butt")
        ax.plot([scale * pair.estimate], [place], "o", color=colour, markersize=4.5)
    ax.set_yticks(range(len(pairs)), names, fontsize=8)
    ax.set_ylim(len(pairs) - 0.4, -0.6)
    ax.set_xlabel(f"difference of {plain(metric_words(c.metric), limit=20)}" + ("" if c.unit == "own" else " (points)"))
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax
