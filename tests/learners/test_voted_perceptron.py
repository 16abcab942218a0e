from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.random_tables import looped, mixed_problem
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldwise.core.errors import InvalidInput
from foldwise.learners import VotedPerceptron
from foldwise.learners.voted_perceptron import java_shuffle


@parametrize_with_checks([VotedPerceptron(), VotedPerceptron(iterations=30)])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_shuffle_is_javas():
    # java: new Instances(...20 rows...).randomize(new Random(1)), JDK 17
    expected = [2, 17, 6, 15, 11, 13, 19, 8, 7, 12, 14, 10, 9, 0, 4, 3, 16, 1, 18, 5]
    assert java_shuffle(20, 1).tolist() == expected


@pytest.mark.parametrize("n", [1, 2, 7])
def test_shuffle_is_a_permutation(n):
    assert sorted(java_shuffle(n, 5).tolist()) == list(range(n))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_cross_predict_is_fit_and_predict(seed):
    problem = mixed_problem(seed)
    expected = looped(VotedPerceptron(), problem)
    found = VotedPerceptron().cross_predict(problem.X, problem.y, problem.folds, classes=problem.classes)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("parameters", [{"exponent": 2.0}, {"iterations": 3}, {"max_alterations": 4}])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_cross_predict_with_parameters(parameters, seed):
    problem = mixed_problem(seed, n=60)
    found = VotedPerceptron(**parameters).cross_predict(problem.X, problem.y, problem.folds, classes=problem.classes)
    np.testing.assert_array_equal(found, looped(VotedPerceptron(**parameters), problem))


def test_votes_by_hand():
    # order of two examples from seed 1: both perceptron 0 (zero vector, predicts "b") and 1 are asked
    model = VotedPerceptron().fit([[1.0], [-1.0]], ["b", "a"])
    order = java_shuffle(2, 1).tolist()
    # the first "a" that is shown alters the zero perceptron into −(z·x + 1) with z = −1, so x − 1
    survived = [1, 1] if order[0] == 0 else [0, 2]
    assert model.pairs_[0].survived.tolist() == survived
    assert model.pairs_[0].altering.tolist() == [[-1.0]]


def test_polynomial_kernel_separates_what_a_line_cannot():
    X = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]
    y = [0, 1, 1, 0]
    assert VotedPerceptron(exponent=2.0, iterations=50).fit(X, y).predict(X).tolist() == y


def test_seed_changes_the_order():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 2)), rng.integers(0, 2, 50)
    one, other = (VotedPerceptron(random_state=s).fit(X, y).pairs_[0].survived.tolist() for s in (1, 2))
    assert one != other
    assert VotedPerceptron(random_state=1).fit(X, y).pairs_[0].survived.tolist() == one


def test_seeds_of_any_size_count_by_javas_48_bits():
    X, y = np.random.default_rng(0).normal(size=(50, 2)), np.arange(50) % 2
    small, large = (VotedPerceptron(random_state=s).fit(X, y).pairs_[0].survived.tolist() for s in (7, 7 + 2**70))
    assert small == large


class TestDegenerateData:
    def test_single_class(self):
        assert VotedPerceptron().fit([[1.0], [2.0]], ["z", "z"]).predict([[9.0]]).tolist() == ["z"]

    def test_training_set_with_one_of_two_declared_classes(self):
        model = VotedPerceptron().fit([[1.0], [2.0]], ["b", "b"], classes=["a", "b"])
        assert model.predict([[-5.0]]).tolist() == ["b"]

    def test_all_missing_attribute_changes_nothing(self):
        X, y = [[0.0, None], [1.0, None], [4.0, None]], [0, 0, 1]
        model = VotedPerceptron().fit(X, y)
        narrow = VotedPerceptron().fit([row[:1] for row in X], y)
        assert model.predict(X).tolist() == narrow.predict([row[:1] for row in X]).tolist()

    def test_unseen_nominal_value_counts_as_missing(self):
        X, y = [["a"], ["b"], ["c"], ["a"]], [0, 1, 1, 0]
        model = VotedPerceptron().fit(X, y)
        assert model.predict([["new"]]).tolist() == model.predict([[None]]).tolist()

    def test_missing_values_become_mean_and_mode(self):
        X, y = [[1.0, "a"], [3.0, "b"], [8.0, "b"]], [0, 1, 1]
        model = VotedPerceptron().fit(X, y)
        np.testing.assert_array_equal(model.predict_proba([[None, None]]), model.predict_proba([[4.0, "b"]]))

    def test_sums_that_overflow_predict_the_second_class(self):
        X = [[1e200, 1e200], [-1e200, 1e200], [1e200, -1e200]] * 3
        model = VotedPerceptron().fit(X, ["a", "b", "a"] * 3)
        assert model.predict([[1e200, 1e200]]).tolist() == ["b"]

    def test_more_folds_than_examples(self):
        predicted = VotedPerceptron().cross_predict([[0.0], [1.0], [5.0]], [0, 0, 1], [[0, 5, 9]])
        assert predicted.shape == (1, 3)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"iterations": 0}, "iterations must be a whole number of at least 1, got 0"),
        ({"exponent": -1.0}, "exponent must be a number above 0, got -1.0"),
        ({"max_alterations": 0.5}, "max_alterations must be a whole number of at least 1, got 0.5"),
        ({"random_state": -1}, "random_state must be a whole number of at least 0, got -1"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(InvalidInput, match=message):
        VotedPerceptron(**parameters).fit([[0.0], [1.0]], [0, 1])
