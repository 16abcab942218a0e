"""Wilcoxon's signed-rank test for two learners on several data sets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.types import Alternative, Array, Counts, Integers, Interval, Numbers
from foldwise.core.validation import fraction, one_of
from foldwise.inference.many.blocks import paired_differences, rank_rows
from foldwise.inference.many.signed_ranks import (
    RankSums,
    Zeros,
    interval_index,
    pair_means,
    signed_rank_sums,
    upper_tail,
)

__all__ = ["WilcoxonResult", "Zeros", "normal_signed_rank", "signed_rank", "wilcoxon_signed_rank"]

Method = Literal["auto", "exact", "normal"]

EXACT_UP_TO = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class WilcoxonResult(Shown):
    """Outcome of the signed-rank test.

    Attributes
    ----------
    statistic
        T⁺: the sum of the ranks of the data sets on which a is better.
    pvalue
        Probability under the null hypothesis of a T⁺ at least this extreme.
    n
        Number of signed ranks that enter: the non-zero differences, or all of them for ``zeros="split"``.
    excess
        T⁺ minus its mean under the null hypothesis: positive when a is ahead.
    differences
        a − b on each data set.
    zeros, method, alternative
        How it was computed; `method` is ``"exact"`` or ``"normal"``, an array of them for a batch.
    """

    statistic: Numbers
    pvalue: Numbers
    n: Counts
    excess: Numbers
    differences: Array = field(repr=False)
    zeros: Zeros
    method: str | NDArray[np.str_]
    alternative: Alternative

    @property
    def estimate(self) -> Numbers:
        """Hodges–Lehmann estimate of a − b: the median of the means of all pairs of differences."""
        return np.median(pair_means(self.differences), axis=-1)[()]

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Interval of pair means between which the test, without ties and zeros, does not reject [3]_.

        With so few data sets that no result could reject, it is the whole line.
        """
        level = fraction(confidence_level, "confidence_level")
        one_sided = self.alternative != "two-sided"
        averages = np.sort(pair_means(self.differences), axis=-1)
        depth = interval_index(self.differences.shape[-1], 1 - level if one_sided else (1 - level) / 2)
        unbounded = np.full(averages.shape[:-1], np.inf)
        low = averages[..., depth - 1] if depth > 0 and self.alternative != "less" else -unbounded
        high = averages[..., -depth] if depth > 0 and self.alternative != "greater" else unbounded
        return Interval(low=low[()], high=high[()])


def wilcoxon_signed_rank(
    a: ArrayLike,
    b: ArrayLike,
    *,
    zeros: Zeros = "pratt",
    method: Method = "auto",
    alternative: Alternative = "two-sided",
    correction: bool = True,
) -> WilcoxonResult:
    r"""Test whether the differences between two learners are symmetric about zero.

    Parameters
    ----------
    a, b
        Scores of the two learners on the same data sets, shape (..., n); leading axes are separate experiments.
    zeros
        What becomes of data sets without a difference: ``"pratt"`` ranks them and then leaves their ranks out,
        ``"drop"`` leaves them out before ranking (Wilcoxon's own proposal), ``"split"`` gives half of their ranks
        to each side, as [1]_ does.
    method
        ``"exact"`` is the permutation distribution of T⁺ given the ranks, ties and zeros included, by dynamic
        programming; ``"normal"`` its normal approximation. ``"auto"`` is exact for up to 50 data sets.
    alternative
        Which side of zero the alternative hypothesis allows.
    correction
        Whether the normal approximation is corrected for continuity.

    Returns
    -------
    WilcoxonResult
        Without any difference there is no evidence: p = 1.

    Notes
    -----
    With ranks :math:`r_i` of :math:`|d_i|`, under the null hypothesis each :math:`r_i` counts for a with
    probability ½, so :math:`T^+` has mean :math:`\sum r_i/2` and variance :math:`\sum r_i^2/4`; no separate
    correction for ties is needed. ``"split"`` lets the zeros' signs be random too, which is conservative.
    Differences are rounded to 13 digits before ranking: 0.3 − 0.2 and 0.2 − 0.1 tie.

    References
    ----------
    .. [1] Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine
       Learning Research 7, section 3.1.3.
    .. [2] Pratt (1959), Remarks on zeros and ties in the Wilcoxon signed rank procedures, Journal of the American
       Statistical Association 54.
    .. [3] Hollander, Wolfe & Chicken (2014), Nonparametric statistical methods, section 3.3.

    Examples
    --------
    >>> result = wilcoxon_signed_rank([0.9, 0.8, 0.7, 0.9, 0.6], [0.8, 0.6, 0.4, 0.5, 0.1])
    >>> float(result.statistic), float(result.pvalue)
    (15.0, 0.0625)
    """
    one_of(zeros, "zeros", ("pratt", "drop", "split"))
    one_of(method, "method", ("auto", "exact", "normal"))
    one_of(alternative, "alternative", ("two-sided", "less", "greater"))
    differences = paired_differences(a, b)
    found = signed_rank(differences, zeros=zeros, method=method, alternative=alternative, correction=correction)
    return WilcoxonResult(
        statistic=found.sums.plus,
        pvalue=found.pvalue[()],
        n=np.asarray(found.sums.n)[()],
        excess=found.excess[()],
        differences=differences,
        zeros=zeros,
        method=np.where(found.exact, "exact", "normal")[()],
        alternative=alternative,
    )


class SignedRank(NamedTuple):
    """The test's outcome: sums of ranks, T⁺ minus its mean, p-value and whether that is exact."""

    sums: RankSums
    excess: Array
    pvalue: Array
    exact: NDArray[np.bool_]


def signed_rank(
    differences: Array | NDArray[np.int32],
    *,
    zeros: Zeros = "pratt",
    method: Method = "auto",
    alternative: Alternative = "two-sided",
    correction: bool = True,
) -> SignedRank:
    """The test on clean differences, or positive multiples of them; parameters as in `wilcoxon_signed_rank`."""
    sums = signed_rank_sums(differences, zeros)
    excess, pvalue = normal_signed_rank(sums, alternative=alternative, correction=correction)
    n = np.asarray(sums.n)
    exact = (n <= EXACT_UP_TO) if method == "auto" else np.full(n.shape, method == "exact")
    if exact.any():
        tail = upper_tail(_ranks(differences[exact], zeros), _reach(excess[exact], alternative))
        pvalue[exact] = _from_tail(tail, n[exact], alternative)
    return SignedRank(sums, excess, pvalue, exact)


def normal_signed_rank(
    sums: RankSums, *, alternative: Alternative = "two-sided", correction: bool = True
) -> tuple[Array, Array]:
    """T⁺ minus its mean, and the p-value by the normal approximation."""
    excess = np.asarray(sums.plus - sums.total / 2)
    tail = _normal_tail(sums, _reach(excess, alternative), correction, two_sided=alternative == "two-sided")
    return excess, _from_tail(tail, np.asarray(sums.n), alternative)


def _reach(excess: Array, alternative: Alternative) -> Array:
    """How far T⁺ is from its mean in the direction of the alternative."""
    return {"two-sided": np.abs(excess), "greater": excess, "less": -excess}[alternative]


def _from_tail(tail: Array, n: Integers, alternative: Alternative) -> Array:
    """The null distribution is symmetric, so every alternative is a matter of one upper tail."""
    return np.where(n == 0, 1.0, np.minimum(1.0, 2 * tail) if alternative == "two-sided" else tail)


def _ranks(differences: Array | NDArray[np.int32], zeros: Zeros) -> Array:
    """Ranks of |d|; 0 for the data sets that do not take part."""
    ranks = rank_rows(np.abs(differences))
    if zeros == "split":
        return ranks
    if zeros == "drop":
        ranks = ranks - (differences == 0).sum(axis=-1, keepdims=True)
    return np.where(differences == 0, 0.0, ranks)


def _normal_tail(sums: RankSums, reach: Array, correction: bool, *, two_sided: bool) -> Array:
    deviation = np.sqrt(sums.squares) / 2
    if correction:
        # R's rule: towards the mean for two sides, where the mean itself is left alone; else against the alternative
        reach = np.where(reach == 0, reach, reach - 0.5) if two_sided else reach - 0.5
    return np.asarray(special.ndtr(-reach / np.where(deviation > 0, deviation, 1.0)))
