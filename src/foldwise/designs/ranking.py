"""Models that rank the items of one test set: areas under ROC curves."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.designs.guarantee import approximate
from foldwise.designs.kind import Batch, PairTests, Procedure, gathered, pairs_of
from foldwise.designs.metrics import OutputKind, few_units
from foldwise.designs.student import KNOWN_SPREAD, NO_POWER, StudentKind, known_power
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.outputs import Outputs
from foldwise.inference._delong import DeLongResult, delong
from foldwise.inference.joint_differences import Indices
from foldwise.metrics.ranking import Auc

FEW = 10
"""Items of a class below which the normal law of an area is a rough one."""


class Ranking(StudentKind[Outputs], OutputKind):
    """Scores of which only the order counts."""

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


PROCEDURES = (
    Procedure(
        name="delong",
        title="DeLong's test",
        kind=RANKING,
        run=_run,
        symbol="z",
        reference="DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44",
        guarantee=approximate(),
        power=known_power,
    ),
)
