"""The critical-difference diagram as TikZ, which takes the fonts of the paper it stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.report.latex import latex
from foldwise.report.plots.critical_difference import lanes_of

if TYPE_CHECKING:
    from foldwise.verdict.many.comparison import ManyComparison

__all__ = ["critical_difference_tikz"]

AXIS = 8.0
"""Centimetres from rank 1 to the last tick."""

LANE, LINE = 0.25, 0.5
"""Centimetres between bars, and between names."""


def critical_difference_tikz(c: ManyComparison) -> str:
    """A ``tikzpicture``: mean ranks from the best on the left, names at its sides, bars over groups not told apart."""
    order = np.argsort(c.ranks, kind="stable")
    names, ranks = [c.learners[i] for i in order], [float(c.ranks[i]) for i in order]
    high = max(2.0, float(np.ceil(max(ranks))))
    place = [AXIS * (rank - 1) / (high - 1) for rank in ranks]
    lanes = lanes_of(c, names)
    lines = [r"\begin{tikzpicture}[font=\small]", *_axis(high), *_critical(c, high)]
    for lane, groups in enumerate(lanes):
        y = -LANE * (lane + 1)
        lines += [
            rf"  \draw[line width=2pt] ({place[g[0]]:.3f},{y:.3f}) -- ({place[g[-1]]:.3f},{y:.3f});" for g in groups
        ]
        # a learner that a bar passes without a tick differs from some member of the group
        lines += [
            rf"  \draw ({place[i]:.3f},{y - 0.08:.3f}) -- ({place[i]:.3f},{y + 0.08:.3f});" for g in groups for i in g
        ]
    lines += _names(names, ranks, place, -LANE * (len(lanes) + 1))
    return "\n".join([*lines, r"\end{tikzpicture}"])


def _axis(high: float) -> list[str]:
    step = max(1, int(np.ceil((high - 1) / 10)))
    lines = [rf"  \draw (0,0) -- ({AXIS:g},0);"]
    for tick in np.arange(1, high + 1e-9, step):
        x = AXIS * (tick - 1) / (high - 1)
        lines.append(rf"  \draw ({x:.3f},0) -- ({x:.3f},0.12) node[above] {{{tick:g}}};")
    return lines


def _critical(c: ManyComparison, high: float) -> list[str]:
    if c.critical_difference is None:
        return []
    reach = AXIS * c.critical_difference / (high - 1)
    said = f"CD = {c.critical_difference:.2f}"
    return [rf"  \draw[|-|] (0,0.75) -- ({reach:.3f},0.75) node[right] {{{said}}};"]


def _names(names: list[str], ranks: list[float], place: list[float], top: float) -> list[str]:
    """The best half on the left, its best on top; the others on the right, their worst on top: lines never cross."""
    half, lines = (len(names) + 1) // 2, []
    for i, name in enumerate(names):
        left = i < half
        y = top - LINE * (i if left else len(names) - 1 - i)
        edge, side = (-0.2, "left") if left else (AXIS + 0.2, "right")
        rank = f"{ranks[i]:.2f}"
        said = rf"{latex(name)}\enspace {rank}" if left else rf"{rank}\enspace {latex(name)}"
        lines.append(rf"  \draw ({place[i]:.3f},0) |- ({edge:.3f},{y:.3f}) node[{side}] {{{said}}};")
    return lines
