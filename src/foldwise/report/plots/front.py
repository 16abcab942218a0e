"""The two learners at the front of a comparison of many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.plots.triangle import plot_triangle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.many.comparison import ManyComparison

__all__ = ["CALLED", "CAPTION", "plot_front"]

CALLED = "triangle"
CAPTION = (
    "Each point is a posterior draw; near a corner that answer is almost certain. For the two learners with the best "
    "mean ranks, or the control and the best other."
)


def plot_front(c: ManyComparison, ax: Axes | None = None) -> Axes:
    """The triangle of the two learners with the best mean ranks, or of the control and the best other.

    Parameters
    ----------
    c
        A comparison of many learners.
    ax
        Where to draw; new axes if None.
    """
    return plot_triangle(c.posterior(), ax, names=c.front)
