"""Two learners compared from scores that something else produced."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import DegenerateVariance, EmptyInterval, InvalidInput
from foldwise.core.metric import UNNAMED, direction_caveats, practical_difference, unit_caveats
from foldwise.core.types import Array, Interval
from foldwise.core.validation import fraction, not_negative, two_names
from foldwise.evidence.scores import Scores
from foldwise.inference.catalogue import PLANS, Procedure, find_procedure
from foldwise.inference.correlated_bayesian_t import correlated_bayesian_t
from foldwise.inference.detectable_difference import detectable_difference
from foldwise.inference.five_by_two_cv_f import FiveByTwoFResult
from foldwise.inference.five_by_two_power import five_by_two_f_detectable_difference
from foldwise.inference.probabilities import Probabilities
from foldwise.inference.student import StudentResult, student_result
from foldwise.verdict.comparison import Comparison

__all__ = ["compare_scores", "judge_scores"]

RECOMMENDED = {
    "splits": ("corrected_resampled_t", "random splits overlap, and this test corrects the variance for it"),
    "repeated_cv": (
        "corrected_repeated_cv_t",
        "the folds of repeated cross-validation overlap, and this test corrects the variance for it",
    ),
    "five_by_two": (
        "five_by_two_cv_f",
        "it uses all ten differences of 5×2 cross-validation and does not depend on their order",
    ),
}
"""Per layout the test that `test="auto"` takes, and why."""


def compare_scores(
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    test: str = "auto",
    higher_is_better: bool | None = None,
    alpha: float = 0.05,
    rope: float | None = None,
    names: tuple[str, str] = ("a", "b"),
    metric: str = UNNAMED,
) -> Comparison:
    """Compare two learners from their scores on the same splits.

    Parameters
    ----------
    scores_a, scores_b
        Scores of shape (runs, folds) from cross-validation, or (splits,) from random splits, in the same order.
    n_train, n_test
        Sizes of one split; may be left out for cross-validation, where the folds decide their ratio.
    test
        A name of the catalogue, or "auto" for the recommended test: corrected repeated k-fold cv t for
        cross-validation, combined F for 5×2, corrected resampled t for random splits.
    higher_is_better
        False for losses. Without it the name of the metric tells, and the answer says so where it does not.
    alpha
        Significance level.
    rope
        Half-width of the region of practical equivalence, in the score's own unit; without it 0.01, or 1 where the
        scores are percentages.
    names, metric
        What to call the learners and the score.

    Returns
    -------
    Comparison
        Estimate, interval, p-value, probabilities, caveats.

    Examples
    --------
    >>> c = compare_scores([0.80, 0.82, 0.79], [0.70, 0.75, 0.71], n_train=200, n_test=100)
    >>> c.test, c.better, round(c.estimate, 4)
    ('corrected_resampled_t', 'a', 0.0833)
    """
    evidence = Scores.build(
        scores_a, scores_b, n_train=n_train, n_test=n_test, higher_is_better=higher_is_better, metric=metric
    )
    return judge_scores(evidence, test=test, alpha=alpha, rope=rope, names=names)


def judge_scores(
    evidence: Scores,
    *,
    test: str | Procedure = "auto",
    alpha: float = 0.05,
    rope: float | None = None,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Compare two learners from paired scores; see `compare_scores`."""
    alpha, rope = fraction(alpha, "alpha"), not_negative(practical_difference(rope, evidence.unit), "rope")
    procedure, reason = _choose(evidence, test)
    x = _shaped(evidence, procedure)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        numbers = _numbers(
            _bounded(procedure.run(x, evidence.test_train_ratio, alpha), evidence), evidence, alpha, rope
        )
    return Comparison(
        names=two_names(names),
        test=procedure.name,
        title=procedure.title,
        symbol=procedure.symbol,
        reference=procedure.reference,
        estimate=float(x.mean()),
        interval=numbers.interval,
        common=numbers.common,
        statistic=numbers.statistic,
        df=numbers.df,
        pvalue=numbers.pvalue,
        alpha=alpha,
        means=(float(evidence.a.mean()), float(evidence.b.mean())),
        rope=rope,
        rope_probabilities=numbers.probabilities,
        detectable_difference=numbers.detectable,
        metric=evidence.metric,
        higher_is_better=evidence.higher_is_better,
        design=evidence.design,
        estimand=_estimand(evidence, names),
        reason=reason,
        evidence=evidence,
        caveats=(*_caveats(evidence, procedure, rope, common=numbers.common), *_warned(caught)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Numbers:
    """What the test says; differences that do not vary leave it nothing to say."""

    statistic: float
    df: float | tuple[float, float] | None
    pvalue: float
    interval: Interval | None = None
    common: bool = True
    probabilities: Probabilities | None = None
    detectable: float | None = None


def _numbers(result: Any, evidence: Scores, alpha: float, rope: float) -> _Numbers:
    """The numbers of a comparison.

    Notes
    -----
    A few splits without variance are no certainty: there is no interval of width 0, nobody wins, and p is 1, the
    p-value that rejects nothing.
    """
    df = _df(result.df)
    if result.degenerate:
        return _Numbers(statistic=math.nan, df=df, pvalue=1.0)
    interval = result.confidence_interval(1 - alpha)
    empty = bool(np.isnan(interval.low))
    return _Numbers(
        statistic=float(result.statistic),
        df=df,
        pvalue=float(result.pvalue),
        interval=None if empty else Interval(low=float(interval.low), high=float(interval.high)),
        common=not empty,
        probabilities=_rope_probabilities(evidence, rope),
        detectable=None if empty else _detectable(result, alpha),
    )


def _choose(evidence: Scores, test: str | Procedure) -> tuple[Procedure, str]:
    name, why = RECOMMENDED[evidence.layout]
    procedure = test if isinstance(test, Procedure) else find_procedure(name if test == "auto" else test)
    if test == "auto" or procedure.name == name:
        return procedure, f"{why} ({procedure.reference})."
    return procedure, f"it was asked for by name ({procedure.reference})."


def _shaped(evidence: Scores, procedure: Procedure) -> Array:
    """The differences in the shape that the test works on."""
    x, needs = evidence.differences, procedure.needs
    one_cv = x.ndim == 1 or x.shape[0] == 1
    fits = {
        "splits": x.ndim == 1,
        "kfold": one_cv,
        "five_by_two": x.shape == (5, 2),
        "repeated_cv": x.ndim == 2,
    }
    if not fits.get(needs, False):
        raise InvalidInput(f"test '{procedure.name}' needs {PLANS[needs]}, got scores of shape {x.shape}")
    return x.ravel() if needs == "kfold" else x


def _bounded(result: Any, evidence: Scores) -> Any:
    """A t-type result with no more degrees of freedom than the independent pieces behind the scores have."""
    if not isinstance(result, StudentResult) or result.df <= evidence.most_df(float(result.df)):
        return result
    estimate, error = np.asarray(result.estimate), np.asarray(result.standard_error)
    return student_result(estimate, error, evidence.most_df(float(result.df)), warn=False)


def _warned(caught: Sequence[warnings.WarningMessage]) -> tuple[str, ...]:
    """What the procedures warned of, but for what the caveats say in other words."""
    said = (DegenerateVariance, EmptyInterval)
    return tuple(dict.fromkeys(str(w.message) for w in caught if not issubclass(w.category, said)))


def _df(df: Any) -> float | tuple[float, float] | None:
    if df is None or isinstance(df, tuple):
        return df
    return float(df)


def _rope_probabilities(evidence: Scores, rope: float) -> Probabilities | None:
    x = evidence.differences.ravel()
    df = evidence.most_df(x.size - 1.0)
    regions = correlated_bayesian_t(x, correlation=evidence.correlation, rope=rope, df=df).probabilities
    a_better, same, b_better = map(float, (regions if evidence.higher_is_better else regions.mirrored()).as_tuple())
    return None if math.isnan(same) else Probabilities(a_better=a_better, equivalent=same, b_better=b_better)


def _detectable(result: StudentResult | FiveByTwoFResult, alpha: float) -> float:
    """By the test's own power."""
    if isinstance(result, FiveByTwoFResult):
        return float(five_by_two_f_detectable_difference(result.within, alpha=alpha))
    return float(detectable_difference(result.standard_error, result.df, alpha=alpha))


def _estimand(evidence: Scores, names: tuple[str, str]) -> str:
    size = f" of about {evidence.n_train:.0f} examples" if evidence.n_train is not None else " of this size"
    return (
        f"over training sets{size} from this source, the expected {evidence.metric} of {names[0]} minus that of "
        f"{names[1]}; it is about the algorithms, not about two fitted models."
    )


def _caveats(evidence: Scores, procedure: Procedure, rope: float, *, common: bool) -> list[str]:
    caveats = []
    if procedure.warning:
        caveats.append(f"{procedure.title}: {procedure.warning}")
    if not evidence.differences.any():
        caveats.append(
            "both learners have the same score on every split: either they are the same or the data can't tell"
        )
    elif np.ptp(evidence.differences) == 0:
        caveats.append(
            "the difference is the same on every split, so its variance is unknown, and with it whether it is chance"
        )
    if not common:
        caveats.append(
            "the replications differ far more from one another than their two halves do, so that no single difference "
            "fits them: the test rejects every one, and names no winner"
        )
    if evidence.pieces is not None and evidence.pieces - 1 < evidence.differences.size - 1:
        caveats.append(
            f"the {evidence.differences.size} differences come from {evidence.pieces} independent pieces of data, "
            f"which allow at most {evidence.pieces - 1} degrees of freedom"
        )
    if repeated := _repeated_rows(evidence):
        caveats.append(
            f"runs {repeated[0] + 1} and {repeated[1] + 1} have the same scores but for their order: a partition that "
            "is repeated is one run however often it is given, and must be given once"
        )
    if procedure.name == "five_by_two_cv_t":
        caveats.append(
            "the statistic and the interval rest on the first of the ten differences alone, and change with their order"
        )
    metric, higher = evidence.metric, evidence.higher_is_better
    caveats += direction_caveats(metric, higher, assumed=evidence.direction_assumed)
    caveats += unit_caveats(metric, evidence.unit, rope, (evidence.a, evidence.b))
    caveats.append("one data set: the answer says nothing about other domains")
    return caveats


def _repeated_rows(evidence: Scores) -> tuple[int, int] | None:
    """Two runs with the same pairs of scores in any order, if they can hardly be so by chance."""
    if evidence.a.ndim == 1:
        return None
    known: dict[tuple[tuple[float, float], ...], int] = {}
    for run, pairs in enumerate(zip(evidence.a.tolist(), evidence.b.tolist(), strict=True)):
        row = tuple(sorted(zip(*pairs, strict=True)))
        # few different pairs (two folds, or scores of a handful of examples) meet again by chance
        if row in known and len(set(row)) >= 3:
            return known[row], run
        known.setdefault(row, run)
    return None
