"""Units and words that several plots share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.style import A, B, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.two_models import TwoModels
    from foldwise.verdict.watch_result import Watch

__all__ = ["difference_label", "side_words", "winner_note"]

_LONGEST_LABEL = 38
"""Characters beside a plot of the usual height."""


def difference_label(c: TwoModels | Watch) -> str:
    """What the axis of differences shows; long names become a and b."""
    unit = "" if c.unit == "own" else " (points)"
    names = " − ".join(c.models)
    metric = plain(c.metric, limit=20)
    fits = len(metric) + len(names) + len(unit) <= _LONGEST_LABEL
    return f"{metric}, {plain(names, limit=_LONGEST_LABEL) if fits else 'a − b'}{unit}"


def winner_note(c: TwoModels | Watch) -> str:
    """Which side of zero is whose."""
    above, below = c.models if c.higher_is_better else c.models[::-1]
    return f"above 0: {plain(above, limit=20)} better\nbelow 0: {plain(below, limit=20)} better"


def side_words(ax: Axes, c: TwoModels) -> None:
    """Say above the axes of differences who is better on which side of zero."""
    a, b = ((plain(name, limit=16), colour) for name, colour in zip(c.names, (A, B), strict=True))
    left, right = (b, a) if c.higher_is_better else (a, b)
    for (name, colour), place, align in ((left, 0.0, "left"), (right, 1.0, "right")):
        ax.text(
            place, 1.03, f"{name} better", transform=ax.transAxes, ha=align, va="bottom", fontsize=8.5, color=colour
        )
