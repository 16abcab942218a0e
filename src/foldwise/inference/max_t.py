"""Max-T: all pairs of models on the same items, or all against a control, judged together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Interval
from foldwise.core.validation import fraction, integer, one_of
from foldwise.inference.joint_differences import Indices, JointDifferences, compared_pairs, joint_differences
from foldwise.inference.model_means import model_means, pair_variances, units_of
from foldwise.inference.sign_flips import FlippedLaw, flipped_law

__all__ = ["MaxTResult", "max_t"]

Method = Literal["gaussian", "sign_flip"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MaxTResult(Shown):
    """Outcome of comparing several models pair by pair.

    Attributes
    ----------
    first, second
        Row of the first and the second model of each pair.
    estimate, standard_error, statistic
        Mean difference first − second, its standard error, and their ratio: 0 where both are 0.
    df
        Degrees of freedom of the standard errors.
    pvalue
        Two-sided, of each pair alone.
    adjusted
        Of each pair as one of all: below alpha for some pair, if all models are the same, with probability alpha.
    law
        The joint law of all statistics.
    """

    first: Indices
    second: Indices
    estimate: Array
    standard_error: Array
    statistic: Array
    df: float
    pvalue: Array
    adjusted: Array
    law: JointDifferences | FlippedLaw

    @property
    def exact(self) -> bool:
        """Whether the law is that of all sign flips, so that nothing was drawn."""
        return isinstance(self.law, FlippedLaw) and self.law.exact

    def critical(self, alpha: float) -> float:
        """The size of a statistic beyond which its adjusted p-value is below alpha."""
        if isinstance(self.law, FlippedLaw):
            return self.law.critical(alpha)
        return float(-special.stdtrit(self.df, self.law.level(alpha) / 2))

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Simultaneous intervals, dual to the adjusted p-values: unbounded without variance."""
        reach = self.critical(1 - fraction(confidence_level, "confidence_level")) * self.standard_error
        reach = np.where(self.standard_error > 0, reach, np.inf)
        return Interval(low=self.estimate - reach, high=self.estimate + reach)


def max_t(
    values: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    control: int | None = None,
    method: Method = "gaussian",
    draws: int | None = None,
    seed: int = 0,
) -> MaxTResult:
    r"""Compare the means of k models on the same items, all pairs at once.

    Parameters
    ----------
    values
        Shape (k, n): a number for each model and item, right/wrong as 1 and 0, a mark, a loss.
    groups
        The cluster of each item, where items come in clusters.
    control
        Row of the model that all others are compared with; without it all pairs are.
    method
        ``"gaussian"``: the joint normal law with the covariance of the items or clusters, which is the Gaussian
        multiplier bootstrap (see `joint_differences`); a pair alone is judged by Student's distribution.
        ``"sign_flip"``: the values of all models on an item, or a cluster, change their sign together, which for two
        models exchanges them; exact where differences are symmetric about 0 under the hypothesis.
    draws, seed
        Number of draws, by default 131072 or 10000 sign flips (all of them where there are no more), and their seed.

    Returns
    -------
    MaxTResult
        A pair whose difference does not vary has statistic 0, p = 1 and an unbounded interval: nothing can be told.

    Notes
    -----
    The statistic of a pair is its mean difference over its standard error, that of `clustered_difference` (CR2), which
    without clusters is the paired t test's. The adjusted p-value is single-step: the probability that the *largest*
    statistic of all pairs is as large by chance, so that p-values and simultaneous intervals never contradict each
    other. Because the statistic of a pair depends on its own two models only, the adjusted p-values also keep the
    chance of any false finding at the level when some of the models differ (subset pivotality [1]_, [2]_).

    References
    ----------
    .. [1] Westfall & Young (1993), Resampling-based multiple testing, Wiley.
    .. [2] Romano & Wolf (2005), Exact and approximate stepdown methods for multiple hypothesis testing, Journal of the
       American Statistical Association 100, 94-108.

    Examples
    --------
    >>> right = [[1] * 60 + [0] * 20, [1] * 45 + [0] * 25 + [1] * 10, [1] * 40 + [0] * 40]
    >>> result = max_t(right)
    >>> result.estimate.tolist(), result.adjusted.round(2).tolist()
    ([0.0625, 0.25, 0.1875], [0.57, 0.0, 0.0])
    """
    one_of(method, "method", ("gaussian", "sign_flip"))
    found = model_means(values, groups)
    if found.means.ndim != 1:
        raise InvalidInput(f"values must have shape (models, items), got {np.shape(values)}")
    k = len(found.means)
    if control is not None and integer(control, "control", minimum=0) >= k:
        raise InvalidInput(f"control must be a row of values, 0 to {k - 1}, got {control}")
    first, second = compared_pairs(k, control)
    estimate = found.means[first] - found.means[second]
    error = np.sqrt(pair_variances(found.covariance)[first, second])
    statistic = np.where(error > 0, estimate / np.where(error > 0, error, 1.0), 0.0)
    law: JointDifferences | FlippedLaw
    if method == "gaussian":
        law = joint_differences(found.means, found.covariance, control=control, draws=draws, seed=seed)
        pvalue = 2 * special.stdtr(found.df, -np.abs(statistic))
        adjusted = law.adjust(pvalue)
    else:
        law = flipped_law(*units_of(values, groups), first, second, draws=draws, seed=seed)
        pvalue, adjusted = law.pvalue, law.adjusted(statistic)
    return MaxTResult(
        first=first,
        second=second,
        estimate=estimate,
        standard_error=error,
        statistic=statistic,
        df=found.df,
        pvalue=np.where(error > 0, pvalue, 1.0),
        adjusted=np.where(error > 0, adjusted, 1.0),
        law=law,
    )
