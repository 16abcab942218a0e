"""How uncertain is one error rate? An interval from m errors in M test examples, by any of ten methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Interval, Numbers
from foldwise.core.validation import fraction, one_of, positive
from foldwise.inference.rate_intervals import (
    JEFFREYS_PRIOR,
    UNIFORM_PRIOR,
    Applicability,
    RatePosterior,
    abramowitz_stegun,
    agresti_coull,
    applicability,
    approximate_beta,
    beta,
    checked_counts,
    clopper_pearson,
    posterior,
    textbook,
    textbook_continuity,
    wilson,
)

Method = Literal[
    "jeffreys",
    "uniform",
    "beta",
    "approximate_beta",
    "abramowitz_stegun",
    "clopper_pearson",
    "wilson",
    "agresti_coull",
    "textbook",
    "textbook_continuity",
]

INTERVAL_METHODS: tuple[Method, ...] = get_args(Method)
"""Names of the methods, the recommended one first."""

# the two approximations stand for the Jeffreys posterior
_PRIORS = {
    "jeffreys": JEFFREYS_PRIOR,
    "uniform": UNIFORM_PRIOR,
    "approximate_beta": JEFFREYS_PRIOR,
    "abramowitz_stegun": JEFFREYS_PRIOR,
}


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
    errors: ArrayLike,
    n: ArrayLike,
    *,
    method: Method = "jeffreys",
    confidence_level: float = 0.95,
    prior: tuple[float, float] | None = None,
) -> ErrorInterval:
    r"""Interval for the true error rate of a classifier that made m errors on M test examples.

    Parameters
    ----------
    errors, n
        Number of errors and of test examples; arrays are treated element by element. For k-fold cross-validation
        take all errors over the folds and the size of the data set.
    method
        ``"jeffreys"`` (recommended), ``"uniform"`` or ``"beta"`` with your own `prior`: equal-tailed quantiles of
        the posterior. ``"approximate_beta"`` and ``"abramowitz_stegun"``: historical approximations of Jeffreys'.
        ``"clopper_pearson"``: never below its level, therefore wide. ``"wilson"``, ``"agresti_coull"``: score
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
    summary = RatePosterior(mean=rate, mode=rate, variance=rate * (1 - rate) / size)
    if weights is not None:
        summary = posterior(m, size, weights)
        a, b = m + weights[0], size - m + weights[1]
        held = special.betainc(a, b, np.clip(high, 0, 1)) - special.betainc(a, b, np.clip(low, 0, 1))
    return ErrorInterval(
        estimate=rate[()],
        low=low[()],
        high=high[()],
        mean=summary.mean[()],
        mode=summary.mode[()],
        variance=summary.variance[()],
        method=method,
        confidence_level=level,
        level=held[()],
        prior=weights,
        applicability=applicability(m, size),
    )


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
    "textbook": textbook,
    "textbook_continuity": textbook_continuity,
    "wilson": wilson,
    "agresti_coull": agresti_coull,
}
