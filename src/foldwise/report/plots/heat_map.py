"""Differences as a map: runs × folds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.evidence.scores import Scores
from foldwise.report.plots._units import difference_label
from foldwise.report.style import INK, A, B, new_axes, whole_numbers
from foldwise.report.text import percents

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.comparison import Comparison

__all__ = ["CAPTION", "plot_heat_map"]

CAPTION = "Difference on each fold of each run: a row or column of one colour would be suspicious."

SHADES = 41
"""Colours of the map; beyond 50 the bar beside it would become a bitmap. Odd, so that no difference is white."""


def plot_heat_map(c: Comparison, ax: Axes | None = None) -> Axes:
    """The difference a − b on each fold of each run as a colour: white is none, each learner has a hue.

    Parameters
    ----------
    c
        A comparison from the scores of a cross-validation.
    ax
        Where to draw; new axes if None.
    """
    if not isinstance(c.evidence, Scores) or c.evidence.a.ndim != 2:
        raise InvalidInput("plot_heat_map needs a comparison from scores of shape (runs, folds)")
    from matplotlib.colors import LinearSegmentedColormap

    ax = new_axes(ax)
    x = c.evidence.differences * percents(c.unit)
    reach = float(np.abs(x).max()) or 1.0
    ends = (B, A) if c.higher_is_better else (A, B)
    colours = LinearSegmentedColormap.from_list("foldwise", [ends[0], "#ffffff", ends[1]], N=SHADES)
    edges = [np.arange(size + 1) + 0.5 for size in x.shape]
    mesh = ax.pcolormesh(edges[1], edges[0], x, cmap=colours, vmin=-reach, vmax=reach, linewidth=0)
    bar = ax.figure.colorbar(mesh, ax=ax, shrink=0.85)
    bar.outline.set_visible(False)
    bar.ax.tick_params(colors=INK, labelsize=8, length=2)
    assert bar.solids is not None
    bar.solids.set_edgecolor("face")
    bar.set_label(difference_label(c), color=INK, fontsize=9)
    ax.invert_yaxis()
    for axis in (ax.xaxis, ax.yaxis):
        whole_numbers(axis)
    ax.set(xlabel="fold", ylabel="run")
    return ax
