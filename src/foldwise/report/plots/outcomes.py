"""The 2×2 square of outcomes: areas as large as the counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foldwise.core.errors import InvalidInput
from foldwise.evidence.items import Items
from foldwise.report.style import INK, SAME, A, B, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.two_models import TwoModels

__all__ = ["CAPTION", "plot_outcomes"]

CAPTION = "All test examples; areas are as large as the counts. Only where they disagree is there a difference."

GAP = 0.012
"""Between the tiles, as a share of the side."""


def plot_outcomes(c: TwoModels, ax: Axes | None = None) -> Axes:
    """All test examples as a square of four tiles whose areas are the counts; only two of them tell a from b.

    Parameters
    ----------
    c
        A comparison from predictions.
    ax
        Where to draw; new axes if None.
    """
    if not isinstance(c.evidence, Items) or not c.evidence.right_wrong:
        raise InvalidInput("plot_outcomes needs a comparison from predictions, got one from scores")
    from matplotlib.patches import Rectangle

    ax = new_axes(ax)
    a, b = (plain(name, limit=18) for name in c.names)
    # left column: they agree; right column: they disagree; in each, right (or a right) above
    n00, n01, n10, n11 = c.evidence.cells
    agree, disagree = n11 + n00, n10 + n01
    tiles = [
        _Tile("both right", n11, 0, agree, SAME, top=True),
        _Tile("both wrong", n00, 0, agree, SAME, top=False),
        _Tile(f"only {a} right", n10, agree, disagree, A, top=True),
        _Tile(f"only {b} right", n01, agree, disagree, B, top=False),
    ]
    for i, tile in enumerate(tiles):
        height = tile.count / max(tile.column, 1)
        corner = tile.left / c.evidence.n, 1 - height if tile.top else 0.0
        size = max(tile.column / c.evidence.n - GAP, 0), max(height - GAP, 0)
        ax.add_patch(Rectangle(corner, *size, facecolor=tile.colour, alpha=0.8, linewidth=0, label=tile.label))
        # counts beside the square, because a tile may be too small for its own
        y, colour = 0.86 - 0.24 * i, INK if tile.colour == SAME else tile.colour
        ax.text(1.05, y, f"{tile.count}", color=INK, fontsize=13, va="bottom")
        ax.text(1.05, y - 0.02, tile.label, color=colour, fontsize=9, va="top")
    ax.set(xlim=(0, 1.75), ylim=(0, 1), xticks=[], yticks=[], aspect="equal")
    for spine in ax.spines.values():
        spine.set_visible(False)
    return ax


@dataclass(frozen=True, slots=True)
class _Tile:
    """One cell of the table: its count, and the column of the square it is a part of."""

    label: str
    count: int
    left: int
    column: int
    colour: str
    top: bool
