"""What leaving out a block, and testing on it, does to the difference of a round robin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.units import percents
from foldwise.evidence.scores import BlockScores
from foldwise.report.plots._units import difference_label, winner_note
from foldwise.report.style import INK, RULE, A, B, new_axes, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.two_models import TwoModels

__all__ = ["CAPTION", "plot_deletions"]

CAPTION = (
    "Mean difference without each block (filled) and on each block (open), with the mean (line) and its interval "
    "(band): the more the filled dots spread, the more the learners hang on single examples."
)


def plot_deletions(c: TwoModels, ax: Axes | None = None) -> Axes:
    """Per block the mean difference with it left out, and on it, one dealing after the other.

    Parameters
    ----------
    c
        A comparison from a round robin.
    ax
        Where to draw; new axes if None.
    """
    if not isinstance(c.evidence, BlockScores):
        raise InvalidInput("plot_deletions needs a comparison from a round robin")
    ax, scale, g = new_axes(ax), percents(c.unit), c.evidence.blocks
    without, on = (c.evidence.tables.sum(axis=axis).ravel() * scale / (g - 1) for axis in (2, 1))
    place = np.arange(without.size) + 1
    if c.interval is not None:
        low, high = float(c.interval.low) * scale, float(c.interval.high) * scale
        ax.axhspan(low, high, color=INK, alpha=0.15, linewidth=0, label="interval")
    ax.axhline(0, color=RULE, linewidth=1)
    ax.axhline(c.estimate * scale, color=INK, linewidth=1.4, label="mean")
    ax.scatter(place, on, s=16, facecolors="none", edgecolors=B, linewidths=0.8, label="tested")
    ax.scatter(place, without, s=16, c=A, alpha=0.75, linewidths=0, label="left out")
    whole_numbers(ax.xaxis)
    ax.set_xlabel("block")
    ax.set_ylabel(difference_label(c))
    ax.legend(frameon=False, fontsize=8)
    ax.set_title(winner_note(c), loc="left", fontsize=9, color=INK)
    return ax
