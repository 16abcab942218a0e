"""The page of a comparison of many learners on many data sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.formatting import level_text
from foldwise.core.metric import metric_words
from foldwise.core.units import capital, fixed, name_list, probability, pvalue_text, sentence, shared_decimals
from foldwise.report import plots
from foldwise.report.drawings import Drawing
from foldwise.report.latex import latex_table
from foldwise.report.many_margin_text import COLUMNS, margin_note, margin_rows
from foldwise.report.many_text import (
    many_direction,
    many_headline,
    many_sentence,
    omnibus_text,
    probabilities_note,
    procedure_title,
    region_text,
)
from foldwise.report.page import Block, Bullets, Facts, Grid, Page, Section, Text, Tone
from foldwise.report.paper_table import score_table_latex
from foldwise.report.references import full_reference
from foldwise.report.tikz import critical_difference_tikz

if TYPE_CHECKING:
    from foldwise.core.types import Interval
    from foldwise.verdict.many.comparison import ManyComparison
    from foldwise.verdict.pair import Pair

__all__ = ["drawings", "of_metric", "page", "paper_files"]

_PICTURES = {
    "ranks": (60, None, "the diagram of mean ranks"),
    "pairs": (30, None, "the matrix of pairs"),
    "table": (30, 60, "the ranks on each data set"),
    "margins": (8, None, "the limits of every pair"),
}
"""Learners and data sets beyond which a picture can't be read, and what it is, for those that can grow too large."""
_MOST_GROUPS = 8
_DATA = "The others are in the table that was compared."
_REST = "All of them are in the JSON: --json on the command line, or the button on the web page."


def page(c: ManyComparison) -> Page:
    """The verdict, then ranks, caveats, plots, every pair, the scores, and what goes into a paper."""
    answer, _, detail = many_headline(c).partition("  ")
    sections = [
        Section(
            blocks=(
                Facts(rows=_numbers(c)),
                _learners(c),
                *_margin(c),
                Text(lead="Read this as:", text=c.estimand),
                Text(lead="Guarantee:", text=sentence(c.guarantee)),
            ),
            brief=True,
        ),
        Section(heading="Caveats", blocks=(Bullets(items=tuple(map(sentence, c.caveats))),), brief=True),
        Section(blocks=_not_drawn(c)),
        Section(heading="How large the differences are", blocks=(_effects(c),)),
        Section(heading="Every pair", blocks=(_pairs(c), *_note(c))),
        Section(heading="Why this test", blocks=(Text(text=sentence(c.reason)),)),
        Section(heading="What the tests assume", blocks=_assumed(c)),
        Section(heading="The scores", blocks=(_scores(c),)),
    ]
    return Page(
        title=f"{len(c.learners)} learners on {c.table.n_datasets} data sets",
        subtitle=procedure_title(c),
        headline=answer,
        detail=detail,
        tone=_tone(c),
        sections=tuple(sections),
        provenance=_provenance(c),
        methods=many_sentence(c),
        table=_paper_table(c),
    )


def of_metric(c: ManyComparison) -> tuple[Block, ...]:
    """The learners, every pair and the scores, where this is one metric of several."""
    return Text(text=many_headline(c)), _learners(c), *_margin(c), _pairs(c), *_note(c), _scores(c)


def drawings(c: ManyComparison) -> dict[str, Drawing]:
    """The plots that a comparison of many learners has, by name."""
    margins = ("margins",) if c.margin is not None else ()
    named = {plots.called(plot): plot for plot in (*c.kind.plots, *margins)}
    return {
        name: Drawing(
            plot=f"plot_{plot}",
            shows=c,
            caption=plots.caption(plot),
            on_page=_readable(c, name),
            main=plot == c.kind.plots[0],
            also=plots.also_called(plot),
        )
        for name, plot in named.items()
    }


def _assumed(c: ManyComparison) -> tuple[Block, ...]:
    sources = (c.pair_test.reference, c.omnibus_test.reference, *([c.model.reference] if c.model else []))
    return (
        Bullets(lead=f"{capital(c.pair_test.title)}:", items=(*c.kind.assumes, *c.pair_test.assumes)),
        Text(lead="References:", text=" ".join(dict.fromkeys(map(full_reference, sources)))),
    )


def paper_files(c: ManyComparison) -> dict[str, str]:
    """The whole table of scores, how far each learner is from the best, and the ranks as TikZ."""
    effects = _effects(c)
    far = latex_table(effects.columns, effects.rows, caption=f"{effects.caption}.", label="tab:effects")
    return {"scores.tex": score_table_latex(c), "effects.tex": far, "ranks.tex": critical_difference_tikz(c)}


def _provenance(c: ManyComparison) -> tuple[tuple[str, str], ...]:
    return ("seed", str(c.seed)), ("evidence digest", c.evidence_digest)


def _tone(c: ManyComparison) -> Tone:
    return "decided" if any(pair.better is not None for pair in c.pairs) else "open"


def _numbers(c: ManyComparison) -> tuple[tuple[str, str], ...]:
    rows = [
        ("all the same?", omnibus_text(c)),
        ("direction", many_direction(c)),
        ("comparisons made", str(c.n_comparisons)),
        ("pairs shown to differ", str(sum(pair.better is not None for pair in c.pairs))),
    ]
    if c.critical_difference is not None:
        rows.append(("critical difference of mean ranks", f"{c.critical_difference:.3f}"))
    rows += [("not told apart", name_list(list(clique))) for clique in c.cliques[:_MOST_GROUPS]]
    if len(c.cliques) > _MOST_GROUPS:
        rows.append(("not told apart", f"… and {len(c.cliques) - _MOST_GROUPS} more such groups"))
    return tuple(rows)


def _learners(c: ManyComparison) -> Grid:
    means = dict(zip(c.learners, np.nanmean(c.table.means, axis=0), strict=True))
    ranks, decimals = dict(zip(c.learners, c.mean_ranks, strict=True)), _decimals(c)
    rows = [
        (name, f"{ranks[name]:.2f}", fixed(means[name], decimals), name_list(beaten) if beaten else "–")
        for name, beaten in c.beaten().items()
    ]
    return Grid(
        columns=("learner", "mean rank", f"mean {metric_words(c.table.metric)}", "better than"),
        rows=tuple(rows),
        caption="Learners, best mean rank first",
        words=("better than",),
    )


def _margin(c: ManyComparison) -> tuple[Block, ...]:
    if c.margin is None:
        return ()
    rows = tuple(margin_rows(c))
    grid = Grid(columns=COLUMNS, rows=rows, caption="Conclusions", words=("conclusion",), rest=_REST)
    return grid, Text(text=margin_note(c))


def _readable(c: ManyComparison, kind: str) -> bool:
    if kind == "triangle":
        return c.bayes is not None and c.pair(*c.front).probabilities is not None
    if kind not in _PICTURES:
        return True
    learners, datasets, _ = _PICTURES[kind]
    return len(c.learners) <= learners and (datasets is None or c.table.n_datasets <= datasets)


def _not_drawn(c: ManyComparison) -> tuple[Block, ...]:
    had = drawings(c)
    missing = [words for kind, (_, _, words) in _PICTURES.items() if kind in had and not had[kind].on_page]
    if not missing:
        return ()
    size = f"{len(c.learners)} learners on {c.table.n_datasets} data sets"
    text = f"{name_list(missing)}, which nobody could read with {size}. Their numbers are in tables here. {_REST}"
    return (Text(lead="Not drawn:", text=text),)


def _note(c: ManyComparison) -> tuple[Block, ...]:
    return (Text(text=probabilities_note(c)),) if c.bayes else ()


def _pairs(c: ManyComparison) -> Grid:
    decimals = _decimals(c)
    columns = ["pair", "difference", "wins–ties–losses", "p", "adjusted p"]
    if c.bayes:
        columns += ["first better", f"within {region_text(c)}", "second better"]
    return Grid(
        columns=tuple(columns),
        rows=tuple(_pair_row(pair, decimals, chances=c.bayes is not None) for pair in c.ordered_pairs),
        caption="Pairs, smallest adjusted p-value first",
        rest=_REST,
    )


def _pair_row(pair: Pair, decimals: int, *, chances: bool) -> tuple[str, ...]:
    shown: tuple[str, ...] = ("unknown",) * 3 if chances else ()
    if pair.probabilities is not None:
        shown = tuple(probability(float(p)) for p in pair.probabilities.as_tuple())
    return (
        f"{pair.a} − {pair.b}",
        fixed(pair.estimate, decimals),
        f"{pair.wins}–{pair.ties}–{pair.losses}",
        pvalue_text(pair.pvalue),
        pvalue_text(pair.adjusted),
        *shown,
    )


def _scores(c: ManyComparison) -> Grid:
    decimals = _decimals(c)
    rows = tuple(
        (name, *("–" if np.isnan(score) else fixed(float(score), decimals) for score in scores))
        for name, scores in zip(c.table.datasets, c.table.means, strict=True)
    )
    return Grid(
        columns=("data set", *c.learners), rows=rows, caption=f"Mean {metric_words(c.table.metric)}", rest=_DATA
    )


def _effects(c: ManyComparison) -> Grid:
    """How far each learner is from the control, or from the one with the best mean rank."""
    effects = {effect.name: effect for effect in c.effects()}
    against = next(iter(effects.values())).against
    decimals = _decimals(c)
    rows = tuple(
        (
            name,
            fixed(effects[name].difference, decimals),
            _span(effects[name].interval, decimals),
            fixed(effects[name].effect, 2),
        )
        for name in c.ranking
        if name in effects
    )
    return Grid(
        columns=("learner", "difference", f"{level_text(1 - c.alpha)} interval", "rank-biserial"),
        rows=rows,
        caption=f"{capital(metric_words(c.table.metric))} minus that of {against}: the Hodges–Lehmann estimate over "
        "data sets, intervals of Wilcoxon's signed ranks that hold together (Bonferroni), and the rank-biserial "
        "correlation (1 where better on every data set, −1 where worse on every one)",
    )


def _span(interval: Interval, decimals: int) -> str:
    return f"{fixed(float(interval.low), decimals)} to {fixed(float(interval.high), decimals)}"


def _decimals(c: ManyComparison) -> int:
    return min(shared_decimals(c.table.means.ravel().tolist(), 4), 4)


def _paper_table(c: ManyComparison) -> Grid:
    learners = _learners(c)
    rows = tuple(row[:3] for row in learners.rows)
    return Grid(columns=learners.columns[:3], rows=rows, caption=f"{capital(procedure_title(c))}.")
