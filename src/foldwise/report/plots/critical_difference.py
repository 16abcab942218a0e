"""The critical-difference diagram: mean ranks on a line, and bars over learners that are not told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.report.many_text import procedure_title
from foldwise.report.style import INK, RULE, SAME, A, new_figure, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.core.types import Array
    from foldwise.verdict.many.comparison import ManyComparison

__all__ = ["CALLED", "CAPTION", "plot_critical_difference"]

CALLED = "ranks"
CAPTION = (
    "Mean ranks, the best on the left. A bar joins learners that the test does not tell apart: those with a dot on it."
)

# inches: a letter of a name, the rank beside it, the axis; a lane of bars, a line of names, what is above them
_LETTER, _NUMBER, _AXIS = 0.078, 0.55, 3.2
_LANE, _LINE, _TOP = 0.13, 0.22, 0.62


def plot_critical_difference(result: ManyComparison, ax: Axes | None = None) -> Axes:
    """Draw mean ranks and the groups that the pairwise test does not tell apart.

    Parameters
    ----------
    result
        From `compare_many`.
    ax
        Where to draw; a new figure, high enough for every name to have a line of its own, when None.

    Returns
    -------
    Axes
        The best learner is on the left. A dot on a bar marks a member of its group: a learner that the bar passes
        without a dot does differ from some member. With a control there are no bars: learners that differ from it
        are drawn in full colour, the others in grey.
    """
    order = np.argsort(result.ranks, kind="stable")
    names, ranks = [result.learners[i] for i in order], result.ranks[order]
    half = (len(names) + 1) // 2
    lanes = _lanes(result, names)
    body = _TOP + _LANE * (len(lanes) + 1) + _LINE * half
    margin = _NUMBER + _LETTER * max(9, *(len(plain(name)) for name in names))
    if ax is None:
        ax = new_figure(width=_AXIS + 2 * margin, height=body + 0.25).add_subplot()
    ax.set_axis_off()
    ax.set(xlim=(-margin, _AXIS + margin), ylim=(-body, 0))
    low, high = _scale(ranks)
    place = _AXIS * (ranks - low) / (high - low)
    _axis(ax, low, high, result)
    _names(ax, result, names, place, half, -_TOP - _LANE * (len(lanes) + 1))
    for lane, groups in enumerate(lanes):
        for group in groups:
            at = [place[i] for i in group]
            y = -_TOP - _LANE * (lane + 0.7)
            ax.plot([at[0], at[-1]], [y, y], color=A, linewidth=2.6, solid_capstyle="round", label="_group")
            ax.plot(at, [y] * len(at), color=A, marker="o", markersize=4.6, linestyle="none", label="_members")
    return ax


def _scale(ranks: Array) -> tuple[float, float]:
    """Whole ranks that enclose all means."""
    low, high = float(np.floor(ranks.min())), float(np.ceil(ranks.max()))
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _lanes(result: ManyComparison, names: list[str]) -> list[list[list[int]]]:
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


def _axis(ax: Axes, low: float, high: float, result: ManyComparison) -> None:
    y = -_TOP + 0.12
    ax.plot([0, _AXIS], [y, y], color=INK, linewidth=1.2, label="_axis")
    step = max(1, int(np.ceil((high - low) / 10)))
    for tick in np.arange(np.ceil(low), high + 1e-9, step):
        x = _AXIS * (tick - low) / (high - low)
        ax.plot([x, x], [y, y + 0.05], color=INK, linewidth=1.0)
        ax.text(x, y + 0.07, f"{tick:g}", ha="center", va="bottom", color=INK, fontsize=9)
    ax.text(-0.08, y, "mean rank", ha="right", va="center", color=SAME, fontsize=9)
    ax.text(_AXIS + 0.08, y, f"at level {result.alpha:g}", ha="left", va="center", color=SAME, fontsize=9)
    ax.text(
        _AXIS / 2, -0.02, plain(procedure_title(result), limit=110), ha="center", va="top", color=SAME, fontsize=8.5
    )
    if result.critical_difference is not None:
        reach = _AXIS * result.critical_difference / (high - low)
        top = y + 0.27
        ax.plot([0, reach], [top, top], color=INK, linewidth=1.6, label="_critical difference")
        text = f"critical difference {result.critical_difference:.2f}"
        ax.text(reach + 0.07, top, text, ha="left", va="center", color=INK, fontsize=8.5)


def _names(ax: Axes, result: ManyComparison, names: list[str], place: Array, half: int, top: float) -> None:
    """Best half on the left, its best on top; worst half on the right, its worst on top: lines never cross."""
    differing = {pair.b for pair in result.pairs if pair.better is not None}
    for i, (name, x) in enumerate(zip(names, place, strict=True)):
        left = i < half
        row = i if left else len(names) - 1 - i
        y = top - _LINE * (row + 0.5)
        edge = -0.08 if left else _AXIS + 0.08
        full = result.control is None or name == result.control or name in differing
        colour = INK if full else SAME
        ax.plot([x, x, edge], [-_TOP + 0.12, y, y], color=colour if full else RULE, linewidth=0.8, label="_stem")
        rank = f"{result.ranks[result.learners.index(name)]:.2f}"
        label = f"{plain(name)}  {rank}" if left else f"{rank}  {plain(name)}"
        weight = "bold" if name == result.control else "normal"
        side = "right" if left else "left"
        shift = -0.04 if left else 0.04
        ax.text(edge + shift, y, label, ha=side, va="center", color=colour, fontsize=9, weight=weight, label="_name")
