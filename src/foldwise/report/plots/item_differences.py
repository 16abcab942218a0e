"""How the differences on single items are spread, with their mean and its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.units import percents
from foldwise.evidence.items import Items
from foldwise.report.plots._units import difference_label
from foldwise.report.style import INK, RULE, SAME, A, B, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.two_models import TwoModels

__all__ = ["CAPTION", "plot_item_differences"]

CAPTION = "Differences on single items: how many there are of each size; the line is the mean, the band its interval."

BARS = 40
"""Most bars, an even number: none of them reaches over 0."""


def plot_item_differences(c: TwoModels, ax: Axes | None = None) -> Axes:
    """A histogram of the differences a − b on the items, the mean as a line, its interval as a band.

    Parameters
    ----------
    c
        A comparison from marks.
    ax
        Where to draw; new axes if None.
    """
    if not isinstance(c.evidence, Items):
        raise InvalidInput(f"plot_item_differences needs a comparison from marks, got one from {c.design}")
    ax, scale = new_axes(ax), percents(c.unit)
    x = c.evidence.differences * scale
    reach = float(np.abs(x).max()) or 1.0
    left, right = (A, B) if not c.higher_is_better else (B, A)
    edges = np.linspace(-reach, reach, BARS + 1)
    for part, colour in ((x[x < 0], left), (x[x > 0], right)):
        ax.hist(part, bins=edges.tolist(), color=colour, alpha=0.75)
    equal = int((x == 0).sum())
    if equal:
        ax.bar(0, equal, width=reach / BARS, color=SAME, label=f"equal on {equal}")
    if c.interval is not None:
        low, high = float(c.interval.low) * scale, float(c.interval.high) * scale
        ax.axvspan(low, high, color=INK, alpha=0.15, linewidth=0, label="interval")
    ax.axvline(0, color=RULE, linewidth=1)
    ax.axvline(c.estimate * scale, color=INK, linewidth=1.4, label="mean")
    ax.set(xlabel=difference_label(c), ylabel="items")
    return ax
