"""Two classifiers on test examples that come in clusters: several questions about one document."""

from __future__ import annotations

import math

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Integers
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.outcomes import Outcomes
from foldwise.inference._clustered_outcomes import ClusteredOutcomes, clustered_outcomes
from foldwise.inference.probabilities import Probabilities
from foldwise.kinds.curves import POINTS, PosteriorCurve, difference_grid
from foldwise.kinds.findings import Findings
from foldwise.kinds.guarantee import approximate
from foldwise.kinds.outcomes import FIXED, OutcomeKind, curve_in_unit, in_unit
from foldwise.kinds.power import StudentPower, scaled
from foldwise.kinds.procedure import Batch, Procedure
from foldwise.kinds.student import KNOWN_SPREAD, NO_POWER, known_power

__all__ = ["KIND", "PROCEDURES"]

WORST = 0.09
"""The highest Type I error at level 0.05 that we measured, with few clusters of which each is wholly on one side."""

FEW = 10
"""Degrees of freedom below which the test's measured level is worth a sentence."""


class Clusters(OutcomeKind):
    """Examples of one cluster resemble each other; clusters are independent."""

    name = "clusters"
    words = "the predictions of both classifiers on one test set, and the cluster of each example"
    assumes = ("clusters are independent of each other; examples within one may resemble each other in any way", FIXED)
    recommended = "clustered_difference"
    because = (
        "examples of one cluster resemble each other, and its standard error lets them; it is never more certain "
        "than a test that takes them as independent."
    )
    simulated = False

    def natural(self, evidence: Evidence) -> bool:
        """Examples in clusters."""
        return isinstance(evidence, Outcomes) and evidence.groups is not None

    def fits_outcomes(self, outcomes: Outcomes) -> bool:
        """Only where clusters are known."""
        return outcomes.groups is not None

    def batch(self, evidence: Outcomes, alpha: float) -> Batch:
        """Differences with their clusters."""
        return Batch(data=evidence.gains, alpha=alpha, groups=evidence.groups)

    def findings(self, evidence: Outcomes, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """Test, interval and probabilities from one distribution."""
        result: ClusteredOutcomes = procedure.run(self.batch(evidence, alpha))
        interval, chances = result.confidence_interval(1 - alpha), result.probabilities(rope / evidence.scale)
        return Findings(
            estimate=evidence.factor * (evidence.n10 - evidence.n01) / evidence.n + 0.0,
            statistic=(1 if evidence.higher_is_better else -1) * float(result.statistic),
            df=float(result.df),
            pvalue=float(result.pvalue),
            interval=in_unit(interval, evidence),
            probabilities=Probabilities(
                a_better=float(chances.a_better), equivalent=float(chances.equivalent), b_better=float(chances.b_better)
            ),
            power=scaled(procedure.power(evidence, result), evidence.scale),
            caveats=tuple(_few_clusters(result, alpha)),
        )

    def posterior(
        self, evidence: Outcomes, procedure: Procedure, *, alpha: float, rope: float
    ) -> PosteriorCurve | None:
        """The confidence distribution that the interval comes from."""
        result: ClusteredOutcomes = procedure.run(self.batch(evidence, alpha))
        # few clusters spread their confidence thinly over all differences: a fine grid in the middle, a coarse around
        fine = difference_grid(
            float(result.estimate), max(6 * float(result.standard_error), 4 / evidence.n), rope / evidence.scale
        )
        x = np.unique(np.clip(np.concatenate([fine, np.linspace(-1, 1, POINTS)]), -1, 1))
        # what Student's distribution puts beyond −1 and 1 lies on these ends: the first edge is just outside
        edges = np.concatenate([[np.nextafter(-1, -2)], (x[1:] + x[:-1]) / 2, [1.0]])
        return curve_in_unit(x, np.diff(result.cdf(edges)) / np.diff(edges), evidence)


KIND = Clusters()


def _given(groups: Integers | None) -> Integers:
    if groups is None:
        raise InvalidInput("groups must name the cluster of each item for a test of clusters, got None")
    return groups


def _run(batch: Batch) -> ClusteredOutcomes:
    return clustered_outcomes(batch.data, _given(batch.groups))


def _power(_evidence: Outcomes, result: ClusteredOutcomes) -> StudentPower | None:
    return known_power(float(result.standard_error), float(result.df))


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
            f"at level 0.05 we measured Type I errors up to 0.07 with 5 to 10 equal clusters, and up to {WORST:g} with "
            "unequal ones, where each cluster is wholly on one side"
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


PROCEDURES = (
    Procedure(
        name="clustered_difference",
        title="cluster-robust t test of the paired difference",
        kind=KIND,
        run=_run,
        symbol="t",
        signed=True,
        reference="Bell & McCaffrey (2002), Survey Methodology 28",
        guarantee=approximate(cited=(WORST, "5 to 10 clusters")),
        power=_power,
    ),
)
