"""A comparison: headline, picture, facts, notes, then details; of two or more models, by one metric or several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from foldwise.core.formatting import found_in_store, level_text, number_text
from foldwise.core.metric import Unit, direction_words, metric_words
from foldwise.core.units import (
    asked_text,
    capital,
    difference_text,
    limits_text,
    name_list,
    percents,
    probability,
    pvalue_text,
    score_text,
    sentence,
    with_sign,
)
from foldwise.designs.adjustments import ADJUSTMENTS
from foldwise.designs.votes import Votes
from foldwise.document import comparison_tables as tables
from foldwise.document import headline, methods
from foldwise.document.comparison_tables import comparison_plots as comparison_plots
from foldwise.document.document import Block, Bullets, Document, Facts, Grid, Section, Text, Tone, details
from foldwise.document.margins import conclusions_by_metric, conclusions_sentence, pair_conclusions
from foldwise.document.references import listed

if TYPE_CHECKING:
    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.comparison.comparison import Comparison
    from foldwise.comparison.over_data_sets import LearnerEffect
    from foldwise.comparison.pair import Pair
    from foldwise.comparison.slices import Slices

MOST_GROUPS = 4


def comparison(m: Comparison) -> Document:
    """Who is better, and by how much; then every pair, method, assumptions, guarantee, scope, evidence."""
    found = _by_one(m.parts[0]) if len(m.parts) == 1 else _by_metrics(m)
    if m.slices is None:
        return found
    told = m.slices.sentence(m, m.alpha)
    if told:
        shown = any(pair.better for pair in m.pairs)
        told = f"{found.headline.removesuffix('.')} overall{', but' if shown else ';'} {told}."
    return found.replace(headline=told or found.headline, blocks=(*found.blocks, *_by_slice(m.slices, m.alpha)))


def _by_slice(slices: Slices, alpha: float) -> tuple[Grid, Facts]:
    told = {label: comparison(verdict) for label, verdict in slices.verdicts.items()}
    rows = tuple((label, slices.verdicts[label].design, one.headline, one.detail) for label, one in told.items())
    caption = f"By {slices.column}; levels are adjusted for {len(rows)} slices"
    voted = any(verdict.parts[0].kind.name == "votes" for verdict in slices.verdicts.values())
    columns = (slices.column, "votes" if voted else "items", "verdict", "numbers")
    several = len(slices.interactions) > 1
    tests = [
        (
            f"same in all {len(rows)} slices?" + (f" ({one.a} and {one.b})" if several else ""),
            f"{'no' if one.adjusted < alpha else 'not ruled out'}: Welch's F = {number_text(one.statistic, 3)}, "
            f"{one.df[0]:.0f} and {one.df[1]:.3g} df, p {with_sign(one.adjusted)}",
        )
        for one in slices.interactions
    ]
    return Grid(columns=columns, rows=rows, words=("verdict", "numbers"), caption=caption), Facts(rows=tuple(tests))


# ---- By one metric.


def _by_one(c: MetricComparison) -> Document:
    facts = tuple(_facts(c))
    return Document(
        title=headline.title(c, c.subject),
        subtitle=headline.subtitle(c),
        headline=headline.answer(c),
        numbers=headline.numbers(c),
        tone=_tone(c),
        picture=headline.picture(c),
        blocks=(*tables.summary(c), *((Facts(rows=facts),) if facts else ()), *_margin(c)),
        notes=tuple(sentence(text, c.names) for text in c.caveats if text != c.kind.limit),
        details=details(
            how_large_the_differences_are=tables.effects(c),
            every_pair=tables.every_pair(c),
            method=(
                Facts(rows=tuple(_method_rows(c))),
                Text(lead="What is estimated:", text=c.estimand),
                Text(lead="Why this test:", text=methods.reason(c)),
                tables.not_drawn(c),
            ),
            assumptions=Bullets(items=_assumptions(c)),
            guarantee=Text(text=sentence(c.guarantee)),
            scope=Text(text=sentence(c.kind.limit)),
            references=listed(methods.references(c)),
            the_evidence=tables.evidence(c),
        ),
        command=c.repeat,
        provenance=tuple(_provenance(c)),
        methods=methods.methods_sentence(c),
        table=tables.paper_table(c),
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


def _provenance(c: MetricComparison) -> Iterator[tuple[str, str]]:
    """Seed, hashes and number of trainings, as far as they are known."""
    known = {
        "seed": c.seed, "data set hash": c.data_digest, "evidence digest": c.evidence_digest, "fits": c.fits or None,
    }  # fmt: skip
    yield from ((name, str(value)) for name, value in known.items() if value is not None)


# ---- Facts.


def _facts(c: MetricComparison) -> list[tuple[str, str]]:
    """What stands below the headline: the same rows for any number of models, as far as they are known."""
    if c.is_pair:
        rows = _facts_of_two(c)
    else:
        known = (f"may be best ({level_text(1 - c.alpha)} confidence)", name_list(list(c.best_set)))
        rows = [known] if c.over is None else []
        if len(c.pairs) == 1 and c.over is not None:
            rows += [] if c.table.mixed else _facts_of_two_on_data_sets(c, c.over.effects()[0])
        else:
            rows += [] if c.over is None else [("are all the same?", methods.omnibus_text(c))]
            rows += [("not distinguishable", name_list(list(group))) for group in c.tie_groups[:MOST_GROUPS]]
        if (more := len(c.tie_groups) - MOST_GROUPS) > 0:
            rows.append(("not distinguishable", f"… and {more} more such groups"))
        same = [f"{pair.a} and {pair.b}" for pair in c.pairs if pair.practically_same and c.over is None]
        if same:
            rows.append((f"{headline.SAME_SAID} (within {difference_text(c.rope, c.unit)})", name_list(same)))
        again = [pair.replicability for pair in c.pairs if pair.replicability is not None]
        if again:
            agreed = sum(found.consistent for found in again)
            told = f"same verdict on {agreed} of {len(again)} pairs (all {again[0].repetitions})"
            rows.append(("other partitions", told))
    if c.classical is not None:
        rows.append(("corrected t test", _beside(c, c.classical)))
    if not c.higher_is_better:
        rows.append(_direction(c))
    return (
        [*rows, *c.over.skill(c.metric)]
        if c.over is not None
        else [*rows, *c.kind.facts(c.evidence, c.procedure, c.control)]
    )


def _beside(c: MetricComparison, classical: MetricComparison) -> str:
    """What the classical test finds on the same trainings."""
    p = f" (p {with_sign(classical.pvalue)})" if c.is_pair else ""
    differ = [pair for pair, other in zip(c.pairs, classical.pairs, strict=True) if pair.better != other.better]
    if not differ:
        return f"agrees{p}" if c.is_pair else f"agrees on all {len(c.pairs)} pairs"
    if c.is_pair:
        return f"finds {'a difference' if c.contested else 'none'}{p}"
    named = name_list([f"{pair.a} and {pair.b}" for pair in differ], most=3)
    return f"disagrees on {named}: it does not count the influence of single training examples"


def _direction(c: MetricComparison) -> tuple[str, str]:
    return "direction", direction_words(c.metric, c.higher_is_better, assumed=c.direction == "assumed")


def _facts_of_two(c: MetricComparison) -> list[tuple[str, str]]:
    rows = []
    if isinstance(c.evidence, Votes) and (span := c.pairs[0].interval) is not None:  # as leaderboards of votes have it
        error = c.pairs[0].standard_error
        ends = ((1 + float(limit)) / 2 for limit in (span.low, span.high))
        low, high = (score_text(end, "fraction", 1).removesuffix(" %") for end in ends)
        told = f"{score_text(float(c.evidence.means[0]), 'fraction', 1)} ({level_text(1 - c.alpha)} CI {low} to {high}"
        told += "" if error is None else f"; standard error {difference_text(error / 2, 'fraction', 2)}"
        rows.append(("win rate", f"{c.names[0]} {told})"))
    if c.margin is not None and c.conclusion is not None:
        limits = "limits unknown" if c.limits is None else (
            f"limits {limits_text(c.limits, c.unit, c.margin)} (one-sided, each of level {level_text(c.limits_level)})"
        )  # fmt: skip
        rows.append((f"margin {asked_text(c.margin, c.unit)}", f"{c.conclusion}; {limits}"))
    if c.rope_probabilities is not None:
        rows.append(("in practice", _in_practice(c)))
    if c.replicability is not None:
        rows.append(("other partitions", f"same verdict: {c.replicability}"))
    if c.detectable_difference is not None:
        rows.append(("detectable", f"{difference_text(c.detectable_difference, c.unit)} (80 % power)"))
    if c.variance is not None:
        shares = ", ".join(f"{one.name} {100 * c.variance.share(one.name):.0f} %" for one in c.variance.sources)
        rows.append(("standard error", f"{_error_text(c.variance.standard_error, c.unit)} (variance: {shares})"))
    return rows


def _facts_of_two_on_data_sets(c: MetricComparison, effect: LearnerEffect) -> Iterator[tuple[str, str]]:
    span = headline.interval_text(effect.interval, c)
    told = f"{effect.name} − {effect.against} {difference_text(effect.difference, c.unit)} ({span})"
    yield "typical difference", told
    if c.pairs[0].rope_probabilities is not None:
        yield "in practice", _in_practice(c)


def _in_practice(c: MetricComparison) -> str:
    """How probable it is that the difference of the only two models matters."""
    (pair,) = c.pairs
    p, region = pair.rope_probabilities, asked_text(c.rope, c.unit)
    assert p is not None
    a, same, b = (float(share) for share in p.as_tuple())
    within = f"within {region}: {probability(same)}"
    if pair.better is None:
        first, second = pair.a, pair.b
        return f"{first} better by more than {region}: {probability(a)}   {within}   {second} better: {probability(b)}"
    won, lost = (a, b) if pair.better == pair.a else (b, a)
    worse = f"   worse: {probability(lost)}" if lost >= 0.001 else ""
    return f"better by more than {region}: {probability(won)}   {within}{worse}"


def _error_text(value: float, unit: Unit) -> str:
    """A standard error in its unit, to three digits: rows of them are compared."""
    return number_text(percents(unit) * value, 3) + ("" if unit == "own" else " points")


def _method_rows(c: MetricComparison) -> list[tuple[str, str]]:
    """The test with its numbers, and what it was made from."""
    if c.is_pair:
        span = "" if c.interval is None else f"   ({headline.interval_text(c.interval, c)})"
        estimated = c.procedure.difference_words(c.metric, c.names).removeprefix("the ")
        rows = [
            ("test", c.title),
            (estimated, f"{difference_text(c.estimate, c.unit)}{span}"),
            ("p", f"{pvalue_text(c.pvalue)}   ({methods.statistic_text(c)})"),
        ]
        rows += [
            (f"standard error with {outlook.words}", _error_text(outlook.standard_error, c.unit))
            for outlook in (() if c.variance is None else c.variance.outlooks)
        ]
    else:
        rows = [("test of each pair", c.title), ("adjustment", c.adjusted_by.title)]
    if c.over is not None:
        rows += [("comparisons", str(len(c.pairs))), _direction(c)]
        critical = c.over.critical_difference
        return rows + ([] if critical is None else [("critical difference of mean ranks", f"{critical:.3f}")])
    if c.omnibus is not None:
        rows.append(("are all the same?", f"Cochran's Q = {methods.omnibus_text(c)}"))
    if c.is_pair and c.influence_weight(c.pairs[0]) is not None:
        weight = tables.influence(c, c.pairs[0])
        rows.append(("influence", f"as training data an example counts {weight} of what it counts as test data"))
    if c.baseline is not None:
        rows.append((f"{metric_words(c.metric)} of the most frequent class", score_text(c.baseline, c.unit)))
    rows += [_direction(c), ("evidence", c.design)]
    return rows + ([("store", found_in_store(c.found, c.fits, "fits", c.found_made))] if c.found else [])


# ---- By several metrics.


def _by_metrics(m: Comparison) -> Document:
    """Who is better by which metrics, one row per metric, then each metric by itself."""
    first = m.parts[0]
    limits = {c.kind.limit for c in m.parts}
    tests = {c.title: c for c in m.parts}
    guarantees = dict.fromkeys((c.test, c.guarantee) for c in m.parts)
    evidence = [block for c in m.parts for block in tables.evidence(c)]
    table = tables.metric_table(m)
    return Document(
        title=headline.title(first, m.subject),
        subtitle=f"{len(m)} metrics, {headline.shared_words(m)}",
        headline=headline.metrics_headline(m),
        tone="decided" if _shows(m.pairs) else "open",
        blocks=(table, *conclusions_by_metric(m)),
        notes=tuple(sentence(text, m.models) for text in m.notes if text not in limits),
        details=(
            *details(method=Text(lead="What is estimated:", text=f"{first.estimand} The other metrics likewise.")),
            *(_of_metric(c) for c in m.parts),
            *details(
                assumptions=tuple(
                    Bullets(lead=f"{capital(test)}:", items=_assumptions(c)) for test, c in tests.items()
                ),
                guarantee=Bullets(items=tuple(f"{test}: {guarantee}." for test, guarantee in guarantees)),
                scope=Text(text=sentence(first.kind.limit)),
                references=listed(
                    (
                        *(one for c in m.parts for one in methods.references(c)),
                        *ADJUSTMENTS[m.adjust_metrics].references,
                    )
                ),
                the_evidence=tuple(block for place, block in enumerate(evidence) if block not in evidence[:place]),
            ),
        ),
        command=m.repeat,
        provenance=(("evidence digest", m.evidence_digest),),
        methods=methods.metrics_sentence(m) + conclusions_sentence(m),
        table=table,
    )


def _of_metric(c: MetricComparison) -> Section:
    blocks = (
        Facts(rows=(*_facts(c), *_method_rows(c))),
        *tables.summary(c),
        *_margin(c),
        *tables.every_pair(c),
        Text(lead="Why this test:", text=methods.reason(c)),
    )
    return Section(heading=capital(metric_words(c.metric)), blocks=blocks)
