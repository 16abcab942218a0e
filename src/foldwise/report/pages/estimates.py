"""The page of one learner's error by several estimators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.metric import unit_of
from foldwise.core.units import score_text
from foldwise.report.drawings import Drawing
from foldwise.report.estimate import estimate_headline, estimate_methods
from foldwise.report.page import Bullets, Grid, Page, Section

if TYPE_CHECKING:
    from foldwise.estimation import ErrorEstimate, EstimateSurvey

__all__ = ["drawings", "page"]


def page(survey: EstimateSurvey) -> Page:
    """The recommended estimate in words, all of them as a plot and a table, and how each is biased."""
    first = survey.rows[0]
    grid = Grid(
        columns=("estimator", "estimate", "interval", "how"),
        rows=tuple(
            (row.title, score_text(row.estimate, unit_of(row.metric)), _interval(row), row.design)
            for row in survey.rows
        ),
        words=("how",),
        mark=0,
    )
    biases = tuple(dict.fromkeys(caveat for row in survey.rows for caveat in row.caveats))
    return Page(
        title=first.learner,
        subtitle=" · ".join(part for part in (first.subject, "every error estimator") if part),
        headline=f"{first.title[0].upper()}{first.title[1:]}: {estimate_headline(first)}",
        tone="decided",
        sections=(
            Section(blocks=(grid,), brief=True),
            Section(heading="Caveats", blocks=(Bullets(items=biases),)),
        ),
        provenance=(("seed", str(first.seed)), ("examples", str(first.n))),
        methods=estimate_methods(first),
    )


def drawings(survey: EstimateSurvey) -> dict[str, Drawing]:
    """All estimates side by side."""
    caption = "Every estimate, with its interval where one is justified; the recommended one in blue."
    return {"estimates": Drawing(plot="plot_estimates", shows=survey, caption=caption)}


def _interval(row: ErrorEstimate) -> str:
    if row.interval is None:
        return "–"
    low, high = (score_text(float(limit), unit_of(row.metric)) for limit in (row.interval.low, row.interval.high))
    return f"{low} to {high}"
