"""The critical-difference diagram: mean ranks on a line, and bars over learners that are not told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from foldwise.report.many_text import procedure_title
from foldwise.report.style import INK, RULE, SAME, A, new_figure, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.core.types import Array
    from foldwise.verdict.many.comparison import ManyComparison

__all__ = ["ALSO", "CALLED", "CAPTION", "lanes_of", "not_shown_to_differ", "plot_critical_difference"]

CALLED = "ranks"
ALSO = ("cd", "critical_difference")
CAPTION = (
    "Mean ranks, the best on the left. A bar joins learners that the test does not tell apart: those with a tick on it."
)

# inches: a letter of a name, the rank beside it, the axis; a lane of bars, a line of names, what is above them
_LETTER, _NUMBER, _AXIS = 0.078, 0.55, 3.2
_LANE, _LINE, _TOP = 0.15, 0.22, 0.62

_TICK: dict[str, Any] = {"marker": "|", "markersize": 9, "markeredgewidth": 1.3}
_BY_TEST = "the procedure"


def plot_critical_difference(result: ManyComparison, ax: Axes | None = None, *, title: str | None = _BY_TEST) -> Axes:
    """Draw mean ranks and the groups that the pairwise test does not tell apart.

    Parameters
    ----------
    result
        From `compare_many`.
    ax
        Where to draw; a new figure, high enough for every name to have a line of its own, when None.
    title
        What stands above it: which test it is, unless something else is given; nothing when None, for a figure whose
        caption says it.

    Returns
    -------
    Axes
        The axis begins at 1, and the best learner is on the left. A tick on a bar marks a member of its group: a
        learner that the bar passes without a tick does differ from some member. With a control there are no bars:
        learners that differ from it are drawn in full colour, the others in grey, which a line below says.
    """
    order = np.argsort(result.mean_ranks, kind="stable")
    names, ranks = [result.learners[i] for i in order], result.mean_ranks[order]
    half = (len(names) + 1) // 2
    lanes = lanes_of(result, names)
    body = _TOP + _LANE * (len(lanes) + 1) + _LINE * (half + (result.control is not None))
    margin = _NUMBER + _LETTER * max(9, *(len(plain(name)) for name in names))
    if ax is None:
        ax = new_figure(width=_AXIS + 2 * margin, height=body + 0.25).add_subplot()
    ax.set_axis_off()
    ax.set(xlim=(-margin, _AXIS + margin), ylim=(-body, 0))
    high = max(2.0, float(np.ceil(ranks.max())))
    place = _AXIS * (ranks - 1) / (high - 1)
    _axis(ax, high, result)
    _title(ax, procedure_title(result) if title == _BY_TEST else title)
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


def lanes_of(result: ManyComparison, names: list[str]) -> list[list[list[int]]]:
    """Groups as positions, packed so that bars of one lane do not touch."""
    lanes: list[list[list[int]]] = []
    position = {name: i for i, name in enumerate(names)}
    for group in sorted(sorted(position[name] for name in clique) for clique in result.cliques):
        for lane in lanes:
            if lane[-1][-1] < group[0]:
                lane.append(group)
                break
        else:
            lanes.append([group])
    return lanes


def not_shown_to_differ(result: ManyComparison) -> set[str]:
    """Learners that the test does not tell from the control, which are drawn in grey; none where there is none."""
    if result.control is None:
        return set()
    return {pair.b for pair in result.pairs if pair.better is None}


def _axis(ax: Axes, high: float, result: ManyComparison) -> None:
    y = -_TOP + 0.12
    ax.plot([0, _AXIS], [y, y], color=INK, linewidth=1.2, label="_axis")
    step = max(1, int(np.ceil((high - 1) / 10)))
    for tick in np.arange(1, high + 1e-9, step):
        x = _AXIS * (tick - 1) / (high - 1)
        ax.plot([x, x], [y, y + 0.05], color=INK, linewidth=1.0)
        ax.text(x, y + 0.07, f"{tick:g}", ha="center", va="bottom", color=INK, fontsize=9)
    ax.text(-0.08, y, "mean rank", ha="right", va="center", color=SAME, fontsize=9)
    ax.text(_AXIS + 0.08, y, f"at level {result.alpha:g}", ha="left", va="center", color=SAME, fontsize=9)
    if result.critical_difference is not None:
        reach = _AXIS * result.critical_difference / (high - 1)
        top = y + 0.27
        ax.plot([0, reach], [top, top], color=INK, linewidth=1.6, label="_critical difference")
        text = f"critical difference {result.critical_difference:.2f}"
        ax.text(reach + 0.07, top, text, ha="left", va="center", color=INK, fontsize=8.5)


def _title(ax: Axes, title: str | None) -> None:
    if title is not None:
        words = plain(title, limit=110)
        ax.text(_AXIS / 2, -0.02, words, ha="center", va="top", color=SAME, fontsize=8.5, label="_title")


def _legend(ax: Axes, result: ManyComparison, *, y: float) -> None:
    """What the two shades of the names mean."""
    control = plain(result.control)
    for place, side, words, colour in (
        (_AXIS / 2 - 0.1, "right", f"differs from {control}", INK),
        (_AXIS / 2 + 0.1, "left", "not shown to differ", SAME),
    ):
        ax.text(place, y, words, ha=side, va="center", color=colour, fontsize=8.5, label="_legend")


def _names(ax: Axes, result: ManyComparison, names: list[str], place: Array, half: int, top: float) -> None:
    """Best half on the left, its best on top; worst half on the right, its worst on top: lines never cross."""
    grey = not_shown_to_differ(result)
    for i, (name, x) in enumerate(zip(names, place, strict=True)):
        left = i < half
        row = i if left else len(names) - 1 - i
        y = top - _LINE * (row + 0.5)
        edge = -0.08 if left else _AXIS + 0.08
        full = name not in grey
        colour = INK if full else SAME
        ax.plot([x, x, edge], [-_TOP + 0.12, y, y], color=colour if full else RULE, linewidth=0.8, label="_stem")
        rank = f"{result.mean_ranks[result.learners.index(name)]:.2f}"
        label = f"{plain(name)}  {rank}" if left else f"{rank}  {plain(name)}"
        weight = "bold" if name == result.control else "normal"
        side = "right" if left else "left"
        shift = -0.04 if left else 0.04
        ax.text(edge + shift, y, label, ha=side, va="center", color=colour, fontsize=9, weight=weight, label="_name")
