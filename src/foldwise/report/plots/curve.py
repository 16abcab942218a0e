"""A curve over the true difference: how probable it is, or how surely it is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.style import A, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.kinds.curves import Curve

__all__ = ["plot_curve"]


def plot_curve(curve: Curve, ax: Axes | None = None) -> Axes:
    """The curve as a line.

    Parameters
    ----------
    curve
        As `TwoModels.posterior` and `TwoModels.power_curve` return it.
    ax
        Where to draw; new axes if None.
    """
    ax = new_axes(ax)
    ax.plot(curve.difference, curve.height, color=A, linewidth=1.8)
    ax.set(xlabel="difference a − b", ylabel=curve.axis, ylim=(0, None))
    return ax
