"""Power of the combined 5×2cv F test, and the difference it would detect."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Numbers
from foldwise.core.validation import fraction, numbers
from foldwise.inference.detectable_difference import noncentrality_for, two_sided_power
from foldwise.inference.five_by_two_cv_f import DF

__all__ = ["five_by_two_f_detectable_difference", "five_by_two_f_power"]

_DENOMINATOR_DF = np.array(5.0)


def five_by_two_f_power(effect: ArrayLike, within: ArrayLike, *, alpha: float = 0.05) -> Numbers:
    r"""Probability that the combined 5×2cv F test rejects when the true difference is `effect`.

    Parameters
    ----------
    effect
        True difference; its sign does not matter.
    within
        Sum of the five runs' s², as `five_by_two_cv_f` reports it, above 0.
    alpha
        Level of the test.

    Notes
    -----
    Runs use all examples each, so that their means :math:`\bar x_j` are much the same; taken as one
    :math:`\bar x \sim N(\delta, \sigma^2/2)` independent of :math:`\sum_j s_j^2 \sim \sigma^2\chi^2_5`,

    .. math:: f = \tfrac12 + \frac{\sum_j \bar x_j^2}{\sum_j s_j^2} = \tfrac12 + \tfrac12\,T^2

    where T is noncentral t with 5 degrees of freedom and noncentrality :math:`\sqrt2\,\delta/\sigma`. The test
    rejects where :math:`T^2 > 2F_{10,5;1-\alpha} - 1`; σ² is taken to be :math:`\sum_j s_j^2/5`. F's own level is
    lower than `alpha` in this model, .033 for .05, which is what experiments show for it [1]_.

    References
    ----------
    .. [1] Alpaydın (1999), Combined 5×2 cv F test for comparing supervised classification learning algorithms,
       Neural Computation 11.

    Examples
    --------
    >>> float(round(five_by_two_f_power(0.0, 0.01), 4))
    0.0334
    """
    noncentrality = np.abs(numbers(effect, "effect")) / _standard_error(within)
    return two_sided_power(noncentrality, _DENOMINATOR_DF, _critical(alpha))[()]


def five_by_two_f_detectable_difference(within: ArrayLike, *, alpha: float = 0.05, power: float = 0.8) -> Numbers:
    """Smallest true difference that the combined 5×2cv F test finds with probability `power`.

    Parameters
    ----------
    within, alpha
        As for `five_by_two_f_power`.
    power
        Probability of rejection that is asked for, above `alpha`.

    Examples
    --------
    >>> float(round(five_by_two_f_detectable_difference(0.01), 4))
    0.1231
    """
    wanted = fraction(power, "power")
    if wanted <= fraction(alpha, "alpha"):
        raise InvalidInput(f"power must be above alpha = {alpha:g}, got {wanted:g}")
    return (noncentrality_for(wanted, _DENOMINATOR_DF, _critical(alpha)) * _standard_error(within))[()]


def _critical(alpha: float) -> Array:
    """The value that the absolute value of T must exceed."""
    return np.asarray(np.sqrt(2 * special.fdtri(*DF, 1 - fraction(alpha, "alpha")) - 1))


def _standard_error(within: ArrayLike) -> Array:
    array = numbers(within, "within")
    if (array <= 0).any():
        raise InvalidInput(f"within must be above 0, got {array[array <= 0].flat[0]:g}")
    return np.sqrt(array / 10)
