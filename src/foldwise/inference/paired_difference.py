"""How much do the error rates of two classifiers differ on one population? Four intervals from one test set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.types import Array, Interval, Numbers
from foldwise.core.validation import fraction, one_of
from foldwise.inference.intervals.normal import wilson
from foldwise.inference.paired_table import PairedTable, paired_table
from foldwise.inference.tango import tango_limits

__all__ = ["PairedDifferenceResult", "paired_difference"]

Method = Literal["tango", "newcombe", "bonett_price", "wald"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifferenceResult(Shown):
    """The difference of two error rates measured on the same examples.

    Attributes
    ----------
    estimate
        Error rate of A minus error rate of B, (n01 − n10)/n.
    standard_error
        √(n01 + n10 − (n01 − n10)²/n)/n.
    method
        The method of the interval.
    table
        The counts.
    """

    estimate: Numbers
    standard_error: Numbers
    method: Method
    table: PairedTable

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Interval for the difference, within [−1, 1]."""
        z = float(-special.ndtri((1 - fraction(confidence_level, "confidence_level")) / 2))
        low, high = _METHODS[self.method](self.table, z)
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
    :math:`(b-c-N\Delta)/\sqrt{N(2q+\Delta(1-\Delta))}=\pm z`, see `foldwise.inference.tango`. Newcombe combines the
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
    one_of(method, "method", _METHODS)
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


def _tango(table: PairedTable, z: float) -> tuple[Array, Array]:
    return tango_limits(table.only_a, table.only_b, table.n, z)


def _wald(table: PairedTable, z: float) -> tuple[Array, Array]:
    reach = z * _standard_error(table.only_a, table.only_b, table.n)
    return table.difference - reach, table.difference + reach


def _bonett_price(table: PairedTable, z: float) -> tuple[Array, Array]:
    centre = (table.only_a - table.only_b) / (table.n + 2)
    reach = z * _standard_error(table.only_a + 1, table.only_b + 1, table.n + 2)
    return centre - reach, centre + reach


def _newcombe(table: PairedTable, z: float) -> tuple[Array, Array]:
    wrong_a, wrong_b = table.both_wrong + table.only_a, table.both_wrong + table.only_b
    below_a, above_a = _wilson_distances(wrong_a, table.n, z)
    below_b, above_b = _wilson_distances(wrong_b, table.n, z)
    phi = _correlation(table, wrong_a, wrong_b)
    # at φ = 1 the sum of squares is a perfect square that rounding may push below 0
    down = np.maximum(below_a**2 - 2 * phi * below_a * above_b + above_b**2, 0)
    up = np.maximum(above_a**2 - 2 * phi * above_a * below_b + below_b**2, 0)
    return table.difference - np.sqrt(down), table.difference + np.sqrt(up)


def _correlation(table: PairedTable, wrong_a: Array, wrong_b: Array) -> Array:
    """φ with the continuity correction of Newcombe's method 10; 0 where a margin is empty."""
    product = table.both_wrong * table.both_right - table.only_a * table.only_b
    corrected = np.where(product > 0, np.maximum(product - table.n / 2, 0), product)
    margins = np.sqrt(wrong_a * (table.n - wrong_a) * wrong_b * (table.n - wrong_b))
    return np.asarray(corrected / np.where(margins > 0, margins, np.inf))


def _wilson_distances(errors: Array, n: Array, z: float) -> tuple[Array, Array]:
    """How far Wilson's limits lie below and above the observed rate."""
    low, high = wilson(errors, n, z)
    return errors / n - low, high - errors / n


_METHODS: dict[str, Callable[[PairedTable, float], tuple[Array, Array]]] = {
    "tango": _tango,
    "newcombe": _newcombe,
    "bonett_price": _bonett_price,
    "wald": _wald,
}
