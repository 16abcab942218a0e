"""How many examples each class of a data set has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.style import A, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.data.dataset import Description

__all__ = ["plot_classes"]


def plot_classes(data: Description, ax: Axes | None = None) -> Axes:
    """One bar per class, in the declared order.

    Parameters
    ----------
    data
        A data set with classes.
    ax
        Where to draw; new axes if None.
    """
    counts = data.class_counts or {}
    ax = new_axes(ax, height=0.9 + 0.28 * len(counts))
    ax.barh(range(len(counts)), list(counts.values()), height=0.65, color=A, alpha=0.85, linewidth=0)
    ax.set_yticks(range(len(counts)), [plain(label, limit=34) for label in counts], fontsize=8.5)
    ax.set_ylim(len(counts) - 0.4, -0.6)
    ax.set_xlabel("examples")
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax
