"""The interval of the difference against the margin: where it ends decides the conclusion."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from foldwise.core.errors import InvalidInput
from foldwise.core.units import percents
from foldwise.report.plots._units import difference_label, side_words
from foldwise.report.style import INK, RULE, SAME, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.two_models import TwoModels

__all__ = ["CAPTION", "plot_margin"]

CAPTION = (
    "The difference (dot), its interval (thin line) and its one-sided limits (thick line), which the conclusion rests "
    "on; grey is the margin on either side of no difference."
)


def plot_margin(c: TwoModels, ax: Axes | None = None) -> Axes:
    """The estimate with its interval and its one-sided limits, over the region within the margin.

    Parameters
    ----------
    c
        A comparison with a margin.
    ax
        Where to draw; new axes if None.
    """
    if c.margin is None:
        raise InvalidInput("there is no picture of the margin without one: give margin")
    ax, scale = new_axes(ax, height=1.9), percents(c.unit)
    ax.axvspan(-c.margin * scale, c.margin * scale, color=SAME, alpha=0.25, linewidth=0, label="margin")
    ax.axvline(0, color=RULE, linewidth=1)
    _line(ax, c, "interval", width=1.2, scale=scale)
    _line(ax, c, "limits", width=3.5, scale=scale)
    ax.plot([c.estimate * scale], [0], marker="o", markersize=6, color=INK, label="difference")
    side_words(ax, c)
    ax.text(0.5, 1.03, str(c.conclusion), transform=ax.transAxes, ha="center", va="bottom", fontsize=9.5, color=INK)
    ax.set(xlabel=difference_label(c), yticks=[], ylim=(-1, 1))
    ax.spines["left"].set_visible(False)
    return ax


def _line(ax: Axes, c: TwoModels, name: str, *, width: float, scale: float) -> None:
    found = getattr(c, name)
    if found is None or not all(math.isfinite(limit) for limit in (found.low, found.high)):
        return
    ends = [float(found.low) * scale, float(found.high) * scale]
    ax.plot(ends, [0, 0], color=INK, linewidth=width, solid_capstyle="butt", label=name)
