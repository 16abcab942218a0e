"""Several models on one test set, compared by a metric of all items together: F1, areas under ROC curves, R² …"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np

from foldwise.core.metric import direction_caveats, metric_words
from foldwise.core.types import Array, Interval
from foldwise.evidence.evidence import SeveralEvidence
from foldwise.evidence.model_outputs import ModelOutputs
from foldwise.inference._delong import DeLongResult
from foldwise.inference.clusters import variance_quality
from foldwise.inference.joint_differences import Indices, ModelMeans
from foldwise.inference.student import StudentResult, student_result
from foldwise.kinds.catalogue import METRICS, RANKING
from foldwise.kinds.kind import AnyKind
from foldwise.kinds.metrics import Drawn
from foldwise.kinds.outputs import INDEPENDENT
from foldwise.kinds.several.basis import PairTests, SeveralBasis
from foldwise.kinds.several.items import FIXED
from foldwise.kinds.several.student import student_intervals
from foldwise.metrics.ranking import Auc

__all__ = ["ANY_METRIC", "AREAS"]


class SeveralOutputs(SeveralBasis[ModelOutputs]):
    """Fitted models on one set of items, by a metric that is no mean over them."""

    name = "several_metric"
    words = "the outputs of several models on one test set, and a metric"
    pair: ClassVar[AnyKind] = METRICS
    recommended = METRICS.recommended
    plots: ClassVar[tuple[str, ...]] = ()
    assumes = (INDEPENDENT, FIXED)
    because = METRICS.because.removesuffix(".")
    limit = METRICS.limit
    drawn: ClassVar[bool] = True
    """Whether p-values are shares of random exchanges, which can't be smaller than one of them."""

    def natural(self, evidence: SeveralEvidence) -> bool:
        """All but areas under ROC curves, which have a test of their own."""
        return isinstance(evidence, ModelOutputs) and not isinstance(evidence.measure, Auc)

    def tests(self, evidence: ModelOutputs, first: Indices, second: Indices) -> PairTests:
        """The permutation test and the jackknife of each pair."""
        found: list[Drawn] = [self._run(evidence, i, j) for i, j in zip(first.tolist(), second.tolist(), strict=True)]
        return PairTests(
            estimate=np.array([drawn.estimate for drawn in found]),
            pvalue=np.array([drawn.pvalue for drawn in found]),
            known=np.array([not drawn.degenerate for drawn in found]),
            intervals=_gathered([drawn.interval for drawn in found]),
        )

    def _run(self, evidence: ModelOutputs, i: int, j: int) -> Drawn:
        pair = evidence.pair(i, j)
        drawn: Drawn = self.procedure.run(METRICS.batch(pair, 0.05))
        return drawn

    def together(self, evidence: ModelOutputs) -> ModelMeans:
        """By the effects of single items, or clusters, on the metric of each model."""
        statistic = evidence.statistic
        units, effects = statistic.units, statistic.effects
        factor = units / (units - 1) if units > 1 else 0.0
        return ModelMeans(
            means=statistic.values,
            covariance=factor * (effects * statistic.counts) @ effects.T,
            df=_freedom(evidence),
            units=units,
        )

    def mean_intervals(self, evidence: ModelOutputs, level: float) -> Interval:
        """From the same effects, by Student's distribution; within what the metric can be."""
        joint = self.together(evidence)
        errors = np.sqrt(np.diagonal(joint.covariance))
        result: StudentResult = student_result(joint.means, errors, joint.df, warn=False)
        found, (least, most) = student_intervals(result, level), evidence.measure.bounds
        return Interval(
            low=found.low if least is None else np.maximum(found.low, least),
            high=found.high if most is None else np.minimum(found.high, most),
        )

    def estimand(self, evidence: ModelOutputs) -> str:
        """About the fitted models, on items like these."""
        positive = evidence.truth.positive if evidence.measure.one_class else None
        about = "" if positive is None else f" (of class {evidence.truth.classes[positive]!s})"
        return (
            f"over test examples like these, the {metric_words(evidence.metric)}{about} of one model minus that "
            "of another; it is "
            "about these fitted models, and another training set may give others."
        )

    def caveats(self, evidence: ModelOutputs, *, alpha: float, comparisons: int) -> list[str]:
        """What the outputs themselves make one notice."""
        caveats = [
            f"{count} of {name}'s predictions are labels that never occur in the truth"
            for name, count in zip(evidence.names, evidence.unseen, strict=bool(evidence.unseen))
            if count
        ]
        if isinstance(evidence.measure, Auc):
            caveats += [
                f"{name} ranks worse than chance ({value:.3g}): perhaps its scores are of the other class"
                for name, value in zip(evidence.names, evidence.means.tolist(), strict=True)
                if value < 0.5
            ]
        df = _freedom(evidence)
        if evidence.groups is not None and df < 9:
            caveats.append(
                f"few clusters, or some much larger than others: they are worth about {df + 1:.2g} equal ones"
            )
        return caveats + direction_caveats(evidence.metric, evidence.higher_is_better)


class SeveralAreas(SeveralOutputs):
    """Scores of which only the order counts."""

    name = "several_ranking"
    words = "the scores of several models on one test set, and an area under the ROC curve as metric"
    pair: ClassVar[AnyKind] = RANKING
    recommended = RANKING.recommended
    because = RANKING.because
    drawn = False

    def natural(self, evidence: SeveralEvidence) -> bool:
        """Areas under ROC curves."""
        return isinstance(evidence, ModelOutputs) and isinstance(evidence.measure, Auc)

    def tests(self, evidence: ModelOutputs, first: Indices, second: Indices) -> PairTests:
        """DeLong's test of each pair."""
        found: list[DeLongResult] = [
            self.procedure.run(RANKING.batch(evidence.pair(i, j), 0.05))
            for i, j in zip(first.tolist(), second.tolist(), strict=True)
        ]
        errors = np.array([float(result.standard_error) for result in found])
        known = (errors > 0) & np.isfinite(errors)
        return PairTests(
            estimate=np.array([float(result.estimate) for result in found]),
            pvalue=np.where(known, [float(result.pvalue) for result in found], 1.0),
            known=known,
            intervals=_gathered([result.confidence_interval for result in found], known),
        )


ANY_METRIC, AREAS = SeveralOutputs(), SeveralAreas()


def _gathered(
    intervals: Sequence[Callable[[float], Interval | None]], known: Array | None = None
) -> Callable[[float], Interval]:
    """The intervals of pairs that were tested one by one; NaN where there is none."""

    def at(level: float) -> Interval:
        found = [None if known is not None and not known[place] else one(level) for place, one in enumerate(intervals)]
        limits = np.array([[np.nan, np.nan] if span is None else [float(span.low), float(span.high)] for span in found])
        return Interval(low=limits[:, 0], high=limits[:, 1])

    return at


def _freedom(evidence: ModelOutputs) -> float:
    """Degrees of freedom of the spread over items, or over clusters of their sizes."""
    statistic = evidence.statistic
    if evidence.groups is None:
        return max(statistic.units - 1.0, 1.0)
    sizes = np.bincount(evidence.groups).astype(np.float64)
    return float(variance_quality(sizes, np.array(0.0))[1])
