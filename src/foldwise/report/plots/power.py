"""The power of the design by the size of the true difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.errors import DegenerateData
from foldwise.core.units import difference_text, percents
from foldwise.report.style import INK, RULE, A, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.two_models import TwoModels

__all__ = ["CAPTION", "plot_power"]

CAPTION = "What this design can see: the chance of finding a true difference of each size."

GOAL = 0.8
"""The power that the detectable difference is about."""


def plot_power(c: TwoModels, ax: Axes | None = None) -> Axes:
    """Probability of finding a difference by its size; the detectable one, found with power 0.8, is marked.

    Parameters
    ----------
    c
        A comparison with a detectable difference.
    ax
        Where to draw; new axes if None.
    """
    curve = c.power_curve()
    if curve is None or c.detectable_difference is None:
        raise DegenerateData("the differences do not vary, so that nothing is known about the power of the design")
    ax, scale = new_axes(ax), percents(c.unit)
    x = curve.difference * scale
    ax.axhline(c.alpha, color=RULE, linewidth=0.8, linestyle=":")
    ax.plot(x, curve.power, color=A, linewidth=1.8)
    if c.detectable_difference <= curve.difference[-1]:
        ax.plot([c.detectable_difference * scale], [GOAL], marker="o", color=INK, markersize=5, linestyle="none")
        words = f"{difference_text(c.detectable_difference, c.unit)}:\nfound 4 times in 5"
        ax.annotate(words, (c.detectable_difference * scale, GOAL), xytext=(8, -4), textcoords="offset points",
                    va="top", fontsize=9, color=INK)  # fmt: skip
    unit = "" if c.unit == "own" else " (points)"
    ax.set(xlabel=f"true difference of {plain(c.metric, limit=20)}{unit}", ylabel="chance of finding it")
    ax.set(ylim=(0, 1.02), xlim=(0, x[-1]))
    return ax
