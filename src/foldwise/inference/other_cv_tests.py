"""Tests of two algorithms by plans of their own: k-fold cv, nested cv, halved samples, disjoint sets, balanced 5×2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Answers, Array, Interval, Numbers
from foldwise.core.validation import counts, fraction, moderate, numbers
from foldwise.inference.many._pairwise import sign_test
from foldwise.inference.student import ROUNDING, StudentResult, cautious_result, fields_of, moments, samples


def cv_clt(d: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Test whether the models of one k-fold cross-validation differ, from the differences on its examples.

    Parameters
    ----------
    d
        Differences a − b of the two learners' losses or scores on each example, shape (..., n); each example is tested
        by the models that were trained without its fold. Leading axes are separate experiments.

    Notes
    -----
    :math:`z = \sqrt n\,\bar d / s(d)` is referred to the normal distribution [1]_. What it is about is the mean
    difference of the k models that were fitted, for learners that are stable: as a test of the algorithms it leaves
    out what another training set would change.

    References
    ----------
    .. [1] Bayle, Bayle, Janson & Mackey (2020), Cross-validation confidence intervals for test error, NeurIPS 33.

    Examples
    --------
    >>> result = cv_clt([1, 0, 0, 1, -1, 0, 1, 1, 0, 1])
    >>> float(round(result.statistic, 3)), float(round(result.pvalue, 4))
    (1.809, 0.0704)
    """
    x = samples(d, "d")
    m = moments(x)
    return cautious_result(m.mean, np.sqrt(m.variance / m.n), np.inf, alternative, differ=np.abs(x).max(axis=-1) > 0)


def nested_cv(
    inner: ArrayLike, outer: ArrayLike, outer_variance: ArrayLike, naive: ArrayLike,
    *, alternative: Alternative = "two-sided",
) -> StudentResult:  # fmt: skip
    r"""Test whether two learners differ, from cross-validations within the folds of a cross-validation.

    Parameters
    ----------
    inner
        Mean difference a − b of the cross-validation of all folds but one, shape (..., repetitions, folds).
    outer
        Mean difference on that fold of the learners trained on all others, of the same shape.
    outer_variance
        Variance of the differences on the fold's examples divided by their number, of the same shape.
    naive
        The naive standard error of each repetition, s(e)/√n over all differences of the inner cross-validations:
        (..., repetitions).

    Notes
    -----
    Per outer fold a = (inner − outer)² is how far the inner cross-validation was from what it was to estimate, and b,
    the outer variance, the part of that which is the fold's own noise: mean(a − b) estimates the mean squared error of
    the cross-validation [1]_. :math:`SE = \sqrt{\frac{k-1}{k}\max(\overline{a-b}, 0)}` is kept between the naive
    standard error and √k times it; z = mean(inner)/SE. The estimate is that of training on k − 2 of k folds, without
    the paper's correction to all of them.

    References
    ----------
    .. [1] Bates, Hastie & Tibshirani (2024), Cross-validation: what does it estimate and how well does it do it?,
       Journal of the American Statistical Association 119.

    Examples
    --------
    >>> result = nested_cv([[0.1, 0.2, 0.1]], [[0.3, -0.1, 0.1]], [[0.001, 0.001, 0.001]], [0.05])
    >>> float(round(result.estimate, 4)), float(round(result.standard_error, 4))
    (0.1333, 0.0866)
    """
    # all three as one array, checked
    named = {"inner": inner, "outer": outer, "outer_variance": outer_variance}
    arrays = {name: numbers(value, name, min_ndim=2) for name, value in named.items()}
    shapes = {array.shape for array in arrays.values()}
    if len(shapes) > 1:
        raise InvalidInput(f"inner, outer and outer_variance must have one shape, got {sorted(shapes)}")
    for name, array in arrays.items():
        moderate(array, name)
    folds = np.stack(list(arrays.values()))
    each = numbers(naive, "naive")
    k = folds.shape[-1]
    if each.shape != folds.shape[1:-1] or k < 2:
        raise InvalidInput(
            f"naive must have one standard error per repetition of at least 2 folds, got shape {each.shape} for "
            f"{folds.shape[1:]}"
        )
    first, second, noise = folds
    mse = np.mean((first - second) ** 2 - noise, axis=(-2, -1))
    least = np.sqrt(np.mean(each**2, axis=-1))
    error = np.clip(np.sqrt((k - 1) / k * np.maximum(mse, 0.0)), least, np.sqrt(k) * least)
    largest = np.abs(folds[:2]).max(axis=(0, -2, -1))
    error = np.where(error <= ROUNDING * largest, 0.0, error)
    return cautious_result(np.asarray(first.mean(axis=(-2, -1))), error, np.inf, alternative, differ=largest > 0)


def conservative_z(x: ArrayLike, halves: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Test whether two learners differ, with a variance that is too large rather than too small.

    Parameters
    ----------
    x
        Differences a − b on random splits of all examples, shape (..., splits); leading axes are separate experiments.
    halves
        Differences on random splits of two disjoint halves of the examples, halved again and again: (..., halvings, 2,
        splits). The test sets are as large as those of `x`, the training sets smaller.

    Notes
    -----
    With :math:`\hat\mu_m` and :math:`\hat\mu_m^c` the means over the splits of the two halves,
    :math:`\hat\sigma^2 = \frac{1}{2M}\sum_m (\hat\mu_m-\hat\mu_m^c)^2` is an unbiased estimate of the variance of the
    same estimate on half the data, which is larger than on all of it [1]_. :math:`z = \bar x/\hat\sigma` is referred
    to the normal distribution.

    References
    ----------
    .. [1] Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52.

    Examples
    --------
    >>> result = conservative_z([0.1, 0.2], [[[0.1, 0.2], [0.0, 0.1]], [[0.2, 0.2], [0.1, 0.0]]])
    >>> float(round(result.estimate, 3)), float(round(result.standard_error, 4))
    (0.15, 0.0901)
    """
    splits, parts = numbers(x, "x", min_ndim=1), numbers(halves, "halves", min_ndim=3)
    if parts.shape[-2] != 2 or 0 in parts.shape or 0 in splits.shape or parts.shape[:-3] != splits.shape[:-1]:
        raise InvalidInput(
            f"halves must have shape (..., halvings, 2, splits) for x of shape (..., splits), got {parts.shape} and "
            f"{splits.shape}"
        )
    for name, values in (("x", splits), ("halves", parts)):
        moderate(values, name)
    apart = np.diff(parts.mean(axis=-1), axis=-1)[..., 0]
    error = np.sqrt(np.mean(apart**2, axis=-1) / 2)
    largest = np.maximum(np.abs(splits).max(axis=-1), np.abs(parts).max(axis=(-3, -2, -1)))
    error = np.where(error <= ROUNDING * largest, 0.0, error)
    return cautious_result(np.asarray(splits.mean(axis=-1)), error, np.inf, alternative, differ=largest > 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class DisjointResult(StudentResult):
    """Outcome of the test over disjoint parts."""

    #: p of the exact sign test over the parts that are not tied, which needs no assumption about the shape of the
    #: differences at all
    sign_pvalue: Numbers


def disjoint(x: ArrayLike, *, alternative: Alternative = "two-sided") -> DisjointResult:
    r"""Test whether two algorithms differ at this training size, from independent differences.

    Parameters
    ----------
    x
        Differences a − b on disjoint parts of the data, shape (..., parts); each part trains and tests both learners on
        examples that no other part sees. Leading axes are separate experiments.

    Notes
    -----
    The differences are independent and identically distributed whatever the learners are: Student's t over the parts,
    with parts − 1 degrees of freedom, and the exact sign test beside it.

    Examples
    --------
    >>> result = disjoint([0.1, 0.0, 0.2, 0.1, -0.1, 0.1])
    >>> float(round(result.pvalue, 4)), float(result.sign_pvalue)
    (0.1747, 0.375)
    """
    parts = samples(x)
    m = moments(parts)
    differ = np.abs(parts).max(axis=-1) > 0
    t = cautious_result(m.mean, np.sqrt(m.variance / m.n), m.n - 1.0, alternative, differ=differ)
    signs = sign_test(parts, np.zeros_like(parts), alternative=alternative)
    return DisjointResult(**fields_of(t), sign_pvalue=signs.pvalue)


# ---- Balanced 5×2 McNemar: ten tables of five halvings that overlap evenly, as one that counts as much as they do.

TABLES = 10
EFFECTIVE = 20 / 11  # How many independent tables the ten are worth, all correlations being taken as ½.


@dataclass(frozen=True, slots=True, kw_only=True)
class BalancedMcNemarResult(Shown):
    """Outcome of the test."""

    estimate: Numbers  #: Accuracy of a minus that of b
    standard_error: Numbers  #: Of that difference, if there were none: √(b + c)/N of the effective counts
    #: statistic, df, pvalue: χ² with continuity correction, 1, and its p-value
    statistic: Numbers
    df: float
    pvalue: Numbers
    effective: Array  #: The effective counts n00, n01, n10, n11 along the last axis

    @property
    def degenerate(self) -> Answers:
        """Whether the two never disagree, so that nothing can be told."""
        return self.standard_error == 0

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Interval dual to the test: it excludes 0 exactly when the p-value is below 1 − confidence_level."""
        z = -special.ndtri((1 - fraction(confidence_level, "confidence_level")) / 2)
        reach = z * self.standard_error + 1 / self.effective.sum(axis=-1)
        low, high = np.maximum(self.estimate - reach, -1.0), np.minimum(self.estimate + reach, 1.0)
        return Interval(low=low, high=high)


def balanced_5x2_mcnemar(tables: ArrayLike) -> BalancedMcNemarResult:
    r"""Test whether two classifiers differ, from the ten tables of a balanced 5×2 cross-validation.

    Parameters
    ----------
    tables
        The counts n00 (both wrong), n01 (only a wrong), n10 (only b wrong), n11 (both right) on the test half of each
        training: (..., 10, 4). Leading axes are separate experiments. The five halvings must be balanced: any two
        training halves share a quarter of the examples.

    Returns
    -------
    BalancedMcNemarResult
        Without disagreements: statistic 0 and p = 1.

    Notes
    -----
    The effective counts are 20/11 times the mean of the ten tables, which is what they are worth if the correlations
    between them are ½ [1]_; with b and c the effective n01 and n10, :math:`\chi^2 = (|b-c|-1)^2/(b+c)`, the numerator
    never below 0, has one degree of freedom.

    References
    ----------
    .. [1] Yang, Wang, Song & Li (2023), Block-regularized 5×2 cross-validated McNemar's test for comparing two
       classification algorithms, arXiv 2304.03990.

    Examples
    --------
    >>> result = balanced_5x2_mcnemar([[10, 22, 8, 110]] * 10)
    >>> float(round(result.statistic, 3)), float(round(result.pvalue, 4))
    (10.964, 0.0009)
    """
    given = counts(tables, "tables")
    if given.ndim < 2 or given.shape[-2:] != (TABLES, 4) or (given.sum(axis=-1) == 0).any():
        raise InvalidInput(f"tables must be ten tables of four counts, (..., 10, 4), none empty, got {given.shape}")
    effective = EFFECTIVE * given.mean(axis=-2)
    only_a, only_b, n = effective[..., 1], effective[..., 2], effective.sum(axis=-1)
    disagree, apart = only_a + only_b, np.maximum(np.abs(only_a - only_b) - 1, 0.0)
    statistic = apart**2 / np.where(disagree > 0, disagree, 1.0)
    return BalancedMcNemarResult(
        estimate=(only_b - only_a) / n, standard_error=np.sqrt(disagree) / n, statistic=statistic, df=1.0,
        pvalue=special.chdtrc(1, statistic), effective=effective,
    )  # fmt: skip
