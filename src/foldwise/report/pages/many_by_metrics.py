"""The page of a comparison of several learners over data sets by several metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.metric import metric_words
from foldwise.core.units import capital, sentence
from foldwise.report.drawings import Drawing
from foldwise.report.many_by_metrics_text import many_by_metrics_sentence, rank_rows
from foldwise.report.margins_by_metric import conclusion_blocks
from foldwise.report.models_by_metrics_text import across_words, by_metrics_headline
from foldwise.report.page import Bullets, Grid, Page, Section, Text
from foldwise.report.pages import many
from foldwise.report.pages.models_by_metrics import by_each_metric

if TYPE_CHECKING:
    from foldwise.verdict.comparison import Comparison

__all__ = ["drawings", "page"]


def page(m: Comparison) -> Page:
    """The verdict, one row per metric, caveats, then learners, pairs and scores by each metric."""
    meaning = Text(lead="Read this as:", text=f"{m.parts[0].estimand} The other metrics likewise.")
    return Page(
        title=m.design,
        subtitle=f"{len(m)} metrics · {across_words(m)}",
        headline=by_metrics_headline(m),
        detail="",
        tone="decided" if any(pair.better for c in m.parts for pair in c.pairs) else "open",
        sections=(
            Section(blocks=(_metrics(m), *conclusion_blocks(m), meaning), brief=True),
            Section(heading="Caveats", blocks=(Bullets(items=tuple(map(sentence, m.notes))),), brief=True),
            *(Section(heading=capital(metric_words(c.metric)), blocks=many.of_metric(c)) for c in m.parts),
        ),
        provenance=(("evidence digest", m.evidence_digest),),
        methods=many_by_metrics_sentence(m),
        table=_metrics(m),
    )


def drawings(m: Comparison) -> dict[str, Drawing]:
    """The mean ranks by each metric."""
    return by_each_metric("ranks", {c.metric: many.drawings(c)["ranks"] for c in m.parts})


def _metrics(m: Comparison) -> Grid:
    head, *rows = rank_rows(m)
    return Grid(columns=head, rows=tuple(rows), caption=f"Mean ranks, 1 is best; {across_words(m)}", unfolded=True)
