"""Models of how probable it is that one of two learners is practically better, over data sets like those of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags
from foldwise.designs.guarantee import BENAVOLI, CORANI
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.bayesian_sign import (
    RegionPosterior,
    bayesian_sign_test,
    dirichlet_weights,
    region_posterior,
    signed_rank_shares,
)
from foldwise.inference.many.blocks import paired_differences
from foldwise.inference.many.hierarchical import HierarchicalResult, hierarchical_correlated_t

DRAWS = 10_000

PairPosterior: TypeAlias = RegionPosterior | HierarchicalResult


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draws:
    """How the posterior of a pair is drawn."""

    rope: float  #: Half-width of the region of practical equivalence
    seed: int  #: Of the draws
    #: Draws of the signed-rank weights that all pairs of a table share; None where each pair has its own data sets
    weights: Array | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairModel:
    #: name, title, reference: The name users give, what people call it, and where it comes from
    name: str
    title: str
    reference: str
    #: Of the three regions, for the learners in two columns of a table
    posterior: Callable[[ScoreTable, int, int, Draws], PairPosterior]
    needs_splits: bool = False  #: Whether it takes the scores of every split, with their sizes
    shares_weights: bool = False  #: Whether all pairs of a complete table share their draws

    def draws(self, table: ScoreTable, *, rope: float, seed: int) -> Draws:
        """What the posteriors of all pairs of this table are drawn with."""
        shared = self.shares_weights and not table.missing
        weights = dirichlet_weights(table.n_datasets, DRAWS, seed=seed) if shared else None
        return Draws(rope=rope, seed=seed, weights=weights)


def shared_scores(table: ScoreTable, i: int, j: int) -> tuple[Array, Array]:
    """Scores, higher being better, of two learners on the data sets that both have.

    >>> shared_scores(ScoreTable.of([[0.9, np.nan], [0.8, 0.7]]), 0, 1)
    (array([0.8]), array([0.7]))
    """
    both = shared_data_sets(table, i, j)
    return table.oriented[both, i], table.oriented[both, j]


def shared_data_sets(table: ScoreTable, i: int, j: int) -> Flags:
    """On which data sets both learners have a score; there must be one."""
    a, b = table.oriented[:, i], table.oriented[:, j]
    both = ~(np.isnan(a) | np.isnan(b))
    if not both.any():
        raise InvalidInput(f"{table.learners[i]} and {table.learners[j]} have no data set in common")
    return both


def _signed_rank(table: ScoreTable, i: int, j: int, draws: Draws) -> PairPosterior:
    a, b = shared_scores(table, i, j)
    weights = dirichlet_weights(len(a), DRAWS, seed=draws.seed) if draws.weights is None else draws.weights
    return region_posterior(signed_rank_shares(paired_differences(a, b), weights, draws.rope), rope=draws.rope)


def _sign(table: ScoreTable, i: int, j: int, draws: Draws) -> PairPosterior:
    a, b = shared_scores(table, i, j)
    return bayesian_sign_test(a, b, rope=draws.rope, seed=draws.seed)


def _hierarchical(table: ScoreTable, i: int, j: int, draws: Draws) -> PairPosterior:
    ratio = table.test_train_ratio
    assert ratio is not None  # refused before
    x = (table.values[:, i] - table.values[:, j]) * (1 if table.higher_is_better else -1)
    return hierarchical_correlated_t(x, correlation=ratio / (1 + ratio), rope=draws.rope, seed=draws.seed)


PAIR_MODELS = {
    model.name: model
    for model in (
        PairModel(
            name="signed_rank",
            title="the Bayesian signed-rank test",
            reference=f"{BENAVOLI}, section 4.2",
            posterior=_signed_rank,
            shares_weights=True,
        ),
        PairModel(name="sign", title="the Bayesian sign test", reference=f"{BENAVOLI}, section 4.1", posterior=_sign),
        PairModel(
            name="hierarchical",
            title="the hierarchical correlated t model",
            reference=CORANI,
            posterior=_hierarchical,
            needs_splits=True,
        ),
    )
}
"""By name; the first is what "auto" takes."""
