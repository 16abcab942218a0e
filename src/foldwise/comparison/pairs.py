"""Evidence about k >= 2 models judged: every pair tested, adjusted for their number, and what follows from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from foldwise.comparison.by_metric import MetricComparison, ranks_of_two
from foldwise.comparison.pair import Pair
from foldwise.comparison.results import with_missing
from foldwise.core.amounts import Amount, check_amount, margin_in, rope_in
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.types import Array, Flags, Interval
from foldwise.core.units import name_list, score_text
from foldwise.core.validation import fraction, integer, one_of
from foldwise.designs import CORRECTED, INFLUENCE_CV, PairTests, Procedure, find_procedure, kind_of
from foldwise.designs.adjustments import ADJUSTMENTS, MAX_T
from foldwise.designs.findings import Findings
from foldwise.designs.kind import AnyKind
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.score_table import ScoreTable
from foldwise.evidence.scores import InfluenceScores
from foldwise.inference.equivalence import conclusion
from foldwise.inference.joint_differences import Indices, JointDifferences, compared_pairs, joint_differences
from foldwise.inference.many._adjust import adjust as adjust_pvalues
from foldwise.inference.several_models import best_set_pvalues, indistinct_groups, rank_intervals

Adjust = Literal["holm", "max_t"]
ADJUST: tuple[Adjust, ...] = ("holm", "max_t")  # How the pairs of three and more models are judged together.
Across = Literal["bonferroni", "none"]
ACROSS = ("bonferroni", "none")  # How several metrics share the level.


def judge_evidence(
    evidence: Evidence, *, test: str | Procedure = "auto", control: str | None = None, adjust: Adjust = "holm",
    alpha: float = 0.05, rope: Amount | None = None, margin: Amount | None = None, limits_alpha: float | None = None,
    seed: int | None = None, names: Sequence[str] | None = None,
) -> MetricComparison:  # fmt: skip
    """Compare two or more models from evidence; of two there is one pair, and nothing to adjust.

    Parameters are those of the verbs. `limits_alpha` is the level of the conclusion about the margin for two models,
    the part of `alpha` that it has where several metrics or tasks share it; `names` are what to call the models, where
    not as the evidence does.
    """
    fraction(alpha, "alpha")
    evidence = evidence if names is None else evidence.called(tuple(names))
    one_of(adjust, "adjust", ADJUST)
    half_width = rope_in(rope, metric=evidence.metric, unit=evidence.unit)
    asked = margin_of(margin, evidence, alpha)
    procedure, reason = _choose(evidence, test)
    kind = procedure.kind
    if not kind.fits(evidence):
        raise InvalidInput(f"test '{procedure.name}' needs {kind.words}, got {evidence.design}")
    if control is not None and control not in evidence.names:
        raise UnknownName("control", control, evidence.names)
    settings: dict[str, Any] = {
        "evidence": evidence, "procedure": procedure, "alpha": alpha, "rope": half_width, "margin": asked,
        "estimand": kind.estimand(evidence, procedure), "reason": reason,
    }  # fmt: skip
    if len(evidence.names) == 2:
        one_sided = alpha if limits_alpha is None else limits_alpha
        pair = pair_of_two(
            evidence,
            procedure,
            kind.findings(evidence, procedure, alpha=alpha, rope=half_width),
            one_sided_limits(evidence, procedure, alpha=one_sided, rope=half_width, margin=asked),
            alpha=alpha,
            margin=asked,
        )
        c = MetricComparison(
            **settings, pairs=(pair,), adjusted_by=ADJUSTMENTS["holm"], level=alpha, limits_alpha=one_sided,
            ranks=ranks_of_two(pair),
        )  # fmt: skip
        found = c.findings.caveats
    else:
        seed = integer(0 if seed is None else seed, "seed", minimum=0)
        c = _all_pairs(kind, settings, control=control, adjust=adjust, seed=seed)
        found = tuple(_about_pairs(c))
    own = kind.caveats(evidence, procedure, alpha=alpha / len(c.pairs), rope=half_width)
    warning = (f"{procedure.title}: {procedure.warning}",) if procedure.warning else ()
    note = (procedure.note,) if procedure.note else ()
    caveats = (*warning, *note, *found, *own) if c.is_pair else (*warning, *note, *own, *found)
    c = c.replace(caveats=(*caveats, kind.limit))
    if isinstance(evidence, InfluenceScores) and procedure.kind == INFLUENCE_CV:
        beside = judge_evidence(
            evidence, test=CORRECTED, control=control, adjust=adjust, alpha=alpha, rope=half_width, margin=asked,
            limits_alpha=limits_alpha, seed=seed,
        )  # fmt: skip
        c = c.replace(classical=beside)
    c = with_missing(c, evidence.missing, evidence.names)
    return c if evidence.majority is None else with_baseline(c, evidence.majority)


def _choose(evidence: Evidence, test: str | Procedure) -> tuple[Procedure, str]:
    """The test, and why that one; with the reference where the words do not bring their own."""
    natural = kind_of(evidence)
    name = natural.recommended if test == "auto" else test
    procedure = name if isinstance(name, Procedure) else find_procedure(name)
    if test == "auto" or procedure.name == natural.recommended:
        because = natural.because
        return procedure, because if because.endswith(".") else f"{because} ({procedure.reference})."
    return procedure, f"it was asked for by name ({procedure.reference})."


# ---- Two models.


def pair_of_two(
    evidence: Evidence, procedure: Procedure, found: Findings, limits: Interval | None, *, alpha: float,
    margin: float | None,
) -> Pair:  # fmt: skip
    """The pair that two models are, from what their test finds."""
    (a, b), higher = evidence.names, evidence.higher_is_better
    means = procedure.values(evidence) or evidence.means
    differ = found.pvalue < alpha and found.common and found.estimate != 0
    same = found.probabilities is not None and bool(found.probabilities.equivalent > 1 - alpha)
    pair = Pair(
        a=a,
        b=b,
        metric=evidence.metric,
        means=(float(means[0]), float(means[1])),
        estimate=found.estimate,
        pvalue=found.pvalue,
        adjusted=found.pvalue,
        better=(a, b)[(found.estimate > 0) != higher] if differ else None,
        practically_same=same,
        level=alpha,
        _interval=found.interval,
        _found=lambda: found,
    )
    return pair if margin is None else _concluded(pair, limits, margin, higher_is_better=higher, control=None)


def one_sided_limits(
    evidence: Evidence, procedure: Procedure, *, alpha: float, rope: float, margin: float | None
) -> Interval | None:
    """The limits of level 1 − alpha on either side, by the test's own interval; None where none are asked for or known.

    Notes
    -----
    Exchanging a and b mirrors the interval of every test, so that each of its ends errs as often as the other: the
    two-sided interval of level 1 − 2α consists of the two one-sided limits of level 1 − α.
    """
    if margin is None:
        return None
    return procedure.kind.findings(evidence, procedure, alpha=2 * alpha, rope=rope).interval


# ---- Margins.


def check_margin(margin: Amount | None, alpha: float) -> None:
    """Refuse what can't be a margin, or a level that leaves no one-sided limits, before anything is measured."""
    if margin is None:
        return
    if alpha >= 0.5:
        raise InvalidInput(f"alpha must be below 0.5 where a margin is given, got {alpha:g}")
    check_amount(margin, "margin", above=True)


def margin_of(
    margin: Amount | None, evidence: Evidence | ScoreTable, alpha: float, *, largest: float | None = None
) -> float | None:
    """The margin in the unit of what was measured; `largest` is the largest difference there can be, where known."""
    check_margin(margin, alpha)
    if margin is None:
        return None
    means = np.nanmean(evidence.means, axis=0) if isinstance(evidence, ScoreTable) else evidence.means
    return margin_in(
        margin, metric=evidence.metric, unit=evidence.unit, means=means[~np.isnan(means)].tolist(), largest=largest
    )


def with_margin(
    pairs: Sequence[Pair], limits: Sequence[Interval | None], *, margin: float, higher_is_better: bool,
    control: str | None,
) -> tuple[Pair, ...]:  # fmt: skip
    """The pairs with their conclusions by one-sided limits of level 1 − α/m for m pairs, however p is adjusted.

    The control is the baseline; without one, the second model of each pair is.
    """
    return tuple(
        _concluded(pair, own, margin, higher_is_better=higher_is_better, control=control)
        for pair, own in zip(pairs, limits, strict=True)
    )


def _concluded(
    pair: Pair, limits: Interval | None, margin: float, *, higher_is_better: bool, control: str | None
) -> Pair:
    candidate = pair.b if pair.a == control else pair.a
    lead = limits if limits is None or candidate == pair.a else -limits
    found = conclusion(lead, margin=margin, higher_is_better=higher_is_better)
    return replace(pair, margin=margin, limits=limits, candidate=candidate, conclusion=found)


# ---- Three and more models.


def _all_pairs(
    kind: AnyKind, settings: dict[str, Any], *, control: str | None, adjust: Adjust, seed: int
) -> MetricComparison:
    """Every pair tested, and what all of them together leave: who may be best, ranks, groups."""
    evidence, procedure = settings["evidence"], settings["procedure"]
    alpha, rope, margin = settings["alpha"], settings["rope"], settings["margin"]
    names = evidence.names
    place = None if control is None else names.index(control)
    every = compared_pairs(len(names), None)
    tests = kind.tests(evidence, procedure, *every)
    joint = kind.together(evidence)
    # by what is gained, so that errors and right answers get the same draws
    gains = joint.means if evidence.higher_is_better else -joint.means
    law = joint_differences(gains, joint.covariance, control=place, seed=seed)
    chosen = _chosen(tests, every, law)
    adjusted, level = _adjusted(chosen.pvalue, law, adjust, alpha)
    pairs = _pairs(evidence, chosen, adjusted, level, alpha=alpha, rope=rope, procedure=procedure)
    if margin is not None:
        limits = _each(chosen.intervals(1 - 2 * alpha / len(pairs)))
        pairs = with_margin(pairs, limits, margin=margin, higher_is_better=evidence.higher_is_better, control=control)
    better = better_matrix(names, pairs)
    worse = -evidence.means if evidence.higher_is_better else evidence.means
    # the law of leads is that of all pairs: with a control the pairs with it are all that is claimed
    leads = None if kind.best_by_pairs or control is not None else law
    best = _best_pvalues(evidence, tests, every, leads, pairs)
    places = rank_intervals(better)
    low = np.maximum(places.low, np.where(best < alpha, 2, 1))  # who is ruled out as the best is not the first
    high = np.where((low == 1) & ((low == 1).sum() == 1), 1, places.high)  # and if all others are, the one left is
    return MetricComparison(
        **settings,
        pairs=pairs,
        adjusted_by=MAX_T if adjust == "max_t" else ADJUSTMENTS["holm"],
        level=level,
        limits_alpha=alpha,
        control=control,
        ranks={name: (int(first), int(last)) for name, first, last in zip(names, low, high, strict=True)},
        best_pvalues=best,
        tie_groups=() if control is not None else tie_groups(names, worse, better),
        omnibus=kind.omnibus(evidence),
        seed=seed,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Compared:
    """The pairs that are compared, as the comparison has them."""

    first: Indices
    second: Indices
    estimate: Array
    pvalue: Array
    known: Flags
    turned: Flags
    tests: PairTests
    place: Indices

    def intervals(self, level: float) -> Interval:
        found = self.tests.intervals(level)
        low, high = (np.asarray(limit)[self.place] for limit in (found.low, found.high))
        return Interval(low=np.where(self.turned, -high, low), high=np.where(self.turned, -low, high))


def _chosen(tests: PairTests, every: tuple[Indices, Indices], law: JointDifferences) -> _Compared:
    """Out of the tests of all pairs those that are compared, turned round where the control is the second."""
    first, second = law.first, law.second
    known = {pair: place for place, pair in enumerate(zip(*(index.tolist() for index in every), strict=True))}
    place = np.array([known[min(i, j), max(i, j)] for i, j in zip(first.tolist(), second.tolist(), strict=True)])
    turned = first > second
    estimate = tests.estimate[place]
    return _Compared(
        first=first, second=second, estimate=np.where(turned, -estimate, estimate) + 0.0, pvalue=tests.pvalue[place],
        known=tests.known[place], turned=turned, tests=tests, place=place,
    )  # fmt: skip


def _adjusted(pvalues: Array, law: JointDifferences, adjust: Adjust, alpha: float) -> tuple[Array, float]:
    """Adjusted p-values, and the level of one pair at which the intervals of all hold together."""
    if adjust == "max_t":
        return law.adjust(pvalues), law.level(alpha)
    return adjust_pvalues(pvalues, method="holm"), alpha / len(pvalues)


def _pairs(
    evidence: Evidence, compared: _Compared, adjusted: Array, level: float, *, alpha: float, rope: float,
    procedure: Procedure,
) -> tuple[Pair, ...]:  # fmt: skip
    spans, means = _each(compared.intervals(1 - level)), evidence.means.tolist()
    gains = compared.estimate if evidence.higher_is_better else -compared.estimate
    differ = (adjusted < alpha) & (gains != 0) & compared.known
    pair_by_pair = zip(
        compared.first.tolist(), compared.second.tolist(), compared.estimate.tolist(), gains.tolist(),
        compared.pvalue.tolist(), adjusted.tolist(), spans, differ.tolist(), strict=True,
    )  # fmt: skip
    size, find = procedure.kind.together_found, procedure.kind.findings_of
    found: list[Pair] = []
    for i, j, estimate, gain, pvalue, shared, span, shown in pair_by_pair:
        a, b = evidence.names[i], evidence.names[j]
        if len(found) % size == 0:  # what takes long is made of some pairs together when one of them is asked for
            here = slice(len(found), len(found) + size)
            places = compared.first[here], compared.second[here]
            block = _Block(partial(find, evidence, procedure, *places, alpha=level, rope=rope))
        found.append(
            Pair(
                a=a,
                b=b,
                metric=evidence.metric,
                means=(means[i], means[j]),
                estimate=estimate,
                pvalue=pvalue,
                adjusted=shared,
                better=(a if gain > 0 else b) if shown else None,
                practically_same=span is not None and bool(-rope <= span.low and span.high <= rope),
                level=level,
                _interval=span,
                _found=partial(block.of, len(found) % size),
            )
        )
    return tuple(found)


def _each(spans: Interval) -> list[Interval | None]:
    """The interval of each pair; None where there is none."""
    limits = zip(np.asarray(spans.low).tolist(), np.asarray(spans.high).tolist(), strict=True)
    return [None if math.isnan(low) else Interval(low=low, high=high) for low, high in limits]


class _Block:
    """What the test finds of some pairs alone (statistic, probabilities, power), made when one of them is asked for."""

    def __init__(self, find: Callable[[], list[Findings]]) -> None:
        self.find = find
        self.found: list[Findings] = []

    def of(self, place: int) -> Findings:
        self.found = self.found or self.find()
        return self.found[place]


def better_matrix(names: Sequence[str], pairs: Sequence[Pair]) -> Flags:
    """Whether the row's model is shown to be better than the column's."""
    place = {name: i for i, name in enumerate(names)}
    better = np.zeros((len(names), len(names)), dtype=bool)
    for pair in pairs:
        if pair.better is not None and pair.worse is not None:
            better[place[pair.better], place[pair.worse]] = True
    return better


def _best_pvalues(
    evidence: Evidence, tests: PairTests, every: tuple[Indices, Indices], law: JointDifferences | None,
    pairs: tuple[Pair, ...],
) -> Array:  # fmt: skip
    """That nobody is better than each: by the largest lead where there is a law, and by the pairs in any case.

    Whoever a pair shows to be worse is not the best, whatever the largest lead says: Holm's steps may show more.
    """
    place = {name: i for i, name in enumerate(evidence.names)}
    worse = np.ones(len(place))
    for pair in pairs:
        if pair.estimate != 0 and pair.interval is not None:
            behind = place[pair.b if (pair.estimate > 0) == evidence.higher_is_better else pair.a]
            worse[behind] = min(worse[behind], pair.adjusted)
    if law is None:
        return worse
    lead, pvalues = np.zeros((len(place), len(place))), np.ones((len(place), len(place)))
    lead[every] = tests.estimate if evidence.higher_is_better else -tests.estimate
    pvalues[every] = tests.pvalue
    return np.minimum(worse, best_set_pvalues(law, lead - lead.T, np.minimum(pvalues, pvalues.T)))


def tie_groups(names: Sequence[str], worse: Array, better: Flags) -> tuple[tuple[str, ...], ...]:
    """Groups of models of which no two are shown to differ, the best first by what is `worse` of each."""
    order = np.argsort(worse, kind="stable")
    return indistinct_groups([names[i] for i in order], (better | better.T)[np.ix_(order, order)])


# ---- What a careful reader should know.


def _about_pairs(c: MetricComparison) -> list[str]:
    """Pairs whose difference does not vary, or of which test, interval and omnibus test say different things."""
    constant = [pair for pair in c.pairs if pair.interval is None and pair.estimate != 0]
    within = [pair for pair in c.pairs if pair.better is not None and pair.low <= 0 <= pair.high]
    beyond = [pair for pair in c.pairs if pair.better is None and (pair.low > 0 or pair.high < 0)]
    caveats = []
    if constant:
        told = f"the spread of the difference of {_named(constant)} is unknown, and with it whether it is chance"
        caveats.append(told)
    if within and c.adjustment == "holm":
        caveats.append(
            f"by Holm's adjusted p-values {_named(within)} differ although 0 lies within the simultaneous interval, "
            "which takes Bonferroni's wider adjustment; with adjust='max_t' (--adjust max_t) the two agree"
        )
    elif within or beyond:
        caveats.append(
            "the test and the interval of a pair rest on different approximations and disagree here "
            f"({_named([*within, *beyond])}): a close call"
        )
    worse = {name for names in c.beaten().values() for name in names}
    unbeaten = [name for name in c.ranking if name not in (*c.best_set, *worse)]
    if unbeaten and c.control is None:
        caveats.append(
            f"ruled out as the best, though no pair alone shows which model is better: {name_list(unbeaten)}; two "
            "questions, each answered by its own test"
        )
    if c.omnibus is not None:
        caveats += omnibus_caveats(float(c.omnibus.pvalue), c.alpha, c.pairs)
    return caveats


def omnibus_caveats(pvalue: float, alpha: float, pairs: Sequence[Pair]) -> list[str]:
    """What to know where the test that all are the same (its p-value) and the tests of pairs say different things."""
    differ = any(pair.better is not None for pair in pairs)
    if pvalue < alpha and not differ:
        return [
            "the test of all together shows that not all are the same, but none of the pairs compared is shown to "
            "differ: two questions, each answered by its own test"
        ]
    if pvalue >= alpha and differ:
        return [
            "the test of all together does not show that any differ, the pairs do: two questions, each answered by its "
            "own test at its own level; a close call"
        ]
    return []


def with_baseline(c: MetricComparison, accuracy: float) -> MetricComparison:
    """The comparison with what always answering the most frequent class scores, and a caveat where nobody beats it."""
    baseline = accuracy if c.higher_is_better else 1 - accuracy
    best = (max if c.higher_is_better else min)(c.means.values())
    if (best > baseline) if c.higher_is_better else (best < baseline):
        return c.replace(baseline=baseline)
    caveat = (
        f"{'neither' if c.is_pair else 'none'} does better than always answering the most frequent class ({c.metric} "
        f"{score_text(baseline, c.unit)}), so that the comparison says nothing of what they have learned"
    )
    return c.replace(baseline=baseline, caveats=(caveat, *c.caveats))


def _named(pairs: Sequence[Pair]) -> str:
    return ", ".join(f"{pair.a} and {pair.b}" for pair in pairs[:3]) + " …" * (len(pairs) > 3)
