"""All intervals for one error rate, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.style import INK, SAME, A, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.inference._interval_survey import IntervalSurvey

__all__ = ["plot_intervals"]


def plot_intervals(survey: IntervalSurvey, ax: Axes | None = None) -> Axes:
    """Each method's interval as a line: the one to use in blue, those that do not apply dotted; observed rate dashed.

    Parameters
    ----------
    survey
        All intervals for one error rate.
    ax
        Where to draw; new axes if None.
    """
    rows = [row for row in survey.rows if row.low is not None and row.high is not None]
    ax = new_axes(ax, height=0.9 + 0.26 * len(rows))
    ax.axvline(100 * float(survey.chosen.estimate), color=INK, linewidth=0.9, linestyle="--")
    for place, row in enumerate(rows):
        assert row.low is not None
        assert row.high is not None
        chosen = row.method == survey.chosen.method
        ax.plot(
            [100 * row.low, 100 * row.high],
            [place, place],
            color=A if chosen else SAME,
            linewidth=3 if chosen else 1.8,
            linestyle="-" if row.applicable else ":",
            marker="|",
            markersize=8,
            label=row.method,
        )
    ax.set_yticks(range(len(rows)), [row.method.replace("_", " ") for row in rows], fontsize=8.5)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlabel("error rate (%)")
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax
