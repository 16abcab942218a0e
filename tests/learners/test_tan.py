from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.random_tables import looped, mixed_problem
from scipy.special import gammaln
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldwise.core.table import Table
from foldwise.learners import TAN
from foldwise.learners.tan import arc_gains, spanning_tree


@parametrize_with_checks([TAN()])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_cross_predict_is_fit_and_predict(seed):
    problem = mixed_problem(seed)
    expected = looped(TAN(), problem)
    found = TAN().cross_predict(problem.X, problem.y, problem.folds, classes=problem.classes)
    np.testing.assert_array_equal(found, expected)


class TestTree:
    @settings(max_examples=60, deadline=None)
    @given(st.integers(0, 2**32 - 1))
    def test_is_a_tree_over_all_attributes(self, seed):
        problem = mixed_problem(seed)
        parents = TAN().fit(problem.X, problem.y).parents_
        assert (parents < 0).sum() == 1
        for start in range(len(parents)):
            node, steps = start, 0
            while parents[node] >= 0:
                node, steps = parents[node], steps + 1
                assert steps < len(parents)

    def test_joins_dependent_attributes(self):
        rng = np.random.default_rng(0)
        X = rng.integers(0, 2, (200, 4)).astype(float)
        X[:, 3] = X[:, 1]  # a copy: the strongest link there is
        y = rng.integers(0, 2, 200)
        parents = TAN().fit(Table.build(X, [("n", "y")] * 4), y).parents_
        assert parents[1] == 3 or parents[3] == 1

    def test_grows_by_the_largest_gain(self):
        gains = np.array([[0.0, 1.0, 9.0], [1.0, 0.0, 5.0], [9.0, 5.0, 0.0]])
        # first arc: head 0, tail 2, so 2 gets parent 0; then head 1 and tail 2, which has a parent: 1 gets parent 2
        assert spanning_tree(gains).tolist() == [-1, 2, 0]

    def test_ties_go_to_the_first_arc(self):
        assert spanning_tree(np.zeros((3, 3))).tolist() == [-1, 0, 0]

    def test_gain_by_hand(self):
        codes = np.array([[0, 0], [1, 1], [1, 0]])
        gains = arc_gains(codes, np.zeros(3, dtype=np.int64), np.array([2, 2]), 1, gammaln(np.arange(12) / 2))

        def family(*rows):
            return sum(
                math.lgamma(1) - math.lgamma(1 + sum(row)) + sum(math.lgamma(0.5 + n) - math.lgamma(0.5) for n in row)
                for row in rows
            )

        assert gains[0, 1] == pytest.approx(family((1, 1), (0, 1)) - family((1, 2)))
        assert gains[1, 0] == pytest.approx(family((1, 0), (1, 1)) - family((2, 1)))

    def test_one_attribute_is_naive_bayes(self):
        model = TAN().fit([["a"], ["a"], ["b"]], [0, 0, 1])
        prior = np.array([2.5, 1.5]) / 4
        likelihood = np.array([2.5 / 3, 0.5 / 2])
        np.testing.assert_allclose(
            model.predict_proba([["a"]])[0], prior * likelihood / (prior * likelihood).sum(), rtol=1e-12
        )


def test_probabilities_by_hand():
    # two attributes, both arcs gain the same: attribute 1 depends on attribute 0 or the other way round
    X = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"], ["a", "y"]]
    y = [0, 0, 0, 1, 1]
    model = TAN().fit(X, y)
    child = int(np.flatnonzero(model.parents_ >= 0)[0])
    root = 1 - child
    rows = np.array([[{"a": 0, "b": 1, "x": 0, "y": 1}[v] for v in row] for row in X])
    given_row = np.array([0, 1])
    scores = []
    for c in (0, 1):
        of_class = rows[np.array(y) == c]
        same_root = of_class[of_class[:, root] == given_row[root]]
        prior = (len(of_class) + 0.5) / (len(rows) + 1)
        p_root = (len(same_root) + 0.5) / (len(of_class) + 1)
        p_child = ((same_root[:, child] == given_row[child]).sum() + 0.5) / (len(same_root) + 1)
        scores.append(prior * p_root * p_child)
    np.testing.assert_allclose(model.predict_proba([["a", "y"]])[0], np.array(scores) / sum(scores), rtol=1e-12)


def test_learns_what_naive_bayes_cannot():
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, (300, 2)).astype(float)
    y = (X[:, 0] != X[:, 1]).astype(int)
    assert TAN().fit(Table.build(X, [("n", "y")] * 2), y).score(Table.build(X, [("n", "y")] * 2), y) == 1.0


class TestDegenerateData:
    def test_single_class(self):
        model = TAN().fit([[1.0, "a"], [2.0, "b"]], ["z", "z"])
        assert model.predict([[9.0, "a"]]).tolist() == ["z"]
        assert model.predict_proba([[9.0, "a"]]).tolist() == [[1.0]]

    def test_constant_attribute_changes_nothing(self):
        X, y = [["a", 7.0], ["a", 7.0], ["b", 7.0]], [0, 0, 1]
        narrow = TAN().fit([row[:1] for row in X], y).predict_proba([["a"], ["b"]])
        np.testing.assert_allclose(TAN().fit(X, y).predict_proba([["a", 7.0], ["b", 99.0]]), narrow, rtol=1e-12)

    @pytest.mark.parametrize("categories", [None, (), ("a",), ("a", "b")])
    def test_all_missing_attribute(self, categories):
        table = Table.build([[0.0, np.nan], [1.0, np.nan], [1.0, np.nan]], [("n", "y"), categories])
        model = TAN().fit(table, [0, 1, 1])
        assert model.predict(table).tolist() == [0, 1, 1]
        assert np.isfinite(model.predict_proba(table)).all()

    def test_unseen_nominal_value_counts_as_missing(self):
        model = TAN().fit([["a"], ["b"], ["b"]], [0, 1, 1])
        np.testing.assert_array_equal(model.predict_proba([["new"]]), model.predict_proba([[None]]))

    def test_missing_value_counts_as_the_most_frequent(self):
        model = TAN().fit([["a"], ["b"], ["b"], [None]], [0, 1, 1, 0])
        np.testing.assert_array_equal(model.predict_proba([[None]]), model.predict_proba([["b"]]))

    def test_missing_number_counts_as_the_most_frequent_interval(self):
        X = [[float(v)] for v in range(30)] + [[None]]
        y = [0] * 10 + [1] * 20 + [1]
        model = TAN().fit(X, y)
        np.testing.assert_array_equal(model.predict_proba([[None]]), model.predict_proba([[25.0]]))

    def test_class_without_examples_has_a_probability(self):
        model = TAN().fit([["a"], ["b"]], ["p", "q"], classes=["p", "q", "r"])
        assert (model.predict_proba([["a"]]) > 0).all()

    def test_single_example(self):
        assert TAN().fit([[3.0, "a"]], [1]).predict([[4.0, "b"]]).tolist() == [1]

    def test_more_folds_than_examples(self):
        assert TAN().cross_predict([[0.0], [1.0], [5.0]], [0, 0, 1], [[0, 5, 9]]).shape == (1, 3)
