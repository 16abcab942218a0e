"""The nearest neighbour of the papers of 2003 and 2004: one example decides, also where several are equally near.

`foldwise.learners.NearestNeighbours` lets all of the equally near vote, as Weka's IBk does. The printed numbers come
out with Weka's IB1, which takes the first that it finds in an order that is shuffled before every run.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foldwise.core.table import Table
from foldwise.core.types import Array

DIGITS = 9
"""Distances that agree to so many digits are equal: attributes are added up in one order, but scaled in another."""


def squared_distances(table: Table) -> Array:
    """Between all pairs of examples, as in `foldwise.learners.NearestNeighbours`, with the ranges of all examples.

    Examples
    --------
    >>> table = Table.build([[0.0], [1.0], [4.0]])
    >>> squared_distances(table)[0].tolist()
    [0.0, 0.0625, 1.0]
    """
    total = np.zeros((len(table), len(table)))
    for values, categories in zip(table.values.T, table.categories, strict=True):
        total += (_numeric(values) if categories is None else _nominal(values)) ** 2
    return np.round(total, DIGITS)


def _nominal(values: Array) -> Array:
    """0 for equal values, else 1; a missing value equals none."""
    return np.asarray(values[:, None] != values[None, :], dtype=np.float64)


def _numeric(values: Array) -> Array:
    """Difference of the values scaled to 0…1; with a missing value the largest possible one."""
    missing = np.isnan(values)
    if missing.all():
        return np.ones((len(values), len(values)))
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    scaled = np.nan_to_num((values - low) / (high - low)) if high > low else np.zeros(len(values))
    found = np.abs(scaled[:, None] - scaled[None, :])
    farthest = np.maximum(scaled, 1 - scaled)
    found[missing, :] = farthest
    found[:, missing] = farthest[:, None]
    found[np.ix_(missing, missing)] = 1.0
    return found


def cross_predict_one(
    distances: Array, codes: NDArray[np.int64], folds: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Predicted codes (runs, examples), each example by its nearest one of other folds; 0 where the fold id is −1.

    Parameters
    ----------
    distances
        Of all pairs of examples.
    codes, folds
        Class of each example, and fold ids (runs, examples).
    rng
        Draws, for each run, the order in which equally near examples are found.
    """
    predicted = np.zeros(folds.shape, dtype=np.int64)
    for run, fold_of in enumerate(folds):
        # less than the last digit of a distance, so that it decides between equals only
        order = rng.permutation(len(codes)) * (0.1**DIGITS / (2 * len(codes)))
        for fold in np.unique(fold_of[fold_of >= 0]):
            test, train = np.flatnonzero(fold_of == fold), np.flatnonzero(fold_of != fold)
            nearest = (distances[np.ix_(test, train)] + order[train]).argmin(axis=1)
            predicted[run, test] = codes[train[nearest]]
    return predicted
