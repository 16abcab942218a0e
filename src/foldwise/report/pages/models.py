"""The page of a comparison of several models on the same items, or learners on one data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.formatting import found_in_store, level_text
from foldwise.core.units import capital, difference_text, name_list, pvalue_text, score_text, sentence
from foldwise.report import plots
from foldwise.report.drawings import Drawing
from foldwise.report.many_margin_text import COLUMNS, margin_rows
from foldwise.report.models_text import (
    ADJUSTED_BY,
    fact_rows,
    margin_words,
    mean_decimals,
    mean_span,
    models_headline,
    models_reason,
    models_sentence,
    models_title,
    pair_decimals,
    pair_span,
    procedure_title,
    rank_text,
)
from foldwise.report.page import Block, Bullets, Facts, Grid, Page, Section, Text, Tone
from foldwise.report.references import full_reference

if TYPE_CHECKING:
    from foldwise.verdict.models.comparison import ModelsComparison

__all__ = ["drawings", "of_metric", "page"]

MOST_DRAWN = {"models": 60, "model_pairs": 45, "margins": 45}
"""Rows beyond which a picture can't be read."""

_REST = "All of them are in the JSON: --json on the command line, or the button on the web page."

CAPTIONS = {
    "models": "Models from the best mean to the worst. Left: how much each differs from the best one, or from the "
    "control, with its simultaneous interval; models in blue may be the best. Right: the ranks that the pairs leave.",
    "model_pairs": "Every pair with its simultaneous interval, clearest first; coloured where a difference is shown.",
    "margins": plots.caption("margins"),
}


def page(c: ModelsComparison) -> Page:
    """The verdict, then the models, caveats, plots, every pair, assumptions, evidence, and what goes into a paper."""
    answer, _, detail = models_headline(c).partition("  ")
    sections = [
        Section(blocks=(Facts(rows=tuple(fact_rows(c))), _models(c), *_margin(c), *_meaning(c)), brief=True),
        Section(heading="Caveats", blocks=(Bullets(items=tuple(map(sentence, c.caveats))),), brief=True),
        Section(heading="Every pair", blocks=(_pairs(c),)),
        Section(heading="What the test assumes", blocks=_assumed(c)),
        Section(heading="The evidence", blocks=_evidence(c)),
    ]
    return Page(
        title=models_title(c),
        subtitle=" · ".join(part for part in (c.subject, c.design, procedure_title(c)) if part),
        headline=answer,
        detail=detail,
        tone=_tone(c),
        sections=tuple(sections),
        command=c.repeat,
        provenance=_provenance(c),
        methods=models_sentence(c),
        table=_paper_table(c),
    )


def of_metric(c: ModelsComparison) -> tuple[Block, ...]:
    """What a page of several metrics shows of one."""
    words = Text(text=models_reason(c)), Text(lead="Guarantee:", text=sentence(c.guarantee))
    return (Facts(rows=tuple(fact_rows(c))), _models(c), *_margin(c), _pairs(c), *words)


def drawings(c: ModelsComparison) -> dict[str, Drawing]:
    """The models with their ranks, and every pair."""
    rows = {"models": len(c.names), "model_pairs": len(c.pairs)}
    if c.margin is not None:
        rows["margins"] = len(c.pairs)
    return {
        name: Drawing(
            plot=f"plot_{name}",
            shows=c,
            caption=CAPTIONS[name],
            on_page=count <= MOST_DRAWN[name],
            main=name == "models",
        )
        for name, count in rows.items()
    }


def _tone(c: ModelsComparison) -> Tone:
    return "decided" if any(pair.better is not None for pair in c.pairs) else "open"


def _models(c: ModelsComparison) -> Grid:
    members = set(c.best_set)
    rows = [
        (
            name,
            rank_text(c, name),
            score_text(c.means[name], c.unit, mean_decimals(c)),
            mean_span(c, name),
            "yes" if name in members else "no",
            name_list(beaten or ["–"]),
        )
        for name, beaten in c.beaten().items()
    ]
    return Grid(
        columns=(c.kind.called[:-1], "rank", c.metric, _interval(c), "may be best", "better than"),
        rows=tuple(rows),
        caption="Best mean first; the interval is that of each mean alone",
        words=("better than",),
        unfolded=len(rows) <= MOST_DRAWN["models"],
        rest=_REST,
    )


def _pairs(c: ModelsComparison) -> Grid:
    return Grid(
        columns=("pair", "difference", f"simultaneous {_interval(c)}", "p", "adjusted p", "better"),
        rows=tuple(
            (
                f"{pair.a} − {pair.b}",
                difference_text(pair.estimate, c.unit, pair_decimals(c)),
                pair_span(c, pair),
                pvalue_text(pair.pvalue),
                pvalue_text(pair.adjusted),
                pair.better or "–",
            )
            for pair in c.ordered_pairs
        ),
        caption="Pairs, smallest adjusted p-value first",
        words=("better",),
        rest=_REST,
    )


def _margin(c: ModelsComparison) -> tuple[Block, ...]:
    if c.margin is None:
        return ()
    grid = Grid(
        columns=COLUMNS, rows=tuple(margin_rows(c)), words=COLUMNS[1:2], caption="Against the margin", rest=_REST
    )
    return grid, Text(text=margin_words(c))


def _interval(c: ModelsComparison) -> str:
    return f"{level_text(1 - c.alpha)} interval"


def _meaning(c: ModelsComparison) -> tuple[Block, ...]:
    words = (
        Text(lead="Read this as:", text=c.kind.estimand(c.evidence, c.procedure)),
        Text(lead="Why this test:", text=models_reason(c)),
        Text(lead="Guarantee:", text=sentence(c.guarantee)),
    )
    if not c.found:
        return words
    return (*words, Text(text=f"{found_in_store(c.found, c.fits, 'fits', c.found_made)}."))


def _assumed(c: ModelsComparison) -> tuple[Block, ...]:
    sources = [c.procedure.reference, *ADJUSTED_BY[c.adjustment], *c.kind.best_references]
    return (
        Bullets(lead=f"{capital(c.procedure.title)}:", items=c.kind.assumes),
        Bullets(lead="References:", items=tuple(dict.fromkeys(map(full_reference, sources)))),
    )


def _evidence(c: ModelsComparison) -> tuple[Block, ...]:
    table = c.evidence.table()
    return (Grid(columns=table.columns, rows=table.rows, caption=capital(table.caption)),)


def _paper_table(c: ModelsComparison) -> Grid:
    rows = tuple((row[0], row[2], row[3], row[1], row[4]) for row in _models(c).rows)
    columns = (c.kind.called[:-1], c.metric, _interval(c), "rank", "may be best")
    return Grid(columns=columns, rows=rows, caption=f"{capital(c.design)}; {procedure_title(c)}.")


def _provenance(c: ModelsComparison) -> tuple[tuple[str, str], ...]:
    known = {
        "seed": c.seed,
        "data set hash": c.data_digest,
        "evidence digest": c.evidence_digest,
        "fits": c.fits or None,
    }
    return tuple((name, str(value)) for name, value in known.items() if value is not None)
