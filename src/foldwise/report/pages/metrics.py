"""The page of a comparison of two models by several metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.metric import metric_words
from foldwise.core.units import capital, sentence
from foldwise.report.drawings import Drawing
from foldwise.report.margins_by_metric import conclusion_blocks
from foldwise.report.metrics_text import (
    adjusted_words,
    metric_rows,
    metrics_headline,
    metrics_sentence,
    metrics_title,
)
from foldwise.report.page import Block, Bullets, Facts, Grid, Page, Section, Text, Tone
from foldwise.report.references import full_reference
from foldwise.report.text import number_rows

if TYPE_CHECKING:
    from foldwise.verdict.comparison import Comparison

__all__ = ["drawings", "page"]

CAPTION = (
    "Each metric's difference with its interval, all drawn equally wide; to the right the first model is better, also "
    "where lower is better. Coloured where a difference is shown."
)


def page(m: Comparison) -> Page:
    """The verdict, one row per metric, caveats, plots, then each metric by itself."""
    sections = [
        Section(blocks=(_metrics(m), *conclusion_blocks(m), *_meaning(m)), brief=True),
        Section(heading="Caveats", blocks=(Bullets(items=tuple(map(sentence, m.notes))),), brief=True),
        *(
            Section(
                heading=capital(metric_words(c.metric)),
                blocks=(
                    Facts(rows=tuple(number_rows(c))),
                    Text(text=sentence(c.reason)),
                    Text(lead="Guarantee:", text=sentence(c.guarantee)),
                ),
            )
            for c in m.parts
        ),
        Section(heading="What the tests assume", blocks=_assumed(m)),
        Section(heading="The evidence", blocks=_evidence(m)),
    ]
    return Page(
        title=metrics_title(m),
        subtitle=" · ".join(part for part in (m.subject, m.design, f"{len(m)} metrics", adjusted_words(m)) if part),
        headline=metrics_headline(m),
        detail="",
        tone=_tone(m),
        sections=tuple(sections),
        command=m.repeat,
        provenance=(("evidence digest", m.evidence_digest),),
        methods=metrics_sentence(m),
        table=_metrics(m),
    )


def drawings(m: Comparison) -> dict[str, Drawing]:
    """All metrics at a glance."""
    return {"metrics": Drawing(plot="plot_metrics", shows=m, caption=CAPTION, main=True)}


def _tone(m: Comparison) -> Tone:
    return "decided" if any(pair.better is not None for pair in m.pairs) else "open"


def _metrics(m: Comparison) -> Grid:
    head, *rows = metric_rows(m)
    caption = f"{capital(m.design)}; p-values {adjusted_words(m)}"
    return Grid(columns=head, rows=tuple(rows), caption=caption, words=("better", "test"), unfolded=True)


def _meaning(m: Comparison) -> tuple[Block, ...]:
    return (Text(lead="Read this as:", text=f"{m.parts[0].estimand} The other metrics likewise."),)


def _assumed(m: Comparison) -> tuple[Block, ...]:
    kinds = {c.title: c for c in m.parts}
    return (
        *(Bullets(lead=f"{capital(title)}:", items=c.procedure.assumptions) for title, c in kinds.items()),
        Bullets(lead="References:", items=tuple(full_reference(c.reference) for c in kinds.values())),
    )


def _evidence(m: Comparison) -> tuple[Block, ...]:
    tables = [c.evidence.called(m.models).table() for c in m.parts]
    grids = [Grid(columns=table.columns, rows=table.rows, caption=capital(table.caption)) for table in tables]
    return tuple(grid for place, grid in enumerate(grids) if grid not in grids[:place])
