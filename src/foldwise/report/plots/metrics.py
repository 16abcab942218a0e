"""Several metrics of two models at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.metric import metric_words
from foldwise.report.style import INK, SAME, A, B, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.comparison import Comparison

__all__ = ["plot_metrics"]


def plot_metrics(m: Comparison, ax: Axes | None = None) -> Axes:
    """The difference by each metric as a point and its interval as a line, in half-widths of that interval.

    Parameters
    ----------
    m
        The comparison.
    ax
        Where to draw; new axes if None.
    """
    ax = new_axes(ax, width=5.4, height=1.1 + 0.3 * len(m))
    ax.axvline(0, color=INK, linewidth=0.9, linestyle="--")
    for place, c in enumerate(m.parts):
        better, sign = m.better_by(place), 1 if c.higher_is_better else -1
        colour = SAME if better is None else A if better == m.models[0] else B
        if c.interval is None:
            ax.plot([0], [place], "x", color=colour, markersize=5)
            continue
        low, high = float(c.interval.low), float(c.interval.high)
        scale = sign / ((high - low) / 2)
        ax.plot([scale * low, scale * high], [place, place], color=colour, linewidth=2, solid_capstyle="butt")
        ax.plot([scale * c.estimate], [place], "o", color=colour, markersize=4.5)
    ax.set_yticks(range(len(m)), [plain(metric_words(metric), limit=22) for metric in m.metrics], fontsize=8)
    ax.set_ylim(len(m) - 0.4, -0.6)
    a, b = (plain(name, limit=16) for name in m.models)
    ax.set_xlabel(f"← {b} better · half-widths of the interval · {a} better →")
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax
