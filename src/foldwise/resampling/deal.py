"""Dealing examples to folds and to test sets: at random, class by class, or group by group."""

from __future__ import annotations

import numpy as np

from foldwise.core.types import Integers

__all__ = ["deal_examples", "deal_groups", "draw_examples", "draw_groups"]


def deal_examples(strata: Integers, folds: int, rng: np.random.Generator) -> Integers:
    """Per example its fold: shuffled examples are dealt like cards, stratum after stratum.

    Fold sizes differ by at most 1, and so do the counts of each stratum.

    Examples
    --------
    >>> folds = deal_examples(np.array([0, 0, 0, 1, 1, 1, 1]), 2, np.random.default_rng(0))
    >>> np.bincount(folds).tolist()
    [4, 3]
    """
    ids = np.empty(len(strata), dtype=np.int64)
    ids[_shuffled(strata, rng)] = np.arange(len(strata)) % folds
    return ids


def draw_examples(strata: Integers, n_test: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """(train, test) with exactly `n_test` test examples; each stratum's count is its share, rounded up or down.

    Notes
    -----
    Every (n / n_test)-th card of the deck goes to the test set, as a line is drawn on a raster.
    """
    n = len(strata)
    steps = np.arange(n + 1) * n_test // n
    tested = np.zeros(n, dtype=bool)
    tested[_shuffled(strata, rng)] = np.diff(steps) > 0
    return np.flatnonzero(~tested), np.flatnonzero(tested)


def deal_groups(strata: Integers, groups: Integers, folds: int, rng: np.random.Generator) -> Integers:
    """Per example its fold, groups kept together.

    Notes
    -----
    Groups come in random order; each goes to the fold where it least increases the sum over folds and strata of
    (count² / size of the stratum), the smaller fold on ties. With one stratum that is the smallest fold, so that
    fold sizes differ by at most the size of the largest group.
    """
    counts = _counts(strata, groups)
    weights = counts / counts.sum(axis=0)
    filled = np.zeros((folds, counts.shape[1]))
    fold_of = np.empty(len(counts), dtype=np.int64)
    for group in rng.permutation(len(counts)):
        cost = filled @ weights[group]
        fold = np.lexsort((filled.sum(axis=1), cost.round(9)))[0]
        filled[fold] += counts[group]
        fold_of[group] = fold
    return fold_of[groups]


def draw_groups(groups: Integers, n_test: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """(train, test) of whole groups, the test set as near to `n_test` examples as the shuffled order allows."""
    sizes = np.bincount(groups)
    order = rng.permutation(len(sizes))
    reached = np.cumsum(sizes[order])[:-1]
    count = int(np.argmin(np.abs(reached - n_test))) + 1
    tested = np.isin(groups, order[:count])
    return np.flatnonzero(~tested), np.flatnonzero(tested)


def _shuffled(strata: Integers, rng: np.random.Generator) -> Integers:
    deck = rng.permutation(len(strata))
    return deck[np.argsort(strata[deck], kind="stable")]


def _counts(strata: Integers, groups: Integers) -> Integers:
    """Group × stratum table of counts."""
    width = int(strata.max()) + 1
    return np.bincount(groups * width + strata, minlength=(int(groups.max()) + 1) * width).reshape(-1, width)
