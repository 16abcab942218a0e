"""Rates of several tests as bars, each with its Monte-Carlo interval: Type I error, power, replicability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from foldwise.report.style import INK, A, B, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.lab import RateTable, ReplicabilityTable

__all__ = ["plot_rates", "plot_replicability_rates"]


def plot_rates(table: RateTable, ax: Axes | None = None) -> Axes:
    """How often each test rejects; for Type I errors the nominal levels are dashed, and tests above theirs orange.

    Parameters
    ----------
    table
        Outcome of a Type I error or power study.
    ax
        Where to draw; new axes if None.
    """
    levels = sorted({row.alpha for row in table.rows})
    labels = [row.test if len(levels) == 1 else f"{row.test}, level {row.alpha:g}" for row in table.rows]
    type_one = table.study == "type1"
    colours = [B if type_one and not row.keeps_level else A for row in table.rows]
    limits = [(row.rate, row.low, row.high) for row in table.rows]
    ax = _bars(labels, limits, colours, ax)
    for level in levels if type_one else ():
        ax.axvline(level, color=INK, linewidth=1, linestyle="--")
    ax.set_xlabel("Type I error" if type_one else "power")
    if not type_one:
        ax.set_xlim(0, 1)
    return ax


def plot_replicability_rates(table: ReplicabilityTable, ax: Axes | None = None) -> Axes:
    """On what share of the data sets all partitionings agree, for each test.

    Parameters
    ----------
    table
        Outcome of a replicability study.
    ax
        Where to draw; new axes if None.
    """
    limits = [(row.rate, row.low, row.high) for row in table.rows]
    ax = _bars([row.test for row in table.rows], limits, [A] * len(limits), ax)
    ax.set(xlabel="share of data sets on which all partitionings agree", xlim=(0, 1))
    return ax


def _bars(
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
