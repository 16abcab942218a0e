"""Models on one test set, compared by a metric of all items together, areas under ROC curves among them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.metric import direction_caveats, unit_caveats
from foldwise.core.types import Array, Flags, Interval
from foldwise.designs.findings import Findings, PosteriorCurve, StudentPower
from foldwise.designs.guarantee import approximate
from foldwise.designs.kind import Batch, Kind, PairTests, Procedure, gathered, pairs_of
from foldwise.designs.marks import FIXED, fitted
from foldwise.designs.student import (
    KNOWN_SPREAD,
    NO_POWER,
    StudentKind,
    known_power,
    student_curve,
    student_intervals,
    student_probabilities,
)
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.outputs import Outputs
from foldwise.inference.clusters import variance_quality
from foldwise.inference.equivalence import Probabilities
from foldwise.inference.joint_differences import Indices, ModelMeans
from foldwise.inference.metric_tests import (
    BootstrapResult,
    SwapPermutationResult,
    bootstrap_spread,
    jackknife_t,
    paired_bootstrap,
    swap_permutation,
    unit_df,
)
from foldwise.inference.roc_areas import DeLongResult, delong
from foldwise.inference.student import StudentResult, student_result
from foldwise.metrics.function import FunctionMetric
from foldwise.metrics.ranking import Auc, PartialAuc
from foldwise.metrics.survival import CIndex

FEW = 10  # Items or clusters that decide a metric, below which little is known.


class OutputKind(Kind[Outputs]):
    """Fitted models on one test set, compared by a metric of all items together."""

    plots: ClassVar[tuple[str, ...]] = ()
    assumes = (
        "the items, or the clusters where there are some, are independent draws from the source that matters, and none "
        "was trained on",
        FIXED,
    )
    limit = "one test set: the answer is about these fitted models, not about the algorithms that trained them"

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Outputs)

    def batch(self, evidence: Outputs, alpha: float) -> Batch:
        return Batch(data=evidence.means, alpha=alpha, groups=evidence.groups, given=evidence)

    def together(self, evidence: Outputs) -> ModelMeans:
        """By the effects of single items, or clusters, on the metric of each model."""
        statistic, effects = evidence.statistic, evidence.effects
        units = statistic.units
        factor = units / (units - 1) if units > 1 else 0.0
        covariance = factor * (effects * statistic.counts) @ effects.T
        return ModelMeans(means=evidence.means, covariance=covariance, df=_freedom(evidence), units=units)

    def mean_intervals(self, evidence: Outputs, procedure: Procedure, level: float) -> Interval:
        """From the same effects, by Student's distribution; within what the metric can be.

        Of any function, which may be a median or a maximum, from resamples.
        """
        joint = self.together(evidence)
        errors = np.sqrt(np.diagonal(joint.covariance))
        if isinstance(evidence.measure, FunctionMetric):
            spreads, extreme = spread_of_function(evidence)
            errors = np.where(extreme, np.nan, spreads)
        result: StudentResult = student_result(joint.means, errors, joint.df, warn=False)
        found, (least, most) = student_intervals(result, level), evidence.measure.bounds
        return Interval(
            low=found.low if least is None else np.maximum(found.low, least),
            high=found.high if most is None else np.minimum(found.high, most),
        )

    def estimand(self, evidence: Outputs, procedure: Procedure) -> str:
        positive = evidence.truth.positive if evidence.measure.one_class else None
        about = "" if positive is None else f" (of class {evidence.truth.classes[positive]!s})"
        difference = procedure.difference_words(evidence.metric, evidence.names, about=about)
        return (
            f"over test examples like these, {difference}; it is about {fitted(evidence.names)}, and another training "
            "set may give other models."
        )

    def caveats(self, evidence: Outputs, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        names, caveats = evidence.names, []
        if len(names) == 2 and evidence.alike:
            caveats.append("both models say the same of every item: either they are the same or these items can't tell")
        caveats += [
            f"{count} of {name}'s predictions are labels that never occur in the truth"
            for name, count in zip(names, evidence.unseen, strict=bool(evidence.unseen))
            if count
        ]
        if isinstance(evidence.measure, Auc | PartialAuc | CIndex):
            timed = isinstance(evidence.measure, CIndex)
            perhaps = "its numbers are predicted times, not risks: turn their sign" if timed else (
                "its scores are of the other class"
            )  # fmt: skip
            caveats += [
                f"{name} ranks worse than chance ({value:.3g}): perhaps {perhaps}"
                for name, value in zip(names, evidence.means.tolist(), strict=True)
                if value < 0.5
            ]
        if len(names) > 2 and evidence.groups is not None and _freedom(evidence) < FEW - 1:
            worth = f"{_freedom(evidence) + 1:.2g}"
            caveats.append(f"few clusters, or some much larger than others: they are worth about {worth} equal ones")
        caveats += direction_caveats(evidence.metric, evidence.higher_is_better)
        return caveats + unit_caveats(evidence.unit, rope, evidence.means)


@lru_cache(maxsize=1)
def spread_of_function(evidence: Outputs) -> tuple[Array, Flags]:
    """Standard errors of the models' metric, any function, and whose resamples are all on one side of its value."""
    spreads, extreme = bootstrap_spread(evidence.statistic)
    order = -1 if evidence.turned else 1
    return spreads[::order], extreme[::order]


def few_units(evidence: Outputs, df: float) -> list[str]:
    """What is to be said where there are few clusters, or some much larger than others."""
    if evidence.groups is None or df >= FEW - 1:
        return []
    return [
        f"few clusters, or some much larger than others: they are worth about {df + 1:.2g} of equal size, and p, "
        "interval and probabilities are only as good as that"
    ]


def _freedom(evidence: Outputs) -> float:
    """Degrees of freedom of the spread over items, or over clusters of their sizes."""
    if evidence.groups is None:
        return max(evidence.n - 1.0, 1.0)
    sizes = np.bincount(evidence.groups).astype(np.float64)
    return float(variance_quality(sizes, np.array(0.0))[1])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """What a test of this kind found, and what is behind the interval; of a − b, or of b − a if turned."""

    test: SwapPermutationResult | None  #: The permutation test; None where the jackknife itself is asked
    jackknife: StudentResult  #: Estimate and standard error
    most: float  #: The largest difference that the metric can have; inf where it has no bounds
    turned: bool  #: Whether all is of b − a
    bootstrap: BootstrapResult | None = None  #: The bootstrap, whose p and interval then count

    @property
    def degenerate(self) -> bool:
        return bool(self.jackknife.degenerate)

    @property
    def pvalue(self) -> float:
        """The larger of two, so that the interval never holds what is rejected; 1 without a spread."""
        if self.degenerate:
            return 1.0
        if self.bootstrap is not None:
            return self.bootstrap.pvalue
        found = float(self.jackknife.pvalue)
        return found if self.test is None else max(found, self.test.pvalue)

    @property
    def statistic(self) -> float:
        return self._mirrored(float(self.jackknife.statistic if self.test is None else self.test.statistic))

    @property
    def estimate(self) -> float:
        return self._mirrored(float(self.jackknife.estimate))

    def interval(self, level: float) -> Interval | None:
        """For a − b, within what the metric can be: it holds 0 exactly where p is not below 1 − level.

        None without a spread.
        """
        if self.degenerate:
            return None
        if self.bootstrap is None:
            found = self.jackknife.confidence_interval(level)
        else:
            width = self.bootstrap.half_width(level)
            found = Interval(low=self.bootstrap.estimate - width, high=self.bootstrap.estimate + width)
        low, high = max(float(found.low), -self.most), min(float(found.high), self.most)
        if self.pvalue >= (1 - level) * (1 - 1e-9):  # 1 − (1 − α) is α but for rounding
            low, high = min(low, 0.0), max(high, 0.0)
        interval = Interval(low=low, high=high)
        return -interval if self.turned else interval

    def probabilities(self, rope: float, *, higher_is_better: bool) -> Probabilities | None:
        """That a is better, that they are equivalent, that b is better; None without a spread."""
        if self.degenerate:
            return None
        found = student_probabilities(self.jackknife, rope, higher_is_better=higher_is_better != self.turned)
        return found if rope > 0 else replace(found, equivalent=0.0)

    def _mirrored(self, value: float) -> float:
        return -value if self.turned and value else value


class Metrics(OutputKind):
    """Any metric; a model's outputs on an item could as well be the other's if nothing distinguishes the models."""

    name = "metric"
    words = "the outputs of both models on one test set, and a metric"
    recommended = "swap_permutation"
    because = (
        "the metric is not a mean over items: its standard error comes from leaving out one item (or cluster) at a "
        "time. The difference in standard errors is compared with Student's distribution, which gives the interval, "
        "and with what exchanging the two models' outputs gives (with hundreds of different items: its normal limit); "
        "p is the larger of the two, so that test and interval agree."
    )
    mean_references = ("Efron & Stein (1981), Annals of Statistics 9",)

    def natural(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Outputs) and not isinstance(evidence.measure, Auc | PartialAuc | CIndex)

    def findings(self, evidence: Outputs, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """The test, and the jackknife's interval and probabilities."""
        drawn: Drawn = procedure.run(self.batch(evidence, alpha))
        return Findings(
            estimate=drawn.estimate,
            standard_error=None if drawn.degenerate else float(drawn.jackknife.standard_error),
            statistic=drawn.statistic,
            df=None,
            pvalue=drawn.pvalue,
            interval=drawn.interval(1 - alpha),
            probabilities=drawn.probabilities(rope, higher_is_better=evidence.higher_is_better),
            power=procedure.power(evidence, drawn),
            caveats=tuple(_thin(evidence, drawn)),
        )

    def posterior(self, evidence: Outputs, procedure: Procedure, *, alpha: float, rope: float) -> PosteriorCurve | None:
        drawn: Drawn = procedure.run(self.batch(evidence, alpha))
        curve = student_curve(drawn.jackknife, rope)
        if curve is None or not drawn.turned:
            return curve
        return PosteriorCurve(difference=-curve.difference[::-1], height=curve.height[::-1])

    def tests(self, evidence: Outputs, procedure: Procedure, first: Indices, second: Indices) -> PairTests:
        pairs = [evidence.pair(i, j) for i, j in pairs_of(first, second)]
        found: list[Drawn] = [procedure.run(self.batch(pair, 0.05)) for pair in pairs]
        return PairTests(
            estimate=np.array([drawn.estimate for drawn in found]),
            pvalue=np.array([drawn.pvalue for drawn in found]),
            known=np.array([not drawn.degenerate for drawn in found]),
            intervals=gathered([drawn.interval for drawn in found]),
        )


METRICS = Metrics()


class Ordered(Metrics):
    """A metric of the order of scores alone: nobody knows that two models' scores have one scale."""

    name = "order"
    words = "the scores of both models on one test set, and a metric of their order"
    recommended = "rank_jackknife_t"
    because = (
        "the metric is about the order of the scores alone, so that the two models' scores may have different scales "
        "and are not exchanged: its standard error comes from leaving out one item (or cluster) at a time."
    )

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Outputs) and isinstance(evidence.measure, PartialAuc | CIndex)

    def natural(self, evidence: Evidence) -> bool:
        return self.fits(evidence)


ORDERED = Ordered()


@lru_cache(maxsize=1)
def _jackknife(evidence: Outputs) -> StudentResult:
    """The answer, its limits and its picture ask for it one after the other.

    Any function may be a median, of which leaving out one unit at a time tells too little: the wider of the standard
    errors counts, that of resamples or this one.
    """
    found = jackknife_t(evidence.statistic)
    if not isinstance(evidence.measure, FunctionMetric):
        return found
    error = max(float(found.standard_error), float(_resampled(evidence).standard_error))
    return student_result(np.asarray(found.estimate), np.asarray(error), float(found.df), warn=False)


@lru_cache(maxsize=1)
def _exchanged(evidence: Outputs) -> SwapPermutationResult:
    return swap_permutation(evidence.statistic)


@lru_cache(maxsize=1)
def _resampled(evidence: Outputs) -> BootstrapResult:
    return paired_bootstrap(evidence.statistic)


def _given(batch: Batch) -> Outputs:
    if not isinstance(batch.given, Outputs):
        raise InvalidInput("tests of a metric need the outputs of two models")
    return batch.given


def _run_swaps(batch: Batch) -> Drawn:
    evidence = _given(batch)
    return _drawn(evidence, _exchanged(evidence))


def _run_jackknife(batch: Batch) -> Drawn:
    return _drawn(_given(batch), None)


def _run_bootstrap(batch: Batch) -> Drawn:
    evidence = _given(batch)
    found = _resampled(evidence)
    spread = student_result(
        np.asarray(found.estimate), np.asarray(found.standard_error), unit_df(evidence.statistic), warn=False
    )
    return replace(_drawn(evidence, None), jackknife=spread, bootstrap=found)


def _drawn(evidence: Outputs, test: SwapPermutationResult | None) -> Drawn:
    least, most = evidence.measure.bounds
    reach = float("inf") if least is None or most is None else most - least
    return Drawn(test=test, jackknife=_jackknife(evidence), most=reach, turned=evidence.turned)


def _power(evidence: Outputs, drawn: Drawn) -> StudentPower | None:
    return known_power(evidence, drawn.jackknife)


def _thin(evidence: Outputs, drawn: Drawn) -> list[str]:
    units, df = "items" if evidence.groups is None else "clusters", float(drawn.jackknife.df)
    caveats = few_units(evidence, df)
    if not drawn.degenerate and df < FEW - 1 and not caveats:
        caveats.append(
            f"few items decide this metric: they are worth about {df + 1:.2g}, and p, interval and probabilities are "
            "only as good as that"
        )
    if drawn.test is not None and not drawn.test.studentised:
        caveats.append(
            "the metric is a function of which nothing else is known: p supposes that the models' outputs could be "
            "exchanged, not only that their metrics are equal"
        )
    if not drawn.degenerate and df < KNOWN_SPREAD - 1e-6:
        caveats.append(NO_POWER.format(units))
    return caveats


# ---- Models that rank the items of one test set: areas under ROC curves.


class Ranking(StudentKind[Outputs], OutputKind):
    name = "ranking"
    words = "the scores of both models on one test set, and an area under the ROC curve as metric"
    recommended = "delong"
    because = (
        "both models scored the same items, and the placements of each item among those of the other class give the "
        "variance of the difference without resampling"
    )

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Outputs) and isinstance(evidence.measure, Auc)

    def about(self, evidence: Outputs, procedure: Procedure, result: DeLongResult) -> list[str]:
        counts = np.bincount(evidence.truth.codes, minlength=len(evidence.truth.classes))
        if evidence.measure.one_class:
            positive = int(evidence.truth.is_positive.sum())
            counts = np.array([positive, len(evidence.truth) - positive])
        caveats = few_units(evidence, float(result.df))
        if np.isinf(result.standard_error):
            caveats.append("a class with one item, or in one cluster, shows no spread, so that nothing can be told")
        elif counts.min() < FEW:
            few = f"a class has only {counts.min()} items"
            caveats.append(f"{few}, so that the normal law behind p and interval is rough")
        if not result.degenerate and result.df < KNOWN_SPREAD - 1e-6:
            caveats.append(NO_POWER.format("clusters"))
        return caveats

    def tests(self, evidence: Outputs, procedure: Procedure, first: Indices, second: Indices) -> PairTests:
        pairs = [evidence.pair(i, j) for i, j in pairs_of(first, second)]
        found: list[DeLongResult] = [procedure.run(self.batch(pair, 0.05)) for pair in pairs]
        errors = np.array([float(result.standard_error) for result in found])
        known = (errors > 0) & np.isfinite(errors)
        return PairTests(
            estimate=np.array([float(result.estimate) for result in found]),
            pvalue=np.where(known, [float(result.pvalue) for result in found], 1.0),
            known=known,
            intervals=gathered(
                [
                    result.confidence_interval if there else lambda _level: None
                    for result, there in zip(found, known, strict=True)
                ]
            ),
        )


RANKING = Ranking()


@lru_cache(maxsize=1)
def _tested(evidence: Outputs) -> DeLongResult:
    """The test; the answer, its limits and its picture ask for it one after the other."""
    metric = evidence.measure
    if not isinstance(metric, Auc):
        raise InvalidInput(f"test 'delong' needs an area under the ROC curve as metric, got {metric.name!r}")
    binary = metric.scheme == "binary"
    truth = evidence.truth.is_positive if binary else evidence.truth.codes
    return delong(truth, evidence.a, evidence.b, groups=evidence.groups, scheme=metric.scheme, weighted=metric.weighted)


def _run_delong(batch: Batch) -> DeLongResult:
    if not isinstance(batch.given, Outputs):
        raise InvalidInput("test 'delong' needs the outputs of two models")
    return _tested(batch.given)


KINDS = (RANKING, ORDERED, METRICS)

PROCEDURES = (
    Procedure(
        name="delong", title="DeLong's test", kind=RANKING, run=_run_delong, symbol="z",
        reference="DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44", guarantee=approximate(), power=known_power,
    ),
    Procedure(
        name="swap_permutation", title="studentised swap permutation test", kind=METRICS, run=_run_swaps, symbol="z",
        reference="Chung & Romano (2013), Annals of Statistics 41", guarantee=approximate(), power=_power,
    ),
    Procedure(
        name="jackknife_t", title="jackknife t test", kind=METRICS, run=_run_jackknife, symbol="z",
        reference="Efron & Stein (1981), Annals of Statistics 9", guarantee=approximate(), power=_power,
    ),
    Procedure(
        name="rank_jackknife_t", title="jackknife t test", kind=ORDERED, run=_run_jackknife, symbol="t",
        reference="Efron & Stein (1981), Annals of Statistics 9", guarantee=approximate(counted="examples"),
        power=_power,
    ),
    Procedure(
        name="bootstrap", title="paired bootstrap", kind=METRICS, run=_run_bootstrap, symbol="z", signed=True,
        reference="Koehn (2004), EMNLP", guarantee=approximate(), power=_power,
        note="with few items or clusters the paired bootstrap is overconfident, because resamples vary too little",
    ),
)  # fmt: skip
