"""What a margin says of each pair of learners of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foldwise.comparison.pair import Pair
from foldwise.designs.data_sets import PairwiseTest
from foldwise.designs.pair_models import shared_scores
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.blocks import paired_differences
from foldwise.inference.margins import conclusion

__all__ = ["with_margin"]


def with_margin(
    pairs: Sequence[Pair],
    table: ScoreTable,
    test: PairwiseTest,
    *,
    margin: float,
    alpha: float,
    adjusted: bool,
    control: str | None,
) -> tuple[Pair, ...]:
    """The pairs with their limits and conclusions.

    Parameters
    ----------
    pairs, table
        What is known of the pairs, and the scores.
    margin
        The largest difference that does not matter.
    test
        The test of a pair, which has limits.
    alpha, adjusted
        The level, and whether it is to hold for all pairs together: the limits are then of level 1 − α/k for k pairs
        (Bonferroni), whatever way p-values are adjusted.
    control
        The baseline; without one, the second learner of each pair is.
    """
    assert test.limits is not None  # others are refused
    level = alpha / len(pairs) if adjusted else alpha
    sign = 1.0 if table.higher_is_better else -1.0
    out = []
    for pair in pairs:
        i, j = (table.learners.index(name) for name in (pair.a, pair.b))
        x = sign * paired_differences(*shared_scores(table, i, j))
        limits = test.limits(x, alpha=level)
        candidate = pair.b if pair.a == control else pair.a
        found = conclusion(
            limits if candidate == pair.a else -limits,
            margin=margin,
            higher_is_better=table.higher_is_better,
        )
        out.append(replace(pair, margin=margin, limits=limits, candidate=candidate, conclusion=found))
    return tuple(out)
