"""The pairs of a comparison of many learners: tests, adjustment, probabilities, and what is known of each pair."""

from __future__ import annotations

import itertools
import warnings
from dataclasses import replace

import numpy as np

from foldwise.comparison.many.large_tables import TestedPairs, signed_ranks_of_all
from foldwise.comparison.many.pair_summary import Summary, summarise
from foldwise.comparison.pair import Pair
from foldwise.core.errors import DegenerateVariance
from foldwise.core.types import Array
from foldwise.designs.pair_models import DRAWS, PAIR_MODELS, Draws, PairModel, shared_data_sets
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many._pairwise import TESTS_OF_TWO, PairDifferences, PairTest, pairwise
from foldwise.inference.many.blocks import in_batches
from foldwise.inference.many.meta import MetaAnalysisResult, combine_data_sets
from foldwise.inference.many.signed_ranks import Zeros
from foldwise.inference.probabilities import Probabilities

__all__ = ["BAYES", "build_pairs", "choose_bayes", "pair_tests"]

BAYES = ("auto", *PAIR_MODELS, "none")

# draws × data sets × pairs that take a few seconds
_AFFORDABLE = 1_000_000_000


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
    table: ScoreTable,
    tested: TestedPairs,
    adjusted: Array,
    *,
    alpha: float,
    rope: float,
    model: PairModel | None,
    seed: int,
) -> tuple[Pair, ...]:
    """Everything known of each pair."""
    draws = None if model is None else model.draws(table, rope=rope, seed=seed)
    names, combinable = table.learners, table.n_splits > 1 and table.test_train_ratio is not None
    # plain numbers: there may be a hundred thousand pairs, and NumPy's take three times as long one by one
    tests, told = tested
    numbers = (tests.first, tests.second, tests.pvalues, np.asarray(adjusted), tests.lead)
    means = np.nanmean(table.means, axis=0).tolist()
    known = zip(*(values.tolist() for values in numbers), told, strict=True)
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
            probabilities=None if model is None or draws is None else _chances(table, i, j, model, draws),
            combined=_combined(table, i, j) if combinable else None,
        )
        for i, j, p, adj, lead, summary in known
    )


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
