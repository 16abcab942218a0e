"""How much do the error rates of two classifiers differ on one population? Four intervals from one test set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.types import Array, Interval, Numbers
from foldwise.core.validation import fraction, one_of
from foldwise.inference._paired_posterior import PairedTable, paired_table
from foldwise.inference.rate_intervals import wilson
from foldwise.inference.roots import bisect

# ---- Tango's score statistic for the difference of two paired proportions, and the interval it implies.


def tango_statistic(only_a: Array, only_b: Array, n: Array, difference: Array) -> Array:
    r"""Score statistic of the hypothesis that the paired difference of error rates is `difference`.

    :math:`T(\Delta)=(b-c-N\Delta)/\sqrt{N(2q+\Delta(1-\Delta))}`, where q is the maximum likelihood estimate of
    the probability that only B errs when the difference is Δ: :math:`q=(\sqrt{B^2-8NC}-B)/(4N)`,
    :math:`B=-b-c+(2N-b+c)\Delta`, :math:`C=-c\Delta(1-\Delta)`. At Δ = 0 it is the signed root of McNemar's
    uncorrected χ². It is ±∞ where the hypothesis leaves no variance but the data differ from it, and 0 where
    they do not.

    .. [1] Tango (1998), Equivalence test and confidence interval for the difference in proportions for the
       paired-sample design, Statistics in Medicine 17, 891-908.
    """
    distance = only_a - only_b - n * difference
    root = np.sqrt(n * _variance(only_a, only_b, n, difference))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(distance == 0, 0.0, distance / root)


def tango_limits(only_a: Array, only_b: Array, n: Array, z: float) -> tuple[Array, Array]:
    """Lower and upper limit: the differences at which Tango's statistic is z and −z."""
    # the upper limit is the lower one with the classifiers exchanged, so that swapping mirrors to the last bit
    return _lower(only_a, only_b, n, z), -_lower(only_b, only_a, n, z)


def _lower(only_a: Array, only_b: Array, n: Array, z: float) -> Array:
    """The difference below the estimate at which the statistic is z; −1 when the estimate is −1."""

    def excess(difference: Array) -> Array:
        # the sign of T(Δ) − z, written without a division because the variance is 0 at Δ = −1
        reach = z * np.sqrt(n * _variance(only_a, only_b, n, difference))
        return np.asarray(only_a - only_b - n * difference - reach)

    return bisect(excess, np.full_like(n, -1.0), (only_a - only_b) / n)


def _variance(only_a: Array, only_b: Array, n: Array, difference: Array) -> Array:
    """2q + Δ(1 − Δ): the variance of one paired difference when its mean is Δ."""
    # exchanging the classifiers changes Δ to −Δ and nothing else; with Δ ≥ 0 no step below cancels badly
    negative = difference < 0
    b, c = np.where(negative, only_b, only_a), np.where(negative, only_a, only_b)
    delta = np.abs(difference)
    linear = (2 * n - b + c) * delta - b - c
    product = 2 * c * delta * (1 - delta)
    root = np.sqrt(linear**2 + 4 * n * product)
    # the root of a quadratic in the form that does not subtract nearly equal numbers
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.where(linear > 0, product / (root + linear), (root - linear) / (4 * n))
    return np.asarray(2 * q + delta * (1 - delta))


Method = Literal["tango", "newcombe", "bonett_price", "wald"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifferenceResult(Shown):
    """The difference of two error rates measured on the same examples."""

    estimate: Numbers  #: Error rate of A minus error rate of B, (n01 − n10)/n
    standard_error: Numbers  #: √(n01 + n10 − (n01 − n10)²/n)/n
    method: Method  #: The method of the interval
    table: PairedTable  #: The counts

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Interval for the difference, within [−1, 1]."""
        z = float(-special.ndtri((1 - fraction(confidence_level, "confidence_level")) / 2))
        table = self.table
        if self.method == "tango":
            low, high = tango_limits(table.only_a, table.only_b, table.n, z)
        elif self.method == "newcombe":
            low, high = _newcombe(table, z)
        else:
            more = 1 if self.method == "bonett_price" else 0  # a disagreement each way is added
            centre = (table.only_a - table.only_b) / (table.n + 2 * more)
            reach = z * _standard_error(table.only_a + more, table.only_b + more, table.n + 2 * more)
            low, high = centre - reach, centre + reach
        return Interval(low=np.clip(low, -1, 1)[()], high=np.clip(high, -1, 1)[()])


def paired_difference(
    n00: ArrayLike, n01: ArrayLike, n10: ArrayLike, n11: ArrayLike, *, method: Method = "tango"
) -> PairedDifferenceResult:
    r"""Estimate the difference of two classifiers' error rates, with an interval for paired data.

    Parameters
    ----------
    n00, n01, n10, n11
        Number of test examples that both classifiers get wrong, only A, only B, neither; arrays are treated
        element by element.
    method
        ``"tango"`` inverts the score test [1]_ and is the recommended one; ``"newcombe"`` is method 10 of [2]_,
        ``"bonett_price"`` the adjusted Wald interval of [3]_, ``"wald"`` the textbook one, too narrow in small
        samples and of width 0 without disagreements.

    Returns
    -------
    PairedDifferenceResult
        With ``confidence_interval(level)``. Tango's excludes 0 exactly when McNemar's uncorrected p-value is
        below 1 − level.

    Notes
    -----
    With b = n01 and c = n10 of N examples: Tango solves
    :math:`(b-c-N\Delta)/\sqrt{N(2q+\Delta(1-\Delta))}=\pm z`, see above. Newcombe combines the
    Wilson limits :math:`l, u` of the two error rates, with φ the correlation of the errors (its covariance reduced
    by the continuity correction N/2, not below 0, where it is positive): the lower limit is
    :math:`\hat\Delta-\sqrt{(p_A-l_A)^2-2\varphi(p_A-l_A)(u_B-p_B)+(u_B-p_B)^2}`. Bonett–Price takes Wald's formula
    with b + 1, c + 1 and N + 2.

    References
    ----------
    .. [1] Tango (1998), Statistics in Medicine 17, 891-908.
    .. [2] Newcombe (1998), Improved confidence intervals for the difference between binomial proportions based on
       paired data, Statistics in Medicine 17, 2635-2650.
    .. [3] Bonett & Price (2012), Adjusted Wald confidence interval for a difference of binomial proportions based
       on paired data, Journal of Educational and Behavioral Statistics 37, 479-488.

    Examples
    --------
    >>> result = paired_difference(5, 25, 10, 60)
    >>> interval = result.confidence_interval(0.95)
    >>> float(result.estimate), round(float(interval.low), 4), round(float(interval.high), 4)
    (0.15, 0.0356, 0.2633)
    """
    one_of(method, "method", get_args(Method))
    table = paired_table(n00, n01, n10, n11)
    return PairedDifferenceResult(
        estimate=table.difference[()],
        standard_error=_standard_error(table.only_a, table.only_b, table.n)[()],
        method=method,
        table=table,
    )


def _standard_error(only_a: Array, only_b: Array, n: Array) -> Array:
    # clipped because rounding can leave a tiny negative number where every example is a disagreement of one kind
    return np.asarray(np.sqrt(np.maximum(only_a + only_b - (only_a - only_b) ** 2 / n, 0)) / n)


def _newcombe(table: PairedTable, z: float) -> tuple[Array, Array]:
    wrong_a, wrong_b = table.both_wrong + table.only_a, table.both_wrong + table.only_b
    below_a, above_a = _wilson_distances(wrong_a, table.n, z)
    below_b, above_b = _wilson_distances(wrong_b, table.n, z)
    # φ with the continuity correction of Newcombe's method 10; 0 where a margin is empty
    product = table.both_wrong * table.both_right - table.only_a * table.only_b
    corrected = np.where(product > 0, np.maximum(product - table.n / 2, 0), product)
    margins = np.sqrt(wrong_a * (table.n - wrong_a) * wrong_b * (table.n - wrong_b))
    phi = np.asarray(corrected / np.where(margins > 0, margins, np.inf))
    # at φ = 1 the sum of squares is a perfect square that rounding may push below 0
    down = np.maximum(below_a**2 - 2 * phi * below_a * above_b + above_b**2, 0)
    up = np.maximum(above_a**2 - 2 * phi * above_a * below_b + below_b**2, 0)
    return table.difference - np.sqrt(down), table.difference + np.sqrt(up)


def _wilson_distances(errors: Array, n: Array, z: float) -> tuple[Array, Array]:
    """How far Wilson's limits lie below and above the observed rate."""
    low, high = wilson(errors, n, z)
    return errors / n - low, high - errors / n
