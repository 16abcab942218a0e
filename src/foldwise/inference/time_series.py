"""Values in an order of time: whether neighbours are correlated, and the Diebold-Mariano test."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Alternative, Array
from foldwise.core.validation import integer, numbers, one_of
from foldwise.inference.paired_tables import mcnemar
from foldwise.inference.student import SampleMoments, StudentResult, moments, samples, student_result

ORDERS = 1999  # Random orders that are drawn where the normal approximation finds something.

LOOK = 0.01  # The p-value of the normal approximation from which on orders are drawn.

MOST_NUMBERS = 20_000  # Values up to which orders are drawn; beyond, an inequality takes their place.


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialCorrelation(Shown):
    """Lag-1 autocorrelation of differences between models."""

    correlation: float  #: Of neighbours, pooled over all pairs of models
    pvalue: float  #: How probable one at least so high is in a random order of the items


def serial_correlation(values: ArrayLike) -> SerialCorrelation:
    """Test whether differences between models are positively correlated from item to item.

    Parameters
    ----------
    values
        Models × items, in the order given; of two models only their difference counts.

    Notes
    -----
    With v the values less their mean over the models and over the items, r₁ = Σ v_t·v_{t+1} / Σ v_t², summed over
    models: the lag-1 autocorrelation of all differences pooled. Where r₁·√n is beyond chance by the normal
    approximation, its place among 1999 random orders of the items is the p-value: exact however few items differ. For
    many items Bernstein's inequality bounds the p-value instead. Items sorted by outcome, each combination of values
    in one run, tell nothing of time: p is 1.

    Examples
    --------
    >>> found = serial_correlation([[0.0] * 60, list(np.sin(np.arange(60) / 5))])
    >>> round(found.correlation, 2), found.pvalue
    (0.97, 0.0005)
    """
    given = numbers(values, "values", min_ndim=2)
    v = given - given.mean(axis=0)
    v = v - v.mean(axis=1, keepdims=True)
    n, total = v.shape[1], float((v**2).sum())
    if n < 3 or total <= 1e-24 * max(float((given**2).sum()), 1e-300) or _sorted_by_outcome(given):
        return SerialCorrelation(correlation=0.0, pvalue=1.0)
    r = float((v[:, 1:] * v[:, :-1]).sum()) / total
    normal = float(special.ndtr(-r * np.sqrt(n)))
    if normal > LOOK:
        return SerialCorrelation(correlation=r, pvalue=normal)
    if v.size > MOST_NUMBERS:
        largest = float((v**2).sum(axis=0).max()) * n / total
        s = r * n
        return SerialCorrelation(
            correlation=r, pvalue=max(normal, float(np.exp(-(s**2) / (2 * (n + largest * s / 3)))))
        )
    found = r * total
    rng = stream(0, "serial correlation")
    beyond = 0
    for _ in range(ORDERS):
        w = v[:, rng.permutation(v.shape[1])]
        beyond += float(np.vdot(w[:, 1:], w[:, :-1])) >= found * (1 - 1e-12)
    return SerialCorrelation(correlation=r, pvalue=((1 + beyond) / (1 + ORDERS)))


FIRST = 4096  # Runs that are looked at before all are.


def _sorted_by_outcome(values: Array) -> bool:
    changes = (values[:, 1:] != values[:, :-1]).any(axis=0)
    begins = values[:, np.flatnonzero(np.concatenate([[True], changes]))]
    if begins.shape[1] == values.shape[1]:
        return False
    # in any order but a sorted one the first runs repeat each other: the others need not be sorted to see it
    return all(len(np.unique(part, axis=1).T) == part.shape[1] for part in (begins[:, :FIRST], begins))


# ---- The Diebold-Mariano test: paired differences in an order of time, which may be correlated with their neighbours.


LongRun = Literal["cosine", "fixed_b", "hln"]  # How the long-run variance is estimated.

STRETCHES = 4.0  # Independent stretches below which the long-run variance can't be told: p = 1.

STRETCHES_OF_ANSWERS = 12.0
"""The same of right and wrong answers, which hide their correlation: the least of 4, 8, 10, 12, 14 that keeps .06."""

SIZES_OF_ANSWERS = 8
"""Different values up to which differences are of answers: of F1 there are 8, by the truth and two models' labels."""

SLOWEST = 0.95  # The correlation of neighbours up to which slow changes are allowed for where noise hides them.


def diebold_mariano(
    x: ArrayLike, *, horizon: int = 1, method: LongRun = "cosine", alternative: Alternative = "two-sided",
    noisy: bool = False,
) -> StudentResult:  # fmt: skip
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
    noisy
        Whether noise of single periods hides how slowly what is behind them changes (ratios of counts): the cosines are
        then as few as if neighbours had a correlation of .95.

    Returns
    -------
    StudentResult
        All differences 0: statistic 0 and p = 1. All the same but not 0: statistic ±inf and p = 0 with a
        `DegenerateVariance` warning. With ``"cosine"``, differences that are so alike for so long that they are worth
        fewer than 4 independent ones, or 12 where they have one size or few values (differences of labels): p = 1, no
        interval, and the same warning.

    Notes
    -----
    :math:`t=\bar x/\sqrt{\hat\Omega/n}` [1]_, where Ω is the long-run variance, the sum of all autocovariances.

    - **cosine**: the mean square of the first B cosine transforms :math:`\Lambda_j=\sqrt{2/n}\sum_t
      x_t\cos(\pi j(t-1/2)/n)`, with Student's distribution on B degrees of freedom. B = 0.41·n^(2/3) [2]_, at least 1,
      and at most n/(2h), so that frequencies at which h-step errors vary are left out. That many are too many where
      correlation fades slowly. So B is also at most (1 − ρ)n/(2π√ρ), half the frequency at which the power of an
      autoregressive series with correlation ρ is halved, and each square is raised by what such a series lacks there:
      1 + 2ρ(1 − cos(πj/n))/(1 − ρ)². ρ is estimated from the differences, on the cautious side.
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
    >>> x = [0.4, 0.3, 0.3, -0.1, 0.2, -0.2, 0.2, 0.4, 0.3, -0.1, 0.0, 0.2, 0.3, 0.5, -0.2, 0.1]
    >>> result = diebold_mariano(x)
    >>> round(float(result.estimate), 4), float(result.df), round(float(result.pvalue), 4)
    (0.1625, 2.0, 0.0281)
    """
    values = samples(x)
    n = values.shape[-1]
    one_of(method, "method", METHODS)
    ahead = integer(horizon, "horizon", minimum=1)
    if ahead >= n:
        raise InvalidInput(f"horizon must be below the number of periods ({n}), got {ahead}")
    m = moments(values)
    estimated = partial(_cosine, noisy=noisy) if method == "cosine" else METHODS[method]
    standard_error, df = estimated(values - m.mean[..., None], m, ahead)
    needed = needed_stretches(values) if method == "cosine" else np.zeros(values.shape[:-1])
    few = (m.variance > 0) & (needed > 0) & (independent_stretches(values) < needed)
    if few.any():
        warnings.warn(
            f"{n} differences are worth fewer than {needed[few].max():g} independent ones, too few to judge: p = 1",
            DegenerateVariance,
            stacklevel=2,
        )
    known = (m.variance > 0) & ~few
    found = student_result(m.mean, np.where(known, standard_error, 0.0), df, alternative, warn=not few.any())
    statistic, pvalue = np.where(few, np.nan, found.statistic)[()], np.where(few, 1.0, found.pvalue)[()]
    return replace(found, statistic=statistic, pvalue=pvalue)


def cosine_terms(n: int, horizon: int = 1, *, noisy: bool = False) -> int:
    """How many cosines estimate the long-run variance of n differences."""
    slow = (1 - SLOWEST) * n / (2 * math.pi * math.sqrt(SLOWEST)) if noisy else n
    return max(1, math.floor(min(0.41 * math.cbrt(n) ** 2, n / (2 * horizon), slow)))


def independent_stretches(x: ArrayLike) -> Array:
    """How many independent differences a series in order of time is worth for its mean, on the cautious side.

    n(1 − ρ)/(1 + ρ) of an autoregressive series with correlation ρ of neighbours. ρ is the larger of two estimates: the
    correlation of neighbours, without Kendall's bias and one standard error higher, and 1 − 1/ℓ, where ℓ is how long
    correlation lasts once it is there (right and wrong answers in stretches hide most of it from their neighbours).
    """
    values = samples(x)
    rho = _persistence(values - values.mean(axis=-1, keepdims=True))
    return np.asarray(values.shape[-1] * (1 - rho) / (1 + rho))


def needed_stretches(x: Array) -> Array:
    """How many independent differences a series must be worth for a verdict."""
    size = np.abs(x).max(axis=-1, keepdims=True)
    answers = ((x == 0) | (np.abs(x) == size)).all(axis=-1)
    step = size[..., 0] * 1e-9  # below which values differ by rounding
    sizes = 1 + (np.diff(np.sort(x, axis=-1), axis=-1) > step[..., None]).sum(axis=-1)
    answers |= sizes <= min(SIZES_OF_ANSWERS, x.shape[-1] // 4)
    return np.where(answers, STRETCHES_OF_ANSWERS, STRETCHES)


def _persistence(centred: Array) -> Array:
    """The correlation of neighbours of an autoregressive series that is as slow as this one, between 0 and 1."""
    n = centred.shape[-1]
    covariances = autocovariances(centred, max(2, n // 3 + 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        seen = np.nan_to_num(covariances[..., 1:] / covariances[..., :1])
    neighbours = np.clip(seen[..., 0] + (1 + 3 * seen[..., 0]) / n, -1, 1)  # Kendall (1954)
    neighbours = neighbours + np.sqrt((1 - neighbours**2) / n)
    # the sum of correlations up to the first lag that is five times as long as they say (Sokal 1997)
    times = np.maximum(1 + 2 * np.cumsum(seen, axis=-1), 1.0)
    lags = np.arange(1, seen.shape[-1] + 1)
    long_enough = lags >= 5 * times
    last = np.where(long_enough.any(axis=-1), long_enough.argmax(axis=-1), len(lags) - 1)[..., None]
    time = np.take_along_axis(times, last, axis=-1)[..., 0]
    time = time * (1 + 2 * (last[..., 0] + 1) / n)  # each of them is too small by time/n, the mean being estimated
    lasts = (time - 1) / 2 / np.maximum(seen[..., 0] + time / n, 2 / math.sqrt(n))
    return np.asarray(np.clip(np.maximum(neighbours, 1 - 1 / np.maximum(lasts, 1.0)), 0.0, 1.0))


def at_least_mcnemar(result: StudentResult, x: Array, *, unanimous: bool = False) -> StudentResult:
    """The same test of right/wrong answers (differences −1, 0, 1), with p not below McNemar's mid-p.

    Few disagreements are no normal sample: four to none give p = .045 by Student's distribution and .0625 by mid-p. The
    standard error is raised until p agrees, so that test, interval and probabilities stay those of one distribution.
    Where all are the same the sample shows no spread; `unanimous` ones that are independent have mid-p all the same.
    """
    midp = np.asarray(mcnemar((x < 0).sum(axis=-1), (x > 0).sum(axis=-1), method="midp").pvalue)
    known = (np.asarray(result.standard_error) > 0) | (unanimous & (np.asarray(result.estimate) != 0))
    raised = (np.asarray(result.pvalue) < midp) & known
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = np.abs(result.estimate) / -special.stdtrit(result.df, midp / 2)
    standard_error = np.where(raised, needed, result.standard_error)
    found = student_result(np.asarray(result.estimate), standard_error, result.df, result.alternative, warn=False)
    pvalue = np.where(raised, midp, np.where(known, found.pvalue, result.pvalue))[()]
    return replace(found, statistic=np.where(known, found.statistic, result.statistic)[()], pvalue=pvalue)


def _cosine(centred: Array, m: SampleMoments, horizon: int, *, noisy: bool = False) -> tuple[Array, Array]:
    from scipy import fft  # loads transforms of a tenth of a second, for few

    most = cosine_terms(m.n, horizon, noisy=noisy)
    # few cosines for slow series: up to half the frequency at which the spectrum of an AR(1) series has fallen by half
    rho = _persistence(centred)
    frequencies = math.pi * np.arange(1, most + 1) / m.n
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.clip(np.floor((1 - rho) * m.n / (2 * math.pi * np.sqrt(rho))), 1, most)
        # how far the spectrum of that series lies below its value at 0, at each frequency: given back
        lacks = 1 + 2 * rho[..., None] * (1 - np.cos(frequencies)) / (1 - rho[..., None]) ** 2
        # the orthonormal transform has the factor √(2/n) in all terms but the first, which is the mean
        squares = lacks * fft.dct(centred, type=2, norm="ortho", axis=-1)[..., 1 : most + 1] ** 2
        sums = np.take_along_axis(np.cumsum(squares, axis=-1), terms[..., None].astype(int) - 1, axis=-1)[..., 0]
    return _not_narrower(np.sqrt(sums / terms / m.n), m, terms), terms


def _fixed_b(centred: Array, m: SampleMoments, horizon: int) -> tuple[Array, float]:
    bandwidth = min(max(math.ceil(1.3 * math.sqrt(m.n)), horizon), m.n)
    weights = 1 - np.arange(bandwidth) / bandwidth
    # of independent differences, the mean of the weighted variance over the true one, and its degrees of freedom.
    # the estimate is x′MKMx/n with K the Toeplitz matrix of the weights and M = I − 11′/n: its mean is tr(MK)/n,
    # and Satterthwaite's degrees of freedom are tr(MK)²/tr(MKMK), all of them sums over the rows of K
    lags = len(weights)
    sums = np.cumsum(weights)
    before = np.minimum(np.arange(m.n), lags - 1)
    rows = sums[before] + sums[before[::-1]] - 1.0  # K·1
    total, size = float(rows.sum()), m.n - np.arange(lags)
    squares = 2 * float((size * weights**2).sum()) - m.n
    trace = m.n - total / m.n
    share, df = trace / m.n, trace**2 / (squares - 2 * float((rows**2).sum()) / m.n + (total / m.n) ** 2)
    variance = _weighted(autocovariances(centred, bandwidth), weights)
    return _not_narrower(np.sqrt(np.maximum(variance, 0) / (share * m.n)), m, df), df


def _hln(centred: Array, m: SampleMoments, horizon: int) -> tuple[Array, float]:
    covariances = autocovariances(centred, horizon)
    plain = _weighted(covariances, np.ones(horizon))
    bartlett = _weighted(covariances, 1 - np.arange(horizon) / horizon)
    variance = np.maximum(np.where(plain > 0, plain, bartlett), 0)
    factor = (m.n + 1 - 2 * horizon + horizon * (horizon - 1) / m.n) / m.n
    return np.sqrt(variance / (factor * m.n)), m.n - 1.0


METHODS: dict[str, Callable[[Array, SampleMoments, int], tuple[Array, Array | float]]] = {
    "cosine": _cosine, "fixed_b": _fixed_b, "hln": _hln,
}  # fmt: skip
"""Standard error and degrees of freedom by the name of the method."""


def _not_narrower(standard_error: Array, m: SampleMoments, df: Array | float) -> Array:
    """At least so large that the 95 % interval is as wide as that of independent differences."""
    quantiles = special.stdtrit(m.n - 1, 0.975) / special.stdtrit(df, 0.975)
    return np.asarray(np.maximum(standard_error, np.sqrt(m.variance / m.n) * quantiles))


def autocovariances(centred: Array, lags: int) -> Array:
    """Those of lags 0, 1 … with the divisor n, by the power spectrum of the series with zeros behind it."""
    from scipy import fft

    n = centred.shape[-1]
    size = fft.next_fast_len(2 * n, real=True)
    power = np.abs(fft.rfft(centred, size, axis=-1)) ** 2
    return np.asarray(fft.irfft(power, size, axis=-1)[..., :lags] / n)


def _weighted(covariances: Array, weights: Array) -> Array:
    return np.asarray(2 * (covariances * weights).sum(axis=-1) - covariances[..., 0])
