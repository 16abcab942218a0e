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
    ax.set_xscale("log")
    ax.set(xlabel=plain(plan.unit), ylabel="chance of finding it", ylim=(0, 1.02))
    return ax
