"""What matters in practice: the posterior of a t-type test, the region of practical equivalence, and margins."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.core.types import Array, Interval, Numbers
from foldwise.core.validation import fraction, numbers, positive
from foldwise.inference.student import StudentResult, moments, samples, student_result


@dataclass(frozen=True, slots=True, kw_only=True)
class Probabilities(Shown):
    """One probability for each answer; they sum to 1.

    Examples
    --------
    >>> Probabilities(a_better=0.7, equivalent=0.2, b_better=0.1).mirrored().a_better
    0.1
    """

    #: The first learner is better by more than the ROPE. Procedures that are given differences a − b take them as
    #: differences of scores, higher being better; for losses take `mirrored`.
    a_better: Numbers
    equivalent: Numbers  #: The two are practically the same
    b_better: Numbers  #: The second learner is better by more than the ROPE

    def mirrored(self) -> Probabilities:
        """The same with the learners swapped."""
        return Probabilities(a_better=self.b_better, equivalent=self.equivalent, b_better=self.a_better)

    def as_tuple(self) -> tuple[Numbers, Numbers, Numbers]:
        """(a better, equivalent, b better)."""
        return self.a_better, self.equivalent, self.b_better

    def floats(self) -> Probabilities:
        """Those of one experiment, in Python's own numbers."""
        a_better, equivalent, b_better = map(float, self.as_tuple())
        return Probabilities(a_better=a_better, equivalent=equivalent, b_better=b_better)


# ---- The correlated Bayesian t test: how probable is it that the learners are practically the same?


@dataclass(frozen=True, slots=True, kw_only=True)
class BayesianTResult(Shown):
    """Posterior of the mean difference a − b: a Student distribution."""

    estimate: Numbers  #: Its location, the mean difference
    scale: Numbers  #: Its scale; 0 where the differences do not vary, which leaves no posterior: all of it is NaN then
    df: Numbers  #: Its degrees of freedom
    #: Of the three regions that the ROPE leaves, differences being those of scores (higher is better)
    probabilities: Probabilities

    def cdf(self, difference: ArrayLike) -> Numbers:
        """Posterior probability that a − b is at most `difference`."""
        return _cdf(numbers(difference, "difference"), np.asarray(self.estimate), _known(self.scale), self.df)[()]

    def pdf(self, difference: ArrayLike) -> Numbers:
        """Posterior density of a − b at `difference`."""
        x, scale = numbers(difference, "difference"), _known(self.scale)
        log_constant = special.gammaln((self.df + 1) / 2) - special.gammaln(self.df / 2) - np.log(self.df * np.pi) / 2
        log_kernel = -(self.df + 1) / 2 * np.log1p(((x - self.estimate) / scale) ** 2 / self.df)
        return np.asarray(np.exp(log_constant + log_kernel) / scale)[()]

    def credible_interval(self, confidence_level: float = 0.95) -> Interval:
        """Equal-tailed (here also shortest) interval that holds a − b with this posterior probability."""
        tail = (1 - fraction(confidence_level, "confidence_level")) / 2
        reach = (-special.stdtrit(self.df, tail) * _known(self.scale))[()]
        return Interval(low=self.estimate - reach, high=self.estimate + reach)


def correlated_bayesian_t(
    x: ArrayLike, *, correlation: ArrayLike, rope: ArrayLike, df: float | None = None
) -> BayesianTResult:
    r"""Posterior of the mean difference of two learners from correlated resampling results.

    Parameters
    ----------
    x
        Differences a − b, shape (..., n) with n ≥ 2; leading axes are separate experiments. Give the results of
        repeated cross-validation as one axis of runs·folds values.
    correlation
        Correlation ρ of two differences, from 0 to below 1. Nadeau and Bengio's choice is the share of the
        examples that is tested on, n_test / (n_train + n_test): 1/k for k-fold cross-validation.
    rope
        Half-width of the region of practical equivalence, at least 0, in the unit of `x`.
    df
        Degrees of freedom, above 0; n − 1 when not given. Give fewer where fewer independent pieces of evidence
        stand behind the n differences.

    Returns
    -------
    BayesianTResult
        If all differences of an experiment are the same, there is no posterior: a variance of 0 in a few splits is
        no certainty. The probabilities are NaN then, with a `DegenerateVariance` warning.

    Notes
    -----
    With a flat prior on the mean and 1/σ² on the variance, the posterior of the mean is Student with n − 1 degrees
    of freedom, location :math:`\bar x` and squared scale :math:`(1/n + \rho/(1-\rho))\,\hat\sigma^2` [1]_. Its
    interval is the same as that of `corrected_resampled_t`, because ρ/(1 − ρ) is n_test/n_train.

    References
    ----------
    .. [1] Corani & Benavoli (2015), A Bayesian approach for comparing cross-validated algorithms on multiple data
       sets, Machine Learning 100.

    Examples
    --------
    >>> result = correlated_bayesian_t([0.02, 0.05, -0.01, 0.04], correlation=0.1, rope=0.01)
    >>> a, same, b = result.probabilities.as_tuple()
    >>> float(round(a, 3)), float(round(same, 3)), float(round(b, 3))
    (0.792, 0.15, 0.058)
    """
    rho = numbers(correlation, "correlation")
    bad = (rho < 0) | (rho >= 1)
    if bad.any():
        raise InvalidInput(f"correlation must be from 0 to below 1, got {rho[bad].flat[0]:g}")
    m = moments(samples(x))
    mean, scale = np.broadcast_arrays(m.mean, np.sqrt((1 / m.n + rho / (1 - rho)) * m.variance))
    if (scale == 0).any():
        warnings.warn(
            "all differences are the same, so their variance is unknown and there is no posterior",
            DegenerateVariance,
            stacklevel=2,
        )
    return _posterior(mean, scale, m.n - 1 if df is None else positive(df, "df"), numbers(rope, "rope", least=0))


def student_posterior(result: StudentResult, *, rope: ArrayLike) -> BayesianTResult:
    r"""The distribution that the interval of a t-type test comes from, as a posterior of the difference.

    Parameters
    ----------
    result
        Of `paired_t`, `clustered_t` or another t-type test.
    rope
        Half-width of the region of practical equivalence, at least 0, in the unit of the estimate.

    Returns
    -------
    BayesianTResult
        Its intervals are the confidence intervals of `result`. Where the variance estimate is 0 there is no posterior,
        and the probabilities are NaN.

    Notes
    -----
    With a flat prior on the mean and 1/σ² on the variance of independent normal differences the posterior of their mean
    is Student's, with the location, scale and degrees of freedom of the test [1]_; for standard errors over clusters it
    is the confidence distribution that is dual to the test.

    References
    ----------
    .. [1] Gelman et al. (2013), Bayesian data analysis, third edition, section 3.2.

    Examples
    --------
    >>> from foldwise.inference import paired_t
    >>> posterior = student_posterior(paired_t([0.1, 0.3, 0.2, -0.1]), rope=0.01)
    >>> float(round(posterior.probabilities.a_better, 3)), float(round(posterior.probabilities.equivalent, 3))
    (0.865, 0.029)
    """
    parts = (result.estimate, result.standard_error, result.df)
    estimate, scale, df = (np.asarray(part, dtype=np.float64) for part in parts)
    return _posterior(estimate, scale, df[()], numbers(rope, "rope", least=0))


def _posterior(mean: Array, scale: Array, df: Numbers, rope: Array) -> BayesianTResult:
    # by symmetry the right tail beyond rope is the mirrored distribution's left tail below −rope: no 1 − cdf
    left, right = _cdf(-rope, mean, _known(scale), df), _cdf(-rope, -mean, _known(scale), df)
    same = np.maximum(1 - (left + right), 0.0)
    regions = Probabilities(a_better=right, equivalent=same, b_better=left)
    return BayesianTResult(estimate=mean, scale=scale, df=df, probabilities=regions)


def _cdf(limit: Array, mean: Array, scale: Array, df: Numbers) -> Array:
    return np.asarray(special.stdtr(df, (limit - mean) / scale))


def _known(scale: Numbers) -> Array:
    """The scale, or NaN where it is 0: differences that happen to be the same say nothing of their spread."""
    return np.where(np.asarray(scale) == 0, np.nan, scale)


# ---- Margins: what one-sided limits conclude, and equivalence by two one-sided tests.


# ---- What one-sided limits say about a margin: superior, non-inferior, equivalent, inferior, or undecided.

Conclusion: TypeAlias = Literal["superior", "non-inferior", "equivalent", "inferior", "undecided"]


def conclusion(limits: Interval | None, *, margin: float, higher_is_better: bool = True) -> Conclusion:
    r"""Conclude about a against b, the candidate against the baseline, from limits for the difference a − b.

    Parameters
    ----------
    limits
        The one-sided lower and the one-sided upper limit of level 1 − α: the two-sided interval of level 1 − 2α. None
        where the evidence has none.
    margin
        The largest difference that does not matter, above 0, in the unit of the limits.
    higher_is_better
        False for losses: a is better where a − b is negative.

    Returns
    -------
    Conclusion
        With L and U the limits for how much better a is, and m the margin: "superior" if L > m, "equivalent" if
        −m < L and U < m, "non-inferior" if L > −m only, "inferior" if U < −m, and otherwise "undecided".

    Notes
    -----
    Each claim is a one-sided test of level α [1]_; "equivalent" is two of them [2]_. Superior and equivalent imply
    non-inferior, and no two of superior, equivalent and inferior go together. Where a − b is turned round, superior
    becomes inferior and equivalent stays; non-inferior becomes undecided, since it says nothing in favour of b.

    The limits alone decide. A two-sided test of level α may show no difference where a one-sided limit of that level
    lies beyond a margin near 0, or where its p-value rests on another approximation than the limits: neither takes
    back what they show.

    References
    ----------
    .. [1] Piaggio, Elbourne, Pocock, Evans & Altman (2012), Reporting of noninferiority and equivalence randomized
       trials, JAMA 308, 2594-2604.
    .. [2] Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for assessing
       the equivalence of average bioavailability, Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.

    Examples
    --------
    >>> conclusion(Interval(low=-0.004, high=0.031), margin=0.01)
    'non-inferior'
    >>> conclusion(Interval(low=0.012, high=0.031), margin=0.01)
    'superior'
    """
    m = positive(margin, "margin")
    if limits is None:
        return "undecided"
    lead = limits if higher_is_better else -limits
    if lead.low > m:
        return "superior"
    if lead.low > -m:
        return "equivalent" if lead.high < m else "non-inferior"
    return "inferior" if lead.high < -m else "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceResult(Shown):
    """Outcome of two one-sided tests."""

    estimate: Numbers  #: The estimated difference, a − b
    margin: Numbers  #: The largest difference that still counts as none
    pvalue_low: Numbers  #: Of the test that the difference is −margin or less
    pvalue_high: Numbers  #: Of the test that the difference is margin or more
    pvalue: Numbers  #: The larger of the two: below α, the learners are practically the same at level α


def tost(result: StudentResult, *, margin: ArrayLike) -> EquivalenceResult:
    r"""Test whether the difference behind a t-type result is smaller than `margin` in either direction.

    Parameters
    ----------
    result
        Of `corrected_repeated_cv_t`, `corrected_resampled_t` or another t-type test.
    margin
        The largest difference that still counts as none, above 0, in the unit of the estimate.

    Returns
    -------
    EquivalenceResult
        With a standard error of 0 nothing is shown and all p-values are 1: differences that happen to be the same
        say nothing of their spread.

    Notes
    -----
    :math:`p = \max\{P(T > (d+m)/s),\; P(T < (d-m)/s)\}` for estimate d, standard error s and margin m [1]_. p < α
    exactly when the interval of level 1 − 2α of the two-sided test lies inside (−m, m).

    References
    ----------
    .. [1] Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for assessing
       the equivalence of average bioavailability, Journal of Pharmacokinetics and Biopharmaceutics 15.

    Examples
    --------
    >>> from foldwise.inference import corrected_resampled_t
    >>> result = corrected_resampled_t([0.02, 0.01, -0.01, 0.00], test_train_ratio=1 / 9)
    >>> float(round(tost(result, margin=0.03).pvalue, 4))
    0.0242
    """
    m = numbers(margin, "margin", above=0)
    estimate, error = np.asarray(result.estimate), np.asarray(result.standard_error)
    error = np.broadcast_to(error, np.broadcast_shapes(error.shape, m.shape))
    unknown = error == 0
    low = student_result(estimate + m, error, result.df, "greater", warn=False).pvalue
    high = student_result(estimate - m, error, result.df, "less", warn=False).pvalue
    low, high = (np.where(unknown, 1.0, p)[()] for p in (low, high))
    return EquivalenceResult(
        estimate=result.estimate, margin=m, pvalue_low=low, pvalue_high=high, pvalue=np.maximum(low, high)
    )
