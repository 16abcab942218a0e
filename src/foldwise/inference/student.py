"""Tests of the t type: the Student distribution behind them, degenerate variances, t tests over items and splits."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.core.types import Alternative, Answers, Array, Flags, Interval, Numbers
from foldwise.core.validation import floats, fraction, numbers, one_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleMoments:
    """Mean and unbiased variance over the last axis of a batch of samples."""

    #: mean, variance: One value per sample; the variance of a constant sample is exactly 0 and its mean exactly the
    #: constant
    mean: Array
    variance: Array
    n: int  #: Size of each sample


def samples(x: ArrayLike, name: str = "x") -> Array:
    """Return `x` as float64 of shape (..., n) with n ≥ 2; `moments` refuses what is not finite."""
    array = floats(x, name)
    if array.ndim < 1 or array.shape[-1] < 2:
        raise InvalidInput(
            f"{name} must have at least 2 differences on its last axis for a variance, got shape {array.shape}"
        )
    return array


def matrices(x: ArrayLike, name: str = "x", *, shape: tuple[int, int] | None = None) -> Array:
    """Return `x` as float64 of shape (..., runs, folds), of exactly `shape` on these two axes if that is given."""
    array = floats(x, name)
    if shape is not None and array.shape[-2:] != shape:
        raise InvalidInput(f"{name} must have shape (..., {shape[0]}, {shape[1]}), got shape {array.shape}")
    if array.ndim < 2:
        raise InvalidInput(f"{name} must have shape (..., runs, folds), got shape {array.shape}")
    if array.shape[-1] * array.shape[-2] < 2:
        raise InvalidInput(f"{name} must have at least 2 differences for a variance, got shape {array.shape}")
    return array


def ratios(value: ArrayLike, name: str = "test_train_ratio") -> Array:
    """Return `value` as ratios of test to training size: finite and above 0."""
    array = numbers(value, name)
    bad = array <= 0
    if bad.any():
        raise InvalidInput(f"{name} must be test size / training size, above 0, got {array[bad].flat[0]:g}")
    return array


def moments(x: Array, *, given: Array | None = None) -> SampleMoments:
    """Mean and unbiased variance over the last axis, refusing NaN and infinities with their position.

    Sums of raw squares read the memory once; samples whose mean is so far from 0 that this would cost more than two
    digits are centred first. `given` is what the caller gave, if `x` is that reshaped: positions refer to it.
    """
    n = x.shape[-1]
    rows = x.reshape(-1, n)
    with np.errstate(over="ignore", invalid="ignore"):
        raw = np.einsum("ij,ij->i", rows, rows)
    refuse_not_finite(raw, x if given is None else given)
    mean = rows.mean(axis=1)
    # one pass where that is safe: raw squares less the square of the mean
    squares = raw - n * mean**2
    far = np.flatnonzero(squares < 0.01 * raw)
    mean[far], squares[far] = _centred(rows[far])
    batch = x.shape[:-1]
    return SampleMoments(mean=mean.reshape(batch), variance=(squares / (n - 1)).reshape(batch), n=n)


def refuse_not_finite(squares: Array, x: Array, name: str = "x") -> None:
    """Refuse `x`, naming the first bad position, if the sums of its `squares` are not all finite."""
    if np.isfinite(squares).all():  # any NaN or infinity in a sample would have reached its sum of squares
        return
    numbers(x, name)
    raise InvalidInput(f"{name} must be small enough to be squared, but its largest value is {np.abs(x).max():g}")


def _centred(rows: Array) -> tuple[Array, Array]:
    """Mean and sum of squared deviations; the mean of equal values is that value, without rounding error."""
    constant = rows.max(axis=1) == rows.min(axis=1)
    mean = np.where(constant, rows[:, 0], rows.mean(axis=1))
    deviations = rows - mean[:, None]
    return mean, np.einsum("ij,ij->i", deviations, deviations)


ALTERNATIVES = ("two-sided", "less", "greater")


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentResult(Shown):
    """Outcome of a t-type test."""

    estimate: Numbers  #: The estimated difference, a − b in the unit of the input
    standard_error: Numbers  #: Its standard error as the test estimates it
    statistic: Numbers  #: estimate / standard_error; 0 when both are 0, ±inf when only the standard error is
    df: Numbers  #: Degrees of freedom of the reference distribution
    pvalue: Numbers  #: Probability under the null hypothesis of a statistic at least this extreme
    alternative: Alternative  #: Which side of zero the alternative hypothesis allows

    @property
    def degenerate(self) -> Answers:
        """Whether the variance estimate is 0, so that neither p-value nor interval says anything."""
        return self.standard_error == 0

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Interval dual to the test: it excludes 0 exactly when the p-value is below 1 − confidence_level.

        Without variance no interval can be told: it is unbounded where the test rejects nothing, and has NaN limits,
        with a `DegenerateVariance` warning, where p = 0.
        """
        level = fraction(confidence_level, "confidence_level")
        tail = (1 - level) / 2 if self.alternative == "two-sided" else 1 - level
        reach = reach_without_variance(
            -special.stdtrit(self.df, tail) * self.standard_error, self.degenerate, self.pvalue
        )
        unbounded = np.full_like(self.estimate, np.inf)[()]
        low = -unbounded if self.alternative == "less" else self.estimate - reach
        high = unbounded if self.alternative == "greater" else self.estimate + reach
        return Interval(low=low, high=high)


def reach_without_variance(reach: Numbers, degenerate: Answers, pvalue: Numbers) -> Numbers:
    """Half-widths of intervals, where the variance estimate is 0 replaced by inf, or by NaN where p = 0 (see above)."""
    none = np.asarray(degenerate & (pvalue == 0))
    if none.any():
        warnings.warn("the variance estimate is 0, so there is no interval", DegenerateVariance, stacklevel=3)
    return np.where(none, np.nan, np.where(degenerate, np.inf, reach))[()]


def student_result(
    estimate: Array, standard_error: Array, df: ArrayLike, alternative: Alternative = "two-sided", *, warn: bool = True
) -> StudentResult:
    """Build the result of a t-type test from an estimate, its standard error and the degrees of freedom.

    A standard error of 0 has a defined answer: statistic 0 and p = 1 where the estimate is 0 too (the learners
    were indistinguishable), statistic ±inf and p = 0 with a `DegenerateVariance` warning where it is not (none if
    not `warn`: the caller has warned already).
    """
    constant = (standard_error == 0) & (estimate != 0)
    if warn and constant.any():
        warnings.warn(
            "the variance estimate is 0 although the differences are not, so p = 0 is not credible",
            DegenerateVariance,
            stacklevel=3,
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where((standard_error == 0) & (estimate == 0), 0.0, estimate / standard_error)
    return _referred(estimate, standard_error, statistic, df, alternative)


def fields_of(result: StudentResult) -> dict[str, Any]:
    """The fields of a t-type result, for one that adds fields of its own."""
    return {name: getattr(result, name) for name in StudentResult.__dataclass_fields__}


# ---- t and z tests that are cautious where there is no variance: p = 1.

ROUNDING = 1e-12  # Standard errors below this share of the largest difference are the rounding of a constant.


def cautious_result(
    estimate: Array, standard_error: Array, df: ArrayLike, alternative: Alternative, *, differ: Flags
) -> StudentResult:
    """The result of a t-type test, or of a z test where `df` is infinite; p = 1 without variance.

    The standard error is 0 where it can't be told. `differ` says where some difference is not 0: without variance the
    statistic is NaN there, with a `DegenerateVariance` warning, and 0 elsewhere.
    """
    known = standard_error > 0
    unknown = ~known & differ
    if unknown.any():
        warnings.warn(
            "the variance estimate is 0 although the differences are not, so no difference can be shown: p = 1",
            DegenerateVariance,
            stacklevel=3,
        )
    ratio = estimate / np.where(known, standard_error, 1.0)
    statistic = np.where(known, ratio, np.where(unknown, np.nan, 0.0))
    return _referred(estimate, standard_error, statistic, df, alternative, known)


def _referred(
    estimate: Array, error: Array, statistic: Array, df: ArrayLike, alternative: Alternative, known: Flags | bool = True
) -> StudentResult:
    """The statistic referred to Student's distribution; p = 1 where it is not known."""
    one_of(alternative, "alternative", ALTERNATIVES)
    # at 0 the two tails meet: 2·½ is exactly 1
    sides, tail = {"less": (1, statistic), "greater": (1, -statistic)}.get(alternative, (2, -np.abs(statistic)))
    return StudentResult(
        estimate=estimate, standard_error=error, statistic=statistic,
        df=np.broadcast_to(np.asarray(df, dtype=np.float64), statistic.shape),
        pvalue=np.where(known, sides * special.stdtr(df, tail), 1.0), alternative=alternative,
    )  # fmt: skip


# ---- The t tests over splits: paired, resampled, k-fold, and Nadeau and Bengio's corrected forms.


def paired_t(a: ArrayLike, b: ArrayLike | None = None, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Student's t test of paired values: marks of two models on the same items, errors on the same samples.

    Parameters
    ----------
    a, b
        Values of the two, paired along the last axis, of shape (..., n) with n ≥ 2; or without `b` their differences.
        Leading axes are separate experiments. Items or samples must be independent of each other: items of one
        cluster go to `clustered_t`, folds of a cross-validation to `corrected_repeated_cv_t`, and several trials of
        an item are averaged first.

    Notes
    -----
    :math:`t=\bar x/(s(x)/\sqrt n)` with n − 1 degrees of freedom, where x are the differences and s² has the divisor
    n − 1 [1]_; for errors of two algorithms on independent samples see also [2]_, section 3.3.

    References
    ----------
    .. [1] Student (1908), The probable error of a mean, Biometrika 6, 1-25.
    .. [2] Martin & Hirschberg (1996), Small sample statistics for classification error rates II.

    Examples
    --------
    >>> result = paired_t([0.20, 0.25, 0.22, 0.30], [0.18, 0.20, 0.21, 0.24])
    >>> round(float(result.estimate), 4), float(result.df), round(float(result.pvalue), 4)
    (0.035, 3.0, 0.0605)
    """
    m = moments(samples(a) if b is None else _differences(a, b))
    return student_result(m.mean, np.sqrt(m.variance / m.n), m.n - 1, alternative)


def _differences(a: ArrayLike, b: ArrayLike) -> Array:
    first, second = numbers(a, "a"), numbers(b, "b")
    if first.shape != second.shape:
        raise InvalidInput(f"a and b must have the same shape, got {first.shape} and {second.shape}")
    return samples(first - second, "a and b")


def resampled_t(x: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Student's t test over the differences of n random splits, as if the splits were independent.

    The training sets overlap and the test sets overlap, so the variance of the mean is underestimated: with
    enough splits the test rejects almost any null hypothesis. It is here for study, never as advice.

    Parameters
    ----------
    x
        Differences a − b, shape (..., n) with n ≥ 2; leading axes are separate experiments.

    Notes
    -----
    :math:`t = \bar x\sqrt n / \sqrt{\sum_i (x_i-\bar x)^2/(n-1)}` is referred to Student's distribution with
    n − 1 degrees of freedom [1]_.

    References
    ----------
    .. [1] Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
       algorithms, Neural Computation 10, section 3.3.

    Examples
    --------
    >>> result = resampled_t([0.02, 0.05, -0.01, 0.04])
    >>> float(round(result.statistic, 3)), float(round(result.pvalue, 4))
    (1.89, 0.1552)
    """
    m = moments(samples(x))
    return student_result(m.mean, np.sqrt(m.variance / m.n), m.n - 1, alternative)


def kfold_cv_t(x: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Student's t test over the k folds of one cross-validation.

    The test sets are disjoint but the training sets overlap, so the Type I error is somewhat elevated [1]_.

    Parameters
    ----------
    x
        Differences a − b, shape (..., k) with k ≥ 2 folds; leading axes are separate experiments.

    Notes
    -----
    :math:`t = \bar x\sqrt k / \sqrt{\sum_i (x_i-\bar x)^2/(k-1)}` is referred to Student's distribution with
    k − 1 degrees of freedom.

    References
    ----------
    .. [1] Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
       algorithms, Neural Computation 10, section 3.4.

    Examples
    --------
    >>> result = kfold_cv_t([0.03, 0.01, 0.04, 0.00, 0.02])
    >>> interval = result.confidence_interval(0.95)
    >>> float(round(interval.low, 4)), float(round(interval.high, 4))
    (0.0004, 0.0396)
    """
    m = moments(samples(x))
    return student_result(m.mean, np.sqrt(m.variance / m.n), m.n - 1, alternative)


def corrected_resampled_t(
    x: ArrayLike, *, test_train_ratio: ArrayLike, alternative: Alternative = "two-sided"
) -> StudentResult:
    r"""Test whether two learners differ, from the differences of n random splits of one data set.

    Parameters
    ----------
    x
        Differences a − b, shape (..., n) with n ≥ 2; leading axes are separate experiments.
    test_train_ratio
        Size of a test set divided by the size of a training set, above 0 (1/9 for 90 % training). There is no
        default: without the ratio there is no correction. An array must fit the leading axes of `x`.

    Notes
    -----
    :math:`t = \bar x / \sqrt{(1/n + n_2/n_1)\,\hat\sigma^2}` is referred to Student's distribution with n − 1
    degrees of freedom; :math:`\hat\sigma^2` is the unbiased variance of the n differences, n₁ and n₂ are the
    sizes of a training and a test set. The second term stands for the correlation n₂/(n₁+n₂) that overlapping
    training sets are taken to cause [1]_ [2]_.

    References
    ----------
    .. [1] Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52.
    .. [2] Bouckaert & Frank (2004), Evaluating the replicability of significance tests for comparing learning
       algorithms, PAKDD, section 3.2.

    Examples
    --------
    >>> result = corrected_resampled_t([0.02, 0.05, -0.01, 0.04], test_train_ratio=1 / 9)
    >>> float(round(result.statistic, 3)), float(round(result.pvalue, 4))
    (1.572, 0.2139)
    """
    ratio = ratios(test_train_ratio)
    m = moments(samples(x))
    return student_result(m.mean, np.sqrt((1 / m.n + ratio) * m.variance), m.n - 1, alternative)


def corrected_repeated_cv_t(
    x: ArrayLike, *, test_train_ratio: ArrayLike | None = None, alternative: Alternative = "two-sided"
) -> StudentResult:
    r"""Test whether two learners differ, from the differences of r runs of k-fold cross-validation.

    Parameters
    ----------
    x
        Differences a − b, shape (..., runs, folds); leading axes are separate experiments. The order of the
        values within an experiment does not matter.
    test_train_ratio
        Size of a test set divided by the size of a training set; 1/(folds − 1) when not given.

    Notes
    -----
    :math:`t = \bar x / \sqrt{(1/(kr) + n_2/n_1)\,\hat\sigma^2}` over all kr differences is referred to Student's
    distribution with kr − 1 degrees of freedom; with n₂/n₁ = 1/(k − 1) in k-fold cross-validation [1]_.

    References
    ----------
    .. [1] Bouckaert & Frank (2004), Evaluating the replicability of significance tests for comparing learning
       algorithms, PAKDD, section 3.3.

    Examples
    --------
    >>> x = [[0.02, 0.05, -0.01], [0.04, 0.01, 0.03]]
    >>> result = corrected_repeated_cv_t(x)
    >>> float(round(result.statistic, 3)), float(result.df), float(round(result.pvalue, 4))
    (1.323, 5.0, 0.2431)
    """
    array = matrices(x)
    ratio = _ratio(array, test_train_ratio)
    runs, folds = array.shape[-2:]
    m = moments(array.reshape(*array.shape[:-2], runs * folds), given=array)
    return student_result(m.mean, np.sqrt((1 / m.n + ratio) * m.variance), m.n - 1, alternative)


def _ratio(x: Array, given: ArrayLike | None) -> Array:
    if given is not None:
        return ratios(given)
    folds = x.shape[-1]
    if folds < 2:
        raise InvalidInput(f"x must have at least 2 folds unless test_train_ratio is given, got shape {x.shape}")
    return np.asarray(1 / (folds - 1))
