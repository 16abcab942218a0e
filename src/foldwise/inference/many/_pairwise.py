"""Pairs of learners on several data sets: the sign test, sizes of a difference, and all pairs by one test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from foldwise.core.decimals import steps_per_one
from foldwise.core.display import Shown
from foldwise.core.types import Alternative, Array, Counts, Interval, Numbers
from foldwise.core.validation import fraction, numbers, one_of
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many._adjust import learner_pairs
from foldwise.inference.many.blocks import in_batches, mean_ranks, paired_differences, rank_rows, score_blocks
from foldwise.inference.many.mean_ranks import control_index, nemenyi, rank_standard_error
from foldwise.inference.many.signed_ranks import Zeros, interval_index, ordered_pair_means
from foldwise.inference.many.wilcoxon import signed_rank


@dataclass(frozen=True, slots=True, kw_only=True)
class SignTestResult(Shown):
    """Outcome of the sign test."""

    #: wins, ties, losses: Data sets on which a is better, equal, worse
    wins: Counts
    ties: Counts
    losses: Counts
    statistic: Counts  #: The number of wins
    pvalue: Numbers  #: Exact binomial p-value given the number of wins and losses
    estimate: Numbers  #: Share of the wins among wins and losses; ½ when there are neither
    alternative: Alternative  #: Which side the alternative hypothesis allows

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Clopper–Pearson interval for the probability that a wins a data set that is not tied."""
        level = fraction(confidence_level, "confidence_level")
        tail = (1 - level) / 2 if self.alternative == "two-sided" else 1 - level
        wins, losses = np.asarray(self.wins, dtype=float), np.asarray(self.losses, dtype=float)
        low = np.where(wins > 0, special.betaincinv(np.maximum(wins, 1), losses + 1, tail), 0.0)
        high = np.where(losses > 0, special.betaincinv(wins + 1, np.maximum(losses, 1), 1 - tail), 1.0)
        low = np.zeros_like(low) if self.alternative == "less" else low
        high = np.ones_like(high) if self.alternative == "greater" else high
        return Interval(low=low, high=high)


def sign_test(a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided") -> SignTestResult:
    r"""Test whether a beats b on more data sets than b beats a.

    Parameters
    ----------
    a, b
        Scores of the two learners on the same data sets, shape (..., n); leading axes are separate experiments.
    alternative
        Which side the alternative hypothesis allows.

    Returns
    -------
    SignTestResult
        Without wins and losses there is no evidence: p = 1.

    Notes
    -----
    Given the number of wins and losses, the wins are binomial with probability ½ under the null hypothesis; the
    two-sided p is twice the smaller tail, at most 1. Ties say nothing about who wins the others and are left out,
    which is the uniformly most powerful unbiased way [1]_; splitting them evenly, as [2]_ does, loses power.

    References
    ----------
    .. [1] Lehmann & Romano (2005), Testing statistical hypotheses, section 4.9.
    .. [2] Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine
       Learning Research 7, section 3.1.4.

    Examples
    --------
    >>> result = sign_test([0.9, 0.8, 0.7, 0.9, 0.6], [0.8, 0.6, 0.7, 0.5, 0.1])
    >>> int(result.wins), int(result.ties), float(result.pvalue)
    (4, 1, 0.125)
    """
    one_of(alternative, "alternative", ("two-sided", "less", "greater"))
    differences = paired_differences(a, b)
    wins, losses = (differences > 0).sum(axis=-1), (differences < 0).sum(axis=-1)
    decided = wins + losses
    pvalue = sign_pvalue(wins, losses, alternative=alternative)
    return SignTestResult(
        wins=wins, ties=differences.shape[-1] - decided, losses=losses, statistic=wins, pvalue=pvalue,
        estimate=np.where(decided > 0, wins / np.maximum(decided, 1), 0.5), alternative=alternative,
    )  # fmt: skip


def sign_pvalue(wins: Counts, losses: Counts, *, alternative: Alternative = "two-sided") -> Array:
    """The p-value of so many wins and losses; parameters as in `sign_test`."""
    decided = wins + losses
    at_least, at_most = _upper(wins, decided), _upper(losses, decided)
    if alternative == "two-sided":
        return np.asarray(np.minimum(1.0, 2 * np.minimum(at_least, at_most)))
    return at_least if alternative == "greater" else at_most


def _upper(k: Counts, n: Counts) -> Array:
    """P[X ≥ k] for X ~ Bin(n, ½)."""
    return np.where(k > 0, special.betainc(np.maximum(k, 1), n - k + 1, 0.5), 1.0)


# ---- Sizes of a difference over data sets: limits of the median, and the rank-biserial correlation.


def median_limits(differences: ArrayLike, *, test: Literal["wilcoxon", "sign"], alpha: float) -> Interval:
    r"""Limits that the median difference is beyond with probability at most α, each.

    ``"wilcoxon"`` is for the centre of symmetric differences, from the means of all pairs of them; ``"sign"`` for the
    median of any. From −∞ to ∞ where so few data sets bound nothing at this level.

    Both are order statistics: the k-th smallest and the k-th largest value, with the largest k for which
    :math:`P[T < k] \le \alpha` under the law of the signed-rank sum [1]_, or of Bin(n, ½) for the sign test [2]_. Ties
    make them conservative.

    .. [1] Hollander, Wolfe & Chicken (2014), Nonparametric statistical methods, section 3.3.
    .. [2] The same, section 3.6.
    """
    x = numbers(differences, "differences", min_ndim=1)
    one_of(test, "test", ("wilcoxon", "sign"))
    fraction(alpha, "alpha")
    if test == "sign":
        wins = np.arange(len(x))
        at_most = sign_pvalue(wins, len(x) - wins, alternative="less")
        depth, count = int(np.count_nonzero(at_most <= alpha)), len(x)
    else:
        depth, count = interval_index(len(x), alpha), len(x) * (len(x) + 1) // 2
    if depth == 0:
        return Interval(low=-np.inf, high=np.inf)
    ends = [depth - 1, count - depth]
    low, high = np.sort(x)[ends].tolist() if test == "sign" else ordered_pair_means(x, ends)
    return Interval(low=low, high=high)


def rank_biserial(differences: ArrayLike) -> float:
    r"""How far the ranks of the differences are on one side, from −1 to 1.

    With :math:`R^+` and :math:`R^-` the sums of the ranks of :math:`|d|` over positive and over negative differences,
    zeros left out, it is :math:`(R^+ - R^-)/(R^+ + R^-)` [1]_: 1 where a is ahead everywhere, 0 where the two balance,
    and 0 where no two scores differ.

    .. [1] Kerby (2014), The simple difference formula, Comprehensive Psychology 3.
    """
    x = numbers(differences, "differences", min_ndim=1)
    x = x[x != 0]
    if len(x) == 0:
        return 0.0
    ranks = rank_rows(np.abs(x))
    return float((np.sign(x) * ranks).sum() / ranks.sum())


# ---- All pairs of learners, or all against a control, by one test; many pairs at a time.


# ---- Differences between many pairs of learners on the same data sets, in whole steps where the scores allow it.

MOST_STEPS = 2**29  # Size of a score in steps: the difference of two, and a bit for its sign, fit into 32 bits.

Steps = NDArray[np.int32]


class PairDifferences:
    """Differences between columns of a complete table, as `paired_differences` gives them, to the bit.

    Scores are mostly decimals of a few digits. Their differences are whole multiples of the last digit, which need no
    cleaning from rounding noise, and sort in half the time as numbers of 32 bits.

    `steps` are the scores in whole steps, learners × data sets, None where they are not such; `unit` is steps per one.
    """

    def __init__(self, scores: Array) -> None:
        self._columns = np.ascontiguousarray(scores.T)
        self._unit = steps_per_one(self._columns, most=MOST_STEPS)
        self.unit = 1.0 if self._unit is None else float(self._unit)
        self.steps: Steps | None = None
        if self._unit is not None:
            self.steps = np.rint(self._columns * self._unit).astype(np.int32)

    def between(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> Array:
        """First minus second learner of each pair, of shape (pairs, data sets)."""
        if self._unit is None:
            return paired_differences(self._columns[first], self._columns[second])
        # the correctly rounded quotient of two exact numbers, as there
        return np.asarray(self.signed(first, second) / self._unit)

    def signed(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> Array | Steps:
        """The same times `unit`, for what looks at signs and ranks only, or divides in the end."""
        if self.steps is None:
            return self.between(first, second)
        steps = self.steps[first]
        steps -= self.steps[second]
        return steps


PairTest = Literal["wilcoxon", "sign", "ranks", "nemenyi"]
PAIR_TESTS = ("wilcoxon", "sign", "ranks", "nemenyi")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwiseResult(Shown):
    """Outcome of one test on several pairs of learners."""

    #: first, second: Column of the first and second learner of each pair
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    pvalues: Array  #: Two-sided p-value of each pair; not adjusted, but for Nemenyi's
    #: Positive where the first learner of the pair is ahead, negative where the second is, by the test's statistic
    lead: Array
    test: str  #: The test's name


def pairwise(
    table: ScoreTable | ArrayLike, *, test: PairTest = "wilcoxon", control: int | str | None = None,
    zeros: Zeros = "pratt",
) -> PairwiseResult:  # fmt: skip
    r"""Test every pair of learners, or every learner against a control.

    Parameters
    ----------
    table
        Scores of shape (data sets, learners), higher being better, or a `ScoreTable`.
    test
        ``"wilcoxon"`` and ``"sign"`` look at the two learners of a pair only. ``"ranks"`` (normal) and ``"nemenyi"``
        (Studentised range, already adjusted) compare mean ranks, whose outcome for a pair depends on who else is in
        the table [1]_.
    control
        Column or name of the learner that all others are compared with; it comes first in every pair.
    zeros
        As in `wilcoxon_signed_rank`.

    Returns
    -------
    PairwiseResult
        p-values still to be adjusted: see `adjust`, `shaffer`, `bergmann_hommel`.

    References
    ----------
    .. [1] Benavoli, Corani & Mangili (2016), Should we really use post-hoc tests based on mean-ranks? Journal of
       Machine Learning Research 17.

    Examples
    --------
    >>> result = pairwise([[0.9, 0.8, 0.7], [0.8, 0.7, 0.5], [0.9, 0.6, 0.7], [0.7, 0.6, 0.5], [0.8, 0.5, 0.6]])
    >>> result.pvalues
    array([0.0625, 0.0625, 0.75  ])
    """
    one_of(test, "test", PAIR_TESTS)
    scores = score_blocks(table)
    k = scores.shape[-1]
    if control is None:
        first, second = learner_pairs(k)
    else:
        column = control_index(table, control, k)
        second = np.delete(np.arange(k), column)
        first = np.full(k - 1, column)
    if test in ("ranks", "nemenyi"):
        pvalues, lead = _by_ranks(scores, first, second, studentised=test == "nemenyi")
    else:
        pvalues, lead = _by_pairs(scores, first, second, TESTS_OF_TWO[test], zeros)
    return PairwiseResult(first=first, second=second, pvalues=pvalues, lead=lead, test=test)


def _wilcoxon(differences: Array | NDArray[np.int32], zeros: Zeros) -> tuple[Array, Array]:
    result = signed_rank(differences, zeros=zeros)
    return result.pvalue, result.excess


def _sign(differences: Array | NDArray[np.int32], zeros: Zeros) -> tuple[Array, Array]:
    wins, losses = (differences > 0).sum(axis=-1), (differences < 0).sum(axis=-1)
    return sign_pvalue(wins, losses), np.asarray(wins - losses, dtype=np.float64)


_Tested = Callable[[Array | NDArray[np.int32], Zeros], tuple[Array, Array]]
TESTS_OF_TWO: dict[str, _Tested] = {"wilcoxon": _wilcoxon, "sign": _sign}
"""p-values and lead by the tests that look at the differences between the two learners of a pair alone."""


def _by_pairs(
    scores: Array, first: NDArray[np.intp], second: NDArray[np.intp], test: _Tested, zeros: Zeros
) -> tuple[Array, Array]:
    differences = PairDifferences(scores)

    def judge(part: slice) -> tuple[Array, Array]:
        return test(differences.signed(first[part], second[part]), zeros)

    parts = list(in_batches(judge, len(first), width=len(scores)))
    pvalues, lead = (np.concatenate(numbers) for numbers in zip(*parts, strict=True))
    return pvalues, lead


def _by_ranks(
    scores: Array, first: NDArray[np.intp], second: NDArray[np.intp], *, studentised: bool
) -> tuple[Array, Array]:
    ranks = mean_ranks(scores)
    lead = ranks[second] - ranks[first]
    if studentised:
        return nemenyi(scores).pvalues[first, second], lead
    return np.asarray(2 * special.ndtr(-np.abs(lead) / rank_standard_error(*scores.shape))), lead


def least_pvalue(n_datasets: int, n_learners: int, *, test: PairTest = "wilcoxon") -> float:
    """The smallest p-value, not adjusted, that any scores of this many data sets could give.

    Examples
    --------
    >>> least_pvalue(5, 4)
    0.0625
    """
    one_of(test, "test", PAIR_TESTS)
    # all data sets agree; equal differences are the most extreme for the normal approximation too (Cauchy–Schwarz)
    agreed = np.tile(np.arange(n_learners, dtype=np.float64), (n_datasets, 1))
    columns = agreed if test in ("ranks", "nemenyi") else agreed[:, :2]
    return float(pairwise(columns, test=test).pvalues.min())
