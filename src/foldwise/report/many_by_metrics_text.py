"""Several learners compared over data sets by several metrics, as plain text: the answer, one row per metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

import foldwise
from foldwise.core.metric import metric_words
from foldwise.core.units import name_list, pvalue_text, sentence
from foldwise.report.many_text import procedure_title
from foldwise.report.margins_by_metric import conclusion_lines, conclusions_sentence
from foldwise.report.models_by_metrics_text import across_words, by_metrics_headline
from foldwise.report.references import citation
from foldwise.report.text import WIDTH, answer_lines
from foldwise.report.words import table_lines, wrapped

if TYPE_CHECKING:
    from foldwise.verdict.comparison import Comparison

__all__ = ["many_by_metrics_sentence", "many_by_metrics_text", "rank_rows"]


def many_by_metrics_text(m: Comparison) -> str:
    """Return the verdict as a person would paste it."""
    left, right = m.design, f"{len(m)} metrics, {across_words(m)}"
    lines = [left + " " * max(3, WIDTH - len(left) - len(right)) + right, ""]
    lines += [
        *answer_lines(by_metrics_headline(m), m),
        "",
        "  mean ranks, 1 is best:",
        *table_lines(rank_rows(m)),
        "",
        *conclusion_lines(m),
    ]
    lines += wrapped(f"Read this as: {m.parts[0].estimand} The other metrics likewise.")
    lines += wrapped("Caveats: " + " ".join(map(sentence, m.notes))) if m.notes else []
    return "\n".join([*lines, *wrapped("Every pair: --json, --html, or one metric alone.")])


def rank_rows(m: Comparison) -> tuple[tuple[str, ...], ...]:
    """The table: its head, then one row of mean ranks per metric."""
    rows = [
        (
            metric_words(c.metric),
            *(f"{rank:.2f}" for rank in c.mean_ranks),
            pvalue_text(float(c.omnibus.pvalue)),
            f"{sum(pair.better is not None for pair in c.pairs)} of {len(c.pairs)}",
        )
        for c in m.parts
    ]
    return (("metric", *m.models, "p, all the same", "pairs that differ"), *rows)


def many_by_metrics_sentence(m: Comparison) -> str:
    """How the comparison was made and what it found, ready to paste."""
    first = m.parts[0]
    metrics = name_list([metric_words(metric) for metric in m.metrics])
    return (
        f"We compared {name_list(list(m.models))} on {first.table.n_datasets} data sets by {metrics}, "
        f"{procedure_title(first)} ({citation(first.pair_test.reference)}), {across_words(m)}, using foldwise "
        f"{foldwise.__version__}. {by_metrics_headline(m)}{conclusions_sentence(m)}"
    )
