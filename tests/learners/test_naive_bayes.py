from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reference.random_tables import looped, mixed_problem
from scipy.special import ndtr
from scipy.stats import norm
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.learners import NaiveBayes
from foldwise.learners.naive_bayes_kernels import first_largest, multiply, normal_cdf


@parametrize_with_checks([NaiveBayes(), NaiveBayes(use_kernel=True)])
def test_passes_scikit_learns_checks(estimator, check):
    check(estimator)


class TestByHand:
    def test_nominal_counts_are_smoothed(self):
        X = [["a"], ["a"], ["b"], ["b"], ["b"]]
        probabilities = NaiveBayes().fit(X, [0, 0, 0, 1, 1]).predict_proba([["b"]])
        # priors (3 + 1)/(5 + 2) and (2 + 1)/7; P(b | 0) = (1 + 1)/(3 + 2), P(b | 1) = (2 + 1)/(2 + 2)
        joint = np.array([4 / 7 * 2 / 5, 3 / 7 * 3 / 4])
        np.testing.assert_allclose(probabilities, [joint / joint.sum()], rtol=1e-14)

    def test_declared_categories_and_classes_count(self):
        table = Table.build([[0.0], [1.0]], [("a", "b", "never")])
        model = NaiveBayes().fit(table, ["x", "y"], classes=["x", "y", "z"])
        joint = np.array([2 / 5 * 2 / 4, 2 / 5 * 1 / 4, 1 / 5 * 1 / 3])
        np.testing.assert_allclose(model.predict_proba([["a"]]), [joint / joint.sum()], rtol=1e-14)

    def test_numeric_interval_of_a_normal(self):
        X = np.array([[1.0], [2.0], [4.0], [5.0], [9.0], [9.0]])
        y = [0, 0, 0, 1, 1, 1]
        # distinct values 1, 2, 4, 5, 9: precision (9 − 1)/4 = 2, so that 1, 5 and 9 lie half-way and round to even
        rounded = np.array([[0.0, 2.0, 4.0], [4.0, 8.0, 8.0]])
        mean, deviation = rounded.mean(axis=1), rounded.std(axis=1)
        joint = norm.cdf(5, mean, deviation) - norm.cdf(3, mean, deviation)
        np.testing.assert_allclose(NaiveBayes().fit(X, y).predict_proba([[4.4]]), [joint / joint.sum()], rtol=1e-12)

    def test_missing_values_are_left_out(self):
        X = np.array([[1.0, 0.3], [np.nan, 0.1], [3.0, np.nan], [4.0, 0.9]])
        y = [0, 0, 1, 1]
        without = NaiveBayes().fit(X[[0, 2, 3], :1], np.array(y)[[0, 2, 3]])
        both = NaiveBayes().fit(X[:, :1], y)
        assert both.conditionals_[0][0] == without.conditionals_[0][0]
        np.testing.assert_array_equal(both.conditionals_[0][1], without.conditionals_[0][1])
        np.testing.assert_allclose(both.predict_proba([[np.nan]]), [[0.5, 0.5]])

    def test_kernel_density_is_a_mean_of_kernels(self):
        values = np.array([1.0, 2.0, 3.0, 5.0])
        model = NaiveBayes(use_kernel=True).fit(np.append(values, 50.0)[:, None], [0, 0, 0, 0, 1])
        densities = model.conditionals_[0]
        unit = 49 / 4
        centres, weights = densities.centres[:-1], densities.weights[:-1]
        assert centres.tolist() == np.unique(np.rint(values / unit) * unit).tolist()
        z = (centres[:, None] - 2.0 + [[-unit / 2, unit / 2]]) / densities.deviation[0]
        expected = np.average(np.diff(ndtr(z), axis=1)[:, 0], weights=weights)
        # the sum may stop when the rest is below a hundredth
        assert densities.probabilities(2.0)[0] == pytest.approx(expected, rel=0.01)


@settings(max_examples=150)
@given(st.integers(0, 10**9))
@example(4)
def test_whole_cross_validation_is_the_same_as_fitting_each_fold(seed):
    problem = mixed_problem(seed)
    predicted = NaiveBayes().cross_predict(problem.X, problem.y, problem.folds, classes=problem.classes)
    np.testing.assert_array_equal(predicted, looped(NaiveBayes(), problem))


@settings(max_examples=15)
@given(st.integers(0, 10**9))
def test_kernel_densities_cross_validate_too(seed):
    problem = mixed_problem(seed, n=20, runs=1, max_columns=3)
    learner = NaiveBayes(use_kernel=True)
    predicted = learner.cross_predict(problem.X, problem.y, problem.folds, classes=problem.classes)
    np.testing.assert_array_equal(predicted, looped(learner, problem))


@settings(max_examples=40)
@given(st.integers(0, 10**9))
def test_order_of_training_examples_does_not_matter(seed):
    problem = mixed_problem(seed)
    order = np.random.default_rng(seed).permutation(len(problem.y))
    model = NaiveBayes().fit(problem.X, problem.y, classes=problem.classes)
    shuffled = NaiveBayes().fit(problem.X[order], problem.y[order], classes=problem.classes)
    np.testing.assert_array_equal(model.predict_proba(problem.X), shuffled.predict_proba(problem.X))


@settings(max_examples=40)
@given(st.integers(0, 10**9))
def test_probabilities_are_probabilities(seed):
    problem = mixed_problem(seed)
    for use_kernel in (False, True):
        model = NaiveBayes(use_kernel=use_kernel).fit(problem.X, problem.y, classes=problem.classes)
        probabilities = model.predict_proba(problem.X)
        assert np.isfinite(probabilities).all()
        np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)


def test_use_kernel_is_checked():
    with pytest.raises(InvalidInput, match="use_kernel must be True or False, got 'no'"):
        NaiveBayes(use_kernel="no").fit([[0.0]], [0])


class TestDegenerate:
    def test_single_class(self):
        assert NaiveBayes().fit([[1.0], [2.0]], ["only", "only"]).predict([[9.0]]).tolist() == ["only"]

    def test_all_missing_attribute_changes_nothing(self):
        X = np.array([[1.0, np.nan], [2.0, np.nan], [8.0, np.nan]])
        with_it = NaiveBayes().fit(X, [0, 0, 1]).predict_proba(X)
        np.testing.assert_array_equal(with_it, NaiveBayes().fit(X[:, :1], [0, 0, 1]).predict_proba(X[:, :1]))

    def test_zero_variance(self):
        probabilities = NaiveBayes().fit([[3.0], [3.0], [3.0]], [0, 1, 1]).predict_proba([[3.0], [4.0]])
        np.testing.assert_allclose(probabilities, [[0.4, 0.6], [0.4, 0.6]])

    def test_unseen_category_counts_as_missing(self):
        model = NaiveBayes().fit([["a"], ["b"]], [0, 1])
        np.testing.assert_allclose(model.predict_proba([["z"]]), [[0.5, 0.5]])

    def test_products_never_vanish(self):
        # a thousand attributes, each far from both classes
        X = np.repeat([[0.0], [0.001], [1.0], [1.001]], 1000, axis=1)
        probabilities = NaiveBayes().fit(X, [0, 0, 1, 1]).predict_proba(np.full((1, 1000), 1e6))
        assert np.isfinite(probabilities).all()


class TestProducts:
    def test_lifted_together(self):
        product = np.array([1e-60, 3e-60])
        multiply(product, np.array([1e-20, 1e-20]))
        np.testing.assert_allclose(product, [1e-5, 3e-5])

    def test_equal_shares_go_to_the_first(self):
        smaller, larger, rest = 0.86, np.nextafter(0.86, 1.0), 0.54
        total = smaller + larger + rest
        assert smaller / total == larger / total
        assert first_largest(np.array([smaller, larger, rest])) == 0

    # at −37 the exponent is −684.5, whose rounding alone shifts the result by 10⁻¹³
    @given(st.floats(-37, 8))
    def test_normal_distribution_function(self, z):
        assert normal_cdf(z) == pytest.approx(ndtr(z), rel=2e-13, abs=0)


@pytest.mark.parametrize("columns", [40, 200])
@settings(max_examples=10)
@given(seed=st.integers(0, 10**9))
def test_long_products_are_decided_as_the_learner_does(columns, seed):
    # so many attributes that products underflow now and then
    problem = mixed_problem(seed, n=40, n_classes=3, runs=1, max_columns=columns)
    predicted = NaiveBayes().cross_predict(problem.X, problem.y, problem.folds, classes=problem.classes)
    np.testing.assert_array_equal(predicted, looped(NaiveBayes(), problem))


def test_exact_ties_go_to_the_first_class():
    X = np.array([[0.0], [1.0], [0.0], [1.0], [0.0], [1.0]])
    y = np.array([0, 0, 1, 1, 2, 2])
    folds = np.array([[0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1]])
    predicted = NaiveBayes().cross_predict(np.tile(X, (2, 1)), np.tile(y, 2), folds)
    assert predicted[0, :6].tolist() == [0] * 6
