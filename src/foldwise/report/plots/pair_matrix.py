"""The matrix of pairs: wins, ties and losses, difference and adjusted p-value of every two learners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.units import pvalue_text
from foldwise.report.many_text import procedure_title
from foldwise.report.style import INK, RULE, A, B, new_figure, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.many.comparison import ManyComparison
    from foldwise.verdict.pair import Pair

__all__ = ["CALLED", "CAPTION", "plot_pair_matrix"]

CALLED = "pairs"
CAPTION = (
    "The row's learner against the column's: wins, ties and losses, mean difference, adjusted p-value; coloured where "
    "a difference is shown, the darker the larger it is."
)

_CELL = 0.82
_FAINT, _FULL = 0.15, 0.6
"""How much of the colour the smallest and the largest difference have; text must stay readable on it."""
# above this many learners the cells are too small for text
_MOST_WITH_TEXT = 14


def plot_pair_matrix(result: ManyComparison, ax: Axes | None = None) -> Axes:
    """Draw every pair that was compared, learners in the order of their mean ranks.

    Parameters
    ----------
    result
        From `compare_many`.
    ax
        Where to draw; a new figure that grows with the number of learners when None.

    Returns
    -------
    Axes
        Each cell is the row's learner against the column's: wins–ties–losses, mean difference, adjusted p-value.
        Blue where the row is shown to be better, orange where it is shown to be worse; the larger the difference among
        those that are shown, the darker.
    """
    names = result.ranking
    k = len(names)
    with_text = k <= _MOST_WITH_TEXT
    size = _CELL if with_text else 0.28
    if ax is None:
        ax = new_figure(width=2.9 + size * k, height=2.1 + size * k).add_subplot()
    ax.set(xlim=(-0.5, k - 0.5), ylim=(k - 0.5, -0.5))
    ax.set_aspect("equal")
    ax.tick_params(length=0, labelsize=9, colors=INK)
    ax.set_xticks(range(k), [plain(name) for name in names], rotation=45, ha="left", rotation_mode="anchor")
    ax.xaxis.tick_top()
    ax.set_yticks(range(k), [plain(name) for name in names])
    for spine in ax.spines.values():
        spine.set_visible(False)
    place = {name: i for i, name in enumerate(names)}
    largest = max((abs(pair.estimate) for pair in result.pairs if pair.better is not None), default=0.0)
    for pair in result.pairs:
        shade = _FAINT + (_FULL - _FAINT) * abs(pair.estimate) / largest if pair.better is not None and largest else 1.0
        for row, column, sign in ((pair.a, pair.b, 1), (pair.b, pair.a, -1)):
            _cell(ax, pair, (place[row], place[column]), sign, shade)
            if with_text:
                _numbers(ax, pair, (place[row], place[column]), sign)
    ax.set_xlabel(plain(procedure_title(result), limit=110), color=INK, fontsize=8.5)
    return ax


def _cell(ax: Axes, pair: Pair, where: tuple[int, int], sign: int, shade: float) -> None:
    from matplotlib.patches import Rectangle

    row, column = where
    ahead = pair.a if sign > 0 else pair.b
    colour = "none" if pair.better is None else A if pair.better == ahead else B
    corner = (column - 0.48, row - 0.48)
    fill = Rectangle(corner, 0.96, 0.96, facecolor=colour, edgecolor=RULE, alpha=shade)
    fill.set_label("_better" if colour == A else "_worse" if colour == B else "_same")
    ax.add_patch(fill)


def _numbers(ax: Axes, pair: Pair, where: tuple[int, int], sign: int) -> None:
    row, column = where
    record = (pair.wins, pair.ties, pair.losses) if sign > 0 else (pair.losses, pair.ties, pair.wins)
    difference = f"{sign * pair.estimate:+.2g}".replace("-", "−")
    p = pvalue_text(pair.adjusted)
    text = "–".join(map(str, record)) + f"\n{difference}\np {p if p.startswith('<') else '= ' + p}"
    ax.text(column, row, text, ha="center", va="center", color=INK, fontsize=7.5, linespacing=1.25, label="_pair")
