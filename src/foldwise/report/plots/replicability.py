"""The verdicts over partitionings, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.errors import InvalidInput
from foldwise.report.style import INK, SAME, A, B, new_axes, plain, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.two_models import TwoModels

__all__ = ["CAPTION", "plot_replicability"]

CAPTION = "The verdict of the same test on other partitionings of the same data."


def plot_replicability(c: TwoModels, ax: Axes | None = None) -> Axes:
    """One tile per partitioning, in the colour of its verdict; the first is the one reported.

    Parameters
    ----------
    c
        A comparison made with `replicate`.
    ax
        Where to draw; new axes if None.
    """
    if c.replicability is None:
        raise InvalidInput("plot_replicability needs verdicts over partitionings; compare with replicate=10")
    ax = new_axes(ax, height=1.5)
    verdicts: tuple[str | None, ...] = c.replicability.verdicts
    colours = {"a": A, "b": B, None: SAME}
    ax.bar(range(1, len(verdicts) + 1), 1, width=0.85, color=[colours[v] for v in verdicts], linewidth=0)
    ax.set(yticks=[], ylim=(0, 1), xlabel="partitioning", xlim=(0.4, len(verdicts) + 0.6))
    whole_numbers(ax.xaxis)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    words = {
        "a": f"{plain(c.names[0], limit=16)} better",
        "b": f"{plain(c.names[1], limit=16)} better",
        None: "no difference",
    }
    counted = [f"{words[v]}: {verdicts.count(v)}" for v in words if v in verdicts]
    ax.set_title(" · ".join(counted), loc="left", fontsize=9, color=INK)
    return ax
