"""The Diebold-Mariano test: paired differences in an order of time, which may be correlated with their neighbours."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import fft, special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array
from foldwise.core.validation import integer, one_of
from foldwise.inference._mcnemar import mcnemar
from foldwise.inference.student import Moments, StudentResult, moments, samples, student_result

__all__ = [
    "LongRun",
    "at_least_mcnemar",
    "cosine_terms",
    "diebold_mariano",
]


# ---- The Diebold-Mariano test: paired differences in an order of time, which may be correlated with their
# neighbours.

LongRun = Literal["cosine", "fixed_b", "hln"]
"""How the long-run variance is estimated."""


def diebold_mariano(
    x: ArrayLike, *, horizon: int = 1, method: LongRun = "cosine", alternative: Alternative = "two-sided"
) -> StudentResult:
    r"""Test whether the mean of paired differences is zero when they come in an order of time.

    Parameters
    ----------
    x
        Differences a − b of losses or marks in order of time, shape (..., n); leading axes are separate experiments.
    horizon
        How many periods ahead was forecast: errors of h-step forecasts are correlated over h − 1 periods even where
        the forecasts are as good as can be.
    method
        How the variance of the mean is estimated: ``"cosine"``, ``"fixed_b"`` or ``"hln"``, see below.
    alternative
        Which side of zero the alternative hypothesis allows.

    Returns
    -------
    StudentResult
        All differences 0: statistic 0 and p = 1. All the same but not 0: statistic ±inf and p = 0 with a
        `DegenerateVariance` warning.

    Notes
    -----
    :math:`t=\bar x/\sqrt{\hat\Omega/n}` [1]_, where Ω is the long-run variance, the sum of all autocovariances.

    - **cosine**: the mean square of the first B cosine transforms :math:`\Lambda_j=\sqrt{2/n}\sum_t
      x_t\cos(\pi j(t-1/2)/n)`, with Student's distribution on B degrees of freedom. B = 0.41·n^(2/3) [2]_, at least 1,
      and at most n/(2h), so that frequencies at which h-step errors vary are left out.
    - **fixed_b**: Bartlett's weights 1 − k/S with S = 1.3·√n [2]_, at least h. Its fixed-b distribution [3]_ is that of
      a quadratic form of normal variables; it is taken as Student's with the form's own mean and degrees of freedom.
    - **hln**: γ₀ + 2(γ₁ + … + γ_{h−1}), the small-sample factor of [4]_ and n − 1 degrees of freedom. Where this sum is
      not positive, Bartlett's weights 1 − k/h are taken. It allows for correlation over h − 1 periods, not more.

    Few cosines may all be near 0 by chance (a series that is symmetric in time has Λ₁ = 0). So with cosine and fixed_b
    the 95 % interval is never narrower than that of `paired_t`, which takes the differences as independent.

    References
    ----------
    .. [1] Diebold & Mariano (1995), Comparing predictive accuracy, Journal of Business & Economic Statistics 13.
    .. [2] Lazarus, Lewis, Stock & Watson (2018), HAR inference: recommendations for practice, Journal of Business &
       Economic Statistics 36, 541-559.
    .. [3] Kiefer & Vogelsang (2005), A new asymptotic theory for heteroskedasticity-autocorrelation robust tests,
       Econometric Theory 21, 1130-1164.
    .. [4] Harvey, Leybourne & Newbold (1997), Testing the equality of prediction mean squared errors, International
       Journal of Forecasting 13, 281-291.

    Examples
    --------
    >>> x = [0.4, 0.5, 0.3, 0.1, -0.2, -0.1, 0.2, 0.4, 0.3, 0.1, 0.0, 0.2]
    >>> result = diebold_mariano(x)
    >>> round(float(result.estimate), 4), float(result.df), round(float(result.pvalue), 4)
    (0.1833, 2.0, 0.1146)
    """
    values = samples(x)
    n = values.shape[-1]
    one_of(method, "method", METHODS)
    ahead = integer(horizon, "horizon", minimum=1)
    if ahead >= n:
        raise InvalidInput(f"horizon must be below the number of periods ({n}), got {ahead}")
    m = moments(values)
    standard_error, df = METHODS[method](values - m.mean[..., None], m, ahead)
    return student_result(m.mean, np.where(m.variance > 0, standard_error, 0.0), df, alternative)


def cosine_terms(n: int, horizon: int = 1) -> int:
    """How many cosines estimate the long-run variance of n differences.

    Examples
    --------
    >>> [cosine_terms(n) for n in (2, 30, 100, 400)], cosine_terms(60, horizon=12)
    ([1, 3, 8, 22], 2)
    """
    return max(1, math.floor(min(0.41 * math.cbrt(n) ** 2, n / (2 * horizon))))


def at_least_mcnemar(result: StudentResult, x: Array) -> StudentResult:
    """The same test of right/wrong answers (differences −1, 0, 1), with p not below McNemar's mid-p.

    Few disagreements are no normal sample: four to none give p = .045 by Student's distribution and .0625 by mid-p. The
    standard error is raised until p agrees, so that test, interval and probabilities stay those of one distribution.
    """
    midp = np.asarray(mcnemar((x < 0).sum(axis=-1), (x > 0).sum(axis=-1), method="midp").pvalue)
    raised = (np.asarray(result.pvalue) < midp) & (np.asarray(result.standard_error) > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = np.abs(result.estimate) / -special.stdtrit(result.df, midp / 2)
    standard_error = np.where(raised, needed, result.standard_error)
    found = student_result(np.asarray(result.estimate), standard_error, result.df, result.alternative, warn=False)
    return replace(found, pvalue=np.where(raised, midp, found.pvalue)[()])


def _cosine(centred: Array, m: Moments, horizon: int) -> tuple[Array, float]:
    terms = cosine_terms(m.n, horizon)
    # the orthonormal transform has the factor √(2/n) in all terms but the first, which is the mean
    spectrum = fft.dct(centred, type=2, norm="ortho", axis=-1)[..., 1 : terms + 1]
    own = np.sqrt((spectrum**2).mean(axis=-1) / m.n)
    return _not_narrower(own, m, float(terms)), float(terms)


def _fixed_b(centred: Array, m: Moments, horizon: int) -> tuple[Array, float]:
    bandwidth = min(max(math.ceil(1.3 * math.sqrt(m.n)), horizon), m.n)
    weights = 1 - np.arange(bandwidth) / bandwidth
    share, df = _quality(weights, m.n)
    variance = _weighted(_autocovariances(centred, bandwidth), weights)
    return _not_narrower(np.sqrt(np.maximum(variance, 0) / (share * m.n)), m, df), df


def _hln(centred: Array, m: Moments, horizon: int) -> tuple[Array, float]:
    covariances = _autocovariances(centred, horizon)
    plain = _weighted(covariances, np.ones(horizon))
    bartlett = _weighted(covariances, 1 - np.arange(horizon) / horizon)
    variance = np.maximum(np.where(plain > 0, plain, bartlett), 0)
    factor = (m.n + 1 - 2 * horizon + horizon * (horizon - 1) / m.n) / m.n
    return np.sqrt(variance / (factor * m.n)), m.n - 1.0


METHODS: dict[str, Callable[[Array, Moments, int], tuple[Array, float]]] = {
    "cosine": _cosine,
    "fixed_b": _fixed_b,
    "hln": _hln,
}
"""Standard error and degrees of freedom by the name of the method."""


def _not_narrower(standard_error: Array, m: Moments, df: float) -> Array:
    """At least so large that the 95 % interval is as wide as that of independent differences."""
    quantiles = special.stdtrit(m.n - 1, 0.975) / special.stdtrit(df, 0.975)
    return np.asarray(np.maximum(standard_error, np.sqrt(m.variance / m.n) * quantiles))


def _autocovariances(centred: Array, lags: int) -> Array:
    """Those of lags 0, 1 … with the divisor n, by the power spectrum of the series with zeros behind it."""
    n = centred.shape[-1]
    size = fft.next_fast_len(2 * n, real=True)
    power = np.abs(fft.rfft(centred, size, axis=-1)) ** 2
    return np.asarray(fft.irfft(power, size, axis=-1)[..., :lags] / n)


def _weighted(covariances: Array, weights: Array) -> Array:
    return np.asarray(2 * (covariances * weights).sum(axis=-1) - covariances[..., 0])


def _quality(weights: Array, n: int) -> tuple[float, float]:
    """Of independent differences, the mean of the weighted variance over the true one, and its degrees of freedom.

    The estimate is x′MKMx/n with K the Toeplitz matrix of the weights and M = I − 11′/n: its mean is tr(MK)/n, and
    Satterthwaite's degrees of freedom are tr(MK)²/tr(MKMK), all of them sums over the rows of K.
    """
    lags = len(weights)
    sums = np.cumsum(weights)
    before = np.minimum(np.arange(n), lags - 1)
    rows = sums[before] + sums[before[::-1]] - 1.0  # K·1
    total, size = float(rows.sum()), n - np.arange(lags)
    squares = 2 * float((size * weights**2).sum()) - n
    trace = n - total / n
    return trace / n, trace**2 / (squares - 2 * float((rows**2).sum()) / n + (total / n) ** 2)
