"""Rates as horizontal bars, each with its Monte-Carlo interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from foldwise.report.style import INK, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["rate_bars"]


def rate_bars(
    labels: Sequence[str], limits: Sequence[tuple[float, float, float]], colours: list[str], ax: Axes | None
) -> Axes:
    """Horizontal bars, the first on top, with error bars from low to high."""
    ax = new_axes(ax, height=0.9 + 0.28 * len(labels))
    places = range(len(labels))
    rates = [rate for rate, _, _ in limits]
    # the limits may miss the rate by rounding; an error bar must not be negative
    reach = [[max(rate - low, 0) for rate, low, _ in limits], [max(high - rate, 0) for rate, _, high in limits]]
    ax.barh(places, rates, height=0.65, color=colours, alpha=0.85, linewidth=0)
    ax.errorbar(rates, places, xerr=reach, fmt="none", ecolor=INK, elinewidth=1, capsize=2.5)
    ax.set_yticks(places, [plain(label, limit=34) for label in labels], fontsize=8.5)
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.set_xlim(0, None)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax
