"""Error rates of independent or single samples: unpaired t, heuristics, and two common mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Answers, Array, Numbers
from foldwise.core.validation import counts, numbers, one_of, positive
from foldwise.inference._error_interval import Method, error_interval
from foldwise.inference.rate_intervals import checked_counts
from foldwise.inference.student import StudentResult, student_result

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
        estimate=estimate[()], standard_error=standard_error[()], statistic=statistic[()], heuristic=True, caveat=CAVEAT
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
    m1: ArrayLike,
    M1: ArrayLike,
    m2: ArrayLike,
    M2: ArrayLike,
    *,
    method: Method = "textbook",
    confidence_level: float = 0.95,
) -> CommonMistake:
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
    return CommonMistake(estimate=(rate1 - rate2)[()], reject=reject[()], warning=OUTSIDE_WARNING)


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
    return CommonMistake(estimate=(rate1 - rate2)[()], reject=reject[()], warning=STANDARD_ERROR_WARNING)


def _pair(
    m1: ArrayLike, M1: ArrayLike, m2: ArrayLike, M2: ArrayLike
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    return checked_counts(m1, M1, ("m1", "M1")), checked_counts(m2, M2, ("m2", "M2"))
