"""Large tables: one compiled sort of the differences of each pair serves its test and its summary."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foldwise.comparison.many.pair_summary import Middle, Summary, summaries
from foldwise.core.kernels import has_numba, need_kernels
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many._adjust import learner_pairs
from foldwise.inference.many._pairwise import PairDifferences, PairwiseResult
from foldwise.inference.many.blocks import in_batches
from foldwise.inference.many.signed_ranks import SignedOrder, Zeros
from foldwise.inference.many.wilcoxon import EXACT_UP_TO, normal_signed_rank, signed_rank

__all__ = ["LARGE", "TestedPairs", "signed_ranks_of_all"]

LARGE = 40_000_000
"""Differences in all pairs from which it pays to load a kernel, which takes most of a second."""


class TestedPairs(NamedTuple):
    """The test of each pair, and its summary."""

    tests: PairwiseResult
    summaries: list[Summary]


def signed_ranks_of_all(table: ScoreTable, zeros: Zeros) -> TestedPairs | None:
    """The signed-rank test of all pairs of a complete table, as `pairwise` and `summarise` have it, to the bit.

    None where there is no quicker way: the table is not large, its scores are not whole steps, or there is no numba.
    """
    n, (first, second) = table.n_datasets, learner_pairs(table.n_learners)
    if n * len(first) < LARGE or not has_numba():
        return None
    differences = PairDifferences(table.oriented)
    if (steps := differences.steps) is None:
        return None
    need_kernels("foldwise.comparison.many.pair_kernels", "a large table")
    from foldwise.comparison.many.pair_kernels import Orders, order_pairs

    longest = 2 * (int(steps.max()) - int(steps.min())) + 1

    def order(part: slice) -> Orders:
        return order_pairs(steps, first[part], second[part], -(-longest.bit_length() // 8))

    parts = in_batches(order, len(first), width=n)
    found = Orders(*(np.concatenate(numbers) for numbers in zip(*parts, strict=True)))
    sums = SignedOrder(found.plus, found.lost, found.wins, found.none).sums(n, zeros)
    lead, pvalues = normal_signed_rank(sums)
    few = np.flatnonzero(sums.n <= EXACT_UP_TO)
    if few.size:
        pvalues[few] = signed_rank(differences.signed(first[few], second[few]), zeros=zeros).pvalue
    totals = steps.sum(axis=1, dtype=np.int64)
    told = summaries(
        totals[first] - totals[second], Middle(found.low, found.high), found.wins, found.none,
        n=n, sign=1.0 if table.higher_is_better else -1.0, unit=differences.unit,
    )  # fmt: skip
    return TestedPairs(PairwiseResult(first=first, second=second, pvalues=pvalues, lead=lead, test="wilcoxon"), told)
