"""The posterior of two learners of a table: how often is one practically better than the other?"""

from __future__ import annotations

from typing import Literal

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many import (
    HierarchicalResult,
    RegionPosterior,
    bayesian_sign_test,
    hierarchical_correlated_t,
)
from foldwise.inference.many.bayesian_signed_rank import dirichlet_weights, signed_rank_shares
from foldwise.inference.many.blocks import paired_differences
from foldwise.inference.many.regions import region_posterior

__all__ = ["DRAWS", "Model", "pair_posterior", "shared_scores"]

Model = Literal["signed_rank", "sign", "hierarchical"]

DRAWS = 10_000


def pair_posterior(
    table: ScoreTable, i: int, j: int, *, model: str, rope: float, seed: int, weights: Array | None = None
) -> RegionPosterior | HierarchicalResult:
    """Posterior of the three regions for the learners in columns i and j.

    Parameters
    ----------
    table
        The scores.
    i, j
        Columns of a and b.
    model
        ``"signed_rank"``, ``"sign"`` or ``"hierarchical"``.
    rope, seed
        Half-width of the region of practical equivalence, and the seed of the draws.
    weights
        Draws of the signed-rank weights, to be shared between pairs.
    """
    if model == "hierarchical":
        ratio = table.test_train_ratio
        assert ratio is not None
        x = (table.values[:, i] - table.values[:, j]) * (1 if table.higher_is_better else -1)
        return hierarchical_correlated_t(x, correlation=ratio / (1 + ratio), rope=rope, seed=seed)
    a, b = shared_scores(table, i, j)
    if model == "sign":
        return bayesian_sign_test(a, b, rope=rope, seed=seed)
    if weights is None:
        weights = dirichlet_weights(len(a), DRAWS, seed=seed)
    return region_posterior(signed_rank_shares(paired_differences(a, b), weights, rope), rope=rope)


def shared_scores(table: ScoreTable, i: int, j: int) -> tuple[Array, Array]:
    """Scores, higher being better, of two learners on the data sets that both have.

    Examples
    --------
    >>> shared_scores(ScoreTable.of([[0.9, np.nan], [0.8, 0.7]]), 0, 1)
    (array([0.8]), array([0.7]))
    """
    a, b = table.oriented[:, i], table.oriented[:, j]
    both = ~(np.isnan(a) | np.isnan(b))
    if not both.any():
        raise InvalidInput(f"{table.learners[i]} and {table.learners[j]} have no data set in common")
    return a[both], b[both]
