from __future__ import annotations

import numpy as np
import pytest

from foldwise.core.table import Table
from foldwise.lab.papers.one_neighbour import cross_predict_one, squared_distances
from foldwise.learners import NearestNeighbours


@pytest.fixture
def mixed():
    rng = np.random.default_rng(2)
    values = np.column_stack([rng.normal(size=40), rng.normal(size=40), rng.integers(0, 3, 40)])
    values[3, 0] = values[5, 2] = values[7, 0] = np.nan
    return Table.build(values, [None, None, ("a", "b", "c")]), rng.integers(0, 2, 40)


def test_distances_follow_the_definition_of_the_learner(mixed):
    table, _ = mixed
    found = squared_distances(table)
    x = table.values
    low, high = np.nanmin(x[:, :2], axis=0), np.nanmax(x[:, :2], axis=0)
    scaled = (x[:, :2] - low) / (high - low)
    for i, j in ((0, 1), (3, 0), (3, 7), (5, 9), (10, 11)):
        total = 0.0
        for a in (0, 1):
            u, v = scaled[i, a], scaled[j, a]
            known = [w for w in (u, v) if not np.isnan(w)]
            d = abs(u - v) if len(known) == 2 else max(known[0], 1 - known[0]) if known else 1.0
            total += d**2
        total += float(x[i, 2] != x[j, 2])
        assert found[i, j] == pytest.approx(total, abs=1e-8)
        assert found[j, i] == found[i, j]


def test_without_ties_it_is_the_nearest_neighbour():
    rng = np.random.default_rng(0)
    table, codes = Table.build(rng.random((50, 3))), rng.integers(0, 3, 50)
    # the extremes are never tested, so that the ranges of all folds are those of all examples
    folds = np.stack([rng.permutation(np.arange(50) % 5) for _ in range(4)])
    edge = np.unique(np.r_[table.values.argmin(axis=0), table.values.argmax(axis=0)])
    folds[:, edge] = -1
    ours = cross_predict_one(squared_distances(table), codes, folds, rng)
    theirs = NearestNeighbours(k=1).cross_predict(table, codes, folds)
    assert (ours == theirs)[folds >= 0].all()


def test_one_of_the_equally_near_decides_and_every_run_draws_anew():
    # ten examples at the same place, nine of class 1: with all of them voting it would always be class 1
    table, codes = Table.build(np.zeros((11, 1))), np.array([0, *[1] * 9, 0])
    folds = np.full((2000, 11), -1)
    folds[:, 10] = 0
    predicted = cross_predict_one(squared_distances(table), codes, folds, np.random.default_rng(0))[:, 10]
    assert 0.07 < (predicted == 0).mean() < 0.13


def test_an_attribute_without_known_values_tells_nobody_apart():
    found = squared_distances(Table.build([[np.nan, 0.0], [np.nan, 1.0], [np.nan, 0.0]]))
    assert found[0].tolist() == [1.0, 2.0, 1.0]
