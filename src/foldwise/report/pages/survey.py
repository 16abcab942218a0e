"""The page of all intervals for one error rate."""

from __future__ import annotations

import foldwise
from foldwise.inference._interval_survey import IntervalSurvey, SurveyRow
from foldwise.report.drawings import Drawing
from foldwise.report.interval_text import survey_headline, survey_limits, survey_reading, survey_rules, survey_title
from foldwise.report.page import Grid, Page, Section, Text
from foldwise.report.pages.parts import caveat_sections

__all__ = ["drawings", "page"]


def page(survey: IntervalSurvey) -> Page:
    """The interval to use in words, then all of them."""
    reading = Text(lead="Read this as:", text=survey_reading(survey))
    rules = Text(lead="Textbook interval:", text=f"{survey_rules(survey)}.")
    return Page(
        title=survey_title(survey),
        subtitle=f"{survey.chosen.method.replace('_', ' ')} interval",
        headline=survey_headline(survey),
        tone="decided",
        sections=(
            Section(blocks=(_grid(survey), reading, rules), brief=True),
            *caveat_sections(survey.caveats),
        ),
        methods=f"{survey_headline(survey)} This was computed with foldwise {foldwise.__version__}.",
    )


def drawings(survey: IntervalSurvey) -> dict[str, Drawing]:
    """All intervals side by side."""
    caption = (
        "Every interval side by side: the one to use in blue, those that do not apply dotted; "
        "the dashed line is the observed rate."
    )
    return {"intervals": Drawing(plot="plot_intervals", shows=survey, caption=caption)}


def _grid(survey: IntervalSurvey) -> Grid:
    methods = [row.method for row in survey.rows]
    return Grid(
        columns=("method", "low", "high", "note"),
        rows=tuple((row.method, *survey_limits(survey, row), _note(survey, row)) for row in survey.rows),
        words=("note",),
        mark=methods.index(survey.chosen.method),
    )


def _note(survey: IntervalSurvey, row: SurveyRow) -> str:
    chosen = row.method == survey.chosen.method
    return f"use this one: {row.note}" if chosen and row.applicable else row.note
