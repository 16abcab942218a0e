"""Power curves: how often each test finds the difference, as the data or the runs grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.report.style import COLOURS, INK, new_axes, plain, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.lab import PowerCurve

__all__ = ["plot_power_curve"]


def plot_power_curve(curve: PowerCurve, ax: Axes | None = None) -> Axes:
    """One line per test, with the error of the simulation.

    Parameters
    ----------
    curve
        Outcome of a power study over n or runs.
    ax
        Where to draw; new axes if None.
    """
    ax = new_axes(ax, width=6.4)
    for i, rates in enumerate(curve.curves):
        middle = np.array([rate.rate for rate in rates])
        reach = np.array([[rate.rate - rate.low for rate in rates], [rate.high - rate.rate for rate in rates]])
        colour = COLOURS[i % len(COLOURS)]
        ax.errorbar(curve.values, middle, yerr=np.maximum(reach, 0), color=colour, marker="o", markersize=4,
                    linewidth=1.4, capsize=2, label=plain(rates[0].test),
                    linestyle="-" if i < len(COLOURS) else "--")  # fmt: skip
    words = {"n": "examples", "runs": "runs of cross-validation"}
    ax.set(xlabel=words[curve.over], ylabel="power", ylim=(0, 1.02))
    whole_numbers(ax.xaxis)
    ax.legend(frameon=False, fontsize=7.5, labelcolor=INK)
    return ax
