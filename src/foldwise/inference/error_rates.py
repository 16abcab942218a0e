"""Intervals for one error rate from m errors in M test examples: ten methods, when they apply, all side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import level_text
from foldwise.core.result import Result
from foldwise.core.types import Answers, Array, Interval, Json, Numbers
from foldwise.core.validation import counts, fraction, integer, one_of, positive


@dataclass(frozen=True, slots=True, kw_only=True)
class Applicability(Shown):
    """Whether each rule of thumb allows the textbook interval."""

    hodges_lehmann: Answers  #: Mε(1−ε) ≥ 10
    anderson_sclove: Answers  #: Mε ≥ 5 and M(1−ε) ≥ 5
    mendenhall: Answers  #: ε ± 2√(ε(1−ε)/M) lies strictly between 0 and 1
    enough_errors: Answers  #: At least 10 errors: with fewer the textbook form must not be the answer

    @property
    def textbook(self) -> Answers:
        """Whether all of them allow it."""
        return self.hodges_lehmann & self.anderson_sclove & self.mendenhall & self.enough_errors


def applicability(errors: ArrayLike, n: ArrayLike) -> Applicability:
    """Apply the rules to m errors in M test examples.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II, section 2.1.

    Examples
    --------
    >>> rules = applicability(6, 100)
    >>> bool(rules.hodges_lehmann), bool(rules.anderson_sclove), bool(rules.mendenhall), bool(rules.textbook)
    (False, True, True, False)
    """
    m, size = checked_counts(errors, n)
    # in counts rather than rates, so that exact ties stay exact: M·ε(1−ε) = m(M−m)/M
    product = m * (size - m)
    spread = 2 * np.sqrt(product / size)
    return Applicability(
        hodges_lehmann=product >= 10 * size, anderson_sclove=(m >= 5) & (size - m >= 5),
        mendenhall=(m > spread) & (size - m > spread), enough_errors=m >= 10,
    )  # fmt: skip


def checked_counts(errors: ArrayLike, n: ArrayLike, names: tuple[str, str] = ("errors", "n")) -> tuple[Array, Array]:
    """Errors and sizes as arrays of one shape, with 0 ≤ errors ≤ n and n ≥ 1."""
    given = counts(errors, names[0]), counts(n, names[1])
    try:
        m, size = np.broadcast_arrays(*given)
    except ValueError as error:
        shapes = f"{given[0].shape} and {given[1].shape}"
        raise InvalidInput(f"{names[0]} and {names[1]} must broadcast to one shape, got {shapes}") from error
    if (size < 1).any():
        raise InvalidInput(f"{names[1]} must be at least 1, got 0")
    if (m > size).any():
        where = tuple(int(i) for i in np.argwhere(m > size)[0])
        raise InvalidInput(f"{names[0]} must be at most {names[1]}, got {m[where]:g} errors in {size[where]:g}")
    return m, size


# ---- Intervals for an error rate that approximate the binomial by a normal distribution.

Limits = tuple[Array, Array]


def textbook(errors: Array, n: Array, z: float) -> Limits:
    """ε ± z√(ε(1−ε)/M), Anderson & Sclove's limits without the continuity term; may leave [0, 1]."""
    rate = errors / n
    reach = z * np.sqrt(rate * (1 - rate) / n)
    return rate - reach, rate + reach


def textbook_continuity(errors: Array, n: Array, z: float) -> Limits:
    """ε ± (0.5/M + z√(ε(1−ε)/M)), martinhirschberg1996 eq. 2; may leave [0, 1]."""
    low, high = textbook(errors, n, z)
    return low - 0.5 / n, high + 0.5 / n


def wilson(errors: Array, n: Array, z: float) -> Limits:
    """The rates that the score test does not reject, martinhirschberg1996 eq. 3; never leaves [0, 1]."""
    rate = errors / n
    # solving (ε − τ)² = z²τ(1 − τ)/M for τ
    centre = (rate + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z * np.sqrt(rate * (1 - rate) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    low, high = np.clip(centre - reach, 0, 1), np.clip(centre + reach, 0, 1)
    # at the ends the limit is the end itself, up to rounding
    return np.where(errors == 0, 0.0, low), np.where(errors == n, 1.0, high)


def agresti_coull(errors: Array, n: Array, z: float) -> Limits:
    """The textbook form after adding z²/2 errors and z²/2 successes, cut at 0 and 1."""
    low, high = textbook(errors + z**2 / 2, n + z**2, z)
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


# ---- Intervals for an error rate from the incomplete beta function: posteriors for any prior, and Clopper–Pearson.


Prior = tuple[float, float]

JEFFREYS_PRIOR: Prior = (0.5, 0.5)  # Jeffreys' prior: the least informative one for intervals.
UNIFORM_PRIOR: Prior = (1.0, 1.0)  # Every error rate equally likely beforehand.

EMPIRICAL_PRIOR: Prior = (1.0, 3.67)
"""Be(1, 3.67), fitted by martinhirschberg1996 (A.4) to error rates reported in the literature."""


def beta(errors: Array, n: Array, alpha: float, prior: Prior) -> Limits:
    """Equal-tailed quantiles of Be(m + u, M − m + v); the lower limit is 0 at m = 0, the upper one 1 at m = M."""
    a, b = errors + prior[0], n - errors + prior[1]
    low = np.where(errors == 0, 0.0, special.betaincinv(a, b, alpha / 2))
    high = np.where(errors == n, 1.0, special.betainccinv(a, b, alpha / 2))
    return low, high


def clopper_pearson(errors: Array, n: Array, alpha: float) -> Limits:
    """The rates that neither one-sided exact binomial test rejects at alpha/2."""
    # where a parameter would be 0 the limit is the end of the scale
    low = np.where(errors == 0, 0.0, special.betaincinv(np.maximum(errors, 1), n - errors + 1, alpha / 2))
    high = np.where(errors == n, 1.0, special.betainccinv(errors + 1, np.maximum(n - errors, 1), alpha / 2))
    return low, high


# ---- Hand-computable approximations of the Jeffreys interval, from a time when its exact quantiles were hard to
# get.


FITTED_UP_TO = 200
"""Test examples that the formulas for few errors were fitted to; at 10,000 they are off several times."""


def approximate_beta(errors: Array, n: Array, confidence_level: float) -> Limits:
    r"""Centre ± half-width of martinhirschberg1996 eq. 5, for 95 % only.

    For :math:`m\le M/2`: centre :math:`A+(1-2A)\varepsilon`, half-width the centre if m ≤ 1, otherwise
    :math:`2B\sqrt{\varepsilon(1-\varepsilon)}`, with :math:`A=1.96\sqrt{0.5}/(M+3)` and
    :math:`B=1.96/(2\sqrt{M+2.5})`; mirrored for :math:`m>M/2`.
    """
    if confidence_level != 0.95:
        raise InvalidInput(f"confidence_level must be 0.95 for method 'approximate_beta', got {confidence_level:g}")
    fewer = np.minimum(errors, n - errors)
    rate = fewer / n
    shift = 1.96 * np.sqrt(0.5) / (n + 3)
    centre = shift + (1 - 2 * shift) * rate
    half = np.where(fewer <= 1, centre, 1.96 / np.sqrt(n + 2.5) * np.sqrt(rate * (1 - rate)))
    return _mirrored(errors, n, centre - half, centre + half)


def abramowitz_stegun(errors: Array, n: Array, z: float, confidence_level: float) -> Limits:
    r"""Handbook inverse of the incomplete beta function, with the small-m formulas of martinhirschberg1996 A.3.

    For 5 < m < M − 5, with a = m + ½ and b = M − m + ½, :math:`\tau=a/(a+b\,e^{2w})` where
    :math:`w=\pm z\sqrt{h+\lambda}/h+t(\lambda+\tfrac56-\tfrac2{3h})`, :math:`h=4m(M-m)/M`,
    :math:`t=(M-2m)/(2m(M-m))` and :math:`\lambda=(z^2-3)/6`. The print drops the factor 2 in the exponent and has
    :math:`+\tfrac2{3h}`; the handbook's own formula (26.5.22), used here, has the accuracy that the report states.

    Closer to the ends the empirical formulas, which exist for 95 % and for up to 200 examples only. Two constants are
    wrong in the print: b₂ is +0.093773 and the intercept of A_m is 0.273901 (digits swapped); with them the largest
    deviation of the upper limit is 0.0046 at M = 10, m = 4, as the report states.

    Abramowitz & Stegun (1972), Handbook of Mathematical Functions, 26.5.22.
    """
    fewer = np.minimum(errors, n - errors)
    few = fewer <= 5
    if confidence_level != 0.95 and few.any():
        raise InvalidInput(
            "confidence_level must be 0.95 for method 'abramowitz_stegun' with at most 5 errors or at most 5 "
            f"right answers, got {confidence_level:g}"
        )
    if (few & (n > FITTED_UP_TO)).any():
        largest = n[few & (n > FITTED_UP_TO)].max()
        raise InvalidInput(
            f"n must be at most {FITTED_UP_TO} for method 'abramowitz_stegun' with at most 5 errors or at most 5 right "
            f"answers, got {largest:g}"
        )
    # the handbook's formula, where there are more errors than a few
    many = np.where(few, n / 2, fewer)
    a, b = many + 0.5, n - many + 0.5
    h = 4 * many * (n - many) / n
    slope = (n - 2 * many) / (2 * many * (n - many))
    shrink = (z**2 - 3) / 6
    spread = z * np.sqrt(h + shrink) / h
    shift = slope * (shrink + 5 / 6 - 2 / (3 * h))
    low, high = (a / (a + b * np.exp(2 * (shift + sign * spread))) for sign in (1, -1))
    # the report's formulas for few, which run past 1 far below the sizes they were fitted to
    m, log_n = np.minimum(fewer, 5), np.log(n)
    least = np.exp(-2.03763 + 1.874143 * np.log(np.maximum(m, 1)) - (1 + 0.01545 * m) * log_n)
    none = np.exp(0.132893 - 0.539755 * log_n - 0.093773 * log_n**2 + 0.00657 * log_n**3)
    some = np.exp(
        (0.273901 + 0.207148 * m - 0.05118 * m**2 + 0.002488 * m**3)
        - (0.500124 - 0.148240 * m) * log_n
        - (0.099266 + 0.032337 * m) * log_n**2
        + (0.006670 + 0.002430 * m) * log_n**3
    )
    low = np.where(few, np.where(m == 0, 0.0, least), low)
    high = np.where(few, np.minimum(np.where(m == 0, none, some), 1), high)
    return _mirrored(errors, n, low, high)


def _mirrored(errors: Array, n: Array, low: Array, high: Array) -> Limits:
    """Limits computed for min(m, M − m), turned over where m > M/2."""
    turned = errors > n / 2
    return np.where(turned, 1 - high, low), np.where(turned, 1 - low, high)


# ---- How uncertain is one error rate? An interval from m errors in M test examples, by any of ten methods.


Method = Literal[
    "jeffreys", "uniform", "beta", "approximate_beta", "abramowitz_stegun", "clopper_pearson", "wilson",
    "agresti_coull", "textbook", "textbook_continuity",
]  # fmt: skip

INTERVAL_METHODS: tuple[Method, ...] = get_args(Method)  # Names of the methods, the recommended one first.

# the two approximations stand for the Jeffreys posterior
_PRIORS = {
    "jeffreys": JEFFREYS_PRIOR, "uniform": UNIFORM_PRIOR, "approximate_beta": JEFFREYS_PRIOR,
    "abramowitz_stegun": JEFFREYS_PRIOR,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorInterval(Shown):
    """An error rate with its uncertainty."""

    estimate: Numbers  #: The observed rate m/M
    #: low, high: Limits of the interval
    low: Numbers
    high: Numbers
    #: mean, mode, variance: Of the posterior of the true error rate, for the methods that have a prior; for the others
    #: the observed rate, the observed rate, and ε(1−ε)/M
    mean: Numbers
    mode: Numbers
    variance: Numbers
    method: Method  #: The method of the interval
    confidence_level: float  #: The level that was asked for
    #: The level that it has: for methods with a prior the posterior probability of the interval, which is above the
    #: level asked for where a limit is the end of the scale; for the others the level asked for
    level: Numbers
    prior: tuple[float, float] | None  #: Parameters (u, v) of the Beta prior, or None for methods without one
    applicability: Applicability  #: Whether the rules of thumb allow the textbook interval here

    @property
    def interval(self) -> Interval:
        """Both limits."""
        return Interval(low=self.low, high=self.high)


def error_interval(
    errors: ArrayLike, n: ArrayLike, *, method: Method = "jeffreys", confidence_level: float = 0.95,
    prior: tuple[float, float] | None = None,
) -> ErrorInterval:  # fmt: skip
    r"""Interval for the true error rate of a classifier that made m errors on M test examples.

    Parameters
    ----------
    errors, n
        Number of errors and of test examples; arrays are treated element by element. For k-fold cross-validation
        take all errors over the folds and the size of the data set.
    method
        ``"jeffreys"`` (recommended), ``"uniform"`` or ``"beta"`` with your own `prior`: equal-tailed quantiles of
        the posterior. ``"approximate_beta"`` and ``"abramowitz_stegun"``: historical approximations of Jeffreys'.
        ``"clopper_pearson"``: coverage never below its level, so wide. ``"wilson"``, ``"agresti_coull"``: score
        interval and its simple relative. ``"textbook"``, ``"textbook_continuity"``: the normal approximation, which
        fails for few errors and may leave [0, 1].
    confidence_level
        Probability that the interval holds the true rate, strictly between 0 and 1.
    prior
        (u, v) of the Beta prior for ``"beta"``, both above 0; `EMPIRICAL_PRIOR` is the report's Be(1, 3.67).

    Notes
    -----
    With :math:`\varepsilon=m/M` and :math:`z=\Phi^{-1}(1-\alpha/2)`: the posterior for a Beta(u, v) prior is
    Be(m + u, M − m + v), with mean :math:`(m+u)/(M+u+v)`; Wilson's limits solve
    :math:`|\varepsilon-\tau|=z\sqrt{\tau(1-\tau)/M}`; the textbook's are
    :math:`\varepsilon\pm(0.5/M+z\sqrt{\varepsilon(1-\varepsilon)/M})`, the term 0.5/M only with continuity.

    Without an error the lower limit of a posterior's interval is 0, without a right answer the upper one is 1, as in
    [1]_ and [2]_; the other limit keeps its tail of α/2, so that this interval has the level 1 − α/2: see `level`.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II: confidence
       intervals and significance tests, section 2 and appendix A.
    .. [2] Brown, Cai & DasGupta (2001), Interval estimation for a binomial proportion, Statistical Science 16.

    Examples
    --------
    >>> result = error_interval(2, 20)
    >>> round(float(result.low), 4), round(float(result.high), 4), round(float(result.mean), 4)
    (0.0214, 0.2839, 0.119)
    """
    one_of(method, "method", INTERVAL_METHODS)
    level = fraction(confidence_level, "confidence_level")
    weights = _prior(method, prior)
    m, size = checked_counts(errors, n)
    low, high = _limits(m, size, method, level, weights)
    rate, held = m / size, np.full(m.shape, level)
    mean, mode, variance = rate, rate, rate * (1 - rate) / size
    if weights is not None:  # the posterior Be(m + u, M − m + v)
        a, b = m + weights[0], size - m + weights[1]
        mean = a / (a + b)
        # n ≥ 1 leaves at most one of a, b at or below 1, so that the denominator is positive wherever it is used; the
        # mode is an end where the density has its peak there, as for Jeffreys' prior at m = 0 or m = M
        inner = (a - 1) / np.where(a + b > 2, a + b - 2, 1)
        mode = np.where(a <= 1, 0.0, np.where(b <= 1, 1.0, inner))
        variance = mean * (1 - mean) / (a + b + 1)
        held = special.betainc(a, b, np.clip(high, 0, 1)) - special.betainc(a, b, np.clip(low, 0, 1))
    return ErrorInterval(
        estimate=rate, low=low, high=high, mean=mean, mode=mode, variance=variance, method=method,
        confidence_level=level, level=held, prior=weights, applicability=applicability(m, size),
    )  # fmt: skip


LARGEST_PRIOR = 1e12
"""More examples than anybody has seen before the first; beyond it sums of Beta parameters lose the data."""


def _prior(method: str, prior: tuple[float, float] | None) -> tuple[float, float] | None:
    if method != "beta":
        if prior is not None:
            raise InvalidInput(f"prior may be given for method 'beta' only, got prior={prior!r} for {method!r}")
        return _PRIORS.get(method)
    if prior is None or np.shape(prior) != (2,):
        raise InvalidInput(f"prior must be a pair (u, v) for method 'beta', got {prior!r}")
    weights = positive(prior[0], "prior[0]"), positive(prior[1], "prior[1]")
    if max(weights) > LARGEST_PRIOR:
        raise InvalidInput(f"prior must be at most {LARGEST_PRIOR:g}, got {prior!r}")
    return weights


def _limits(m: Array, n: Array, method: str, level: float, prior: tuple[float, float] | None) -> tuple[Array, Array]:
    alpha = 1 - level
    z = float(-special.ndtri(alpha / 2))
    if method == "approximate_beta":
        return approximate_beta(m, n, level)
    if method == "abramowitz_stegun":
        return abramowitz_stegun(m, n, z, level)
    if method == "clopper_pearson":
        return clopper_pearson(m, n, alpha)
    if prior is not None:
        return beta(m, n, alpha, prior)
    return _NORMAL[method](m, n, z)


_NORMAL = {
    "textbook": textbook, "textbook_continuity": textbook_continuity, "wilson": wilson, "agresti_coull": agresti_coull,
}  # fmt: skip


# ---- Every interval for one error rate side by side, with the one to use and why some must not be.


RECOMMENDED: Method = "jeffreys"
TEXTBOOK: tuple[Method, ...] = ("textbook", "textbook_continuity")
"""Normal approximations, with rules of their own for when they apply."""
"""The method to use unless there is a reason for another."""

CAVEATS = (
    "the test examples must be independent draws from the source that the classifier will meet, and must not have "
    "been used to build it",
    "for k-fold cross-validation give all errors over the folds and the size of the data set; the binomial "
    "distribution is then a good heuristic, not a theorem",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyRow:
    """One method's answer."""

    method: Method  #: Name of the method
    #: low, high: Its limits, or None where the method is not defined at this level
    low: float | None
    high: float | None
    applicable: bool  #: False where the method must not be the answer
    note: str  #: What it is, or why it must not be used


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalSurvey(Result):
    """All intervals for m errors in n test examples."""

    page: ClassVar[str] = "survey"

    #: errors, n: The counts
    errors: int
    n: int
    chosen: ErrorInterval  #: The interval to use
    rows: tuple[SurveyRow, ...]  #: One row per method, in the order of `INTERVAL_METHODS`
    caveats: tuple[str, ...]  #: What the answer takes for granted, as sentences

    def _content(self) -> dict[str, Json]:
        chosen = self.chosen
        rules = chosen.applicability
        return {
            "errors": self.errors, "n": self.n, "estimate": float(chosen.estimate),
            "confidence_level": chosen.confidence_level, "recommended": RECOMMENDED, "method": chosen.method,
            "interval": {"low": float(chosen.low), "high": float(chosen.high), "level": float(chosen.level)},
            "mean": float(chosen.mean), "mode": float(chosen.mode), "variance": float(chosen.variance),
            "prior": None if chosen.prior is None else list(chosen.prior),
            "applicability": {name: bool(getattr(rules, name)) for name in (*Applicability.__slots__, "textbook")},
            "intervals": [{name: getattr(row, name) for name in SurveyRow.__slots__} for row in self.rows],
            "caveats": list(self.caveats),
        }  # fmt: skip


def interval_survey(
    errors: int, n: int, *, method: Method = RECOMMENDED, confidence_level: float = 0.95,
    prior: tuple[float, float] | None = None,
) -> IntervalSurvey:  # fmt: skip
    """Compute every interval of `error_interval` for one error rate.

    Parameters
    ----------
    errors, n
        Number of errors and of test examples.
    method
        The one to use as the answer.
    confidence_level
        Level of the intervals.
    prior
        (u, v) for the method ``"beta"``; the report's empirical Be(1, 3.67) unless given.

    Examples
    --------
    >>> survey = interval_survey(3, 50)
    >>> round(float(survey.chosen.low), 3), round(float(survey.chosen.high), 3)
    (0.017, 0.152)
    >>> [row.method for row in survey.rows if not row.applicable]
    ['textbook', 'textbook_continuity']
    """
    integer(errors, "errors", minimum=0)
    weights = EMPIRICAL_PRIOR if prior is None else prior
    # the posterior for the prior given exists at any level: it checks everything but the method
    posterior = error_interval(errors, n, method="beta", confidence_level=confidence_level, prior=weights)
    chosen = posterior
    if method != "beta":
        chosen = error_interval(errors, n, method=method, confidence_level=confidence_level)
    rows = tuple(_survey_row(errors, n, name, chosen, weights) for name in INTERVAL_METHODS)
    return IntervalSurvey(errors=int(errors), n=int(n), chosen=chosen, rows=rows, caveats=_caveats(chosen))


def _survey_row(errors: int, n: int, method: Method, chosen: ErrorInterval, prior: tuple[float, float]) -> SurveyRow:
    weights = prior if method == "beta" else None
    try:
        result = error_interval(errors, n, method=method, confidence_level=chosen.confidence_level, prior=weights)
    except InvalidInput:
        # everything else has been checked: what is left is a formula fitted to 95 % and to few examples only
        note = "defined for 95 % only" if chosen.confidence_level != 0.95 else f"defined for up to {FITTED_UP_TO} only"
        return SurveyRow(method=method, low=None, high=None, applicable=False, note=note)
    applicable, note = _judgement(errors, method, chosen.applicability, prior)
    return SurveyRow(method=method, low=float(result.low), high=float(result.high), applicable=applicable, note=note)


def _judgement(errors: int, method: Method, rules: Applicability, prior: tuple[float, float]) -> tuple[bool, str]:
    if method == "beta":
        return True, f"prior Be({prior[0]:g}, {prior[1]:g})"
    if method not in TEXTBOOK or rules.textbook:
        return True, _NOTES[method]
    if not rules.enough_errors:
        return False, f"not applicable: {errors} error{'s' if errors != 1 else ''}, fewer than 10"
    return False, "not applicable: too few errors or right answers for a normal approximation"


def _caveats(chosen: ErrorInterval) -> tuple[str, ...]:
    if chosen.prior is not None and chosen.estimate in (0, 1):
        end = "no error the lower limit is 0" if chosen.estimate == 0 else "no right answer the upper limit is 1"
        held, asked = (level_text(float(level)) for level in (chosen.level, chosen.confidence_level))
        return (f"with {end}, and the other alone decides: the interval has a level of {held}, not {asked}", *CAVEATS)
    if chosen.method in TEXTBOOK and not chosen.applicability.textbook:
        return ("the textbook interval was asked for, but its own rules of applicability forbid it here", *CAVEATS)
    return CAVEATS


_NOTES = {
    "jeffreys": "quantiles of the posterior for Jeffreys' prior",
    "uniform": "quantiles of the posterior when every rate is equally likely beforehand",
    "approximate_beta": "formula that approximates jeffreys", "abramowitz_stegun": "formula that approximates jeffreys",
    "clopper_pearson": "coverage never below its level, so wide", "wilson": "the rates that the score test accepts",
    "agresti_coull": "the textbook form after adding pseudo-examples", "textbook": "normal approximation",
    "textbook_continuity": "normal approximation with continuity correction",
}  # fmt: skip
