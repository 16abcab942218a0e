"""What to write into a paper: the methods sentence and the table of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

import foldwise
from foldwise.core.formatting import level_text
from foldwise.core.metric import metric_words
from foldwise.core.units import asked_text, capital, difference_text, limits_text, probability, pvalue_text, span_text
from foldwise.report.page import Grid
from foldwise.report.references import citation
from foldwise.report.text import mean_texts, means_belong, measure_words, statistic_text

if TYPE_CHECKING:
    from foldwise.verdict.two_models import TwoModels

__all__ = ["comparison_table", "methods_sentence"]


def methods_sentence(c: TwoModels) -> str:
    """How the comparison was made and what it found, ready to paste."""
    a, b = c.names
    level = level_text(1 - c.alpha)
    subject = f" on {c.subject}" if c.subject else ""
    span = f"{level} confidence interval {span_text(c.interval, c.unit)}, " if c.interval is not None else ""
    return (
        f"We compared {a} and {b}{subject} by {metric_words(c.metric)} ({c.design}) with {_test(c.title)} "
        f"({citation(c.reference)}) at level {c.alpha:g}, using foldwise {foldwise.__version__}. The "
        f"{_difference(c)} {a} − {b} was {difference_text(c.estimate, c.unit)} ({span}{statistic_text(c)}, "
        f"{_p(c.pvalue)}).{_margin(c)}{_posterior(c)}"
    )


def _difference(c: TwoModels) -> str:
    """What the estimate is: the mean difference, unless the test has another."""
    estimand = c.procedure.estimand
    if estimand is None or not (estimand.called or estimand.how):
        return "mean difference"
    return f"difference of the {estimand.called}s" if means_belong(c) else estimand.how or estimand.called


def _margin(c: TwoModels) -> str:
    if c.margin is None:
        return ""
    limits = "" if c.limits is None else f" ({limits_text(c.limits, c.unit, c.margin)})"
    return (
        f" By its one-sided {level_text(c.limits_level)} limits{limits} and a margin of "
        f"{asked_text(c.margin, c.unit)}, the conclusion about {c.names[0]} against {c.names[1]} was: "
        f"{c.conclusion}."
    )


def _posterior(c: TwoModels) -> str:
    p, (a, b) = c.rope_probabilities, c.names
    if p is None:
        return ""
    a_better, same, b_better = (probability(float(share)) for share in p.as_tuple())
    return (
        f" With a region of practical equivalence of ±{asked_text(c.rope, c.unit)}, the posterior probability "
        f"that {a} is better was {a_better}, that both are practically equivalent "
        f"{same}, and that {b} is better {b_better}."
    )


def comparison_table(c: TwoModels) -> Grid:
    """The comparison as a table of one row, to which others can be added."""
    p, interval = c.rope_probabilities, c.interval
    columns = (
        "a vs b",
        "a",
        "b",
        "a − b",
        f"{level_text(1 - c.alpha)} interval",
        "p",
        "P(a better)",
        "P(same)",
        "P(b better)",
    )
    row = (
        f"{c.names[0]} vs {c.names[1]}",
        *mean_texts(c),
        difference_text(c.estimate, c.unit),
        "–" if interval is None else span_text(interval, c.unit),
        pvalue_text(c.pvalue),
        *(["–"] * 3 if p is None else (probability(float(share)) for share in p.as_tuple())),
    )
    return Grid(columns=columns, rows=(row,), caption=f"{capital(measure_words(c))}, {c.design}; {c.title}.")


def _test(title: str) -> str:
    """With its article; tests named after a person go without one."""
    return title if "'s " in title else f"the {title}"


def _p(p: float) -> str:
    text = pvalue_text(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"
