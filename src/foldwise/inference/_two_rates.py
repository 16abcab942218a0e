"""Do two classifiers tested on independent test sets have different error rates?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Interval, Numbers
from foldwise.core.validation import fraction, one_of
from foldwise.inference.rate_intervals import checked_counts

Method = Literal["textbook", "exact"]

# entries of the working arrays per slice of the batch: bounds the memory
ENTRIES = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoRatesResult(Shown):
    """Outcome of a test for two independent error rates."""

    estimate: Numbers  #: ε1 − ε2
    standard_error: Numbers  #: √(τ0(1−τ0)(1/M1 + 1/M2)) with τ0 the pooled rate
    statistic: Numbers  #: Z = abs(ε1 − ε2)/standard_error for the textbook test, abs(ε1 − ε2) for the exact one
    pvalue: Numbers  #: Two-sided p-value, the report's level of significance α
    method: Method  #: The test that was used

    @property
    def level(self) -> Numbers:
        """The report's confidence level, 1 − α."""
        return 1 - self.pvalue

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Interval dual to the textbook test: it excludes 0 exactly when that test rejects at 1 − level."""
        reach = -special.ndtri((1 - fraction(confidence_level, "confidence_level")) / 2) * self.standard_error
        return Interval(low=self.estimate - reach, high=self.estimate + reach)


def two_rates(
    m1: ArrayLike, M1: ArrayLike, m2: ArrayLike, M2: ArrayLike, *, method: Method = "textbook"
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
        pvalue = _exact(size1, size2, errors1 + errors2, distance)
    return TwoRatesResult(
        estimate=estimate[()],
        standard_error=standard_error[()],
        statistic=statistic[()],
        pvalue=pvalue[()],
        method=method,
    )


def _exact(size1: Array, size2: Array, errors: Array, distance: Array) -> Array:
    """Tail probability of every table; each distinct (M1, M2, m1 + m2, distance) is computed once."""
    columns = [np.ravel(part) for part in (size1, size2, errors, distance)]
    distinct, index = np.unique(np.stack(columns), axis=1, return_inverse=True)
    step = max(1, int(ENTRIES // (size1.max(initial=0) + size2.max(initial=0) + 2)))
    starts = range(0, distinct.shape[1], step)
    tails = [_tails(distinct[:, start : start + step]) for start in starts]
    return np.concatenate(tails or [np.zeros(0)])[index.ravel()].reshape(size1.shape)


def _tails(tables: Array) -> Array:
    """P(|X1·M2 − X2·M1| ≥ distance), summed over the values of X1."""
    # the two distributions depend on (M1, M2, errors) only, which many tables share
    shared, row = np.unique(tables[:3], axis=1, return_inverse=True)
    rate = (shared[2] / (shared[0] + shared[1]))[:, None]
    values = np.arange(tables[0].max() + 1)
    mass = _binomial_mass(values, shared[0][:, None], rate)[row.ravel()]
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


def _binomial_mass(k: Array, n: Array, rate: Array) -> Array:
    inside = k <= n
    left = np.where(inside, n - k, 0)
    log_mass = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(left + 1)
    log_mass = log_mass + special.xlogy(k, rate) + special.xlog1py(left, -rate)
    return np.where(inside, np.exp(log_mass), 0.0)


def _binomial_tails(k: Array, n: Array, rate: Array) -> tuple[Array, Array]:
    """P[X ≤ k] and P[X > k]; each by itself, because 1 − P would lose small probabilities."""
    a, b = np.maximum(k, 0) + 1, np.maximum(n - k, 1)
    cdf = np.where(k < 0, 0.0, np.where(k >= n, 1.0, special.betainc(b, a, 1 - rate)))
    return cdf, np.where(k < 0, 1.0, np.where(k >= n, 0.0, special.betainc(a, b, rate)))
