"""What the kinds of evidence share that come from scores on splits of one data set."""

from __future__ import annotations

import math
import warnings
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import special

from foldwise.core.errors import DegenerateVariance, EmptyInterval
from foldwise.core.metric import direction_caveats, unit_caveats
from foldwise.core.types import Array, Flags, Integers, Interval, Labels
from foldwise.designs.findings import Findings, PosteriorCurve
from foldwise.designs.kind import Batch, PairTests, Procedure, pairs_of
from foldwise.designs.resampled import Design, Resampled
from foldwise.designs.student import (
    constant_known,
    student_curve,
    student_findings,
    student_intervals,
    student_probabilities,
    student_tests,
)
from foldwise.evidence.evidence import Evidence, rounded_differences
from foldwise.evidence.scores import P, PartScores, Scores
from foldwise.evidence.seed_marks import SeedMarks
from foldwise.inference.joint_differences import Indices, ModelMeans, model_means
from foldwise.inference.student import StudentResult, student_result

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult

ONE_DATA_SET = "one data set: the answer says nothing about other domains"  # What no answer from one data set says.
ONE_SOURCE = "the examples are independent draws from one source"  # What all tests on splits assume.

OVERLAP = (
    "it treats overlapping training sets as independent, so that it finds differences that are not there "
    "far more often than alpha says"
)
"""What is wrong with tests that do not correct for overlap."""


class AlgorithmKind(Resampled[P]):
    """Learning algorithms, trained and tested on parts of one data set: the answer is about them, not about a model."""

    called = "learners"
    limit = ONE_DATA_SET
    plots: ClassVar[tuple[str, ...]] = ()

    def estimand(self, evidence: P, procedure: Procedure) -> str:
        return about_algorithms(procedure, evidence)

    def caveats(self, evidence: P, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        return [
            *self.noticed(evidence, procedure),
            *direction_caveats(evidence.metric, evidence.higher_is_better),
            *unit_caveats(evidence.unit, rope, evidence.flat),
        ]

    def noticed(self, evidence: P, procedure: Procedure) -> list[str]:
        """What the scores themselves make one notice."""
        return []


class ScoreKind(AlgorithmKind[Scores]):
    """Learning algorithms, trained and tested on the same splits of one data set."""

    best_by_pairs = True
    best_because = "cannot be ruled out as the best: no other is shown to be better"
    best_references: ClassVar[tuple[str, ...]] = ()
    plots: ClassVar[tuple[str, ...]] = ("differences",)
    by_fold = True

    @abstractmethod
    def fits_shape(self, shape: tuple[int, ...]) -> bool:
        """Whether scores of this shape can be taken for this kind."""

    def scored(self, scores: Array) -> Array:
        """What the engine gives as runs × folds, as `Scores` hold it."""
        return scores

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Scores) and self.fits_shape(evidence.shape)

    def batch(self, evidence: Scores, alpha: float) -> Batch:
        x = evidence.differences
        return Batch(data=x if x.ndim == 1 else self.arranged(x), ratio=evidence.test_train_ratio, alpha=alpha)

    def findings(self, evidence: Scores, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """The test, its dual interval, and the posterior that the interval comes from."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = _bounded(procedure.run(self.batch(evidence, alpha)), evidence)
            known = not result.degenerate
            interval = result.confidence_interval(1 - alpha).floats() if known else None
        said, common = _warned(caught), interval is None or not math.isnan(interval.low)
        power = procedure.power(evidence, result) if known and common else None
        higher = evidence.higher_is_better
        if isinstance(result, StudentResult):
            return student_findings(result, alpha=alpha, rope=rope, higher_is_better=higher, power=power, caveats=said)
        estimate, df = float(result.estimate), result.df
        if not known:
            return Findings(estimate=estimate, statistic=math.nan, df=df, pvalue=1.0, caveats=said)
        behind = _behind(result, alpha)
        return Findings(
            estimate=estimate,
            statistic=float(result.statistic),
            df=df,
            pvalue=float(result.pvalue),
            interval=interval if common else None,
            common=common,
            probabilities=None if behind is None else student_probabilities(behind, rope, higher_is_better=higher),
            power=power,
            standard_error=None if behind is None else float(behind.standard_error),
            caveats=(*(() if common else (_NOT_COMMON,)), *said),
        )

    def posterior(self, evidence: Scores, procedure: Procedure, *, alpha: float, rope: float) -> PosteriorCurve | None:
        """The distribution that the interval comes from; of the corrected tests it is the correlated Bayesian t's."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # among the caveats already
            result = _bounded(procedure.run(self.batch(evidence, alpha)), evidence)
            behind = None if result.degenerate else _behind(result, alpha)
        return None if behind is None else student_curve(behind, rope)

    def tests(self, evidence: Scores, procedure: Procedure, first: Indices, second: Indices) -> PairTests:
        """The t-type test of all pairs at once; one after the other where it is of another type."""
        if type(self).findings is not ScoreKind.findings:
            return super().tests(evidence, procedure, first, second)
        values = evidence.values
        x = np.array([rounded_differences(values[i], values[j]) for i, j in pairs_of(first, second)])
        result = self._student(evidence, procedure, x)
        return super().tests(evidence, procedure, first, second) if result is None else student_tests(result)

    def together(self, evidence: Scores) -> ModelMeans:
        """Over the splits: they overlap, which changes all covariances by one factor."""
        return model_means(evidence.flat)

    def mean_intervals(self, evidence: Scores, procedure: Procedure, level: float) -> Interval:
        """By the same corrected variance; within what a rate can be."""
        result = self._student(evidence, procedure, evidence.values)
        if result is None:
            return super().mean_intervals(evidence, procedure, level)
        found = student_intervals(result, level)
        if evidence.unit != "fraction":
            return found
        return Interval(low=np.maximum(found.low, 0.0), high=np.minimum(found.high, 1.0))

    def _student(self, evidence: Scores, procedure: Procedure, x: Array) -> StudentResult | None:
        """What a t-type test finds of many differences at once, or of the scores themselves."""
        data = x if len(evidence.shape) == 1 else self.arranged(x)
        with constant_known():
            result = procedure.run(Batch(data=data, ratio=evidence.test_train_ratio))
        if not isinstance(result, StudentResult):
            return None
        df = evidence.most_df(float(np.min(result.df)))
        return student_result(np.asarray(result.estimate), np.asarray(result.standard_error), df, warn=False)

    def noticed(self, evidence: Scores, procedure: Procedure) -> list[str]:
        caveats: list[str] = []
        x, of_what = evidence.values[0], "scores"
        if len(evidence.names) == 2:
            x, of_what = evidence.differences, "differences"
            if not x.any():
                same = "both learners have the same score on every split"
                caveats.append(f"{same}: either they are the same or the data can't tell")
            elif np.ptp(x) == 0:
                caveats.append(
                    "the difference is the same on every split, so its variance is unknown, and with it whether it is "
                    "chance: compare the predictions of single examples instead"
                )
        if evidence.pieces is not None and evidence.pieces < x.size:
            caveats.append(
                f"the {x.size} {of_what} come from {evidence.pieces} independent pieces of data, which allow at "
                f"most {evidence.pieces - 1} degrees of freedom"
            )
        if repeated := evidence.repeated_runs:
            caveats.append(
                f"runs {repeated[0] + 1} and {repeated[1] + 1} have the same scores but for their order: a partition "
                "that is repeated is one run however often it is given, and must be given once"
            )
        if evidence.folds_assumed:
            caveats.append(
                f"the {x.size} scores are taken for one {x.size}-fold cross-validation: say runs for a repeated one, "
                "or n_train and n_test for random splits, whose overlap is another"
            )
        return caveats

    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> Scores:
        n_train, n_test = (float(sizes.mean()) for sizes in result.sizes())
        return Scores.build(
            {name: self.scored(result.scores_of(place)) for place, name in enumerate(result.names)},
            n_train=n_train,
            n_test=n_test,
            higher_is_better=result.greater_is_better,
            metric=result.scoring,
            pieces=pieces,
        )

    def measured(self, ids: Integers, right: tuple[Flags, Flags]) -> Array:
        """Differences of accuracy on the tested folds of each run."""
        gained = right[0].astype(np.float64) - right[1]
        folds = range(int(ids.max()) + 1)
        x = [[gained[run][row == fold].mean() for fold in folds] for run, row in enumerate(ids)]
        return self.arranged(np.array(x))

    def numbers(self, design: Design) -> int:
        return self.trainings(design)


class OneRowKind(ScoreKind):
    """Scores in one row: each run of the engine is a split of its own."""

    least_partitions = 2  # one says nothing about the variance between them

    def fits_shape(self, shape: tuple[int, ...]) -> bool:
        return len(shape) == 1

    def arranged(self, x: Array) -> Array:
        return x.reshape(*x.shape[:-2], -1)

    def scored(self, scores: Array) -> Array:
        return scores.ravel()


_NOT_COMMON = (
    "the replications differ far more from one another than their two halves do, so that no single difference fits "
    "them: the test rejects every one, and names no winner"
)


def about_algorithms(procedure: Procedure, evidence: PartScores | SeedMarks) -> str:
    """What an answer about algorithms is about, at this size of training sets."""
    size = f" of about {evidence.n_train:.0f} examples" if evidence.n_train is not None else " of this size"
    difference = procedure.difference_words(evidence.metric, evidence.names, "expected", of="learner")
    two = "two " if len(evidence.names) == 2 else ""
    return (
        f"over training sets{size} from this source, {difference}; it is about the algorithms, not about {two}fitted "
        "models."
    )


def _bounded(result: object, evidence: Scores) -> Any:
    """A t-type result with no more degrees of freedom than the independent pieces behind the scores have."""
    if not isinstance(result, StudentResult) or result.df <= evidence.most_df(float(result.df)):
        return result
    estimate, error = np.asarray(result.estimate), np.asarray(result.standard_error)
    return student_result(estimate, error, evidence.most_df(float(result.df)), warn=False)


def _behind(result: Any, alpha: float) -> StudentResult | None:
    """The Student distribution whose interval of level 1 − alpha is the test's own; None where there is no interval.

    A t-type test is one. The combined F test has an interval and no distribution: it gets the one through its limits
    with the degrees of freedom of its denominator, so that probabilities and interval never contradict each other.
    """
    if isinstance(result, StudentResult):
        return result
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EmptyInterval)
        interval = result.confidence_interval(1 - alpha)
    df = float(result.df[1])
    scale = float(interval.high - interval.low) / 2 / float(special.stdtrit(df, 1 - alpha / 2))
    return student_result(np.asarray(result.estimate), np.asarray(scale), df, warn=False) if scale > 0 else None


def _warned(caught: list[warnings.WarningMessage]) -> tuple[str, ...]:
    """What the procedures warned of, but for what the caveats say in other words."""
    said = (DegenerateVariance, EmptyInterval)
    return tuple(dict.fromkeys(str(w.message) for w in caught if not issubclass(w.category, said)))
