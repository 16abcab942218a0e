"""Classifiers on one test set: who is right on which example, independent examples or examples in clusters."""

from __future__ import annotations

import math
import re
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags, Integers, Interval, Labels
from foldwise.designs.findings import POINTS, Findings, McNemarPower, PosteriorCurve, difference_grid, scaled
from foldwise.designs.guarantee import DIETTERICH, approximate, exact, heuristic, rounded_up
from foldwise.designs.kind import Batch, PairTests, Procedure, in_parts, on_data
from foldwise.designs.marks import FIXED, ItemKind, clusters_in, fitted, scaled_interval
from foldwise.designs.resampled import Design, Resampled, Shape
from foldwise.designs.student import KNOWN_SPREAD, NO_POWER, constant_known, known_power, student_intervals
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.items import Items, groups_of
from foldwise.inference.clusters import ClusteredOutcomes, clustered_outcomes, clustered_t
from foldwise.inference.equivalence import Probabilities
from foldwise.inference.error_rates import error_interval
from foldwise.inference.joint_differences import Indices
from foldwise.inference.measured import measured_levels
from foldwise.inference.paired_tables import (
    DifferenceOfProportionsResult,
    McNemarMethod,
    McNemarResult,
    difference_of_proportions,
    mcnemar,
    paired_density,
    paired_difference,
    paired_posterior,
)
from foldwise.inference.several_models import CochranQResult, cochran_q

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan

FEW = 10  # Degrees of freedom below which the measured level of the test of clusters is worth a sentence.


class RightWrongKind(ItemKind, Resampled[Items]):
    """Fitted classifiers on one test set; learners are trained on two thirds of the data and tested on the rest."""

    counts_right_answers = True
    plots: ClassVar[tuple[str, ...]] = ("outcomes",)

    def estimand(self, evidence: Items, procedure: Procedure) -> str:
        return (
            f"over test examples like these, the {procedure.measure_words(evidence.metric)} of "
            f"{fitted(evidence.names)}; another training set may give other models."
        )

    def caveats(self, evidence: Items, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        caveats = super().caveats(evidence, procedure, alpha=alpha, rope=rope)
        if len(evidence.names) == 2 and not evidence.differences.any():
            caveats.append(
                "the two classifiers are right and wrong on the same examples, so there is no evidence of a difference"
            )
        return caveats

    # learners and data

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        from foldwise.resampling.random_splits import Holdout

        return Holdout(stratified=stratified)

    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> Items:
        if result.classes is None:
            raise InvalidInput("tests on predictions need classifiers, but the learners do regression")
        test = result.splits[0].test
        right = [np.asarray(outcomes[0] == result.y[test]) for outcomes in result.outcomes]
        index = None if groups is None else groups_of(np.asarray(groups)[test], len(test))
        return Items.from_right(result.names, right, groups=index)

    def shape(self, design: Design) -> Shape:
        return Shape(1, design.parts, 1)

    def ratio(self, design: Design) -> float:
        return design.n_test / (design.n - design.n_test)

    def n_train(self, design: Design) -> int:
        return design.n - design.n_test

    def numbers(self, design: Design) -> int:
        return 4

    def measured(self, ids: Integers, right: tuple[Flags, Flags]) -> Array:
        a, b = (answers[ids >= 0] for answers in right)
        cells = [~a & ~b, ~a & b, a & ~b, a & b]
        return np.array([cell.sum() for cell in cells], dtype=np.float64)

    def mean_difference(self, data: Array) -> Array:
        return np.asarray((data[:, 2] - data[:, 1]) / data.sum(axis=1))


class RightWrong(RightWrongKind):
    """Independent test examples: of two classifiers all that counts is on how many only one is right."""

    name = "table"
    words = "the predictions of both classifiers on one test set"
    assumes = ("the test examples are independent draws from the source that matters, and none was trained on", FIXED)
    recommended = "mcnemar"
    because = (
        "both classifiers saw the same test examples, so only those on which they disagree carry information; mid-p "
        "keeps its level without the exact test's caution (Fagerland, Lydersen & Laake 2013). The interval is "
        "Tango's score interval."
    )
    mean_references = ("Brown, Cai & DasGupta (2001), Statistical Science 16",)  # Jeffreys' interval

    def natural(self, evidence: Evidence) -> bool:
        return self.fits(evidence) and isinstance(evidence, Items) and evidence.groups is None

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Items) and evidence.right_wrong and evidence.times is None

    def batch(self, evidence: Items, alpha: float) -> Batch:
        return Batch(data=np.array(evidence.cells, dtype=np.float64), alpha=alpha)

    def findings(self, evidence: Items, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """The test, Tango's interval and the Dirichlet posterior."""
        return self.findings_of(evidence, procedure, np.array([0]), np.array([1]), alpha=alpha, rope=rope)[0]

    together_found = 256

    def findings_of(
        self, evidence: Items, procedure: Procedure, first: Indices, second: Indices, *, alpha: float, rope: float
    ) -> list[Findings]:
        """The same of many pairs, whose counts are tested together."""
        cells = _cells(evidence, first, second)
        result = procedure.run(Batch(data=cells, alpha=alpha))
        # the procedures speak of error rates, a comparison of right answers: the sign turns
        sign = -1 if procedure.signed and evidence.higher_is_better else 1
        difference = paired_difference(*cells.T, method="tango")
        tango = scaled_interval(difference.confidence_interval(1 - alpha), -evidence.factor)
        posterior = paired_posterior(*cells.T, rope=rope / evidence.scale)
        columns = (
            -evidence.factor * np.asarray(difference.estimate) + 0.0, sign * np.asarray(result.statistic),
            result.pvalue, tango.low, tango.high, posterior.below, posterior.within, posterior.above,
        )  # fmt: skip
        found = []
        for (_, n01, n10, _), row in zip(
            cells.tolist(), zip(*(np.asarray(of).tolist() for of in columns), strict=True), strict=True
        ):
            estimate, statistic, pvalue, low, high, below, within, above = row
            interval = Interval(low=low, high=high)
            close = (_CLOSE,) if (pvalue < alpha) == (0 in interval) else ()
            found.append(
                Findings(
                    estimate=estimate,
                    statistic=statistic,
                    df=result.df,
                    pvalue=pvalue,
                    interval=interval,
                    probabilities=Probabilities(a_better=below, equivalent=within, b_better=above),
                    power=scaled(procedure.power((evidence.n, n01 + n10), result), evidence.scale),
                    caveats=(*_ignored(evidence, procedure), *close),
                )
            )
        return found

    def posterior(self, evidence: Items, procedure: Procedure, *, alpha: float, rope: float) -> PosteriorCurve | None:
        n, cells = evidence.n, evidence.cells
        mean = (cells[2] - cells[1]) / (n + 2)
        variance = ((cells[1] + cells[2] + 1) / (n + 2) - mean**2) / (n + 3)
        x = np.unique(np.clip(difference_grid(mean, 4 * math.sqrt(variance), rope / evidence.scale), -1, 1))
        # the density speaks of error rates, a comparison of accuracies: the sign turns
        density = np.asarray(paired_density(-x, *cells))
        finite = np.isfinite(density)
        return _curve_in_unit(x[finite], density[finite], evidence)

    def tests(self, evidence: Items, procedure: Procedure, first: Indices, second: Indices) -> PairTests:
        """The test on the counts of all pairs at once, and Tango's intervals."""
        cells = _cells(evidence, first, second)
        result = procedure.run(Batch(data=cells))
        difference = paired_difference(*cells.T, method="tango")
        return PairTests(
            estimate=-evidence.factor * np.asarray(difference.estimate) + 0.0,
            pvalue=np.asarray(result.pvalue),
            known=np.ones(len(first), dtype=bool),
            intervals=lambda level: scaled_interval(difference.confidence_interval(level), -evidence.factor),
        )

    def mean_intervals(self, evidence: Items, procedure: Procedure, level: float) -> Interval:
        shares = error_interval(evidence.values.sum(axis=1) / evidence.scale, evidence.n, confidence_level=level)
        return scaled_interval(Interval(low=shares.low, high=shares.high), evidence.scale)

    def omnibus(self, evidence: Items) -> CochranQResult:
        return cochran_q(evidence.right)


class Clusters(RightWrongKind):
    """Examples of one cluster are correlated; clusters are independent."""

    name = "clusters"
    words = "the predictions of both classifiers on one test set, and the cluster of each example"
    assumes = ("clusters are independent of each other; examples within one may be correlated in any way", FIXED)
    recommended = "clustered_difference"
    because = (
        "examples in a cluster are correlated, and the standard error accounts for it; it is never more certain "
        "than a test that takes them as independent."
    )
    simulated = False

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Items) and evidence.right_wrong and evidence.groups is not None

    def batch(self, evidence: Items, alpha: float) -> Batch:
        """Right(A) − right(B) with their clusters: 1, 0 or −1."""
        a, b = evidence.right
        return Batch(data=a - b, alpha=alpha, groups=evidence.groups)

    def findings(self, evidence: Items, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """Test, interval and probabilities from one distribution."""
        result: ClusteredOutcomes = procedure.run(self.batch(evidence, alpha))
        interval, chances = result.confidence_interval(1 - alpha), result.probabilities(rope / evidence.scale)
        cells = evidence.cells
        return Findings(
            estimate=evidence.factor * (cells[2] - cells[1]) / evidence.n + 0.0,
            statistic=(1 if evidence.higher_is_better else -1) * float(result.statistic),
            df=float(result.df),
            pvalue=float(result.pvalue),
            interval=_in_unit(interval, evidence),
            probabilities=chances.floats(),
            power=scaled(procedure.power(evidence, result), evidence.scale),
            caveats=tuple(_few_clusters(result, alpha)),
        )

    def posterior(self, evidence: Items, procedure: Procedure, *, alpha: float, rope: float) -> PosteriorCurve | None:
        result: ClusteredOutcomes = procedure.run(self.batch(evidence, alpha))
        # few clusters spread their confidence thinly over all differences: a fine grid in the middle, a coarse around
        fine = difference_grid(
            float(result.estimate), max(6 * float(result.standard_error), 4 / evidence.n), rope / evidence.scale
        )
        x = np.unique(np.clip(np.concatenate([fine, np.linspace(-1, 1, POINTS)]), -1, 1))
        # what Student's distribution puts beyond −1 and 1 lies on these ends: the first edge is just outside
        edges = np.concatenate([[np.nextafter(-1, -2)], (x[1:] + x[:-1]) / 2, [1.0]])
        return _curve_in_unit(x, np.diff(result.cdf(edges)) / np.diff(edges), evidence)

    def tests(self, evidence: Items, procedure: Procedure, first: Indices, second: Indices) -> PairTests:
        """The cluster-robust test of many pairs at once, with its guards against few clusters."""
        values = evidence.right

        def run(i: Indices, j: Indices) -> ClusteredOutcomes:
            found: ClusteredOutcomes = procedure.run(Batch(data=values[i] - values[j], groups=evidence.groups))
            return found

        result = in_parts(run, first, second, width=evidence.n)
        return PairTests(
            estimate=evidence.factor * np.asarray(result.estimate) + 0.0,
            pvalue=np.asarray(result.pvalue),
            known=np.ones(len(first), dtype=bool),
            intervals=lambda level: scaled_interval(result.confidence_interval(level), evidence.factor),
        )

    def mean_intervals(self, evidence: Items, procedure: Procedure, level: float) -> Interval:
        """By the same standard error; where all examples are alike, that of as many as there are clusters."""
        clusters = clusters_in(evidence) or 0
        assert evidence.groups is not None
        with constant_known():
            result = clustered_t(evidence.values / evidence.scale, evidence.groups)
        found = student_intervals(result, level)
        plain = error_interval(clusters * np.round(evidence.means / evidence.scale), clusters, confidence_level=level)
        same = np.isnan(found.low)
        shares = Interval(
            low=np.where(same, np.asarray(plain.low), np.maximum(found.low, 0.0)),
            high=np.where(same, np.asarray(plain.high), np.minimum(found.high, 1.0)),
        )
        return scaled_interval(shares, evidence.scale)

    def caveats(self, evidence: Items, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        clusters = clusters_in(evidence) or 0
        caveats = super().caveats(evidence, procedure, alpha=alpha, rope=rope)
        # G clusters that all point the same way have a mid-p of 2 to the −G
        needed = math.floor(-math.log2(alpha)) + 1
        if clusters < needed and len(evidence.names) > 2:
            caveats.append(
                f"{clusters} clusters can't show a difference between any two of these models at level {alpha:.2g} for "
                f"each pair, whatever is in them: at least {needed} are needed, and the intervals can't be trusted"
            )
        return caveats


RIGHT_WRONG, CLUSTERS = RightWrong(), Clusters()
KINDS = (RIGHT_WRONG, CLUSTERS)

_CLOSE = "the test and the interval rest on different approximations and disagree here: a close call"


def _in_unit(gains: Interval, evidence: Items) -> Interval:
    """An interval for the difference of right answers, in the metric's own unit and direction."""
    turned = gains if evidence.higher_is_better else -gains
    return Interval(low=evidence.scale * float(turned.low), high=evidence.scale * float(turned.high))


def _curve_in_unit(gains: Array, density: Array, evidence: Items) -> PosteriorCurve:
    """A density of the difference of right answers, in the metric's own unit and direction."""
    x, height = evidence.factor * gains + 0.0, density / evidence.scale
    order = slice(None) if evidence.higher_is_better else slice(None, None, -1)
    return PosteriorCurve(difference=x[order], height=height[order])


def _cells(evidence: Items, first: Indices, second: Indices) -> Array:
    """Of each pair n00, n01, n10, n11: both wrong, only the first wrong, only the second wrong, both right."""
    both = evidence.once("both right", lambda: (right := evidence.right) @ right.T)
    n11, of_first, of_second = both[first, second], both[first, first], both[second, second]
    n01, n10 = of_second - n11, of_first - n11
    return np.stack([evidence.n - n11 - n01 - n10, n01, n10, n11], axis=-1)


def _ignored(evidence: Items, procedure: Procedure) -> tuple[str, ...]:
    if evidence.groups is None:
        return ()
    return (
        f"{procedure.title}, its interval and the probabilities take the examples as independent although they "
        "come in clusters",
    )


def _few_clusters(result: ClusteredOutcomes, alpha: float) -> list[str]:
    caveats = []
    disagree = result.only_a + result.only_b > 0
    if result.ignorance >= alpha:
        needed = math.floor(-math.log2(alpha)) + 1
        caveats.append(
            f"{result.clusters} clusters can't show a difference at level {alpha:g} whatever is in them: at least "
            f"{needed} are needed, and the interval can't be trusted"
        )
    elif result.df < FEW:
        caveats.append(
            f"few clusters, or some much larger than others: they are worth about {result.df + 1:.2g} of equal size; "
            f"at level 0.05 we measured Type I errors up to {_worst('equal')} with 5 to 10 equal clusters, and up to "
            f"{_worst('unequal')} with unequal ones, where each cluster is mostly on one side"
        )
    if disagree and result.between < result.standard_error:
        caveats.append(
            "the clusters differ by less than independent examples would, so that the standard error is that of "
            "independent examples"
        )
    if disagree and result.pvalue == result.independent < 1:
        caveats.append("p is that of McNemar's mid-p test, because the cluster-robust one is smaller")
    if disagree and result.df < KNOWN_SPREAD - 1e-6:
        caveats.append(NO_POWER.format("clusters"))
    return caveats


def _worst(sizes: str) -> str:
    """The highest measured Type I error with 5 to 10 clusters of such sizes."""
    few = re.compile(rf"([5-9]|10) {sizes} clusters, ")
    return f"0{rounded_up(max(case.rate for case in measured_levels('clustered_difference') if few.match(case.words)))}"


# ---- the tests


def _mcnemar(method: McNemarMethod, batch: Batch) -> McNemarResult:
    return mcnemar(batch.data[..., 1], batch.data[..., 2], method=method)


def _proportions(batch: Batch) -> DifferenceOfProportionsResult:
    return difference_of_proportions(*np.moveaxis(batch.data, -1, 0))


def _mcnemar_power(method: McNemarMethod, seen: tuple[int, float], _result: McNemarResult) -> McNemarPower:
    # half a disagreement each way, as the posterior of the reported probabilities assumes: never a rate of 0
    n, disagreements = seen
    return McNemarPower(n=n, rate=(disagreements + 1) / (n + 2), method=method)


def _no_power(_seen: tuple[int, float], _result: DifferenceOfProportionsResult) -> None:
    return None


_MID_P = "Fagerland, Lydersen & Laake (2013), BMC Medical Research Methodology 13"
_TANGO = "Tango (1998), Statistics in Medicine 17"


def _entry(name: str, method: McNemarMethod, title: str, symbol: str) -> Procedure:
    return Procedure(
        name=name,
        title=f"McNemar's test ({title})",
        kind=RIGHT_WRONG,
        run=partial(_mcnemar, method),
        symbol=symbol,
        signed=False,
        reference=f"{DIETTERICH}, section 3.1",
        also=(_MID_P, _TANGO) if method == "midp" else (_TANGO,),
        guarantee=exact("random sampling of items") if method == "exact" else approximate(),
        power=partial(_mcnemar_power, method),
    )


PROCEDURES = (
    _entry("mcnemar", "midp", "mid-p", "smaller count"),
    _entry("mcnemar_corrected", "corrected", "χ² with continuity correction", "χ²"),
    _entry("mcnemar_uncorrected", "uncorrected", "χ² without correction", "χ²"),
    _entry("mcnemar_exact", "exact", "exact", "smaller count"),
    Procedure(
        name="difference_of_proportions", title="test for the difference of two proportions", kind=RIGHT_WRONG,
        run=_proportions, symbol="z", reference=f"{DIETTERICH}, section 3.2", guarantee=heuristic(), power=_no_power,
        warning="it takes the two error rates as independent although both come from the same test examples, "
        "so that its Type I error is not alpha (dietterich1998, section 3.2)",
    ),
    Procedure(
        name="clustered_difference", title="cluster-robust t test of the paired difference", kind=CLUSTERS,
        run=on_data(clustered_outcomes, "groups"), reference="Bell & McCaffrey (2002), Survey Methodology 28",
        guarantee=approximate(counted="clusters"), power=known_power,
    ),
)  # fmt: skip
