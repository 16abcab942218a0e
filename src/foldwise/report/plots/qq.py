"""Sorted p-values against those a uniform distribution would give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.style import INK, A, B, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.lab import QQ

__all__ = ["plot_qq"]


def plot_qq(result: QQ, ax: Axes | None = None) -> Axes:
    """Observed p-values over expected ones; below the diagonal the test rejects too often; the band is chance.

    Parameters
    ----------
    result
        Outcome of a QQ study.
    ax
        Where to draw; new axes if None.
    """
    ax = new_axes(ax, height=3.6)
    expected = list(result.expected)
    low, high = [max(p - result.bound, 0) for p in expected], [min(p + result.bound, 1) for p in expected]
    ax.fill_between(expected, low, high, color=INK, alpha=0.12, linewidth=0, label="could be uniform")
    ax.plot([0, 1], [0, 1], color=INK, linewidth=0.9, linestyle="--")
    ax.plot(expected, result.observed, color=A if result.uniform else B, linewidth=1.6, label=plain(result.test))
    ax.set(xlabel="p expected if there is no difference", ylabel="p observed", xlim=(0, 1), ylim=(0, 1))
    ax.set_aspect("equal")
    return ax
