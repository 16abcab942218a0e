"""The page of all intervals for one error rate."""

from __future__ import annotations

from foldwise.inference.interval_survey import IntervalSurvey, SurveyRow
from foldwise.report.interval_text import survey_headline, survey_limits, survey_reading, survey_rules, survey_title
from foldwise.report.page import Grid, Page, Section, Text
from foldwise.report.pages.parts import caveat_sections, plot_sections

__all__ = ["page"]


def page(survey: IntervalSurvey, *, plots: bool = True) -> Page:
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
            *plot_sections(
                survey,
                plots,
                plot_intervals="Every interval side by side: the one to use in blue, those that do not apply dotted; "
                "the dashed line is the observed rate.",
            ),
        ),
    )


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
