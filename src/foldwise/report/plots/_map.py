"""A map of differences, which the plots of runs × folds and of blocks × blocks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.report.plots._units import difference_label
from foldwise.report.style import INK, A, B, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.core.types import Array
    from foldwise.verdict.two_models import TwoModels

__all__ = ["draw_map"]

SHADES = 41
"""Colours of the map; beyond 50 the bar beside it would become a bitmap. Odd, so that no difference has no colour."""


def draw_map(c: TwoModels, x: Array, ax: Axes) -> None:
    """Draw differences a − b, in the unit that is shown, as colours: none has no colour, each learner has a hue.

    Shades differ in how much of the paper shows through, so that large differences stand out on dark pages too.
    """
    from matplotlib.colors import ListedColormap, to_rgba

    reach = float(np.nanmax(np.abs(x))) or 1.0
    ends = (B, A) if c.higher_is_better else (A, B)
    shares = np.linspace(-1, 1, SHADES)
    colours = ListedColormap([to_rgba(ends[int(share > 0)], alpha=abs(share)) for share in shares], name="foldwise")
    edges = [np.arange(size + 1) + 0.5 for size in x.shape]
    mesh = ax.pcolormesh(edges[1], edges[0], x, cmap=colours, vmin=-reach, vmax=reach, linewidth=0)
    bar = ax.figure.colorbar(mesh, ax=ax, shrink=0.85)
    bar.outline.set_visible(False)
    bar.ax.tick_params(colors=INK, labelsize=8, length=2)
    assert bar.solids is not None
    bar.solids.set(edgecolor="none", linewidth=0)  # edges would overlap, and show through each other
    bar.set_label(difference_label(c), color=INK, fontsize=9)
    ax.invert_yaxis()
    for axis in (ax.xaxis, ax.yaxis):
        whole_numbers(axis)
