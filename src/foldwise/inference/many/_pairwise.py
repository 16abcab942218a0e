"""All pairs of learners, or all against a control, by one test; many pairs at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from foldwise.core.decimals import steps_per_one
from foldwise.core.display import Shown
from foldwise.core.types import Array
from foldwise.core.validation import one_of
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many._adjust import learner_pairs
from foldwise.inference.many._sign_test import sign_pvalue
from foldwise.inference.many.blocks import in_batches, mean_ranks, paired_differences, score_blocks
from foldwise.inference.many.mean_ranks import control_index, nemenyi, rank_standard_error
from foldwise.inference.many.signed_ranks import Zeros
from foldwise.inference.many.wilcoxon import signed_rank

# ---- Differences between many pairs of learners on the same data sets, in whole steps where the scores allow it.

MOST_STEPS = 2**29
"""Size of a score in steps: the difference of two, and a bit for its sign, fit into 32 bits."""

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
    table: ScoreTable | ArrayLike,
    *,
    test: PairTest = "wilcoxon",
    control: int | str | None = None,
    zeros: Zeros = "pratt",
) -> PairwiseResult:
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
