from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reference.random_tables import Problem, looped, mixed_problem
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.learners import NearestNeighbours, create, neighbour_lists
from foldwise.learners.nearest_neighbours_kernels import _predict_runs
from foldwise.learners.neighbour_lists import list_candidates


@parametrize_with_checks([NearestNeighbours(), NearestNeighbours(k=3, widen_ranges=False)])
def test_passes_scikit_learns_checks(estimator, check):
    check(estimator)


def brute_force(learner, problem, run, i):
    """The predicted class of example i by the definition, slowly."""
    ids = problem.folds[run]
    train = np.flatnonzero(ids != ids[i])
    values = problem.X.values
    squared = np.zeros(len(train))
    weights = np.ones(values.shape[1]) if learner.weights is None else np.asarray(learner.weights)
    before = [j for j in range(i + 1) if ids[j] == ids[i]] if learner.widen_ranges else []
    for a, kind in enumerate(problem.X.kinds):
        x, z = values[i, a], values[train, a]
        if kind == "nominal":
            d = np.where(z == x, 0.0, 1.0)
        else:
            known = values[[*train, *before], a]
            known = known[~np.isnan(known)]
            low, width = (known.min(), np.ptp(known)) if len(known) else (0.0, 0.0)
            x, z = ((v - low) / width if width else v * 0.0 for v in (x, z))
            farthest = np.maximum(z, 1 - z)
            alone = np.where(np.isnan(z), max(x, 1 - x), x - z)
            d = np.where(np.isnan(z), 1.0, farthest) if np.isnan(x) else alone
        squared += weights[a] * (d * d)
    limit = np.sort(squared)[min(learner.k, len(train)) - 1]
    votes = np.bincount(problem.y[train[squared <= limit]], minlength=len(problem.classes))
    return int(np.argmax(votes))


@st.composite
def learners(draw, width):
    weights = draw(st.none() | st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=width, max_size=width))
    return NearestNeighbours(
        k=draw(st.sampled_from([1, 1, 2, 3, 9])), weights=weights, widen_ranges=draw(st.booleans())
    )


@settings(max_examples=200)
@given(st.data(), st.integers(0, 10**9))
def test_whole_cross_validation_is_the_same_as_fitting_each_fold(data, seed):
    problem = mixed_problem(seed)
    learner = data.draw(learners(problem.X.shape[1]))
    predicted = learner.cross_predict(problem.X, problem.y, problem.folds, classes=problem.classes)
    np.testing.assert_array_equal(predicted, looped(learner, problem))


@pytest.mark.parametrize("weights", [[1e80, 1.0, 1e-40], [1e300] * 3, [1e-300] * 3])
def test_weights_beyond_single_precision(weights):
    rng = np.random.default_rng(0)
    problem = Problem(
        Table.build(rng.random((40, 3))), rng.integers(0, 3, 40), rng.integers(0, 4, (2, 40)), np.arange(3)
    )
    learner = NearestNeighbours(k=3, weights=weights)
    np.testing.assert_array_equal(learner.cross_predict(problem.X, problem.y, problem.folds), looped(learner, problem))


@settings(max_examples=60)
@given(st.data(), st.integers(0, 10**9))
def test_agrees_with_the_definition(data, seed):
    problem = mixed_problem(seed, runs=1)
    learner = data.draw(learners(problem.X.shape[1]))
    predicted = learner.cross_predict(problem.X, problem.y, problem.folds, classes=problem.classes)
    for i in np.flatnonzero(problem.folds[0] >= 0):
        assert predicted[0, i] == brute_force(learner, problem, 0, i)


def test_longer_lists_than_candidates_are_searched_in_full():
    # two hundred copies of one example and one stranger: every list ends within a tie
    X = np.zeros((200, 2))
    X[0] = 1.0
    y = np.arange(200) % 2
    folds = (np.arange(200) % 10)[None]
    predicted = NearestNeighbours(k=1).cross_predict(X, y, folds)
    assert set(predicted[0, 2::2]) == {1}
    assert set(predicted[0, 1::2]) == {0}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.integers(0, 10**9))
def test_ties_beyond_the_room_for_lists_vote_all_the_same(monkeypatch, data, seed):
    monkeypatch.setattr(neighbour_lists, "MOST_LISTED", 1)
    problem = mixed_problem(seed, max_columns=2)
    learner = data.draw(learners(problem.X.shape[1]))
    predicted = learner.cross_predict(problem.X, problem.y, problem.folds, classes=problem.classes)
    np.testing.assert_array_equal(predicted, looped(learner, problem))


def test_long_ties_are_cut_off(monkeypatch):
    monkeypatch.setattr(neighbour_lists, "MOST_LISTED", 200 * 30)
    candidates, bounds, start = list_candidates(np.zeros((200, 1)), np.array([True]), np.ones(1), 9)
    assert set(np.diff(start)) == {31}
    assert not bounds[: start[-1]].any()
    assert (candidates[start[1:] - 1] == -1).all()


def test_examples_in_any_order_of_memory_take_the_same_kernel():
    X, y = np.random.default_rng(0).random((40, 3)), np.arange(40) % 2
    learner = NearestNeighbours().fit(X, y)
    expected = learner.predict(X)
    before = set(_predict_runs.signatures)
    turned = Table.build(np.asfortranarray(X))
    assert not turned.values.flags.c_contiguous
    np.testing.assert_array_equal(learner.predict(turned), expected)
    assert set(_predict_runs.signatures) == before


@settings(max_examples=30)
@given(st.integers(0, 10**9))
def test_continuous_data_agree_with_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.random((60, 3)), rng.integers(0, 3, 60)
    X[:2] = [[0.0] * 3, [1.0] * 3]  # the ranges are 0…1, which scikit-learn does not normalise
    test = rng.random((20, 3))
    ours = NearestNeighbours(k=1).fit(X, y).predict(test)
    np.testing.assert_array_equal(ours, KNeighborsClassifier(1).fit(X, y).predict(test))


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.integers(1, 8))
def test_candidate_bounds_are_bounds_and_complete(seed, wanted):
    problem = mixed_problem(seed)
    numeric = problem.X.n_values == 0
    values = problem.X.values
    with_zero = np.append(values, np.zeros((1, len(numeric))), axis=0)  # so that no column is all missing
    low, high = np.nanmin(with_zero, axis=0), np.nanmax(with_zero, axis=0)
    scaled = np.where(numeric, (values - low) / np.where(high > low, high - low, 1.0), values)
    weights = np.random.default_rng(seed).choice([0.5, 1.0, 2.0], len(numeric))
    candidates, bounds, start = list_candidates(scaled, numeric, weights, wanted)
    for i in range(len(values)):
        own = slice(start[i], start[i + 1] - 1)
        x, z = scaled[i], scaled
        d = np.where(numeric, x - z, (x != z) * 1.0)
        d = np.where(numeric & (np.isnan(x) | np.isnan(z)), np.where(np.isnan(x) & np.isnan(z), 1.0, 0.5), d)
        least = (weights * d * d).sum(axis=1)
        listed = candidates[own]
        assert len(listed) >= min(wanted, len(values) - 1)
        assert (bounds[own] <= least[listed]).all()
        np.testing.assert_allclose(bounds[own], least[listed], rtol=1e-5, atol=1e-5)
        others = np.setdiff1d(np.arange(len(values)), [*listed, i])
        beyond = bounds[start[i + 1] - 1]
        assert candidates[start[i + 1] - 1] == -1
        assert beyond == np.inf if len(others) == 0 else (least[others] >= beyond).all()


class TestDefinition:
    def test_all_that_tie_with_the_kth_vote(self):
        X = [[0.0], [1.0], [1.0], [1.0], [5.0]]
        y = ["far", "near", "tie", "tie", "far"]
        assert NearestNeighbours(k=1).fit(X, y).predict([[1.1]]).tolist() == ["tie"]
        probabilities = NearestNeighbours(k=1).fit(X, y).predict_proba([[1.1]])
        np.testing.assert_allclose(probabilities, [[0.2 / 3.6, 1.2 / 3.6, 2.2 / 3.6]])

    def test_class_ties_go_to_the_first_class(self):
        assert NearestNeighbours(k=2).fit([[0.0], [1.0]], ["b", "a"]).predict([[0.1]]).tolist() == ["a"]

    def test_more_neighbours_than_examples(self):
        X, y = [[0.0], [1.0], [2.0]], [0, 1, 1]
        for k in (9, 10**20):
            assert NearestNeighbours(k=k).fit(X, y).predict([[0.0]]).tolist() == [1]
            assert NearestNeighbours(k=k).cross_predict(X, y, [[0, 1, 2]]).tolist() == [[1, 0, 0]]

    def test_missing_is_as_far_as_can_be(self):
        X = Table.build([[0.0], [1.0], [np.nan]])
        model = NearestNeighbours(k=1).fit(X, ["low", "high", "unknown"])
        # 0.3 is 0.3 from 0, 0.7 from 1 and, at most, 0.7 from missing; a missing value is 1 from all three
        np.testing.assert_allclose(model.predict_proba(Table.build([[0.3]])), [[1 / 6, 4 / 6, 1 / 6]])
        np.testing.assert_allclose(model.predict_proba(Table.build([[np.nan]])), [[1 / 3, 1 / 3, 1 / 3]])
        two = NearestNeighbours(k=2).fit(X, ["low", "high", "unknown"])
        np.testing.assert_allclose(two.predict_proba(Table.build([[0.3]])), [[1 / 3, 1 / 3, 1 / 3]])

    def test_ranges_widen_as_predictions_go_on(self):
        X, y = [[0.0, 0.0], [1.0, 1.0]], ["a", "b"]
        outlier, point = [3.0, 0.0], [0.7, 0.4]
        # 0.7² + 0.4² > 0.3² + 0.6², but (0.7/3)² + 0.4² < (0.3/3)² + 0.6²
        as_weka = NearestNeighbours().fit(X, y)
        assert as_weka.predict([point, outlier])[0] == "b"
        assert as_weka.predict([outlier, point])[1] == "a"
        fixed = NearestNeighbours(widen_ranges=False).fit(X, y)
        assert fixed.predict([outlier, point])[1] == "b"

    def test_weights_damage(self):
        X, y = [[0.0, 1.0], [1.0, 0.0]], ["a", "b"]
        point = [[0.1, 0.1]]
        assert NearestNeighbours(weights=[1.0, 0.0]).fit(X, y).predict(point).tolist() == ["a"]
        assert NearestNeighbours(weights=[0.0, 1.0]).fit(X, y).predict(point).tolist() == ["b"]

    def test_short_names(self):
        assert create("1nn").k == 1
        assert create("7nn").k == 7


class TestBadInput:
    @pytest.mark.parametrize("k", [0, -1, 1.5, True])
    def test_k(self, k):
        with pytest.raises(InvalidInput, match="k must be a whole number of at least 1"):
            NearestNeighbours(k=k).fit([[0.0]], [0])

    def test_widen_ranges(self):
        with pytest.raises(InvalidInput, match="widen_ranges must be True or False, got 'no'"):
            NearestNeighbours(widen_ranges="no").fit([[0.0]], [0])

    def test_number_of_weights(self):
        with pytest.raises(InvalidInput, match=r"one number for each of 1 attributes, got shape \(2,\)"):
            NearestNeighbours(weights=[1, 1]).fit([[0.0]], [0])

    def test_negative_weight(self):
        with pytest.raises(InvalidInput, match="weights must be at least 0, got -1"):
            NearestNeighbours(weights=[-1]).fit([[0.0]], [0])


class TestDegenerate:
    def test_single_class(self):
        assert NearestNeighbours().fit([[1.0], [2.0]], ["only", "only"]).predict([[9.0]]).tolist() == ["only"]

    def test_zero_variance_and_all_missing_attributes_do_not_matter(self):
        X = np.array([[0.0, 4.0, np.nan], [1.0, 4.0, np.nan]])
        model = NearestNeighbours(widen_ranges=False).fit(X, ["a", "b"])
        assert model.predict([[0.2, 9.0, np.nan], [0.8, -9.0, 3.0]]).tolist() == ["a", "b"]

    def test_unseen_category_is_far_from_all(self):
        model = NearestNeighbours().fit([["a"], ["b"]], [0, 1])
        np.testing.assert_allclose(model.predict_proba([["z"]]), [[0.5, 0.5]])
