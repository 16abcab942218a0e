"""Models that rank the items of one test set: areas under ROC curves."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.designs.curves import PosteriorCurve, StudentPower
from foldwise.designs.findings import Findings
from foldwise.designs.guarantee import approximate
from foldwise.designs.kind import Batch, PairTests, Procedure, gathered, pairs_of
from foldwise.designs.metrics import OutputKind, few_units
from foldwise.designs.student import KNOWN_SPREAD, NO_POWER, known_power, student_curve, student_findings
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.outputs import Outputs
from foldwise.inference._delong import DeLongResult, delong
from foldwise.inference.joint_differences import Indices
from foldwise.metrics.ranking import Auc

NORMAL = 1e6
"""Degrees of freedom with which Student's law is the normal one to six digits."""

FEW = 10
"""Items of a class below which the normal law of an area is a rough one."""


class Ranking(OutputKind):
    """Scores of which only the order counts."""

    name = "ranking"
    words = "the scores of both models on one test set, and an area under the ROC curve as metric"
    recommended = "delong"
    because = (
        "both models scored the same items, and the placements of each item among those of the other class give the "
        "variance of the difference without resampling"
    )

    def natural(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Outputs) and isinstance(evidence.measure, Auc)

    def fits(self, evidence: Evidence) -> bool:
        return self.natural(evidence)

    def findings(self, evidence: Outputs, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """Everything from the normal distribution of the test, or Student's for clusters."""
        result: DeLongResult = procedure.run(self.batch(evidence, alpha))
        found = student_findings(
            result,
            alpha=alpha,
            rope=rope,
            higher_is_better=True,
            power=_power(evidence, result),
            caveats=tuple(_few(evidence, result)),
        )
        return replace(found, df=None if np.isinf(result.df) else float(result.df))

    def posterior(self, evidence: Outputs, procedure: Procedure, *, alpha: float, rope: float) -> PosteriorCurve | None:
        result: DeLongResult = procedure.run(self.batch(evidence, alpha))
        return None if np.isinf(result.standard_error) else student_curve(result, rope)

    def tests(self, evidence: Outputs, procedure: Procedure, first: Indices, second: Indices) -> PairTests:
        """Each pair by itself."""
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
KINDS = (RANKING,)


@lru_cache(maxsize=1)
def _tested(evidence: Outputs) -> DeLongResult:
    """The test; the answer, its limits and its picture ask for it one after the other."""
    metric = evidence.measure
    if not isinstance(metric, Auc):
        raise InvalidInput(f"test 'delong' needs an area under the ROC curve as metric, got {metric.name!r}")
    binary = metric.scheme == "binary"
    truth = evidence.truth.is_positive if binary else evidence.truth.codes
    return delong(truth, evidence.a, evidence.b, groups=evidence.groups, scheme=metric.scheme, weighted=metric.weighted)


def _run(batch: Batch) -> DeLongResult:
    if not isinstance(batch.given, Outputs):
        raise InvalidInput("test 'delong' needs the outputs of two models")
    return _tested(batch.given)


def _power(_evidence: Outputs, result: DeLongResult) -> StudentPower | None:
    error = float(result.standard_error)
    return None if np.isinf(error) else known_power(error, min(float(result.df), NORMAL))


def _few(evidence: Outputs, result: DeLongResult) -> list[str]:
    counts = np.bincount(evidence.truth.codes, minlength=len(evidence.truth.classes))
    if evidence.measure.one_class:
        positive = int(evidence.truth.is_positive.sum())
        counts = np.array([positive, len(evidence.truth) - positive])
    caveats = few_units(evidence, float(result.df))
    if np.isinf(result.standard_error):
        caveats.append("a class with one item, or in one cluster, shows no spread, so that nothing can be told")
    elif counts.min() < FEW:
        caveats.append(f"a class has only {counts.min()} items, so that the normal law behind p and interval is rough")
    if not result.degenerate and result.df < KNOWN_SPREAD - 1e-6:
        caveats.append(NO_POWER.format("clusters"))
    return caveats


PROCEDURES = (
    Procedure(
        name="delong",
        title="DeLong's test",
        kind=RANKING,
        run=_run,
        symbol="z",
        signed=True,
        reference="DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44",
        guarantee=approximate(),
        power=_power,
    ),
)
