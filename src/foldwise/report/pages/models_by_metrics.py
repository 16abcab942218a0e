"""The page of a comparison of several models by several metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from foldwise.core.metric import metric_words
from foldwise.core.units import capital, sentence
from foldwise.report.drawings import Drawing
from foldwise.report.margins_by_metric import conclusion_blocks
from foldwise.report.models_by_metrics_text import (
    across_words,
    best_rows,
    by_metrics_headline,
    by_metrics_sentence,
)
from foldwise.report.models_text import models_title
from foldwise.report.page import Bullets, Grid, Page, Section, Text
from foldwise.report.pages import models

if TYPE_CHECKING:
    from foldwise.verdict.comparison import Comparison

__all__ = ["by_each_metric", "drawings", "page"]


def page(m: Comparison) -> Page:
    """The verdict, one row per metric, caveats, then every pair by each metric."""
    first = m.parts[0]
    meaning = Text(
        lead="Read this as:", text=f"{first.kind.estimand(first.evidence, first.procedure)} The other metrics likewise."
    )
    return Page(
        title=models_title(first),
        subtitle=" · ".join(part for part in (m.subject, m.design, f"{len(m)} metrics", across_words(m)) if part),
        headline=by_metrics_headline(m),
        detail="",
        tone="decided" if any(pair.better for c in m.parts for pair in c.pairs) else "open",
        sections=(
            Section(blocks=(_metrics(m), *conclusion_blocks(m), meaning), brief=True),
            Section(heading="Caveats", blocks=(Bullets(items=tuple(map(sentence, m.notes))),), brief=True),
            *(Section(heading=capital(metric_words(c.metric)), blocks=models.of_metric(c)) for c in m.parts),
        ),
        command=m.repeat,
        provenance=(("evidence digest", m.evidence_digest),),
        methods=by_metrics_sentence(m),
        table=_metrics(m),
    )


def drawings(m: Comparison) -> dict[str, Drawing]:
    """The models by each metric."""
    return by_each_metric("models", {c.metric: models.drawings(c)["models"] for c in m.parts})


def by_each_metric(name: str, pictures: Mapping[str, Drawing]) -> dict[str, Drawing]:
    """Pictures of one kind by metric, numbered and named by it; the first is the main one."""
    return {
        f"{name}_{place}": replace(
            drawing,
            caption=f"{capital(metric_words(metric))}. {drawing.caption}",
            main=place == 1,
            also=(metric,),
        )
        for place, (metric, drawing) in enumerate(pictures.items(), start=1)
    }


def _metrics(m: Comparison) -> Grid:
    head, *rows = best_rows(m)
    caption = f"{capital(m.design)}; {across_words(m)}"
    return Grid(columns=head, rows=tuple(rows), caption=caption, words=("may be best",), unfolded=True)
