"""A comparison as plain text: one answer in words, then the numbers, then what it means and what it does not."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any

from foldwise.core.decisions import assumed_text
from foldwise.core.formatting import found_in_store, level_text, number_text
from foldwise.core.metric import Unit, direction_words, metric_words
from foldwise.core.units import (
    asked_text,
    capital,
    difference_text,
    limits_text,
    percents,
    probability,
    pvalue_text,
    score_text,
    sentence,
    span_text,
)
from foldwise.inference.stability import UNSTABLE
from foldwise.report.margin_text import conclusion_sentence

if TYPE_CHECKING:
    from foldwise.verdict.two_models import TwoModels
    from foldwise.verdict.watch_result import Watch

__all__ = [
    "answer_lines",
    "found_text",
    "headline",
    "instability_text",
    "laid_out",
    "margin_sentence",
    "mean_texts",
    "means_belong",
    "measure_words",
    "never_varies",
    "number_rows",
    "reservation",
    "statistic_text",
    "stored_text",
    "verdict_text",
    "with_conclusion",
]

WIDTH = 110
"""Characters to a line."""


def verdict_text(c: TwoModels) -> str:
    """Return the verdict as a person would paste it."""
    left = f"{c.names[0]} vs {c.names[1]}" + (f" on {c.subject}" if c.subject else f" ({c.design})")
    gap = " " * max(3, WIDTH - len(left) - len(c.title))
    lines = [left + gap + c.title, "", *answer_lines(headline(c), c), ""]
    lines += laid_out(number_rows(c))
    lines += ["", *_wrap(f"Read this as: {c.estimand}", "  "), *_wrap(f"Why this test: {c.reason}", "  ")]
    lines += _wrap(f"Guarantee: {sentence(c.guarantee)}", "  ")
    if c.caveats:
        lines += _wrap("Caveats: " + " ".join(sentence(caveat) for caveat in c.caveats), "  ")
    if c.found:
        lines += ["", *_wrap(stored_text(c), "  ")]
    if c.repeat:
        lines += ["", f"  repeat: {c.repeat}", "  report: add --html FILE"]
    return "\n".join(lines)


def answer_lines(answer: str, result: Any) -> list[str]:
    """The answer, and under it what was assumed on the way to it."""
    return [line for part in (answer, assumed_text(result.reading)) for line in _wrap(part, "  ")]


def stored_text(c: TwoModels) -> str:
    """How many fits came from the store, and from when they are."""
    return found_in_store(c.found, c.fits, "fits", c.found_made)


def headline(c: TwoModels) -> str:
    """The answer in one to three sentences; the winner's mean comes first."""
    first, second = (score_text(mean, c.unit) for mean in c.means)
    estimate, interval = c.estimate, c.interval
    if c.better is None:
        first, second = f"{first} ({c.names[0]})", f"{second} ({c.names[1]})"
    elif _turned(c):
        estimate, interval = -estimate, None if interval is None else -interval
    if c.better == c.names[1]:
        first, second = second, first
    compared = f" {first} against {second}" if means_belong(c) else ""
    span = "" if interval is None else f", {level_text(1 - c.alpha)} interval {span_text(interval, c.unit)}"
    answer = _answer(c) if (asked := margin_sentence(c)) is None else with_conclusion(_answer(c), asked, c)
    return f"{answer}  {capital(measure_words(c))}{compared}: {difference_text(estimate, c.unit)}{span}."


def means_belong(c: TwoModels) -> bool:
    """Whether the estimate is the difference of the two means: not where the test makes it in another way."""
    return c.procedure.values(c.evidence) is not None


def measure_words(c: TwoModels) -> str:
    """What was compared, as the test estimates it: "accuracy", "20 % trimmed mean score"."""
    estimand = c.procedure.estimand
    if estimand is None or means_belong(c):
        return c.procedure.measure_words(c.metric)
    return f"{metric_words(c.metric)}, {estimand.how or estimand.called}"


def mean_texts(c: TwoModels, decimals: int | None = None) -> tuple[str, ...]:
    """What the test compares of each learner, for a table; dashes where the estimate is no difference of the two."""
    return tuple(score_text(mean, c.unit, decimals) if means_belong(c) else "–" for mean in c.means)


def _turned(c: TwoModels) -> bool:
    """Whether the answer tells the difference as b − a, so that it is positive; the statistic is turned then, too."""
    return c.better is not None and c.estimate < 0


def found_text(c: TwoModels) -> str:
    """The difference a − b with its interval, in a few words."""
    level = level_text(1 - c.alpha)
    span = "" if c.interval is None else f", {level} interval {span_text(c.interval, c.unit)}"
    return f"{measure_words(c)} differs by {difference_text(c.estimate, c.unit)}{span}"


def margin_sentence(c: TwoModels) -> str | None:
    """What was concluded about the first learner against the second; None where no margin was given."""
    if c.margin is None or c.conclusion is None:
        return None
    return conclusion_sentence(c.conclusion, *c.names, asked_text(c.margin, c.unit), better=c.better)


def with_conclusion(answer: str, asked: str, c: TwoModels | Watch) -> str:
    """What the test says, and what was concluded about the margin; the conclusion alone where it shows more."""
    if c.better is None and c.conclusion in ("superior", "inferior"):
        return f"{asked} (The two-sided test of level {c.alpha:g} does not show a difference; the limits decide.)"
    return f"{answer} {asked}"


def _answer(c: TwoModels) -> str:
    close = ": a close call" if _is_close_call(c) else ""
    if c.better is not None:
        return f"{c.better} is better{reservation(c)}{close}."
    if c.reject and not c.common:
        return "They differ, but not by a common amount."
    if c.findings.withheld:
        return f"No verdict: {c.findings.withheld}."
    if never_varies(c):
        return "No verdict: the difference never varies, so nothing tells whether it is chance."
    if c.rope_probabilities is None:
        return f"These scores can't tell {c.names[0]} from {c.names[1]}."
    if c.practically_same:
        within = "" if c.margin is None else f" (within {_little(c)})"
        return f"{c.names[0]} and {c.names[1]} are practically the same{within}."
    return f"No difference is shown{close}."


def never_varies(c: TwoModels) -> bool:
    """Whether there is a difference that is the same everywhere, so that no test can judge it."""
    return math.isnan(c.statistic) and c.estimate != 0 and not c.findings.withheld


def _is_close_call(c: TwoModels) -> bool:
    """Whether test and interval, which may rest on different approximations, disagree; a caveat says why."""
    return c.interval is not None and c.common and c.reject != (c.interval.low > 0 or c.interval.high < 0)


def reservation(c: TwoModels) -> str:
    """What must be added to "is better" where the difference is more probably too small to matter than not.

    Without it the sentence would contradict the probabilities that stand below it.
    """
    if c.practically_same:
        return f", but by less than {_little(c)}"
    p = c.rope_probabilities
    return f", but probably by less than {_little(c)}" if p is not None and float(p.equivalent) > 0.5 else ""


def _little(c: TwoModels) -> str:
    """What a difference is less than that is too small to matter: in numbers where a margin says what matters, too."""
    return "matters in practice" if c.margin is None else asked_text(c.rope, c.unit)


def number_rows(c: TwoModels) -> list[tuple[str, str]]:
    """What each number is, and the number: p-value, probabilities, replicability, detectable difference."""
    rows = [
        *_margin_rows(c),
        ("p", f"{pvalue_text(c.pvalue)}   ({statistic_text(c, turned=_turned(c))})"),
        *_probability_rows(c),
    ]
    if c.replicability is not None:
        rows.append(("another partitioning would agree", str(c.replicability)))
    if c.detectable_difference is not None:
        seen = f"{difference_text(c.detectable_difference, c.unit)} (power 0.8)"
        rows.append(("smallest difference this design sees", seen))
    rows += _variance_rows(c)
    if c.instability is not None:
        rows.append(("instability of the learners", instability_text(c.instability)))
    if c.baseline is not None:
        rows.append((f"{metric_words(c.metric)} of the most frequent class", score_text(c.baseline, c.unit)))
    return [*rows, ("direction", direction_words(c.metric, c.higher_is_better, assumed=c.direction_assumed))]


def instability_text(value: float) -> str:
    """What the stability meter shows, and what that is to be held against.

    Examples
    --------
    >>> instability_text(0.134)
    '0.13 (high: from 0.1 on predictions hang on single examples)'
    """
    high = "high" if value >= UNSTABLE else "low"
    return f"{value:.2f} ({high}: from {UNSTABLE:g} on predictions hang on single examples)"


def _variance_rows(c: TwoModels) -> list[tuple[str, str]]:
    """Where the variance comes from, and the standard error with more of each."""
    if c.variance is None:
        return []
    shares = ", ".join(f"{source.name} {100 * c.variance.share(source.name):.0f} %" for source in c.variance.sources)
    rows = [("standard error", f"{_error_text(c.variance.standard_error, c.unit)}   (variance: {shares})")]
    return rows + [
        (f"standard error with {outlook.words}", _error_text(outlook.standard_error, c.unit))
        for outlook in c.variance.outlooks
    ]


def _error_text(value: float, unit: Unit) -> str:
    """A standard error in its unit, to three digits: rows of them are compared."""
    return number_text(percents(unit) * value, 3) + ("" if unit == "own" else " points")


def _margin_rows(c: TwoModels) -> list[tuple[str, str]]:
    if c.margin is None or c.conclusion is None:
        return []
    a, b = c.names
    level = level_text(c.limits_level)
    limits = "unknown" if c.limits is None else limits_text(c.limits, c.unit, c.margin)
    told = "" if c.limits is None else f"   (one-sided, each of level {level})"
    margin = asked_text(c.margin, c.unit)
    return [(f"{a} against {b}, margin {margin}", c.conclusion), (f"limits of {a} − {b}", f"{limits}{told}")]


def _probability_rows(c: TwoModels) -> list[tuple[str, str]]:
    p = c.rope_probabilities
    if p is None:
        return []
    return [
        (f"{c.names[0]} better by more than {asked_text(c.rope, c.unit)}", probability(float(p.a_better))),
        (f"practically the same (within {asked_text(c.rope, c.unit)})", probability(float(p.equivalent))),
        (f"{c.names[1]} better by more than {asked_text(c.rope, c.unit)}", probability(float(p.b_better))),
    ]


def statistic_text(c: TwoModels, *, turned: bool = False) -> str:
    """The statistic with its letter and degrees of freedom; `turned` if it is to be that of b − a."""
    if math.isnan(c.statistic):
        return c.findings.withheld or "the differences do not vary, so there is nothing to test"
    value = f"{c.symbol} = {number_text(-c.statistic if turned and c.procedure.signed else c.statistic, 4)}"
    if c.df is None:
        return value
    df = " and ".join(f"{d:.4g}" for d in c.df) if isinstance(c.df, tuple) else f"{c.df:.4g}"
    return f"{value}, {df} df"


_LEVELS = (0.1, 0.05, 0.025, 0.01, 0.005, 0.001)
_MOST_DIGITS = 6


def laid_out(rows: list[tuple[str, str]]) -> list[str]:
    """Labels and values in two columns."""
    width = max(len(label) for label, _ in rows)
    return [f"  {label:<{width}}   {value}" for label, value in rows]


def _wrap(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
