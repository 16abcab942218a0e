"""The mean of every training over the items, model by model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.units import percents
from foldwise.evidence.seed_marks import SeedMarks
from foldwise.report.style import INK, RULE, A, B, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.two_models import TwoModels

__all__ = ["CAPTION", "plot_seeds"]

CAPTION = "Every training's mean over the items (dots), and the mean over seeds (lines); paired seeds are joined."


def plot_seeds(c: TwoModels, ax: Axes | None = None) -> Axes:
    """A dot for each training of each model, at its mean over the items; paired seeds are joined by a line.

    Parameters
    ----------
    c
        A comparison of several seeds.
    ax
        Where to draw; new axes if None.
    """
    if not isinstance(c.evidence, SeedMarks):
        raise InvalidInput(f"plot_seeds needs a comparison of several seeds, got one from {c.design}")
    ax, scale = new_axes(ax), percents(c.unit)
    means = [part.mean(axis=1) * scale for part in c.evidence.values]
    if c.evidence.paired:
        ax.plot([0, 1], np.array(means), color=RULE, linewidth=0.8)
    for place, (values, colour) in enumerate(zip(means, (A, B), strict=True)):
        ax.scatter(np.full(len(values), place), values, s=18, c=colour, alpha=0.75, linewidths=0)
        ax.hlines(float(values.mean()), place - 0.12, place + 0.12, color=INK, linewidth=1.4)
    ax.set_xticks([0, 1], [plain(name, limit=24) for name in c.names])
    ax.set(xlim=(-0.5, 1.5), ylabel=plain(c.metric, limit=30) + ("" if c.unit == "own" else " (%)"))
    return ax
