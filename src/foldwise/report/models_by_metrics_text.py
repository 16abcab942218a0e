"""Several models compared by several metrics, as plain text: the answer in words, one row per metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

import foldwise
from foldwise.core.metric import metric_words
from foldwise.core.units import name_list, score_text, sentence, shared_decimals
from foldwise.report.margins_by_metric import conclusion_lines, conclusions_sentence
from foldwise.report.models_text import models_title, procedure_title
from foldwise.report.text import WIDTH, answer_lines
from foldwise.report.words import table_lines, wrapped

if TYPE_CHECKING:
    from foldwise.verdict.comparison import Comparison
    from foldwise.verdict.many.comparison import ManyComparison
    from foldwise.verdict.models.comparison import ModelsComparison

__all__ = ["across_words", "best_rows", "by_metrics_headline", "by_metrics_sentence", "models_by_metrics_text"]


def models_by_metrics_text(m: Comparison) -> str:
    """Return the verdict as a person would paste it."""
    left = models_title(m.parts[0]) + (f" on {m.subject}" if m.subject else f" ({m.design})")
    right = f"{len(m)} metrics, {across_words(m)}"
    lines = [
        left + " " * max(3, WIDTH - len(left) - len(right)) + right,
        "",
        *answer_lines(by_metrics_headline(m), m),
        "",
    ]
    lines += [*table_lines(best_rows(m)), "", *conclusion_lines(m)]
    first = m.parts[0]
    lines += wrapped(
        f"Read this as: {first.kind.estimand(first.evidence, first.procedure)} The other metrics likewise."
    )
    lines += wrapped("Caveats: " + " ".join(map(sentence, m.notes)))
    lines += wrapped("Every pair: --json, --html, or one metric alone.")
    if m.repeat:
        lines += ["", f"  repeat: {m.repeat}", "  report: add --html FILE"]
    return "\n".join(lines)


def across_words(m: Comparison) -> str:
    """Whether the level is shared among the metrics."""
    if not m.shared:
        return f"each at level {m.alpha:g}, not adjusted for their number"
    return f"each at level {m.alpha:g}/{len(m)} (Bonferroni)"


def by_metrics_headline(m: Comparison) -> str:
    """Who is best by which metrics, in a sentence."""
    parts = []
    for name in m.models:
        for small in (False, True):
            won = [metric_words(c.metric) for c in m.parts if c.best == name and _hardly(c, name) == small]
            if won:
                # over data sets it is known as more probable than not, of one data set by the interval
                probably = "probably " if m.tasks else ""
                less = f", but {probably}by less than matters in practice" if small else ""
                parts.append(f"{name} is best by {name_list(won)}{less}")
    left = [metric_words(metric) for metric, best in ((c.metric, c.best) for c in m.parts) if best is None]
    if left:
        parts.append(
            f"{'n' if parts else 'N'}o {m.parts[0].called.removesuffix('s')} is shown to be best by {name_list(left)}"
        )
    return f"{'; '.join(parts)}."


def _hardly(c: ModelsComparison | ManyComparison, name: str) -> bool:
    """Whether the lead of the best over some other is too small to matter."""
    return any(pair.practically_same for pair in c.pairs if name in (pair.a, pair.b))


def best_rows(m: Comparison) -> tuple[tuple[str, ...], ...]:
    """The table: its head, then one row per metric."""
    rows = [
        (
            metric_words(c.metric),
            *(score_text(c.means[name], c.unit, shared_decimals(c.means.values(), 4)) for name in m.models),
            name_list(list(c.best_set)),
            str(sum(pair.better is not None for pair in c.pairs)) + f" of {len(c.pairs)}",
        )
        for c in m.parts
    ]
    return (("metric", *m.models, "may be best", "pairs that differ"), *rows)


def by_metrics_sentence(m: Comparison) -> str:
    """How the comparison was made and what it found, ready to paste."""
    tests = name_list(list(dict.fromkeys(f"{metric_words(c.metric)} with {procedure_title(c)}" for c in m.parts)))
    return (
        f"We compared {name_list(list(m.models))} ({m.design}) by {tests}, {across_words(m)}, using foldwise "
        f"{foldwise.__version__}. {by_metrics_headline(m)}{conclusions_sentence(m)}"
    )
