"""Differences of a round robin as a map: block left out × block tested."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.units import percents
from foldwise.evidence.scores import BlockScores
from foldwise.report.plots._map import draw_map
from foldwise.report.style import INK, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.core.types import Array
    from foldwise.verdict.two_models import TwoModels

__all__ = ["CAPTION", "plot_block_map"]

CAPTION = (
    "Difference on each block (column) with another left out too (row), a square for each dealing: columns of one "
    "colour are hard or easy blocks, rows of one colour blocks that the learners hang on."
)


def plot_block_map(c: TwoModels, ax: Axes | None = None) -> Axes:
    """The difference a − b on each block with each other one left out, as a colour; a square for each dealing.

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
    across = math.ceil(math.sqrt(1.5 * len(x)))  # squares on paper that is wider than high
    draw_map(c, _side_by_side(x, across), ax)
    ax.set(xlabel="block tested", ylabel="block left out")
    if len(x) > 1:
        _frame(ax, len(x), c.evidence.blocks, across)
    return ax


def _side_by_side(tables: Array, across: int) -> Array:
    """Tables in rows of so many, with a gap of one block around each."""
    down = math.ceil(len(tables) / across)
    framed = np.pad(tables, ((0, down * across - len(tables)), (0, 1), (0, 1)), constant_values=np.nan)
    size = framed.shape[-1]
    rows = framed.reshape(down, across, size, size).swapaxes(1, 2)
    return rows.reshape(down * size, across * size)[:-1, :-1]


def _frame(ax: Axes, dealings: int, blocks: int, across: int) -> None:
    """A line around each square in place of the numbers of blocks."""
    from matplotlib.patches import Rectangle

    ax.set(xticks=[], yticks=[], aspect="equal")
    ax.spines[:].set_visible(False)
    for dealing in range(dealings):
        down, right = divmod(dealing, across)
        corner = right * (blocks + 1) + 0.5, down * (blocks + 1) + 0.5
        line = Rectangle(corner, blocks, blocks, fill=False, edgecolor=INK, linewidth=0.5, alpha=0.4, clip_on=False)
        ax.add_patch(line)
