"""The critical-difference diagram as TikZ, which takes the fonts of the paper it stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.report.latex import COLUMN, at_most_as_wide, latex, width_of
from foldwise.report.plots.critical_difference import lanes_of, not_shown_to_differ

if TYPE_CHECKING:
    from foldwise.verdict.many.comparison import ManyComparison

__all__ = ["critical_difference_tikz"]

LANE, LINE = 0.25, 0.5
"""Centimetres between bars, and between names."""

_CENTIMETRE = 72.27 / 2.54
_SMALL = 0.9
"""Size of the letters, in tens of points."""
_RANK, _SHORTEST, _LONGEST = 0.5, 2.0, 8.0
"""Centimetres that one rank takes at least, and the axis at least and at most."""
_EDGE, _PADDING = 0.2, 0.5
"""Centimetres from an end of the axis to the names beside it, and what TikZ leaves free about both names."""


def critical_difference_tikz(c: ManyComparison, *, width: float = COLUMN) -> str:
    """A ``tikzpicture``: mean ranks from the best on the left, names at its sides, bars over groups not told apart.

    The axis takes what the names leave of `width` points, and is never so short that ranks could not be told apart:
    where it would be, the picture is shrunk to the column it stands in.
    """
    order = np.argsort(c.mean_ranks, kind="stable")
    names = [c.learners[i] for i in order]
    high = max(2.0, float(np.ceil(max(c.mean_ranks))))
    axis = _axis_length(names, high, width)
    place = [axis * (float(c.mean_ranks[i]) - 1) / (high - 1) for i in order]
    lanes = lanes_of(c, names)
    lines = [r"\begin{tikzpicture}[font=\small]", *_axis(axis, high), *_critical(c, axis / (high - 1))]
    for lane, groups in enumerate(lanes):
        y = -LANE * (lane + 1)
        lines += [
            rf"  \draw[line width=2pt] ({place[g[0]]:.3f},{y:.3f}) -- ({place[g[-1]]:.3f},{y:.3f});" for g in groups
        ]
        # a learner that a bar passes without a tick differs from some member of the group
        lines += [
            rf"  \draw ({place[i]:.3f},{y - 0.08:.3f}) -- ({place[i]:.3f},{y + 0.08:.3f});" for g in groups for i in g
        ]
    lines += _names(c, names, place, axis=axis, top=-LANE * (len(lanes) + 1))
    lines += _legend(c, axis, y=-LANE * (len(lanes) + 1) - LINE * ((len(names) + 1) // 2))
    return "\n".join(at_most_as_wide([*lines, r"\end{tikzpicture}"]))


def _axis_length(names: list[str], high: float, width: float) -> float:
    """Centimetres between the names of the better half and those of the others, which all have their rank with them."""
    half = (len(names) + 1) // 2
    beside = [
        max(_SMALL * width_of(f"{name} 00.00 ") for name in side) for side in (names[:half], names[half:]) if side
    ]
    left = (width - sum(beside)) / _CENTIMETRE - 2 * _EDGE - _PADDING
    return float(np.clip(left, max(_SHORTEST, _RANK * (high - 1)), _LONGEST))


def _axis(axis: float, high: float) -> list[str]:
    step = max(1, int(np.ceil((high - 1) / 10)))
    lines = [rf"  \draw (0,0) -- ({axis:.3f},0);"]
    for tick in np.arange(1, high + 1e-9, step):
        x = axis * (tick - 1) / (high - 1)
        lines.append(rf"  \draw ({x:.3f},0) -- ({x:.3f},0.12) node[above] {{{tick:g}}};")
    return lines


def _critical(c: ManyComparison, rank: float) -> list[str]:
    if c.critical_difference is None:
        return []
    said = f"CD = {c.critical_difference:.2f}"
    return [rf"  \draw[|-|] (0,0.75) -- ({rank * c.critical_difference:.3f},0.75) node[midway, above] {{{said}}};"]


def _names(c: ManyComparison, names: list[str], place: list[float], *, axis: float, top: float) -> list[str]:
    """The best half on the left, its best on top; the others on the right, their worst on top: lines never cross."""
    half, lines = (len(names) + 1) // 2, []
    grey = not_shown_to_differ(c)
    for i, name in enumerate(names):
        left = i < half
        y = top - LINE * (i if left else len(names) - 1 - i)
        edge, side = (-_EDGE, "left") if left else (axis + _EDGE, "right")
        rank = f"{c.mean_ranks[c.learners.index(name)]:.2f}"
        called = rf"\textbf{{{latex(name)}}}" if name == c.control else latex(name)
        said = rf"{called}\enspace {rank}" if left else rf"{rank}\enspace {called}"
        shade = "[gray]" if name in grey else ""
        lines.append(rf"  \draw{shade} ({place[i]:.3f},0) |- ({edge:.3f},{y:.3f}) node[{side}] {{{said}}};")
    return lines


def _legend(c: ManyComparison, axis: float, *, y: float) -> list[str]:
    """What the shades of the names mean where there is a control."""
    if c.control is None:
        return []
    said = rf"\textcolor{{gray}}{{gray: not shown to differ from {latex(c.control)}}}"
    return [rf"  \node at ({axis / 2:.3f},{y:.3f}) {{{said}}};"]
