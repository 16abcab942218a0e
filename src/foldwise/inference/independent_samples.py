"""Error rates of independent or single samples: two rates, unpaired t, heuristics, and two common mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Answers, Array, Interval, Numbers
from foldwise.core.validation import counts, fraction, numbers, one_of, positive
from foldwise.inference.error_rates import Method, checked_counts, error_interval
from foldwise.inference.student import StudentResult, student_result

RatesMethod = Literal["textbook", "exact"]

# entries of the working arrays per slice of the batch: bounds the memory
ENTRIES = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoRatesResult(Shown):
    """Outcome of a test for two independent error rates."""

    estimate: Numbers  #: ε1 − ε2
    standard_error: Numbers  #: √(τ0(1−τ0)(1/M1 + 1/M2)) with τ0 the pooled rate
    statistic: Numbers  #: Z = abs(ε1 − ε2)/standard_error for the textbook test, abs(ε1 − ε2) for the exact one
    pvalue: Numbers  #: Two-sided p-value, the report's level of significance α
    method: RatesMethod  #: The test that was used

    @property
    def level(self) -> Numbers:
        """The report's confidence level, 1 − α."""
        return 1 - self.pvalue

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Interval dual to the textbook test: it excludes 0 exactly when that test rejects at 1 − level."""
        reach = -special.ndtri((1 - fraction(confidence_level, "confidence_level")) / 2) * self.standard_error
        return Interval(low=self.estimate - reach, high=self.estimate + reach)


def two_rates(
    m1: ArrayLike, M1: ArrayLike, m2: ArrayLike, M2: ArrayLike, *, method: RatesMethod = "textbook"
) -> TwoRatesResult:
    r"""Test two error rates that were measured on independent test sets.

    Not for two classifiers on the same examples: use `mcnemar` and `paired_difference` there.

    Parameters
    ----------
    m1, M1, m2, M2
        Errors and size of each test set; arrays are tested element by element.
    method
        ``"textbook"``: normal approximation, good even for small samples; ``"exact"``: from the two binomial
        distributions at the pooled rate.

    Returns
    -------
    TwoRatesResult
        Equal rates give p = 1.

    Notes
    -----
    Textbook: :math:`Z=|\varepsilon_1-\varepsilon_2|/s`, :math:`s^2=\tau_0(1-\tau_0)(1/M_1+1/M_2)`,
    :math:`\tau_0=(m_1+m_2)/(M_1+M_2)`, standard normal. Exact: with :math:`X_i\sim Bin(M_i,\tau_0)`,
    :math:`\alpha=P(|X_1/M_1-X_2/M_2|\ge|\varepsilon_1-\varepsilon_2|)`, ties counted in the tail (compared as
    whole numbers, so that rounding decides nothing).

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II, section 3.2.

    Examples
    --------
    >>> float(two_rates(1, 10, 6, 10).pvalue.round(4)), float(two_rates(1, 10, 6, 10, method="exact").pvalue.round(4))
    (0.0191, 0.0323)
    """
    one_of(method, "method", ("textbook", "exact"))
    first, second = checked_counts(m1, M1, ("m1", "M1")), checked_counts(m2, M2, ("m2", "M2"))
    try:
        errors1, size1, errors2, size2 = np.broadcast_arrays(*first, *second)
    except ValueError as error:
        shapes = f"{first[0].shape} and {second[0].shape}"
        raise InvalidInput(f"(m1, M1) and (m2, M2) must broadcast to one shape, got {shapes}") from error
    estimate = errors1 / size1 - errors2 / size2
    pooled = (errors1 + errors2) / (size1 + size2)
    standard_error = np.sqrt(pooled * (1 - pooled) * (1 / size1 + 1 / size2))
    # |ε1 − ε2|·M1·M2 as a whole number: exactly 0 for equal rates, and equal for equal distances
    distance = np.abs(errors1 * size2 - errors2 * size1)
    if method == "textbook":
        # no variance is left only where both rates are 0 or both are 1, that is equal
        statistic = distance / (size1 * size2) / np.where(standard_error > 0, standard_error, 1)
        pvalue = 2 * special.ndtr(-statistic)
    else:
        statistic = distance / (size1 * size2)
        # tail probability of every table; each distinct (M1, M2, m1 + m2, distance) is computed once
        errors = errors1 + errors2
        columns = [np.ravel(part) for part in (size1, size2, errors, distance)]
        distinct, index = np.unique(np.stack(columns), axis=1, return_inverse=True)
        step = max(1, int(ENTRIES // (size1.max(initial=0) + size2.max(initial=0) + 2)))
        starts = range(0, distinct.shape[1], step)
        tails = [_tails(distinct[:, start : start + step]) for start in starts]
        pvalue = np.concatenate(tails or [np.zeros(0)])[index.ravel()].reshape(size1.shape)
    return TwoRatesResult(
        estimate=estimate, standard_error=standard_error, statistic=statistic, pvalue=pvalue, method=method
    )


def _tails(tables: Array) -> Array:
    """P(|X1·M2 − X2·M1| ≥ distance), summed over the values of X1."""
    # the two distributions depend on (M1, M2, errors) only, which many tables share
    shared, row = np.unique(tables[:3], axis=1, return_inverse=True)
    rate = (shared[2] / (shared[0] + shared[1]))[:, None]
    values = np.arange(tables[0].max() + 1)
    n = shared[0][:, None]
    inside = values <= n
    left = np.where(inside, n - values, 0)
    log_mass = special.gammaln(n + 1) - special.gammaln(values + 1) - special.gammaln(left + 1)
    log_mass = log_mass + special.xlogy(values, rate) + special.xlog1py(left, -rate)
    mass = np.where(inside, np.exp(log_mass), 0.0)[row.ravel()]
    others = np.arange(-1, tables[1].max() + 1)
    cdf, survival = _binomial_tails(others, shared[1][:, None], rate)
    size1, size2, _, distance = (part[:, None] for part in tables)
    # for each value of X1 the X2 that are as far apart or further: a tail on either side
    highest_below = np.floor((values * size2 - distance) / size1)
    lowest_above = np.ceil((values * size2 + distance) / size1)
    below = _at(cdf, row, np.clip(highest_below, -1, size2))
    above = _at(survival, row, np.clip(lowest_above - 1, -1, size2))
    # at distance 0 the two tails overlap in the ties: the whole distribution
    tail = np.where(distance[:, 0] == 0, 1.0, (mass * (below + above)).sum(axis=1))
    return np.asarray(np.minimum(tail, 1))


def _at(table: Array, row: NDArray[np.intp], value: Array) -> Array:
    """Entries of a table of tail probabilities, whose first column belongs to −1."""
    return np.asarray(table[row.reshape(-1, 1), value.astype(np.intp) + 1])


def _binomial_tails(k: Array, n: Array, rate: Array) -> tuple[Array, Array]:
    """P[X ≤ k] and P[X > k]; each by itself, because 1 − P would lose small probabilities."""
    a, b = np.maximum(k, 0) + 1, np.maximum(n - k, 1)
    cdf = np.where(k < 0, 0.0, np.where(k >= n, 1.0, special.betainc(b, a, 1 - rate)))
    return cdf, np.where(k < 0, 1.0, np.where(k >= n, 0.0, special.betainc(a, b, rate)))


# ---- Two algorithms, each on several independent samples of its own: the unpaired t test.

Freedom = Literal["conservative", "welch", "pooled"]


def unpaired_t(
    errors_a: ArrayLike, errors_b: ArrayLike, *, df: Freedom = "conservative", alternative: Alternative = "two-sided"
) -> StudentResult:
    r"""Test two algorithms, each trained on its own η independent samples.

    For algorithms trained on the same samples use `paired_t`: the unpaired formula led to the wrong decision in 7
    of the 35 such cases of [1]_.

    Parameters
    ----------
    errors_a, errors_b
        Errors of each algorithm on its samples, both of shape (..., η) with η ≥ 2.
    df
        ``"conservative"``: η − 1, as in [1]_; ``"welch"``: Welch and Satterthwaite's; ``"pooled"``: 2(η − 1),
        right when both algorithms vary equally.

    Notes
    -----
    :math:`t=(\bar a-\bar b)/\sqrt{(s_a^2+s_b^2)/\eta}`.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II, section 3.3.

    Examples
    --------
    >>> result = unpaired_t([0.20, 0.25, 0.22, 0.30], [0.18, 0.20, 0.21, 0.24])
    >>> round(float(result.estimate), 4), float(result.df), round(float(result.pvalue), 4)
    (0.035, 3.0, 0.2573)
    """
    one_of(df, "df", ("conservative", "welch", "pooled"))
    a, b = numbers(errors_a, "errors_a", min_ndim=1), numbers(errors_b, "errors_b", min_ndim=1)
    if a.shape != b.shape:
        raise InvalidInput(f"errors_a and errors_b must have the same shape, got {a.shape} and {b.shape}")
    if a.shape[-1] < 2:
        raise InvalidInput(f"errors_a and errors_b must hold at least 2 samples, got {a.shape[-1]}")
    eta = a.shape[-1]
    variance_a, variance_b = _variance(a), _variance(b)
    standard_error = np.sqrt((variance_a + variance_b) / eta)
    return student_result(_mean(a) - _mean(b), standard_error, _freedom(variance_a, variance_b, eta, df), alternative)


def _mean(values: Array) -> Array:
    return np.asarray(values.mean(axis=-1))


def _variance(values: Array) -> Array:
    # equal values have no variance, though their mean may miss them by a rounding error
    return np.where(np.ptp(values, axis=-1) == 0, 0.0, values.var(axis=-1, ddof=1))


def _freedom(variance_a: Array, variance_b: Array, eta: int, df: Freedom) -> Array:
    if df == "welch":
        squares = variance_a**2 + variance_b**2
        ratio = (variance_a + variance_b) ** 2 / np.where(squares > 0, squares, 1)
        return (eta - 1) * np.where(squares > 0, ratio, 1.0)
    return np.full_like(variance_a, eta - 1 if df == "conservative" else 2 * (eta - 1))


# ---- Heuristic standard errors of a difference when there is only one sample.

CAVEAT = (
    "One sample can't show how the difference varies from sample to sample: this standard error is a heuristic, "
    "biased towards significance, and no level can be attached to it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleSampleHeuristic(Shown):
    """A difference with a heuristic standard error; deliberately without a p-value."""

    estimate: Numbers  #: error(A) − error(B)
    standard_error: Numbers  #: The heuristic
    statistic: Numbers  #: estimate / standard_error; 0 when both are 0, ±inf when only the standard error is
    heuristic: bool  #: Always True
    caveat: str  #: Why no level can be attached

    @property
    def apparent(self) -> Answers:
        """Whether the difference exceeds 2 standard errors: apparently, not measurably, significant."""
        return np.abs(self.statistic) > 2


def single_sample_se(errors_a: ArrayLike, errors_b: ArrayLike, n: ArrayLike) -> SingleSampleHeuristic:
    r"""The ±2-SE heuristic: the standard error of one rate stands for that of the difference.

    Parameters
    ----------
    errors_a, errors_b
        Number of errors of each classifier, for example over all folds of a cross-validation.
    n
        Number of examples.

    Notes
    -----
    :math:`SE=\sqrt{\varepsilon(1-\varepsilon)/N}` with ε the mean of the two rates, which tacitly assumes a
    correlation of ½ between them.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II, section 3.4.

    Examples
    --------
    >>> result = single_sample_se(30, 20, 100)
    >>> round(float(result.standard_error), 4), bool(result.apparent)
    (0.0433, True)
    """
    a, size_a = checked_counts(errors_a, n, ("errors_a", "n"))
    b, size_b = checked_counts(errors_b, n, ("errors_b", "n"))
    rate_a, rate_b = a / size_a, b / size_b
    rate = (rate_a + rate_b) / 2
    return _result(rate_a - rate_b, np.sqrt(rate * (1 - rate) / size_a))


def single_sample_ss(differences: ArrayLike, sizes: ArrayLike) -> SingleSampleHeuristic:
    r"""The paired-cv heuristic: the weighted variance of the differences over the folds of one cross-validation.

    Parameters
    ----------
    differences
        error(A) − error(B) on each fold, of shape (..., k) with k ≥ 2; both learners must have used the same folds.
    sizes
        Number of test examples of each fold, of shape (k,).

    Notes
    -----
    :math:`SS^2=\sum_j(\delta_j-x)^2m_j/((k-1)N)` with :math:`x=\sum_j m_j\delta_j/N`. Less biased than SE, but
    more variable.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II, section 3.4.

    Examples
    --------
    >>> result = single_sample_ss([0.1, 0.0, 0.2, 0.1], [10, 10, 10, 10])
    >>> round(float(result.estimate), 4), round(float(result.standard_error), 4)
    (0.1, 0.0408)
    """
    delta = numbers(differences, "differences", min_ndim=1)
    weight = counts(sizes, "sizes")
    folds = delta.shape[-1]
    if weight.shape != (folds,):
        raise InvalidInput(f"sizes must hold one size per fold, shape ({folds},), got shape {weight.shape}")
    if folds < 2 or (weight == 0).any():
        raise InvalidInput(f"sizes must name at least 2 folds of at least 1 example each, got {weight.tolist()}")
    total = weight.sum()
    estimate = np.asarray((delta * weight).sum(axis=-1) / total)
    squares = ((delta - estimate[..., None]) ** 2 * weight).sum(axis=-1)
    # equal differences have no variance, though their mean may miss them by a rounding error
    squares = np.where(np.ptp(delta, axis=-1) == 0, 0.0, squares)
    return _result(estimate, np.sqrt(squares / ((folds - 1) * total)))


def _result(estimate: Array, standard_error: Array) -> SingleSampleHeuristic:
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(estimate == 0, 0.0, estimate / standard_error)
    return SingleSampleHeuristic(
        estimate=estimate, standard_error=standard_error, statistic=statistic, heuristic=True, caveat=CAVEAT
    )


# ---- Two ways of comparing error rates that look right and are wrong; for study only.

OUTSIDE_WARNING = (
    "An estimate outside the other's interval is not a test of their difference: it ignores the uncertainty of one "
    "of the two estimates and their covariance, and it looks at one side only."
)
STANDARD_ERROR_WARNING = (
    "k standard errors of one rate are not k standard errors of the difference of two: for independent rates the "
    "latter is larger by about √2, so the rule rejects too often."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonMistake(Shown):
    """What a wrong rule decides, with the reason why it is wrong."""

    estimate: Numbers  #: ε1 − ε2
    reject: Answers  #: Whether the rule calls the two rates different
    warning: str  #: Why the rule must not be used


def outside_interval(
    m1: ArrayLike, M1: ArrayLike, m2: ArrayLike, M2: ArrayLike, *, method: Method = "textbook",
    confidence_level: float = 0.95,
) -> CommonMistake:  # fmt: skip
    """Call two error rates different when the higher lies above the interval of the lower: a mistake.

    Parameters
    ----------
    m1, M1, m2, M2
        Errors and size of each test set.
    method, confidence_level
        The interval, as in `error_interval`.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II, section 3.1.

    Examples
    --------
    Both are right that 4 % and 9 % of 100 differ little; this rule says they differ:

    >>> bool(outside_interval(4, 100, 9, 100).reject)
    True
    """
    first, second = _pair(m1, M1, m2, M2)
    upper1 = error_interval(*first, method=method, confidence_level=confidence_level).high
    upper2 = error_interval(*second, method=method, confidence_level=confidence_level).high
    rate1, rate2 = first[0] / first[1], second[0] / second[1]
    reject = np.where(rate1 <= rate2, rate2 > upper1, rate1 > upper2)
    return CommonMistake(estimate=rate1 - rate2, reject=reject, warning=OUTSIDE_WARNING)


def standard_error_rule(m1: ArrayLike, M1: ArrayLike, m2: ArrayLike, M2: ArrayLike, *, k: float = 2.0) -> CommonMistake:
    """Call two error rates different when they lie more than k standard errors of the lower one apart: a mistake.

    Parameters
    ----------
    m1, M1, m2, M2
        Errors and size of each test set.
    k
        2 for the ±2-SE rule, 1 for CART's 1-SE rule, 1.645 for its one-sided relative.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II, section 3.1.

    Examples
    --------
    >>> bool(standard_error_rule(4, 100, 9, 100).reject)
    True
    """
    width = positive(k, "k")
    first, second = _pair(m1, M1, m2, M2)
    rate1, rate2 = first[0] / first[1], second[0] / second[1]
    lower, size = np.minimum(rate1, rate2), np.where(rate1 <= rate2, first[1], second[1])
    reject = np.abs(rate1 - rate2) > width * np.sqrt(lower * (1 - lower) / size)
    return CommonMistake(estimate=rate1 - rate2, reject=reject, warning=STANDARD_ERROR_WARNING)


def _pair(
    m1: ArrayLike, M1: ArrayLike, m2: ArrayLike, M2: ArrayLike
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    return checked_counts(m1, M1, ("m1", "M1")), checked_counts(m2, M2, ("m2", "M2"))
