"""Paired differences on each split, with their mean and its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.units import percents
from foldwise.evidence.scores import Scores
from foldwise.report.plots._units import difference_label, winner_note
from foldwise.report.style import INK, RULE, A, B, new_axes, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.two_models import TwoModels

__all__ = ["CAPTION", "plot_differences"]

CAPTION = "Difference on each split, with the mean (line) and its interval (band)."


def plot_differences(c: TwoModels, ax: Axes | None = None) -> Axes:
    """Each split's difference a − b as a dot (one column per run), the mean as a line, its interval as a band.

    Parameters
    ----------
    c
        A comparison from scores.
    ax
        Where to draw; new axes if None.
    """
    if not isinstance(c.evidence, Scores):
        raise InvalidInput("plot_differences needs a comparison from scores, got one from predictions")
    ax, scale = new_axes(ax), percents(c.unit)
    x = c.evidence.differences * scale
    runs = np.indices(x.shape)[0].ravel() + 1 if x.ndim == 2 and len(x) > 1 else np.arange(x.size) + 1
    wins = (x.ravel() > 0) == c.higher_is_better
    if c.interval is not None:
        low, high = float(c.interval.low) * scale, float(c.interval.high) * scale
        ax.axhspan(low, high, color=INK, alpha=0.15, linewidth=0, label="interval")
    ax.axhline(0, color=RULE, linewidth=1)
    ax.axhline(c.estimate * scale, color=INK, linewidth=1.4, label="mean")
    colours = np.where(x.ravel() == 0, INK, np.where(wins, A, B)).tolist()
    ax.scatter(runs, x.ravel(), s=16, c=colours, alpha=0.75, linewidths=0, label="splits")
    whole_numbers(ax.xaxis)
    ax.set_xlabel("run" if x.ndim == 2 and len(x) > 1 else "fold" if x.ndim == 2 else "split")
    ax.set_ylabel(difference_label(c))
    ax.set_title(winner_note(c), loc="left", fontsize=9, color=INK)
    return ax
