"""The pairs of a comparison over data sets: tests, summaries, probabilities, and what is known of each pair."""

from __future__ import annotations

import itertools
import warnings
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from foldwise.comparison.pair import Pair
from foldwise.core.errors import DegenerateVariance
from foldwise.core.kernels import has_numba, need_kernels
from foldwise.core.types import Array, Integers, Interval
from foldwise.designs.data_sets import (
    DATA_SETS,
    DRAWS,
    PAIR_MODELS,
    Draws,
    PairModel,
    PairwiseTest,
    shared_data_sets,
    shared_scores,
)
from foldwise.designs.findings import Findings
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.equivalence import Probabilities
from foldwise.inference.many._adjust import learner_pairs
from foldwise.inference.many._pairwise import TESTS_OF_TWO, PairDifferences, PairTest, PairwiseResult, Steps, pairwise
from foldwise.inference.many.blocks import in_batches, paired_differences
from foldwise.inference.many.meta import MetaAnalysisResult, combine_data_sets
from foldwise.inference.many.signed_ranks import SignedOrder, Zeros
from foldwise.inference.many.wilcoxon import EXACT_UP_TO, normal_signed_rank, signed_rank

LARGE = 40_000_000  # Differences in all pairs from which it pays to load a kernel, which takes most of a second.

BAYES = ("auto", *PAIR_MODELS, "none")

# draws × data sets × pairs that take a few seconds
_AFFORDABLE = 1_000_000_000

# squared data sets × pairs that take some seconds
_AFFORDABLE_MEANS = 100_000_000


class Summary(NamedTuple):
    """Mean and median difference of a pair, and on how many data sets the first is better, equal, worse."""

    estimate: float
    median: float
    wins: int
    ties: int
    losses: int


class Middle(NamedTuple):
    """The two differences in the middle of their order, one number per pair; the same where their number is odd."""

    low: Array | Integers | Steps
    high: Array | Integers | Steps


def summarise(difference: Array | Steps, sign: float, unit: float) -> list[Summary]:
    """Of differences of shape (pairs, data sets) in which higher is better, in so many steps per one.

    Examples
    --------
    >>> summarise(np.array([[10, -25, 0]], dtype=np.int32), 1.0, 100.0)
    [Summary(estimate=-0.05, median=0.0, wins=1, ties=1, losses=1)]
    """
    wins, ties = (np.array([np.count_nonzero(row) for row in rows]) for rows in (difference > 0, difference == 0))
    n = difference.shape[-1]
    return summaries(difference.sum(axis=-1), _middle(difference), wins, ties, n=n, sign=sign, unit=unit)


def summaries(
    totals: Array | Integers, middle: Middle, wins: Integers, ties: Integers, *, n: int, sign: float, unit: float
) -> list[Summary]:
    """From the sum of the differences of each pair, those in the middle, and the numbers of positive and zero ones."""
    low, high = (values / unit for values in middle)
    columns = (sign * (totals / (unit * n)) + 0.0, sign * ((low + high) / 2) + 0.0, wins, ties, n - wins - ties)
    return list(map(Summary, *(values.tolist() for values in columns)))


def _middle(x: Array | Steps) -> Middle:
    """By parting, as `numpy.median` does, which looks for NaN in a way that takes five times as long."""
    half = x.shape[-1] // 2
    parted = x.copy()
    parted.partition(half, axis=-1)
    high = parted[..., half]
    return Middle(high if x.shape[-1] % 2 else parted[..., :half].max(axis=-1), high)


class TestedPairs(NamedTuple):
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
    need_kernels("foldwise.comparison.table_kernels", "a large table")
    from foldwise.comparison.table_kernels import Orders, order_pairs

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


def pair_tests(table: ScoreTable, *, test: PairTest, control: int | None, zeros: Zeros) -> TestedPairs:
    """Test and summarise the pairs; where cells are missing, each on the data sets that both learners have."""
    if table.missing:
        return _pair_by_pair(table, test, control, zeros)
    if test == "wilcoxon" and control is None and (found := signed_ranks_of_all(table, zeros)) is not None:
        return found
    tests = pairwise(table, test=test, control=control, zeros=zeros)
    differences, sign = PairDifferences(table.oriented), 1.0 if table.higher_is_better else -1.0

    def told(part: slice) -> list[Summary]:
        return summarise(differences.signed(tests.first[part], tests.second[part]), sign, differences.unit)

    parts = in_batches(told, len(tests.first), width=table.n_datasets)
    return TestedPairs(tests, list(itertools.chain.from_iterable(parts)))


def _pair_by_pair(table: ScoreTable, test: PairTest, control: int | None, zeros: Zeros) -> TestedPairs:
    complete = ScoreTable.of(np.nan_to_num(table.oriented), learners=table.learners)
    pairs, sign = pairwise(complete, test="sign", control=control), 1.0 if table.higher_is_better else -1.0
    differences, outcomes, told = PairDifferences(complete.oriented), [], []
    for i, j in zip(pairs.first, pairs.second, strict=True):
        shared = differences.signed(np.array([i]), np.array([j]))[:, shared_data_sets(table, i, j)]
        outcomes.append([float(number[0]) for number in TESTS_OF_TWO[test](shared, zeros)])
        told += summarise(shared, sign, differences.unit)
    pvalues, lead = np.array(outcomes).T
    return TestedPairs(replace(pairs, pvalues=pvalues, lead=lead, test=test), told)


def choose_bayes(table: ScoreTable, wanted: str, *, control: int | None) -> PairModel | None:
    """The model of the probabilities; None when none is wanted or "auto" finds the table too large."""
    if wanted != "auto":
        return PAIR_MODELS.get(wanted)
    k = table.n_learners
    pairs = k * (k - 1) // 2 if control is None else k - 1
    return next(iter(PAIR_MODELS.values())) if pairs * table.n_datasets * DRAWS <= _AFFORDABLE else None


def build_pairs(
    table: ScoreTable, tested: TestedPairs, adjusted: Array, *, test: PairwiseTest, level: float, alpha: float,
    rope: float, model: PairModel | None, seed: int, zeros: Zeros,
) -> tuple[Pair, ...]:  # fmt: skip
    """Everything known of each pair; `alpha` is the level of all of them together, `level` that of one's interval."""
    draws = None if model is None else model.draws(table, rope=rope, seed=seed)
    names, combinable = table.learners, table.n_splits > 1 and table.test_train_ratio is not None
    # plain numbers: there may be a hundred thousand pairs, and NumPy's take three times as long one by one
    tests, told = tested
    numbers = (tests.first, tests.second, tests.pvalues, np.asarray(adjusted), tests.lead)
    means = np.nanmean(table.means, axis=0).tolist()
    known = zip(*(values.tolist() for values in numbers), told, strict=True)
    # sorting the means of all pairs of differences of each pair of learners
    affordable = len(told) * table.n_datasets**2 <= _AFFORDABLE_MEANS
    find = partial(_findings, table, test, level, zeros) if affordable else _nothing
    return tuple(
        Pair(
            a=names[i],
            b=names[j],
            metric=table.metric,
            means=(means[i], means[j]) if not table.missing else _shared_means(table, i, j),
            estimate=summary.estimate,
            median=summary.median,
            wins=summary.wins,
            ties=summary.ties,
            losses=summary.losses,
            pvalue=p,
            adjusted=adj,
            better=names[i if lead > 0 else j] if adj < alpha and lead != 0 else None,
            practically_same=chances is not None and bool(chances.equivalent >= 1 - alpha),
            probabilities=chances,
            combined=_combined(table, i, j) if combinable else None,
            level=level,
            _found=partial(find, i, j, p),
        )
        for i, j, p, adj, lead, summary in known
        for chances in [None if model is None or draws is None else _chances(table, i, j, model, draws)]
    )


def _findings(table: ScoreTable, test: PairwiseTest, level: float, zeros: Zeros, i: int, j: int, p: float) -> Findings:
    """What takes long to compute of many pairs: statistic, interval, power."""
    return DATA_SETS.findings(table, test, i, j, alpha=level, pvalue=p, zeros=zeros)


def _nothing(_i: int, _j: int, _pvalue: float) -> None:
    """Of so many pairs and data sets nothing more is computed."""


def pair_limits(table: ScoreTable, test: PairwiseTest, pairs: tuple[Pair, ...], alpha: float) -> list[Interval]:
    """One-sided limits of the median difference of each pair, each of level 1 − alpha."""
    assert test.limits is not None  # others are refused
    sign, places = 1.0 if table.higher_is_better else -1.0, {name: i for i, name in enumerate(table.learners)}
    return [
        test.limits(sign * paired_differences(*shared_scores(table, places[pair.a], places[pair.b])), alpha=alpha)
        for pair in pairs
    ]


def _shared_means(table: ScoreTable, i: int, j: int) -> tuple[float, float]:
    """Of the data sets that both have a score on."""
    shared = np.ascontiguousarray(table.means[shared_data_sets(table, i, j)][:, [i, j]])  # added up in the same order
    first, second = np.nanmean(shared, axis=0).tolist()
    return first, second


def _chances(table: ScoreTable, i: int, j: int, model: PairModel, draws: Draws) -> Probabilities | None:
    """The three probabilities; None where no split of any data set differs from another, so that none can be told."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)  # among the caveats
        found = model.posterior(table, i, j, draws).probabilities
    return None if np.isnan(found.equivalent) else found


def _combined(table: ScoreTable, i: int, j: int) -> MetaAnalysisResult | None:
    assert table.test_train_ratio is not None
    difference = table.values[:, i] - table.values[:, j]
    complete = ~np.isnan(difference).any(axis=1)
    if complete.sum() < 2:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        result = combine_data_sets(difference[complete], test_train_ratio=table.test_train_ratio[complete])
    # equal differences everywhere: there is neither an interval nor a p-value that means anything
    return None if result.degenerate else result
