"""Rates of several tests as bars, each with its Monte-Carlo interval: Type I error or power."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.plots._bars import rate_bars
from foldwise.report.style import INK, A, B

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.lab import RateTable

__all__ = ["plot_rates"]


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
    colours = [B if row.judgement == "broken" else A for row in table.rows]
    limits = [(row.rate, row.low, row.high) for row in table.rows]
    ax = rate_bars(labels, limits, colours, ax)
    for level in levels if type_one else ():
        ax.axvline(level, color=INK, linewidth=1, linestyle="--")
    ax.set_xlabel("Type I error" if type_one else "power")
    if not type_one:
        ax.set_xlim(0, 1)
    return ax
