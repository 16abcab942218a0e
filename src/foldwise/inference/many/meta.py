"""Random-effects combination of per-split results across data sets, with Hartung and Knapp's interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.core.validation import numbers
from foldwise.inference.student import StudentResult, fields_of, moments, student_result

ROUNDING = 1e-12  # Share of the largest difference below which a standard deviation is rounding noise.


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaAnalysisResult(StudentResult):
    """The mean difference over a population of data sets, each weighted by its precision.

    The standard error is Hartung and Knapp's; t has N − 1 degrees of freedom.
    """

    between_variance: float  #: τ²: how much the true differences vary from data set to data set
    heterogeneity: float  #: I²: the share of the observed variation that is not sampling noise
    weights: Array  #: Share of each data set in the estimate


def combine_data_sets(differences: ArrayLike, *, test_train_ratio: ArrayLike) -> MetaAnalysisResult:
    r"""Combine the per-split differences of two learners over data sets, each with its own uncertainty.

    Parameters
    ----------
    differences
        a − b, shape (data sets, splits) with at least two of each.
    test_train_ratio
        n_test / n_train of the splits: one number, or one per data set.

    Returns
    -------
    MetaAnalysisResult
        For the expected difference on a data set of the population these come from.

    Notes
    -----
    The splits of a data set overlap, so its mean has the corrected variance
    :math:`(\frac1n + \frac{n_2}{n_1})\hat\sigma^2` [1]_; `random_effects` does the rest. The σ̂² of a data set whose
    few splits happen to agree is not 0 but unknown: it is given the mean of the others', and where all are unknown
    every data set has the same weight.

    References
    ----------
    .. [1] Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52.

    Examples
    --------
    >>> x = [[0.02, 0.03, 0.01], [0.05, 0.01, 0.03], [0.00, 0.02, 0.01], [0.03, 0.02, 0.04]]
    >>> result = combine_data_sets(x, test_train_ratio=1 / 9)
    >>> round(float(result.estimate), 4), round(float(result.pvalue), 4)
    (0.0211, 0.0218)
    """
    x = numbers(differences, "differences", min_ndim=2)
    ratio = numbers(test_train_ratio, "test_train_ratio")
    if x.ndim != 2 or x.shape[1] < 2:
        raise InvalidInput(f"differences must be data sets × splits with at least two splits, got shape {x.shape}")
    if (ratio <= 0).any() or ratio.shape not in ((), (len(x),)):
        raise InvalidInput(
            f"test_train_ratio must be above 0, one number or one per data set, got {test_train_ratio!r}"
        )
    m = moments(x)
    known = m.variance > (ROUNDING * np.abs(x).max()) ** 2
    variance = np.where(known, m.variance, m.variance[known].mean() if known.any() else 0.0)
    return random_effects(m.mean, (1 / m.n + ratio) * variance)


def random_effects(estimates: ArrayLike, variances: ArrayLike) -> MetaAnalysisResult:
    r"""Combine estimates with known sampling variances, allowing the truth to vary between data sets.

    Parameters
    ----------
    estimates, variances
        One estimate per data set and its sampling variance, at least two.

    Returns
    -------
    MetaAnalysisResult
        With every estimate 0, p = 1; the interval is unbounded then, since nothing is known of the spread.

    Notes
    -----
    τ² is Paule and Mandel's: the root of :math:`\sum (y_i-\hat\mu)^2/(v_i+\tau^2) = N - 1`, or 0. With
    :math:`w_i = 1/(v_i+\tau^2)`, Hartung and Knapp's variance of :math:`\hat\mu = \sum w_i y_i/\sum w_i` is
    :math:`q/\sum w_i`, :math:`q=\sum w_i(y_i-\hat\mu)^2/(N-1)`, with t on N − 1 degrees of freedom. A q below 1, which
    happens only where τ² is 0, counts as 1, as [1]_ propose: estimates that happen to agree better than their own
    variances allow are no evidence of certainty.

    References
    ----------
    .. [1] Knapp & Hartung (2003), Improved tests for a random effects meta-regression with a single covariate,
       Statistics in Medicine 22.
    .. [2] Paule & Mandel (1982), Consensus values and weighting factors, Journal of Research of the National Bureau
       of Standards 87.

    Examples
    --------
    >>> round(float(random_effects([0.1, 0.3, 0.2], [0.01, 0.02, 0.01]).estimate), 3)
    0.18
    """
    y, v = numbers(estimates, "estimates", min_ndim=1), numbers(variances, "variances", min_ndim=1)
    if y.ndim != 1 or y.shape != v.shape or len(y) < 2:
        raise InvalidInput(
            f"estimates and variances must be one each for at least two data sets, got {y.shape}, {v.shape}"
        )
    if (v < 0).any():
        raise InvalidInput(f"variances must not be negative, got {v.min():g}")
    if np.ptp(y) <= ROUNDING * np.abs(y).max():
        y = np.full_like(y, y[0])
    # a data set without any spread would get all the weight: give it at most a billion times the others'
    v = np.maximum(v, 1e-9 * max(float(v.max()), _variance(y)))
    between = _paule_mandel(y, v)
    total = v + between
    # inverse variances; equal weights where nothing varies at all
    weights = np.full(len(y), 1 / len(y)) if not total.any() else (1 / total) / (1 / total).sum()
    mean = np.asarray(y[0] + weights @ (y - y[0]))  # exact where all are the same
    # with w = 1/total, q/Σw; the least that the variances themselves allow is 1/Σw
    least = 1 / (1 / total).sum() if total.all() else 0.0
    error = np.sqrt(np.maximum(weights @ (y - mean) ** 2 / (len(y) - 1), least))
    test = student_result(mean, error, len(y) - 1)
    # Higgins and Thompson's sampling variance of a typical data set
    w = 1 / v if v.any() else np.zeros(len(v))
    typical = float((len(v) - 1) * w.sum() / (w.sum() ** 2 - (w**2).sum())) if v.any() else 0.0
    return MetaAnalysisResult(
        **fields_of(test), between_variance=between,
        heterogeneity=between / (between + typical) if between > 0 else 0.0, weights=weights,
    )  # fmt: skip


def _variance(y: Array) -> float:
    """Unbiased variance, exactly 0 where all are the same."""
    return float((y - y[0]).var(ddof=1))


def _generalised_q(y: Array, v: Array, between: float) -> float:
    w = 1 / (v + between)
    return float(w @ (y - (w @ y) / w.sum()) ** 2)


def _paule_mandel(y: Array, v: Array) -> float:
    """Root of the generalised Q in τ², which falls monotonically."""
    if not v.any() or _generalised_q(y, v, 0.0) <= len(y) - 1:
        return 0.0 if v.any() else _variance(y)
    from scipy.optimize import brentq

    # Q(τ²) ≤ Σ(y − ȳ)²/τ², so the root lies below the sample variance
    return float(brentq(lambda t: _generalised_q(y, v, t) - (len(y) - 1), 0.0, 1.001 * _variance(y), xtol=1e-18))
