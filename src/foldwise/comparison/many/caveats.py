"""What a reader of a comparison of many learners should know, and whether anything could have come out of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foldwise.comparison.pair import Pair
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import metric_words
from foldwise.designs.adjustments import ADJUSTMENTS, Adjustment
from foldwise.designs.data_sets import DATA_SETS, PairwiseTest
from foldwise.designs.pair_models import PairModel
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many._pairwise import least_pvalue

__all__ = ["gather_caveats", "least_adjusted"]

FEW = 10

MOST_PAIRS = 1_000_000
"""Comparisons whose results fit into memory."""


def least_adjusted(table: ScoreTable, test: PairwiseTest, adjustment: Adjustment, *, control: int | None) -> float:
    """The smallest adjusted p-value that any scores in a table of this size could give.

    Examples
    --------
    >>> from foldwise.designs.data_sets import PAIR_TESTS
    >>> table = ScoreTable.of(np.ones((4, 9)))
    >>> least_adjusted(table, PAIR_TESTS["wilcoxon"], ADJUSTMENTS["holm"], control=None)
    1.0
    """
    k = table.n_learners
    pairs = k * (k - 1) // 2 if control is None else k - 1
    if pairs > MOST_PAIRS:
        raise InvalidInput(
            f"{k:,} learners make {pairs:,} comparisons, more than the {MOST_PAIRS:,} that are made at once: choose "
            "fewer, or a control to compare the others with"
        )
    least = least_pvalue(table.n_datasets, k, test=test.name)
    # the first step of adjustments for all pairs, Shaffer's and Bergmann and Hommel's, is Holm's
    first = ADJUSTMENTS["holm"] if adjustment.all_pairs else adjustment
    return float(first.run(np.full(pairs, least), k).min())


def gather_caveats(
    table: ScoreTable,
    pairs: Sequence[Pair],
    *,
    rope: float,
    test: PairwiseTest,
    adjustment: Adjustment,
    bayes: tuple[str, PairModel | None],
    hopeless: bool,
    omnibus: list[str],
) -> tuple[str, ...]:
    """Sentences, the gravest first."""
    found = [
        *_about_size(table, hopeless),
        *DATA_SETS.caveats(table, rope),
        *_about_means(table, pairs),
        *omnibus,
        *_about_procedure(table, test, adjustment),
    ]
    unknown = [f"{pair.a} and {pair.b}" for pair in pairs if bayes[1] is not None and pair.probabilities is None]
    if unknown:
        found.append(
            f"on no data set do the differences between {unknown[0]} vary from split to split"
            f"{f' (nor for {len(unknown) - 1} more pairs)' if unknown[1:] else ''}: their probabilities are unknown"
        )
    if hopeless and bayes[1] is not None:
        found.append("the probabilities were asked for, but with this few data sets no test could bear them out")
    if bayes[0] == "auto" and bayes[1] is None and not hopeless:
        found.append(
            "the table is too large for probabilities of practical equivalence; ask for bayes='signed_rank' (--bayes "
            "signed_rank) and for patience"
        )
    return (*found, DATA_SETS.limit)


def _about_size(table: ScoreTable, hopeless: bool) -> list[str]:
    n = table.n_datasets
    if hopeless:
        return [f"with {n} data sets and this many comparisons no scores whatever could be significant: add data sets"]
    return [f"{n} data sets are few: only large and regular differences can be shown"] if n < FEW else []


def _about_means(table: ScoreTable, pairs: Sequence[Pair]) -> list[str]:
    """Tests of signs and ranks count data sets: who wins more often may still lose on average."""
    sign = 1 if table.higher_is_better else -1
    against = [pair for pair in pairs if pair.better is not None and sign * pair.lead_of_better < 0]
    if not against:
        return []
    first = against[0]
    other = first.b if first.better == first.a else first.a
    rest = f" (and so for {len(against) - 1} more)" if len(against) > 1 else ""
    return [
        f"{first.better} is better than {other} on more data sets or at larger ranks, but its mean "
        f"{metric_words(table.metric)} is "
        f"{'lower' if sign > 0 else 'higher'} by {abs(first.estimate):.3g}: where {other} wins, it wins by more{rest}"
    ]


def _about_procedure(table: ScoreTable, test: PairwiseTest, adjustment: Adjustment) -> list[str]:
    found = [said for said in (test.warning, adjustment.caveat) if said is not None]
    if table.n_splits > 1 and table.test_train_ratio is None:
        found.append("splits are averaged; give n_train and n_test for each data set's own uncertainty to count")
    return found
