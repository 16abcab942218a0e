"""The pairs of a comparison of many learners: tests, adjustment, probabilities, and what is known of each pair."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from foldwise.core.errors import DegenerateVariance
from foldwise.core.types import Array
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many import (
    MetaAnalysisResult,
    PairwiseResult,
    combine_data_sets,
    pairwise,
)
from foldwise.inference.many.batches import in_batches
from foldwise.inference.many.blocks import paired_differences
from foldwise.inference.many.pair_differences import PairDifferences, Steps
from foldwise.inference.many.pairwise import TESTS_OF_TWO, PairTest
from foldwise.inference.many.wilcoxon import Zeros
from foldwise.inference.probabilities import Probabilities
from foldwise.kinds.pair_models import DRAWS, PAIR_MODELS, Draws, PairModel, shared_scores
from foldwise.verdict.many.pair_comparison import PairComparison

__all__ = ["BAYES", "build_pairs", "choose_bayes", "pair_tests"]

BAYES = ("auto", *PAIR_MODELS, "none")

# draws × data sets × pairs that take a few seconds
_AFFORDABLE = 1_000_000_000


class Summary(NamedTuple):
    """Mean and median difference of a pair, and on how many data sets the first is better, equal, worse."""

    estimate: float
    median: float
    wins: int
    ties: int
    losses: int


def pair_tests(table: ScoreTable, *, test: PairTest, control: int | None, zeros: Zeros) -> PairwiseResult:
    """Test the pairs; where cells are missing, each pair on the data sets that both learners have."""
    if not table.missing:
        return pairwise(table, test=test, control=control, zeros=zeros)
    complete = ScoreTable.of(np.nan_to_num(table.oriented), learners=table.learners)
    pairs = pairwise(complete, test="sign", control=control)
    outcomes = [_one_pair(table, i, j, test, zeros) for i, j in zip(pairs.first, pairs.second, strict=True)]
    pvalues, lead = np.array(outcomes, dtype=np.float64).T
    return PairwiseResult(first=pairs.first, second=pairs.second, pvalues=pvalues, lead=lead, test=test)


def _one_pair(table: ScoreTable, i: int, j: int, test: str, zeros: Zeros) -> tuple[float, float]:
    pvalue, lead = TESTS_OF_TWO[test](paired_differences(*shared_scores(table, i, j)), zeros)
    return float(pvalue), float(lead)


def choose_bayes(table: ScoreTable, wanted: str, *, control: int | None) -> PairModel | None:
    """The model of the probabilities; None when none is wanted or "auto" finds the table too large."""
    if wanted != "auto":
        return PAIR_MODELS.get(wanted)
    k = table.n_learners
    pairs = k * (k - 1) // 2 if control is None else k - 1
    return next(iter(PAIR_MODELS.values())) if pairs * table.n_datasets * DRAWS <= _AFFORDABLE else None


def build_pairs(
    table: ScoreTable,
    tests: PairwiseResult,
    adjusted: Array,
    *,
    alpha: float,
    rope: float,
    model: PairModel | None,
    seed: int,
) -> tuple[PairComparison, ...]:
    """Everything known of each pair."""
    draws = None if model is None else model.draws(table, rope=rope, seed=seed)
    names, combinable = table.learners, table.n_splits > 1 and table.test_train_ratio is not None
    # plain numbers: there may be a hundred thousand pairs, and NumPy's take three times as long one by one
    numbers = (tests.first, tests.second, tests.pvalues, np.asarray(adjusted), tests.lead)
    known = zip(*(values.tolist() for values in numbers), _summaries(table, tests), strict=True)
    return tuple(
        PairComparison(
            a=names[i],
            b=names[j],
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


def _chances(table: ScoreTable, i: int, j: int, model: PairModel, draws: Draws) -> Probabilities | None:
    """The three probabilities; None where no split of any data set differs from another, so that none can be told."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)  # among the caveats
        found = model.posterior(table, i, j, draws).probabilities
    return None if np.isnan(found.equivalent) else found


def _summaries(table: ScoreTable, tests: PairwiseResult) -> Iterator[Summary]:
    """Mean, median, wins, ties and losses of each pair; many pairs at a time where all have the same data sets."""
    sign = 1.0 if table.higher_is_better else -1.0
    if table.missing:
        for i, j in zip(tests.first, tests.second, strict=True):
            yield from _summarise(paired_differences(*shared_scores(table, i, j))[None], sign, 1.0)
        return
    differences = PairDifferences(table.oriented)

    def summarise(part: slice) -> list[Summary]:
        return _summarise(differences.signed(tests.first[part], tests.second[part]), sign, differences.unit)

    for summaries in in_batches(summarise, len(tests.first), width=table.n_datasets):
        yield from summaries


def _summarise(difference: Array | Steps, sign: float, unit: float) -> list[Summary]:
    """The same for differences of shape (pairs, data sets) in which higher is better, in so many steps per one."""
    n = difference.shape[-1]
    wins, losses = ([int(np.count_nonzero(row)) for row in rows] for rows in (difference > 0, difference < 0))
    found = zip(
        (sign * (difference / unit).mean(axis=-1) + 0.0).tolist(),
        (sign * _median(difference, unit) + 0.0).tolist(),
        wins,
        (n - won - lost for won, lost in zip(wins, losses, strict=True)),
        losses,
        strict=True,
    )
    return [Summary(*row) for row in found]


def _median(x: Array | Steps, unit: float) -> Array:
    """As `numpy.median` along the last axis, which looks for NaN in a way that takes five times as long."""
    half = x.shape[-1] // 2
    parted = x.copy()
    parted.partition(half, axis=-1)
    upper = parted[..., half] / unit
    return np.asarray(upper if x.shape[-1] % 2 else (parted[..., :half].max(axis=-1) / unit + upper) / 2)


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
    return None if result.test.degenerate else result
