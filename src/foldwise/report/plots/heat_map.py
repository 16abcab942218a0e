"""Differences as a map: runs × folds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.errors import InvalidInput
from foldwise.core.units import percents
from foldwise.evidence.scores import Scores
from foldwise.report.plots._map import draw_map
from foldwise.report.style import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.two_models import TwoModels

__all__ = ["CAPTION", "plot_heat_map"]

CAPTION = "Difference on each fold of each run: a row or column of one colour would be suspicious."


def plot_heat_map(c: TwoModels, ax: Axes | None = None) -> Axes:
    """The difference a − b on each fold of each run as a colour: none has no colour, each learner has a hue.

    Parameters
    ----------
    c
        A comparison from the scores of a cross-validation.
    ax
        Where to draw; new axes if None.
    """
    if not isinstance(c.evidence, Scores) or len(c.evidence.shape) != 2:
        raise InvalidInput("plot_heat_map needs a comparison from scores of shape (runs, folds)")
    ax = new_axes(ax)
    draw_map(c, c.evidence.differences * percents(c.unit), ax)
    ax.set(xlabel="fold", ylabel="run")
    return ax
