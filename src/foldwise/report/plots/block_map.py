"""Differences of a round robin as a map: block left out × block tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.evidence.block_scores import BlockScores
from foldwise.report.plots._map import draw_map
from foldwise.report.style import new_axes
from foldwise.report.text import percents

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.comparison import Comparison

__all__ = ["CAPTION", "plot_block_map"]

CAPTION = (
    "Difference on each block (column) with another left out too (row), dealing after dealing: columns of one colour "
    "are hard or easy blocks, rows of one colour blocks that the learners hang on."
)


def plot_block_map(c: Comparison, ax: Axes | None = None) -> Axes:
    """The difference a − b on each block with each other one left out, as a colour; dealings one below the other.

    Parameters
    ----------
    c
        A comparison from a round robin.
    ax
        Where to draw; new axes if None.
    """
    if not isinstance(c.evidence, BlockScores):
        raise InvalidInput("plot_block_map needs a comparison from a round robin")
    ax = new_axes(ax)
    x = np.where(c.evidence.apart, c.evidence.tables, np.nan) * percents(c.unit)
    draw_map(c, x.reshape(-1, c.evidence.blocks), ax)
    ax.set(xlabel="block tested", ylabel="block left out")
    return ax
