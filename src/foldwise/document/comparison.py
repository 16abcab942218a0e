"""A comparison: headline, picture, facts, notes, then details; of two or more models, by one metric or several.

What is said in which words depends on what is compared: `two_models`, `several_models` and `data_sets` have the same
functions, and are put together here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from foldwise.core.metric import metric_words
from foldwise.core.units import capital, sentence
from foldwise.designs.adjustments import ADJUSTMENTS
from foldwise.document import data_sets, several_models, two_models
from foldwise.document.document import Block, Bullets, Document, Drawing, Facts, Section, Text, Tone, details
from foldwise.document.margins import conclusions_by_metric, conclusions_sentence, pair_conclusions
from foldwise.document.plots import by_each_metric
from foldwise.document.references import full_reference

if TYPE_CHECKING:
    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.comparison.comparison import Comparison
    from foldwise.comparison.pair import Pair

__all__ = ["comparison", "comparison_plots", "words_of"]


def words_of(c: MetricComparison) -> ModuleType:
    """Which words say it."""
    return data_sets if c.over is not None else two_models if c.is_pair else several_models


def comparison(m: Comparison) -> Document:
    """Who is better, and by how much; then every pair, method, assumptions, guarantee, scope, evidence."""
    return _by_one(m.parts[0]) if len(m.parts) == 1 else _by_metrics(m)


def comparison_plots(m: Comparison) -> dict[str, Drawing]:
    """The plots by name; by several metrics all at a glance, or the main one of each."""
    words = words_of(m.parts[0])
    if len(m.parts) == 1:
        found: dict[str, Drawing] = words.drawings(m.parts[0])
        return found
    if words is two_models:
        return two_models.metric_drawings(m)
    main = "ranks" if words is data_sets else "models"
    return by_each_metric(main, {c.metric: words.drawings(c)[main] for c in m.parts})


# ---- By one metric.


def _by_one(c: MetricComparison) -> Document:
    words = words_of(c)
    facts = tuple(words.facts(c))
    return Document(
        title=words.title(c, c.subject),
        subtitle=words.subtitle(c),
        headline=words.answer(c),
        numbers=words.numbers(c),
        tone=_tone(c),
        picture=words.picture(c),
        blocks=(*words.summary(c), *((Facts(rows=facts),) if facts else ()), *_margin(c)),
        notes=tuple(sentence(text) for text in c.caveats if text != c.kind.limit),
        details=details(
            how_large_the_differences_are=words.effects(c),
            every_pair=words.every_pair(c),
            method=(
                Facts(rows=tuple(words.method_rows(c))),
                Text(lead="What is estimated:", text=c.estimand),
                Text(lead="Why this test:", text=words.reason(c)),
                words.not_drawn(c),
            ),
            assumptions=Bullets(items=_assumptions(c)),
            guarantee=Text(text=sentence(c.guarantee)),
            scope=Text(text=sentence(c.kind.limit)),
            references=_cited(words.references(c)),
            the_evidence=words.evidence(c),
        ),
        command=c.repeat,
        provenance=tuple(_provenance(c)),
        methods=words.methods_sentence(c),
        table=words.paper_table(c),
    )


def _tone(c: MetricComparison) -> Tone:
    if _shows(c.pairs):
        return "decided"
    return "same" if c.is_pair and c.practically_same else "open"


def _shows(pairs: Sequence[Pair]) -> bool:
    """Whether something is shown: that one is better, or what the margin asks."""
    return any(pair.better is not None or pair.conclusion not in (None, "undecided") for pair in pairs)


def _margin(c: MetricComparison) -> tuple[Block, ...]:
    """The conclusions about the margin; that of two models is in the headline."""
    if c.is_pair:
        return ()
    if c.over is None:
        return pair_conclusions(c, estimate="mean difference", together=True)
    return pair_conclusions(c, estimate="median difference", together=c.adjustment != "none")


def _assumptions(c: MetricComparison) -> tuple[str, ...]:
    if c.over is not None:
        return (*c.kind.assumes, *c.procedure.assumes)
    return tuple(c.procedure.assumptions)


def _cited(references: tuple[str, ...]) -> Block:
    full = tuple(dict.fromkeys(map(full_reference, references)))
    return Text(text=full[0]) if len(full) == 1 else Bullets(items=full)


def _provenance(c: MetricComparison) -> Iterator[tuple[str, str]]:
    """Seed, hashes and number of trainings, as far as they are known."""
    known = {
        "seed": c.seed,
        "data set hash": c.data_digest,
        "evidence digest": c.evidence_digest,
        "fits": c.fits or None,
    }
    yield from ((name, str(value)) for name, value in known.items() if value is not None)


# ---- By several metrics.


def _by_metrics(m: Comparison) -> Document:
    """Who is better by which metrics, one row per metric, then each metric by itself."""
    first = m.parts[0]
    words, limits = words_of(first), {c.kind.limit for c in m.parts}
    tests = {c.title: c for c in m.parts}
    guarantees = dict.fromkeys((c.test, c.guarantee) for c in m.parts)
    evidence = [block for c in m.parts for block in words.evidence(c)]
    table = words.metric_table(m)
    return Document(
        title=words.title(first, m.subject),
        subtitle=f"{len(m)} metrics, {words.shared_words(m)}",
        headline=words.metrics_headline(m),
        tone="decided" if _shows(m.pairs) else "open",
        blocks=(table, *conclusions_by_metric(m)),
        notes=tuple(sentence(text) for text in m.notes if text not in limits),
        details=(
            *details(method=Text(lead="What is estimated:", text=f"{first.estimand} The other metrics likewise.")),
            *(_of_metric(c) for c in m.parts),
            *details(
                assumptions=tuple(
                    Bullets(lead=f"{capital(test)}:", items=_assumptions(c)) for test, c in tests.items()
                ),
                guarantee=Bullets(items=tuple(f"{test}: {guarantee}." for test, guarantee in guarantees)),
                scope=Text(text=sentence(first.kind.limit)),
                references=_cited((*(one for c in m.parts for one in words.references(c)), *_shared(m))),
                the_evidence=tuple(block for place, block in enumerate(evidence) if block not in evidence[:place]),
            ),
        ),
        command=m.repeat,
        provenance=(("evidence digest", m.evidence_digest),),
        methods=words.metrics_sentence(m) + conclusions_sentence(m),
        table=table,
    )


def _shared(m: Comparison) -> tuple[str, ...]:
    """What is cited for the adjustment for the number of metrics."""
    return ADJUSTMENTS[m.adjust_metrics].references


def _of_metric(c: MetricComparison) -> Section:
    words = words_of(c)
    blocks = (
        Facts(rows=(*words.facts(c), *words.method_rows(c))),
        *words.summary(c),
        *_margin(c),
        *words.every_pair(c),
        Text(lead="Why this test:", text=words.reason(c)),
    )
    return Section(heading=capital(metric_words(c.metric)), blocks=blocks)
