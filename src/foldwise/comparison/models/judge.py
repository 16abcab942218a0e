"""Evidence about several models judged: every pair tested, adjusted for their number, and what follows from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Literal

import numpy as np

from foldwise.comparison.many.cliques import indistinct_groups
from foldwise.comparison.margins import margin_of
from foldwise.comparison.models.caveats import gather_caveats
from foldwise.comparison.models.comparison import ModelsComparison
from foldwise.comparison.models.margins import with_margin
from foldwise.comparison.pair import Pair
from foldwise.core.amounts import Amount, rope_in
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.types import Array, Flags, Interval
from foldwise.core.validation import fraction, integer, one_of
from foldwise.designs import PairTests, Procedure, find_procedure, kind_of
from foldwise.designs.findings import Findings
from foldwise.evidence.evidence import Evidence
from foldwise.inference.joint_differences import Indices, JointDifferences, compared_pairs, joint_differences
from foldwise.inference.many._adjust import adjust as adjust_pvalues
from foldwise.inference.several_models import best_set_pvalues, rank_intervals

__all__ = ["ACROSS", "ADJUSTMENTS", "Across", "Adjust", "judge_models"]

Adjust = Literal["holm", "max_t"]
ADJUSTMENTS: tuple[Adjust, ...] = ("holm", "max_t")
Across = Literal["bonferroni", "none"]
ACROSS = ("bonferroni", "none")
"""How several metrics share the level."""


def judge_models(
    evidence: Evidence,
    *,
    control: str | None = None,
    adjust: Adjust = "holm",
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    seed: int = 0,
    test: str | Procedure = "auto",
) -> ModelsComparison:
    """Compare several models from evidence.

    Parameters
    ----------
    evidence
        Values of the models on items, or scores on splits.
    control
        Name of the model that the others are compared with; without it all pairs are.
    adjust
        ``"holm"`` or ``"max_t"``.
    alpha, rope
        Level for all pairs together, and the difference up to which models are practically the same.
    margin
        By how much a candidate may be worse than its baseline, the control or the second of a pair.
    seed
        Determines the draws behind max-T and the set of the best.
    test
        The test of each pair, or its name; "auto" takes the one that is recommended for such evidence.
    """
    fraction(alpha, "alpha")
    one_of(adjust, "adjust", ADJUSTMENTS)
    asked = margin_of(margin, evidence, alpha)
    half_width = rope_in(rope, metric=evidence.metric, unit=evidence.unit)
    names, asked_for = evidence.names, kind_of(evidence).recommended if test == "auto" else test
    procedure = asked_for if isinstance(asked_for, Procedure) else find_procedure(asked_for)
    kind = procedure.kind
    if not kind.fits(evidence):
        raise InvalidInput(f"test '{procedure.name}' needs {kind.words}, got {evidence.design}")
    if control is not None and control not in names:
        raise UnknownName("control", control, names)
    place = None if control is None else names.index(control)
    every = compared_pairs(len(names), None)
    tests = kind.tests(evidence, procedure, *every)
    joint = kind.together(evidence)
    # by what is gained, so that errors and right answers get the same draws
    gains = joint.means if evidence.higher_is_better else -joint.means
    law = joint_differences(gains, joint.covariance, control=place, seed=integer(seed, "seed", minimum=0))
    chosen = _chosen(tests, every, law)
    adjusted, level = _adjusted(chosen.pvalue, law, adjust, alpha)
    pairs = _pairs(evidence, chosen, adjusted, level, alpha=alpha, rope=half_width, procedure=procedure)
    if asked is not None:
        limits, higher = chosen.intervals(1 - 2 * alpha / len(pairs)), evidence.higher_is_better
        pairs = with_margin(pairs, limits, margin=asked, higher_is_better=higher, control=control)
    better = _better_matrix(names, pairs)
    # the law of leads is that of all pairs: with a control the pairs with it are all that is claimed
    leads = None if kind.best_by_pairs or control is not None else law
    best = _best_pvalues(evidence, tests, every, leads, pairs)
    spans = rank_intervals(better)
    low = np.maximum(spans.low, np.where(best < alpha, 2, 1))  # who is ruled out as the best is not the first
    c = ModelsComparison(
        evidence=evidence,
        procedure=procedure,
        pairs=pairs,
        mean_intervals=kind.mean_intervals(evidence, procedure, 1 - alpha),
        best_pvalues=best,
        ranks={name: (int(first), int(last)) for name, first, last in zip(names, low, spans.high, strict=True)},
        tie_groups=() if control is not None else _tie_groups(evidence, better),
        omnibus=kind.omnibus(evidence),
        control=control,
        adjustment=adjust,
        alpha=alpha,
        rope=half_width,
        level=level,
        margin=asked,
        seed=seed,
    )
    return gather_caveats(c)


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
        """The interval of each of them alone."""
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
        first=first,
        second=second,
        estimate=np.where(turned, -estimate, estimate) + 0.0,
        pvalue=tests.pvalue[place],
        known=tests.known[place],
        turned=turned,
        tests=tests,
        place=place,
    )


def _adjusted(pvalues: Array, law: JointDifferences, adjust: Adjust, alpha: float) -> tuple[Array, float]:
    """Adjusted p-values, and the level of one pair at which the intervals of all hold together."""
    if adjust == "max_t":
        return law.adjust(pvalues), law.level(alpha)
    return adjust_pvalues(pvalues, method="holm"), alpha / len(pvalues)


def _pairs(
    evidence: Evidence,
    compared: _Compared,
    adjusted: Array,
    level: float,
    *,
    alpha: float,
    rope: float,
    procedure: Procedure,
) -> tuple[Pair, ...]:
    spans, means = compared.intervals(1 - level), evidence.means.tolist()
    gain = compared.estimate if evidence.higher_is_better else -compared.estimate
    found = []
    for n, (i, j) in enumerate(zip(compared.first.tolist(), compared.second.tolist(), strict=True)):
        a, b = evidence.names[i], evidence.names[j]
        low, high = float(np.asarray(spans.low)[n]), float(np.asarray(spans.high)[n])
        differ = adjusted[n] < alpha and gain[n] != 0 and compared.known[n]
        found.append(
            Pair(
                a=a,
                b=b,
                metric=evidence.metric,
                means=(means[i], means[j]),
                estimate=float(compared.estimate[n]),
                interval=None if math.isnan(low) else Interval(low=low, high=high),
                pvalue=float(compared.pvalue[n]),
                adjusted=float(adjusted[n]),
                better=(a if gain[n] > 0 else b) if differ else None,
                practically_same=-rope <= low and high <= rope,
                level=level,
                _found=partial(_findings, evidence, i, j, procedure, level, rope),
            )
        )
    return tuple(found)


@lru_cache(maxsize=64)
def _findings(evidence: Any, i: int, j: int, procedure: Procedure, alpha: float, rope: float) -> Findings:
    """What the test of a pair finds of the two alone: its statistic, standard error, probabilities, power."""
    found: Findings = procedure.kind.findings(evidence.pair(i, j), procedure, alpha=alpha, rope=rope)
    return found


def _better_matrix(names: tuple[str, ...], pairs: tuple[Pair, ...]) -> Flags:
    """Whether the row's model is shown to be better than the column's."""
    place = {name: i for i, name in enumerate(names)}
    better = np.zeros((len(names), len(names)), dtype=bool)
    for pair in pairs:
        if pair.better is not None and pair.worse is not None:
            better[place[pair.better], place[pair.worse]] = True
    return better


def _best_pvalues(
    evidence: Evidence,
    tests: PairTests,
    every: tuple[Indices, Indices],
    law: JointDifferences | None,
    pairs: tuple[Pair, ...],
) -> Array:
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


def _tie_groups(evidence: Evidence, better: Flags) -> tuple[tuple[str, ...], ...]:
    order = np.argsort(-evidence.means if evidence.higher_is_better else evidence.means, kind="stable")
    different = (better | better.T)[np.ix_(order, order)]
    names = [evidence.names[i] for i in order]
    return tuple(tuple(names[i] for i in group) for group in indistinct_groups(different))
