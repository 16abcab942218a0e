"""How often each test agrees with itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.plots._bars import rate_bars
from foldwise.report.style import A

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.lab import ReplicabilityTable

__all__ = ["plot_replicability_rates"]


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
    ax = rate_bars([row.test for row in table.rows], limits, [A] * len(limits), ax)
    ax.set(xlabel="share of data sets on which all partitionings agree", xlim=(0, 1))
    return ax
