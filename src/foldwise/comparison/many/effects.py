"""How large the differences of learners over data sets are: of each, against one that they are held against."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.display import Shown
from foldwise.core.errors import UnknownName
from foldwise.core.types import Interval
from foldwise.designs.pair_models import shared_scores
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.blocks import paired_differences
from foldwise.inference.many.effect_sizes import median_limits, rank_biserial
from foldwise.inference.many.signed_ranks import pair_means

__all__ = ["LearnerEffect", "learner_effects"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerEffect(Shown):
    """One learner against the one that all are held against.

    Attributes
    ----------
    name, against
        Which two.
    difference
        The Hodges–Lehmann estimate of `name` − `against`: the median of the means of all pairs of differences.
    interval
        Of Wilcoxon's signed ranks, for all that may be asked for (Bonferroni); unbounded with too few data sets.
    effect
        Rank-biserial correlation, from −1, where `name` is worse everywhere, to 1, where it is better everywhere.
    datasets
        On how many data sets both have a score.
    """

    name: str
    against: str
    difference: float
    interval: Interval
    effect: float
    datasets: int


def learner_effects(table: ScoreTable, against: str, *, alpha: float, comparisons: int) -> tuple[LearnerEffect, ...]:
    """Each of the other learners against one, in the table's order.

    Parameters
    ----------
    table
        The scores.
    against
        Whom they are held against.
    alpha
        The intervals hold together with probability 1 − alpha.
    comparisons
        Among how many comparisons these may have been picked: all pairs, unless `against` was fixed beforehand.

    Examples
    --------
    >>> table = ScoreTable.of([[0.9, 0.8], [0.7, 0.5], [0.8, 0.75]], learners=["a", "b"])
    >>> learner_effects(table, "b", alpha=0.25, comparisons=1)[0].effect
    1.0
    """
    if against not in table.learners:
        raise UnknownName("against", against, table.learners)
    others = [name for name in table.learners if name != against]
    j, tail = table.learners.index(against), alpha / (2 * comparisons)
    sign = 1.0 if table.higher_is_better else -1.0
    found = []
    for name in others:
        gain = paired_differences(*shared_scores(table, table.learners.index(name), j))  # above 0 is better
        found.append(
            LearnerEffect(
                name=name,
                against=against,
                difference=sign * float(np.median(pair_means(gain))) + 0.0,
                interval=median_limits(sign * gain, test="wilcoxon", alpha=tail),
                effect=rank_biserial(gain),
                datasets=len(gain),
            )
        )
    return tuple(found)
