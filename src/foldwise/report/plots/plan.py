"""The power of a planned comparison by its size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.style import INK, RULE, A, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.planning import PowerPlan

__all__ = ["plot_plan"]


def plot_plan(plan: PowerPlan, ax: Axes | None = None) -> Axes:
    """Power over the number of examples, runs or data sets; the dot is the plan.

    Parameters
    ----------
    plan
        Outcome of `foldwise.plan`.
    ax
        Where to draw; new axes if None.
    """
    ax = new_axes(ax)
    sizes, powers = zip(*plan.curve, strict=True)
    ax.axhline(plan.alpha, color=RULE, linewidth=0.8, linestyle=":")
    ax.plot(sizes, powers, color=A, linewidth=1.8)
    ax.plot([plan.size], [plan.power], marker="o", color=INK, markersize=5, linestyle="none")
    ax.annotate(f"{plan.size:,} {plan.unit}:\npower {plan.power:.2f}", (plan.size, plan.power), xytext=(8, -6),
                textcoords="offset points", va="top", fontsize=9, color=INK)  # fmt: skip
    ax.set_xscale("log")
    ax.set(xlabel=plain(plan.unit), ylabel="chance of finding it", ylim=(0, 1.02), xlim=(sizes[0], sizes[-1]))
    _round_ticks(ax, sizes[0], sizes[-1])
    return ax


def _round_ticks(ax: Axes, low: int, high: int) -> None:
    """Whole numbers such as 50, 100, 200 on a logarithmic axis, not powers of ten."""
    from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

    steps = [digit * 10**power for power in range(9) for digit in (1, 2, 5)]
    inside = [step for step in steps if low <= step <= high]
    ax.xaxis.set_major_locator(FixedLocator(inside or [low, high]))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
