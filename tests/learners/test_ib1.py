from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.random_tables import looped, mixed_problem
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldwise.core.table import Table
from foldwise.learners import IB1, NearestNeighbours, create
from foldwise.learners import nearest_neighbours as module
from foldwise.learners.nearest_neighbours import nearest_rows, stratified_orders


@parametrize_with_checks([IB1(), IB1(widen_ranges=False)])
def test_passes_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.fixture(params=["plain", "kernel"])
def way(request, monkeypatch):
    monkeypatch.setattr(module, "few", lambda *_: request.param == "plain")


def weka(X, train, test, seen):
    """IB1.java, example by example: ranges of the training examples and of those classified before."""
    best, found = np.inf, None
    known = X.values[[*train, *seen, test]]
    for j in train:
        total = 0.0
        for a, kind in enumerate(X.kinds):
            x, z = X.values[test, a], X.values[j, a]
            if kind == "nominal":
                total += float(x != z)
                continue
            column = known[:, a][~np.isnan(known[:, a])]
            low, width = (column.min(), np.ptp(column)) if len(column) else (0.0, 0.0)
            x, z = ((v - low) / width if width else v * 0.0 for v in (x, z))
            if np.isnan(x) and np.isnan(z):
                total += 1.0
            elif np.isnan(x) or np.isnan(z):
                one = z if np.isnan(x) else x
                total += max(one, 1 - one) ** 2
            else:
                total += (x - z) ** 2
        if total < best:
            best, found = total, j
    return found


@settings(max_examples=40)
@given(seed=st.integers(0, 10**9))
def test_it_is_wekas(seed):
    problem = mixed_problem(seed, n=25, runs=1)
    folds = problem.folds[0]
    orders = np.random.default_rng(seed).permutation(25)[None]
    for plain in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "few", lambda *_, plain=plain: plain)
            rows = nearest_rows(problem.X, problem.folds, orders=orders)[0]
        for fold in set(folds.tolist()) - {-1}:
            train, seen = [j for j in orders[0] if folds[j] != fold], []
            for i in np.flatnonzero(folds == fold):
                assert rows[i] == weka(problem.X, train, i, seen)
                seen.append(i)


@settings(max_examples=60)
@given(seed=st.integers(0, 10**9), widen=st.booleans())
def test_whole_cross_validation_is_the_same_as_fitting_each_fold(seed, widen):
    problem = mixed_problem(seed)
    for plain in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "few", lambda *_, plain=plain: plain)
            learner = IB1(widen_ranges=widen)
            predicted = learner.cross_predict(problem.X, problem.y, problem.folds, classes=problem.classes)
            np.testing.assert_array_equal(predicted, looped(learner, problem))


def test_without_ties_it_is_the_nearest_neighbour(way):
    rng = np.random.default_rng(0)
    X, y, folds = Table.build(rng.random((60, 3))), rng.integers(0, 3, 60), rng.integers(0, 5, (4, 60))
    np.testing.assert_array_equal(IB1().cross_predict(X, y, folds), NearestNeighbours(k=1).cross_predict(X, y, folds))


def test_the_first_of_the_equally_near_decides(way):
    # ten examples at one place: nine of class 1 outvote the first, which decides alone here
    X, y = np.zeros((10, 1)), np.array([0, *[1] * 9])
    assert IB1().fit(X, y).predict([[0.0]]).tolist() == [0]
    assert create("1nn").fit(X, y).predict([[0.0]]).tolist() == [1]
    assert IB1().fit(X[::-1], y[::-1]).predict([[0.0]]).tolist() == [1]


def test_probabilities_are_all_or_nothing():
    assert IB1().fit([[0.0], [1.0]], ["a", "b"]).predict_proba([[0.9]]).tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize("values", [[[1.0]], [[np.nan], [np.nan]], [[2.0], [2.0]]])
def test_single_classes_constant_and_missing_attributes(values, way):
    assert IB1().fit(values, ["only"] * len(values)).predict([[3.0], [np.nan]]).tolist() == ["only", "only"]


def instances_stratify(codes, folds):
    """`Instances.stratify` of Weka on shuffled classes, line by line: the rows as it leaves them."""
    rows, index = list(range(len(codes))), 1
    while index < len(rows):
        for j in range(index, len(rows)):
            if codes[rows[index - 1]] == codes[rows[j]]:
                rows[index], rows[j] = rows[j], rows[index]
                index += 1
        index += 1
    return [rows[j] for start in range(folds) for j in range(start, len(rows), folds)]


def test_orders_are_those_of_wekas_stratify():
    rng, k = np.random.default_rng(3), 5
    codes = rng.choice(3, size=60, p=[0.6, 0.3, 0.1])  # shuffled already, as Weka has them when it stratifies
    rows = instances_stratify(codes, k)
    folds = np.empty(60, dtype=np.int64)
    folds[rows] = np.repeat(np.arange(k), 12)
    for order in stratified_orders(codes, np.tile(folds, (20, 1)), rng):
        assert folds[order].tolist() == folds[rows].tolist()
        for fold in range(k):
            seen = codes[order][folds[order] == fold]
            assert len(dict.fromkeys(seen.tolist())) == 1 + np.count_nonzero(np.diff(seen))  # sorted by class
        by_class = [list(dict.fromkeys(codes[order][folds[order] == fold].tolist())) for fold in range(k)]
        longest = max(by_class, key=len)
        assert all(one == [c for c in longest if c in one] for one in by_class)  # in one order in all folds


def test_the_larger_class_is_first_more_often():
    codes = np.repeat([0, 1], [90, 10])
    orders = stratified_orders(codes, np.zeros((400, 100), dtype=np.int64), np.random.default_rng(0))
    assert 0.85 < (codes[orders[:, 0]] == 0).mean() < 0.95
