"""The limits of a difference while items come in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.units import percents
from foldwise.report.plots._units import difference_label, winner_note
from foldwise.report.style import INK, RULE, SAME, A, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.watch_result import Watch

__all__ = ["CAPTION", "plot_sequence"]

CAPTION = (
    "The difference so far (line) and its limits (band), which hold at all times together: once the band has left 0, a "
    "difference is shown. Grey is the margin, where one was given."
)

LATE = 50
"""The limits of the first 50th part of the items may be cut off: they begin at everything that is possible."""


def plot_sequence(w: Watch, ax: Axes | None = None) -> Axes:
    """The estimate as a line and the limits as a band by the number of items, with a line at no difference.

    Parameters
    ----------
    w
        A comparison that is watched.
    ax
        Where to draw; new axes if None.
    """
    ax, scale, found = new_axes(ax), percents(w.unit), w.sequence
    if w.margin is not None:
        ax.axhspan(-w.margin * scale, w.margin * scale, color=SAME, alpha=0.25, linewidth=0, label="margin")
    ax.axhline(0, color=INK, linewidth=1)
    items = w.items_at(found.looks)
    ax.fill_between(items, found.low * scale, found.high * scale, color=A, alpha=0.25, linewidth=0, label="limits")
    ax.plot(items, found.estimate * scale, color=A, linewidth=1.6, label="difference")
    if w.shown_after is not None:
        ax.axvline(w.shown_after, color=RULE, linewidth=1, linestyle="--", label="shown")
    if items[0] > 0:
        _counts_by_factors(ax)
        late = items >= items[-1] / LATE
        ends = [*found.low[late], *found.high[late], 0.0]
        ax.set(xlim=(items[0], max(items[-1], items[0] + 1)), ylim=_around(min(ends) * scale, max(ends) * scale))
    ax.set(xlabel="items", ylabel=difference_label(w))
    ax.set_title(winner_note(w), loc="left", fontsize=9, color=INK)
    return ax


def _around(low: float, high: float) -> tuple[float, float]:
    air = 0.08 * (high - low)
    return low - air, high + air


def _counts_by_factors(ax: Axes) -> None:
    """Whole numbers on a logarithmic axis, as plain text."""
    from matplotlib.ticker import NullFormatter, StrMethodFormatter

    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
