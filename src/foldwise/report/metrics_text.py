"""A comparison by several metrics as plain text: the answer in words, one row per metric, what it means."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import foldwise
from foldwise.core.formatting import level_text
from foldwise.core.metric import metric_words
from foldwise.core.units import (
    capital,
    difference_text,
    name_list,
    pvalue_text,
    sentence,
    shared_decimals,
    span_text,
    with_sign,
)
from foldwise.report.margins_by_metric import conclusion_lines, conclusions_sentence
from foldwise.report.references import citation
from foldwise.report.text import WIDTH, answer_lines, mean_texts, never_varies, reservation
from foldwise.report.words import table_lines, wrapped

if TYPE_CHECKING:
    from foldwise.verdict.comparison import Comparison
    from foldwise.verdict.two_models import TwoModels

__all__ = [
    "adjusted_words",
    "by_test",
    "metric_rows",
    "metrics_headline",
    "metrics_sentence",
    "metrics_text",
    "metrics_title",
]


def metrics_text(m: Comparison) -> str:
    """Return the verdict as a person would paste it."""
    left = metrics_title(m) + (f" on {m.subject}" if m.subject else f" ({m.design})")
    right = f"{len(m)} metrics, {adjusted_words(m)}"
    lines = [
        left + " " * max(3, WIDTH - len(left) - len(right)) + right,
        "",
        *answer_lines(metrics_headline(m), m),
        "",
    ]
    lines += [*table_lines(metric_rows(m)), "", *conclusion_lines(m)]
    lines += wrapped(f"Read this as: {m.parts[0].estimand} The other metrics likewise.")
    lines += wrapped(f"Guarantee: {by_test((c.test, c.guarantee) for c in m.parts)}")
    lines += wrapped("Caveats: " + " ".join(map(sentence, m.notes)))
    if m.repeat:
        lines += ["", f"  repeat: {m.repeat}", "  report: add --html FILE"]
    return "\n".join(lines)


def by_test(said: Iterable[tuple[str, str]]) -> str:
    """The guarantee of each test that was used, once."""
    return " ".join(f"{test}: {guarantee}." for test, guarantee in dict.fromkeys(said))


def metrics_title(m: Comparison) -> str:
    """Who is compared."""
    return f"{m.models[0]} vs {m.models[1]}"


def adjusted_words(m: Comparison) -> str:
    """Whether p-values are adjusted for the number of metrics."""
    return f"Holm-adjusted for {len(m)}" if m.shared else "not adjusted"


def metrics_headline(m: Comparison) -> str:
    """Who is better by which metrics, in a sentence."""
    parts = []
    for name in m.models:
        won = [c for place, c in enumerate(m.parts) if m.better_by(place) == name]
        for small in ("", *dict.fromkeys(reservation(c) for c in won if reservation(c))):
            by = [metric_words(c.metric) for c in won if reservation(c) == small]
            if by:
                parts.append(f"{name} is better by {name_list(by)}{small}")
    left = [c for place, c in enumerate(m.parts) if m.better_by(place) is None]
    for fixed, words in (
        (False, "no difference is shown by {}"),
        (True, "no verdict by {}: the difference never varies"),
    ):
        by = [metric_words(c.metric) for c in left if never_varies(c) == fixed]
        if by:
            parts.append((words if parts else capital(words)).format(name_list(by)))
    return f"{'; '.join(parts)}."


def metric_rows(m: Comparison) -> tuple[tuple[str, ...], ...]:
    """The table: its head, then one row per metric."""
    interval = f"{level_text(1 - m.alpha)} interval"
    head = ("metric", *m.models, "difference", interval, "p", "adjusted p", "better", "test")
    rows = [
        (
            metric_words(c.metric),
            *mean_texts(c, shared_decimals(c.means, 4)),
            difference_text(c.estimate, c.unit, _decimals(c)),
            "–" if c.interval is None else span_text(c.interval, c.unit, _decimals(c)),
            pvalue_text(c.pvalue),
            pvalue_text((m.adjusted or ())[place]),
            m.better_by(place) or "–",
            c.test,
        )
        for place, c in enumerate(m.parts)
    ]
    return (head, *rows)


def _decimals(c: TwoModels) -> int:
    """Decimals of a row's difference and interval."""
    return shared_decimals([c.estimate], 3) if c.unit == "own" else 1


def metrics_sentence(m: Comparison) -> str:
    """How the comparison was made and what it found, ready to paste."""
    a, b = m.models
    tests = name_list(list(dict.fromkeys(f"{c.title} ({citation(c.reference)})" for c in m.parts)))
    adjusted = "adjusted by Holm's method" if m.shared else "not adjusted for their number"
    found = " ".join(map(_found, m.parts, m.adjusted or ()))
    return (
        f"We compared {a} and {b} by {name_list(list(map(metric_words, m.metrics)))} ({m.design}) with {tests} at "
        f"level {m.alpha:g}, "
        f"p-values {adjusted}, using foldwise {foldwise.__version__}. {found}{conclusions_sentence(m)}"
    )


def _found(c: TwoModels, adjusted: float) -> str:
    span = "" if c.interval is None else f", {level_text(1 - c.alpha)} interval {span_text(c.interval, c.unit)}"
    return (
        f"{metric_words(c.metric)} differed by {difference_text(c.estimate, c.unit)}{span} (p {with_sign(adjusted)})."
    )
