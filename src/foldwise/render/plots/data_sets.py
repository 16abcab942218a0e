"""Plots of learners on several data sets: ranks, pairs, the posterior of two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from foldwise.core.types import Array
from foldwise.core.units import probability, pvalue_text
from foldwise.document.headline import subtitle
from foldwise.render.style import INK, RULE, SAME, A, B, new_axes, new_figure, plain, told_apart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.comparison.pair import Pair
    from foldwise.core.types import Array
    from foldwise.designs.data_sets import PairPosterior

# inches: a letter of a name, the rank beside it, the axis; a lane of bars, a line of names, what is above them
_LETTER, _NUMBER, _AXIS = 0.078, 0.5, 1.5

_LANE, _LINE, _TOP = 0.15, 0.22, 0.62

_SHORT = 14  # Letters of a name where a picture is to fit a phone.

_TICK: dict[str, Any] = {"marker": "|", "markersize": 9, "markeredgewidth": 1.3}

_BY_TEST = "the procedure"


def plot_critical_difference(result: MetricComparison, ax: Axes | None = None, *, title: str | None = _BY_TEST) -> Axes:
    """Draw mean ranks and the groups that the pairwise test does not tell apart.

    `result` is from `compare_table`. `title` is what stands above it: which test it is, unless something else is given;
    nothing when None, for a figure whose caption says it.
    """
    order = np.argsort(result.data_sets.mean_ranks, kind="stable")
    names, ranks = [result.names[i] for i in order], result.data_sets.mean_ranks[order]
    half = (len(names) + 1) // 2
    lanes = lanes_of(result, names)
    body = _TOP + _LANE * (len(lanes) + 1) + _LINE * (half + (result.control is not None))
    margin = _NUMBER + _LETTER * max(9, *map(len, told_apart(names, limit=_SHORT)))
    if ax is None:
        ax = new_figure(width=_AXIS + 2 * margin, height=body + 0.25).add_subplot()
    ax.set_axis_off()
    ax.set(xlim=(-margin, _AXIS + margin), ylim=(-body, 0))
    high = max(2.0, float(np.ceil(ranks.max())))
    place = _AXIS * (ranks - 1) / (high - 1)
    _axis(ax, high, result)
    _title(ax, subtitle(result) if title == _BY_TEST else title)
    _names(ax, result, names, place, half, -_TOP - _LANE * (len(lanes) + 1))
    for lane, groups in enumerate(lanes):
        for group in groups:
            at = [place[i] for i in group]
            y = -_TOP - _LANE * (lane + 0.7)
            ax.plot([at[0], at[-1]], [y, y], color=A, linewidth=2.6, solid_capstyle="butt", label="_group")
            # ticks, because dots of learners with nearly the same rank would merge
            ax.plot(at, [y] * len(at), color=A, linestyle="none", label="_members", **_TICK)
    if result.control is not None:
        _legend(ax, result, y=-body + 0.5 * _LINE)
    return ax


def lanes_of(result: MetricComparison, names: list[str]) -> list[list[list[int]]]:
    """Groups as positions, packed so that bars of one lane do not touch."""
    lanes: list[list[list[int]]] = []
    position = {name: i for i, name in enumerate(names)}
    for group in sorted(sorted(position[name] for name in clique) for clique in result.tie_groups):
        for lane in lanes:
            if lane[-1][-1] < group[0]:
                lane.append(group)
                break
        else:
            lanes.append([group])
    return lanes


def not_shown_to_differ(result: MetricComparison) -> set[str]:
    """Learners that the test does not tell from the control, which are drawn in grey; none where there is none."""
    if result.control is None:
        return set()
    return {pair.b for pair in result.pairs if pair.better is None}


def _axis(ax: Axes, high: float, result: MetricComparison) -> None:
    y = -_TOP + 0.12
    ax.plot([0, _AXIS], [y, y], color=INK, linewidth=1.2, label="_axis")
    step = max(1, int(np.ceil((high - 1) / 8)))
    for tick in np.arange(1, high + 1e-9, step):
        x = _AXIS * (tick - 1) / (high - 1)
        ax.plot([x, x], [y, y + 0.05], color=INK, linewidth=1.0)
        ax.text(x, y + 0.07, f"{tick:g}", ha="center", va="bottom", color=INK, fontsize=9)
    ax.text(-0.08, y, "mean rank", ha="right", va="center", color=SAME, fontsize=9)
    ax.text(_AXIS + 0.08, y, f"at level {result.alpha:g}", ha="left", va="center", color=SAME, fontsize=9)
    if result.data_sets.critical_difference is not None:
        reach = _AXIS * result.data_sets.critical_difference / (high - 1)
        top = y + 0.27
        ax.plot([0, reach], [top, top], color=INK, linewidth=1.6, label="_critical difference")
        text = f"critical difference {result.data_sets.critical_difference:.2f}"
        ax.text(reach + 0.07, top, text, ha="left", va="center", color=INK, fontsize=8.5)


def _title(ax: Axes, title: str | None) -> None:
    if title is not None:
        words = plain(title, limit=70)
        ax.text(_AXIS / 2, -0.02, words, ha="center", va="top", color=SAME, fontsize=8, label="_title")


def _legend(ax: Axes, result: MetricComparison, *, y: float) -> None:
    control = plain(result.control)
    for place, side, words, colour in (
        (_AXIS / 2 - 0.1, "right", f"differs from {control}", INK),
        (_AXIS / 2 + 0.1, "left", "not shown to differ", SAME),
    ):
        ax.text(place, y, words, ha=side, va="center", color=colour, fontsize=8.5, label="_legend")


def _names(ax: Axes, result: MetricComparison, names: list[str], place: Array, half: int, top: float) -> None:
    """Best half on the left, its best on top; worst half on the right, its worst on top: lines never cross."""
    grey, short = not_shown_to_differ(result), told_apart(names, limit=_SHORT)
    for i, (name, x) in enumerate(zip(names, place, strict=True)):
        left = i < half
        row = i if left else len(names) - 1 - i
        y = top - _LINE * (row + 0.5)
        edge = -0.08 if left else _AXIS + 0.08
        full = name not in grey
        colour = INK if full else SAME
        ax.plot([x, x, edge], [-_TOP + 0.12, y, y], color=colour if full else RULE, linewidth=0.8, label="_stem")
        rank = f"{result.data_sets.mean_ranks[result.names.index(name)]:.2f}"
        label = f"{short[i]}  {rank}" if left else f"{rank}  {short[i]}"
        weight = "bold" if name == result.control else "normal"
        side = "right" if left else "left"
        shift = -0.04 if left else 0.04
        ax.text(edge + shift, y, label, ha=side, va="center", color=colour, fontsize=9, weight=weight, label="_name")


_CELL = 0.82

_FAINT, _FULL = 0.15, 0.6

"""How much of the colour the smallest and the largest difference have; text must stay readable on it."""

_MOST_WITH_TEXT = 4  # Learners whose cells hold numbers on a phone, too; of more the table of pairs has them.
_FEW = 14  # Up to so many learners a cell is as wide as a line of a name is high.


def plot_pair_matrix(result: MetricComparison, ax: Axes | None = None) -> Axes:
    """Draw every pair that was compared, learners in the order of their mean ranks.

    `result` is from `compare_table`.
    """
    names = result.ranking
    short = told_apart(names, limit=_SHORT)
    k = len(names)
    with_text = k <= _MOST_WITH_TEXT
    size, font = (_CELL, 9) if with_text else (0.26, 9) if k <= _FEW else (0.115, 6.5)
    if ax is None:
        ax = new_figure(
            width=0.4 + _LETTER * (5 + max(map(len, short))) + size * k, height=0.8 + size * k
        ).add_subplot()
    ax.set(xlim=(-0.5, k - 0.5), ylim=(k - 0.5, -0.5))
    ax.set_aspect("equal")
    ax.tick_params(length=0, labelsize=font, colors=INK)
    every = 1 if k <= _FEW else 5  # numbers of columns, which rows have too: names would need more room than there is
    ax.set_xticks(range(0, k, every), [str(i + 1) for i in range(0, k, every)])
    ax.xaxis.tick_top()
    ax.set_yticks(range(k), [f"{name}  {i + 1}" for i, name in enumerate(short)])
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


_ROW = 0.24

_MOST_ROWS = 60


def plot_rank_table(result: MetricComparison, ax: Axes | None = None) -> Axes:
    """Draw ranks within data sets, best learner first, with the mean ranks in the last row.

    `result` is from `compare_table`.
    """
    order = np.argsort(result.data_sets.mean_ranks, kind="stable")
    shown = min(result.table.n_datasets, _MOST_ROWS)
    k = len(order)
    if ax is None:
        column = 0.34 if k <= _FEW else 0.13
        ax = new_figure(width=1.6 + column * k, height=1.5 + _ROW * (shown + 1)).add_subplot()
    ax.set(xlim=(-0.5, k - 0.5), ylim=(shown + 0.6, -0.5))
    ax.tick_params(length=0, labelsize=8.5, colors=INK)
    short = told_apart([result.names[i] for i in order], limit=_SHORT)
    ax.set_xticks(range(k), short, rotation=90, fontsize=8.5 if k <= _FEW else 6.5)
    ax.xaxis.tick_top()
    more = result.table.n_datasets - shown
    rows = [plain(name, limit=20) for name in result.table.datasets[:shown]]
    last = "mean rank" if more == 0 else f"mean rank ({more} more sets)"
    ax.set_yticks([*range(shown), shown + 0.1], [*rows, last])
    for spine in ax.spines.values():
        spine.set_visible(False)
    for row, ranks in enumerate(result.data_sets.dataset_ranks[:shown, order]):
        _row(ax, row, ranks, k, form="g")
    _row(ax, shown + 0.1, result.data_sets.mean_ranks[order], k, form=".2f")
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
        if k <= _FEW:
            ax.text(column, row, f"{rank:{form}}", ha="center", va="center", color=INK, fontsize=8, label="_rank")


_CORNERS = np.array([[0.0, 0.0], [0.5, np.sqrt(3) / 2], [1.0, 0.0]])

_MOST_POINTS = 1250


def plot_triangle(posterior: PairPosterior, ax: Axes | None = None, *, names: tuple[str, str] = ("a", "b")) -> Axes:
    """Draw posterior draws of the three shares in a triangle whose corners are certainty.

    `posterior`: from `bayesian_signed_rank`, `bayesian_sign_test` or `hierarchical_correlated_t`. `names` are the two
    learners.
    """
    ax = new_axes(ax, width=4.6, height=4.3)
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set(xlim=(-0.25, 1.25), ylim=(-0.17, 1.05))
    points = posterior.draws.reshape(-1, 3)
    points = points[:: max(1, len(points) // _MOST_POINTS)]
    at = points @ _CORNERS
    winner = points.argmax(axis=1)
    for region, colour in enumerate((A, SAME, B)):
        own = at[winner == region]
        ax.plot(own[:, 0], own[:, 1], ".", color=colour, alpha=0.35, markersize=4, label=f"_draws {region}")
    outline = np.vstack([_CORNERS, _CORNERS[:1]])
    ax.plot(outline[:, 0], outline[:, 1], color=INK, linewidth=1.2, label="_triangle")
    centre = _CORNERS.mean(axis=0)
    for first, second in ((0, 1), (1, 2), (2, 0)):
        middle = (_CORNERS[first] + _CORNERS[second]) / 2
        ax.plot([centre[0], middle[0]], [centre[1], middle[1]], color=RULE, linewidth=1.0, label="_border")
    a_better, same, b_better = (probability(float(p)) for p in posterior.probabilities.as_tuple())
    left, right = told_apart(names, limit=20)
    ax.text(0.0, -0.04, f"{left} better\n{a_better}", ha="center", va="top", color=A, fontsize=9.5)
    ax.text(1.0, -0.04, f"{right} better\n{b_better}", ha="center", va="top", color=B, fontsize=9.5)
    ax.text(0.5, 0.89, f"within {posterior.rope:g}\n{same}", ha="center", va="bottom", color=INK, fontsize=9.5)
    return ax


def plot_front(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """The triangle of the two learners with the best mean ranks, or of the control and the best other.

    `c` is a comparison of many learners.
    """
    return plot_triangle(c.data_sets.posterior(), ax, names=c.data_sets.front)
