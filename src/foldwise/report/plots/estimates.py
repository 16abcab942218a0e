"""One learner's error by several estimators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.style import SAME, A, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.estimation import EstimateSurvey

__all__ = ["plot_estimates"]


def plot_estimates(survey: EstimateSurvey, ax: Axes | None = None) -> Axes:
    """Each estimate as a dot with its interval, where it has one; the recommended estimator, the first, in blue.

    Parameters
    ----------
    survey
        One learner's error by several estimators.
    ax
        Where to draw; new axes if None.
    """
    ax = new_axes(ax, width=6.4, height=0.9 + 0.28 * len(survey.rows))
    scale = 100 if survey.rows[0].metric == "error" else 1
    for place, row in enumerate(survey.rows):
        colour = A if place == 0 else SAME
        if row.interval is not None:
            limits = [scale * float(row.interval.low), scale * float(row.interval.high)]
            ax.plot(limits, [place, place], color=colour, linewidth=1.8, marker="|", markersize=8)
        ax.plot([scale * row.estimate], [place], color=colour, marker="o", markersize=5, linestyle="none",
                label=row.method)  # fmt: skip
    ax.set_yticks(range(len(survey.rows)), [plain(row.title, limit=42) for row in survey.rows], fontsize=8.5)
    ax.set_ylim(len(survey.rows) - 0.4, -0.6)
    ax.set_xlabel("error rate (%)" if scale == 100 else survey.rows[0].metric)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax
