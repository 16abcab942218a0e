"""The bounds by which a whole cross-validation decides naive Bayes' predictions are bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.random_tables import looped, mixed_problem
from scipy.special import ndtr

from foldwise.learners import NaiveBayes
from foldwise.learners.naive_bayes_scores import _add_sharp, _score_error, interval_terms

NODES, WEIGHTS = np.polynomial.legendre.leggauss(80)


def log_interval(z, h):
    """ln(Φ(z + h/2) − Φ(z − h/2)) by quadrature, which does not cancel."""
    u = NODES * h / 2
    mean = (WEIGHTS / 2 * np.exp(-z[..., None] * u - u * u / 2)).sum(axis=-1)
    return np.log(mean) - z * z / 2 + np.log(h / np.sqrt(2 * np.pi))


def test_quadrature_is_right():
    z = np.array([-2.0, 0.0, 0.7])
    np.testing.assert_allclose(np.exp(log_interval(z, 0.8)), ndtr(z + 0.4) - ndtr(z - 0.4), rtol=1e-13)


@given(st.floats(1e-4, 2.0))
def test_series_within_its_error(h):
    limit, c0, c1, c2, c3, _, _ = interval_terms(h)
    z = np.linspace(0, np.sqrt(limit), 200)
    s = z * z
    series = c0 + s * (c1 + s * (c2 + s * c3))
    assert np.abs(series - log_interval(z, h)).max() <= _score_error(h, 0.0)


@given(st.floats(1e-4, 2.0))
def test_upper_bound_holds_everywhere(h):
    *_, d0, d1 = interval_terms(h)
    z = np.linspace(0, 30, 300)
    assert (d0 + d1 * z * z >= log_interval(z, h) - 1e-12).all()


@given(st.floats(2.0, 6.0), st.floats(-40, 40))
def test_upper_bound_of_wide_intervals(h, z):
    score, unsure = np.zeros(1), np.zeros(1, dtype=bool)
    _add_sharp(np.array([z]), 0.0, 1.0, h, score, unsure)
    assert unsure.all()
    assert score[0] >= max(log_interval(np.array([z]), h)[0], -36)


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
