"""Bergmann and Hommel's adjustment of all pairwise comparisons: the sharpest, for up to nine learners."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.inference.many.pair_matrix import from_pairs, learner_pairs, pairs_of

__all__ = ["MOST_LEARNERS", "bergmann_hommel"]

MOST_LEARNERS = 9


def bergmann_hommel(pvalues: ArrayLike) -> Array:
    r"""Adjust the p-values of all pairs of k ≤ 9 learners, using which of them can be equal together.

    Parameters
    ----------
    pvalues
        Symmetric k × k matrix; the diagonal is not looked at.

    Returns
    -------
    Array
        Adjusted p-values as a k × k matrix with 1 on the diagonal; never above Shaffer's.

    Notes
    -----
    A set I of pairs is exhaustive if exactly its hypotheses could be true: the pairs within the groups of some
    partition of the learners. A pair's adjusted p-value is :math:`\max\{|I| \min_{j \in I} p_j : I \ni i\}` over the
    exhaustive sets, at most 1. Nine learners have 21,147 partitions.

    References
    ----------
    .. [1] Bergmann & Hommel (1988), Improvements of general multiple test procedures for redundant systems of
       hypotheses, in Multiple hypotheses testing, Springer.
    .. [2] García & Herrera (2008), An extension on "Statistical comparisons of classifiers over multiple data sets"
       for all pairwise comparisons, Journal of Machine Learning Research 9.

    Examples
    --------
    >>> bergmann_hommel([[1, 0.01, 0.04], [0.01, 1, 0.03], [0.04, 0.03, 1]])[0]
    array([1.  , 0.03, 0.04])
    """
    p, k = pairs_of(pvalues)
    if k > MOST_LEARNERS:
        raise InvalidInput(
            f"bergmann_hommel takes at most {MOST_LEARNERS} learners, as the number of partitions explodes, got {k}; "
            "use shaffer or holm"
        )
    together = _exhaustive_sets(k)
    smallest = np.where(together, p, np.inf).min(axis=1)
    bound = together.sum(axis=1) * smallest
    adjusted = np.where(together, bound[:, None], 0.0).max(axis=0)
    return from_pairs(np.minimum(1.0, adjusted), k)


@lru_cache(maxsize=MOST_LEARNERS)
def _exhaustive_sets(k: int) -> NDArray[np.bool_]:
    """One row per partition of k learners that has a pair: which pairs lie in the same group."""
    labels = np.zeros((1, 1), dtype=np.int8)
    for _ in range(k - 1):
        # the next learner joins one of the groups there are, or founds one
        choices = labels.max(axis=1) + 2
        grown = np.repeat(labels, choices, axis=0)
        starts = np.repeat(np.cumsum(choices) - choices, choices)
        labels = np.column_stack([grown, (np.arange(len(grown)) - starts).astype(np.int8)])
    i, j = learner_pairs(k)
    together = labels[:, i] == labels[:, j]
    return np.asarray(together[together.any(axis=1)])
