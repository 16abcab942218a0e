"""Every pair's limits against the margin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.units import percents
from foldwise.report.style import INK, RULE, SAME, A, B, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.report.many_margin_text import Margined

__all__ = ["CAPTION", "plot_margins"]

CAPTION = (
    "One-sided limits of the difference, candidate − baseline, for all pairs together; grey is the margin on "
    "either side of no difference."
)

COLOURS = {"superior": A, "inferior": B}


def plot_margins(c: Margined, ax: Axes | None = None) -> Axes:
    """A line for each pair, candidate − baseline, over the region within the margin; limits beyond all are cut off.

    Parameters
    ----------
    c
        A comparison of several learners with a margin.
    ax
        Where to draw; new axes if None.
    """
    if c.margin is None:
        raise InvalidInput("there is no picture of the margin without one: give margin")
    ax, scale = new_axes(ax, height=1.1 + 0.3 * len(c.ordered_pairs)), percents(c.shown_unit)
    ax.axvspan(-c.margin * scale, c.margin * scale, color=SAME, alpha=0.25, linewidth=0, label="margin")
    ax.axvline(0, color=RULE, linewidth=1)
    leads = [pair.lead for pair in c.ordered_pairs]
    ends = np.array([[np.nan, np.nan] if lead is None else [lead.low, lead.high] for lead in leads]) * scale
    reach = 1.2 * max(c.margin * scale, *np.abs(ends[np.isfinite(ends)]).tolist(), 0.0)
    for place, (pair, (low, high)) in enumerate(zip(c.ordered_pairs, np.clip(ends, -reach, reach), strict=True)):
        colour = COLOURS.get(str(pair.conclusion), INK)
        ax.plot([low, high], [place, place], color=colour, linewidth=3, solid_capstyle="butt", label=pair.conclusion)
    names = [f"{plain(pair.candidate, limit=14)} − {plain(pair.baseline, limit=14)}" for pair in c.ordered_pairs]
    ax.set_yticks(range(len(names)), names, fontsize=8.5)
    ax.set(ylim=(len(names) - 0.4, -0.6), xlim=(-reach, reach))
    ax.set_xlabel(plain(c.metric) + ("" if c.shown_unit == "own" else " (points)"))
    ax.spines["left"].set_visible(False)
    return ax
