"""The table of ranks: every learner's rank on every data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.types import Array
from foldwise.report.style import INK, A, B, new_figure, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.many.comparison import ManyComparison

__all__ = ["CALLED", "CAPTION", "plot_rank_table"]

CALLED = "table"
CAPTION = "Rank of each learner on each data set."

_ROW, _COLUMN = 0.24, 0.62
_MOST_ROWS = 60


def plot_rank_table(result: ManyComparison, ax: Axes | None = None) -> Axes:
    """Draw ranks within data sets, best learner first, with the mean ranks in the last row.

    Parameters
    ----------
    result
        From `compare_many`.
    ax
        Where to draw; a new figure that grows with the table when None.

    Returns
    -------
    Axes
        At most 60 data sets are shown. Blue cells are ranks better than the middle, orange ones worse; an empty
        cell is a learner that has no score there.
    """
    order = np.argsort(result.mean_ranks, kind="stable")
    shown = min(result.table.n_datasets, _MOST_ROWS)
    k = len(order)
    if ax is None:
        ax = new_figure(width=2.4 + _COLUMN * k, height=1.5 + _ROW * (shown + 1)).add_subplot()
    ax.set(xlim=(-0.5, k - 0.5), ylim=(shown + 0.6, -0.5))
    ax.tick_params(length=0, labelsize=8.5, colors=INK)
    ax.set_xticks(range(k), [plain(result.learners[i]) for i in order], rotation=45, ha="left", rotation_mode="anchor")
    ax.xaxis.tick_top()
    more = result.table.n_datasets - shown
    rows = [plain(name) for name in result.table.datasets[:shown]]
    last = "mean rank" if more == 0 else f"mean rank ({more} more sets)"
    ax.set_yticks([*range(shown), shown + 0.1], [*rows, last])
    for spine in ax.spines.values():
        spine.set_visible(False)
    for row, ranks in enumerate(result.dataset_ranks[:shown, order]):
        _row(ax, row, ranks, k, form="g")
    _row(ax, shown + 0.1, result.mean_ranks[order], k, form=".2f")
    return ax


def _row(ax: Axes, row: float, ranks: Array, k: int, *, form: str) -> None:
    from matplotlib.patches import Rectangle

    for column, rank in enumerate(ranks):
        if np.isnan(rank):
            continue
        # −1 for the best rank, 1 for the worst
        side = (rank - 1) / (k - 1) * 2 - 1
        box = Rectangle((column - 0.49, row - 0.46), 0.98, 0.92, facecolor=A if side < 0 else B, alpha=0.45 * abs(side))
        ax.add_patch(box)
        ax.text(column, row, f"{rank:{form}}", ha="center", va="center", color=INK, fontsize=8, label="_rank")
