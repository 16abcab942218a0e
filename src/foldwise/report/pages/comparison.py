"""The page of a comparison of two learners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.formatting import level_text
from foldwise.core.units import capital, difference_text, sentence, span_text
from foldwise.report import plots
from foldwise.report.drawings import Drawing
from foldwise.report.methods import comparison_table, methods_sentence
from foldwise.report.page import Block, Bullets, Facts, Grid, Page, Section, Text, Tone
from foldwise.report.references import full_reference
from foldwise.report.text import headline, number_rows, stored_text

if TYPE_CHECKING:
    from foldwise.verdict.two_models import TwoModels

__all__ = ["drawings", "page"]

LEAD = "effect"
"""The picture that stands beside the answer."""


def page(c: TwoModels) -> Page:
    """The verdict, then the numbers, why and under which assumptions, caveats, plots, scores, how to repeat it."""
    answer, _, detail = headline(c).partition("  ")
    sections = [
        Section(blocks=(Facts(rows=_numbers(c)), *_meaning(c)), brief=True),
        Section(heading="Caveats", blocks=(Bullets(items=tuple(map(sentence, c.caveats))),), brief=True),
        Section(heading="What the test assumes", blocks=_assumed(c)),
        Section(heading="The evidence", blocks=_evidence(c)),
    ]
    return Page(
        title=f"{c.names[0]} vs {c.names[1]}",
        subtitle=" · ".join(part for part in (c.subject, c.design, c.title) if part),
        headline=answer,
        detail=detail,
        tone=_tone(c),
        sections=tuple(sections),
        command=c.repeat,
        provenance=_provenance(c),
        methods=methods_sentence(c),
        table=comparison_table(c),
    )


def drawings(c: TwoModels) -> dict[str, Drawing]:
    """The plots that a comparison has, by name: the kind's own, and those that every comparison may have."""
    own = c.kind.plots_of(c.evidence)
    margin = ("margin",) if c.margin is not None else ()
    posterior = ("posterior",) if c.posterior() is not None else ()
    power = ("power",) if c.detectable_difference is not None else ()
    again = ("replicability",) if c.replicability is not None else ()
    main = (*own[:1], *margin, *posterior)
    return {
        name: Drawing(plot=f"plot_{name}", shows=c, caption=plots.caption(name), main=name in main, lead=name == LEAD)
        for name in (LEAD, *main, *own[1:], *power, *again)
    }


def _tone(c: TwoModels) -> Tone:
    if c.better is not None:
        return "decided"
    return "same" if c.practically_same else "open"


def _numbers(c: TwoModels) -> tuple[tuple[str, str], ...]:
    span = "" if c.interval is None else f"   ({level_text(1 - c.alpha)} interval {span_text(c.interval, c.unit)})"
    estimate = (
        c.procedure.difference_words(c.metric, c.names).removeprefix("the "),
        f"{difference_text(c.estimate, c.unit)}{span}",
    )
    return (estimate, *number_rows(c))


def _meaning(c: TwoModels) -> tuple[Block, ...]:
    words = (
        Text(lead="Read this as:", text=c.estimand),
        Text(lead="Why this test:", text=c.reason),
        Text(lead="Guarantee:", text=sentence(c.guarantee)),
    )
    return (*words, Text(text=f"{stored_text(c)}.")) if c.found else words


def _assumed(c: TwoModels) -> tuple[Block, ...]:
    return (
        Bullets(lead=f"{capital(c.title)}:", items=c.procedure.assumptions),
        Text(lead="Reference:", text=full_reference(c.reference)),
    )


def _evidence(c: TwoModels) -> tuple[Block, ...]:
    table = c.evidence.called(c.names).table()
    return (Grid(columns=table.columns, rows=table.rows, caption=capital(table.caption)),)


def _provenance(c: TwoModels) -> tuple[tuple[str, str], ...]:
    known = {
        "seed": c.seed,
        "data set hash": c.data_digest,
        "evidence digest": c.evidence_digest,
        "fits": c.fits or None,
    }
    return tuple((name, str(value)) for name, value in known.items() if value is not None)
