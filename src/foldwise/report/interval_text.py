"""The intervals for one error rate as plain text: one answer in words, the table, then the caveats."""

from __future__ import annotations

import math
import textwrap

from foldwise.core.formatting import level_text
from foldwise.inference._interval_survey import IntervalSurvey, SurveyRow
from foldwise.kinds.guarantee import interval_guarantee

__all__ = ["survey_headline", "survey_limits", "survey_reading", "survey_rules", "survey_text", "survey_title"]

WIDTH = 110


def survey_text(survey: IntervalSurvey) -> str:
    """Return the survey as a person would read it.

    Examples
    --------
    >>> from foldwise.inference import interval_survey
    >>> print(survey_text(interval_survey(3, 50)).splitlines()[2])
      The true error rate is probably between 1.7 % and 15.2 % (95 % interval); observed were 6.0 %.
    """
    left, title = survey_title(survey), f"{survey.chosen.method} interval"
    lines = [left + " " * max(3, WIDTH - len(left) - len(title)) + title, "", *_wrap(survey_headline(survey)), ""]
    lines += _table(survey)
    lines += ["", *_wrap(f"Read this as: {survey_reading(survey)}")]
    lines += _wrap(f"Guarantee: {interval_guarantee(survey.chosen.method)}.")
    lines += _wrap(f"Textbook interval: {survey_rules(survey)}.")
    caveats = " ".join(f"{caveat[:1].upper()}{caveat[1:]}." for caveat in survey.caveats)
    return "\n".join([*lines, *_wrap(f"Caveats: {caveats}")])


def survey_title(survey: IntervalSurvey) -> str:
    """The counts in words."""
    return f"{survey.errors} error{_s(survey.errors)} in {survey.n} test example{_s(survey.n)}"


def survey_headline(survey: IntervalSurvey) -> str:
    """The answer in one sentence."""
    chosen, decimals = survey.chosen, _decimals(survey)
    return (
        f"The true error rate is probably between {_percent(float(chosen.low), decimals)} and "
        f"{_percent(float(chosen.high), decimals)} ({level_text(float(chosen.level))} interval); observed were "
        f"{_percent(float(chosen.estimate), decimals)}."
    )


def _table(survey: IntervalSurvey) -> list[str]:
    cells = [(*survey_limits(survey, row), row) for row in survey.rows]
    width = max(len(text) for low, high, _ in cells for text in (low, high))
    name = max(len(row.method) for row in survey.rows)
    lines = [f"    {'method':<{name}}   {'low':>{width}}   {'high':>{width}}"]
    for low, high, row in cells:
        mark = "→" if row.method == survey.chosen.method else " "
        note = f"use this one: {row.note}" if mark == "→" and row.applicable else row.note
        lines.append(f"  {mark} {row.method:<{name}}   {low:>{width}}   {high:>{width}}   {note}")
    return lines


def survey_reading(survey: IntervalSurvey) -> str:
    """What the interval means."""
    if survey.chosen.prior is None:
        level = f"{100 * survey.chosen.confidence_level:.4g}"
        return f"of 100 intervals made in this way about {level} hold the true error rate."
    u, v = survey.chosen.prior
    return (
        f"starting from the prior Be({u:g}, {v:g}), the true error rate lies in the interval with "
        f"probability {level_text(float(survey.chosen.level))}; its mean is "
        f"{_percent(float(survey.chosen.mean), _decimals(survey))}."
    )


def survey_rules(survey: IntervalSurvey) -> str:
    """What the rules of thumb say about the textbook interval."""
    rules = survey.chosen.applicability
    parts = {
        "Hodges–Lehmann": rules.hodges_lehmann,
        "Anderson–Sclove": rules.anderson_sclove,
        "Mendenhall": rules.mendenhall,
        "fewer than 10 errors": rules.enough_errors,
    }
    against = [name for name, holds in parts.items() if not holds]
    return f"ruled out by {', '.join(against)}" if against else "allowed by all rules of thumb"


def survey_limits(survey: IntervalSurvey, row: SurveyRow) -> tuple[str, str]:
    """The limits of a row as percentages."""
    decimals = _decimals(survey)
    if row.low is None or row.high is None:
        return "–", "–"
    return _percent(row.low, decimals), _percent(row.high, decimals)


def _decimals(survey: IntervalSurvey) -> int:
    """As many as show the width of the interval to two digits, at least one."""
    width = 100 * float(survey.chosen.high - survey.chosen.low)
    return min(max(1 - math.floor(math.log10(width)), 1), 8) if width > 0 else 1


def _percent(rate: float, decimals: int) -> str:
    return f"{100 * rate:.{decimals}f} %".replace("-", "−")


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
