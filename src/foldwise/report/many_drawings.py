"""Which plots a comparison of many learners has, and what each shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.validation import one_of
from foldwise.report import plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from foldwise.verdict.many_comparison import ManyComparison

__all__ = ["CAPTIONS", "many_figure"]

_PLOTS = {
    "ranks": "plot_critical_difference",
    "pairs": "plot_pair_matrix",
    "triangle": "plot_triangle",
    "table": "plot_rank_table",
}

CAPTIONS = {
    "ranks": "Mean ranks, the best on the left. A bar joins learners that the test does not tell apart: those with a "
    "dot on it.",
    "pairs": "The row's learner against the column's: wins, ties and losses, mean difference, adjusted p-value; "
    "coloured where a difference is shown.",
    "triangle": "Each point is a posterior draw; near a corner that answer is almost certain. For the two learners "
    "with the best mean ranks, or the control and the best other.",
    "table": "Rank of each learner on each data set.",
}


def many_figure(c: ManyComparison, kind: str = "ranks") -> Figure:
    """One plot of a comparison of many learners by name."""
    draw = getattr(plots, _PLOTS[one_of(kind, "plot", _PLOTS)])
    ax = draw(c.posterior(), names=c.front) if kind == "triangle" else draw(c)
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure  # type: ignore[no-any-return]
