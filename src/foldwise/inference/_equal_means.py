"""Whether several independent estimates are of one value: Welch's analysis of variance."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.validation import numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualMeansResult(Shown):
    """Outcome of Welch's test."""

    statistic: float
    df: tuple[float, float]
    pvalue: float
    estimate: float  #: The common value, weighted by precision


def equal_means(estimates: ArrayLike, standard_errors: ArrayLike, df: ArrayLike) -> EqualMeansResult:
    r"""Test whether independent estimates with standard errors of their own are of one value.

    Parameters
    ----------
    estimates, standard_errors
        Two or more, each with its standard error above 0.
    df
        Degrees of freedom of each standard error.

    Notes
    -----
    With weights :math:`w_s=1/SE_s^2` and the weighted mean :math:`\tilde m`,

    .. math:: F = \frac{\sum w_s (m_s - \tilde m)^2 / (S - 1)}{1 + 2\,(S - 2)\,\Lambda / (S^2 - 1)}, \qquad
              \Lambda = \sum_s (1 - w_s / W)^2 / \nu_s

    with S − 1 and :math:`(S^2-1)/(3\Lambda)` degrees of freedom [1]_: of means of independent items it is R's
    ``oneway.test``.

    References
    ----------
    .. [1] Welch (1951), On the comparison of several mean values: an alternative approach, Biometrika 38.

    Examples
    --------
    >>> found = equal_means([0.2, 0.0, 0.1], [0.05, 0.05, 0.05], [40, 40, 40])
    >>> round(found.statistic, 2), round(found.pvalue, 3)
    (3.97, 0.023)
    """
    m, error, nu = (numbers(given, name) for given, name in
                    ((estimates, "estimates"), (standard_errors, "standard_errors"), (df, "df")))  # fmt: skip
    if m.ndim != 1 or len(m) < 2 or not m.shape == error.shape == nu.shape:
        raise InvalidInput(
            f"estimates, standard_errors and df must be as many, two or more, got shapes {m.shape}, {error.shape} and "
            f"{nu.shape}"
        )
    if not ((error > 0) & (nu > 0)).all():
        raise InvalidInput("standard_errors and df must be above 0")
    count = len(m)
    weight = error**-2
    total = weight.sum()
    common = float(weight @ m / total)
    spread = float(((1 - weight / total) ** 2 / nu).sum())
    between = float((weight * (m - common) ** 2).sum()) / (count - 1)
    statistic = between / (1 + 2 * (count - 2) / (count**2 - 1) * spread)
    second = (count**2 - 1) / (3 * spread)
    pvalue = float(special.fdtrc(count - 1, second, statistic))
    return EqualMeansResult(statistic=statistic, df=(count - 1.0, second), pvalue=pvalue, estimate=common)
