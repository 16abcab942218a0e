"""The Student distribution behind every t-type test: p-values, dual intervals, degenerate variances."""

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
    one_of(alternative, "alternative", ALTERNATIVES)
    constant = (standard_error == 0) & (estimate != 0)
    if warn and constant.any():
        warnings.warn(
            "the variance estimate is 0 although the differences are not, so p = 0 is not credible",
            DegenerateVariance,
            stacklevel=3,
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where((standard_error == 0) & (estimate == 0), 0.0, estimate / standard_error)
    return StudentResult(
        estimate=estimate[()],
        standard_error=standard_error[()],
        statistic=statistic[()],
        df=np.broadcast_to(np.asarray(df, dtype=np.float64), statistic.shape)[()],
        pvalue=_pvalue(statistic, df, alternative)[()],
        alternative=alternative,
    )


def fields_of(result: StudentResult) -> dict[str, Any]:
    """The fields of a t-type result, for one that adds fields of its own."""
    return {name: getattr(result, name) for name in StudentResult.__dataclass_fields__}


def _pvalue(statistic: Array, df: ArrayLike, alternative: Alternative) -> Array:
    if alternative == "less":
        return np.asarray(special.stdtr(df, statistic))
    if alternative == "greater":
        return np.asarray(special.stdtr(df, -statistic))
    # at 0 the two tails meet: 2·½ is exactly 1
    return np.asarray(2 * special.stdtr(df, -np.abs(statistic)))


# ---- t and z tests that take a lack of variance for what it is: nothing can be told.

ROUNDING = 1e-12
"""Standard errors below this share of the largest difference are the rounding of a constant."""


def cautious_result(
    estimate: Array, standard_error: Array, df: ArrayLike, alternative: Alternative, *, differ: Flags
) -> StudentResult:
    """The result of a t-type test, or of a z test where `df` is infinite; p = 1 without variance.

    The standard error is 0 where it can't be told. `differ` says where some difference is not 0: without variance the
    statistic is NaN there, with a `DegenerateVariance` warning, and 0 elsewhere.
    """
    one_of(alternative, "alternative", ALTERNATIVES)
    known = standard_error > 0
    unknown = ~known & differ
    if unknown.any():
        warnings.warn(
            "the variance estimate is 0 although the differences are not, so nothing can be told: p = 1",
            DegenerateVariance,
            stacklevel=3,
        )
    ratio = estimate / np.where(known, standard_error, 1.0)
    statistic = np.where(known, ratio, np.where(unknown, np.nan, 0.0))
    tail = {"less": statistic, "greater": -statistic, "two-sided": -np.abs(statistic)}[alternative]
    sides = 2 if alternative == "two-sided" else 1
    return StudentResult(
        estimate=estimate[()],
        standard_error=standard_error[()],
        statistic=statistic[()],
        df=np.broadcast_to(np.asarray(df, dtype=np.float64), statistic.shape)[()],
        pvalue=np.where(known, sides * special.stdtr(df, tail), 1.0)[()],
        alternative=alternative,
    )
