from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.random_tables import looped, mixed_problem
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.neural_network import MLPClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.learners import LinearPerceptron, MultilayerPerceptron
from foldwise.learners._perceptron_kernels import exp_of_negative, padded, tanh
from foldwise.learners.perceptrons import _initial_weights, train_many

QUICK = {"epochs": 15, "learning_rate": 0.1}


@parametrize_with_checks([LinearPerceptron(), MultilayerPerceptron(5)])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def scikit_learns_net(Z, y, weights, hidden, epochs, rate):
    """scikit-learn's net with the same start, the same optimiser and all examples in each batch."""
    sizes = () if hidden == 0 else (hidden,)
    net = MLPClassifier(
        sizes, activation="tanh", alpha=0.0, batch_size=len(Z), learning_rate_init=rate, max_iter=1, warm_start=True
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that it has not converged
        net.fit(Z, y)
        net.coefs_, net.intercepts_ = start_of(weights, Z.shape[1], hidden, len(net.classes_))
        net.set_params(max_iter=epochs, tol=0.0, n_iter_no_change=epochs + 1)
        net.fit(Z, y)
    return net


def start_of(weights, inputs, hidden, classes):
    """Weights (inputs × units) and biases per layer, from our padded vector."""
    sizes = [(inputs, classes)] if hidden == 0 else [(inputs, hidden), (hidden, classes)]
    coefs, biases, at = [], [], 0
    for fan_in, units in sizes:
        layer = weights[at : at + units * padded(fan_in)].reshape(units, padded(fan_in))
        at += layer.size
        assert not layer[:, fan_in + 1 :].any()
        coefs.append(layer[:, :fan_in].T.copy())
        biases.append(layer[:, fan_in].copy())
    return coefs, biases


@pytest.mark.parametrize("hidden", [0, 3, 10])
@pytest.mark.parametrize("load", [load_iris, load_wine, load_digits])
def test_training_is_scikit_learns(load, hidden):
    X, y = load(return_X_y=True)
    X, y = X[:700].astype(float), y[:700].astype(np.int64)  # more than one block, the last not full
    classes, rows = int(y.max()) + 1, np.arange(len(y))
    nets = train_many(X, y, [rows], n_classes=classes, seeds=[3], hidden=hidden, epochs=40, learning_rate=0.02)
    Z = (X - nets.mean[0]) * nets.scale[0]
    start = _initial_weights(X.shape[1], hidden, classes, 3)
    theirs = scikit_learns_net(Z, y, start, hidden, 40, 0.02)
    coefs, biases = start_of(nets.weights[0], X.shape[1], hidden, classes)
    for ours, expected in zip([*coefs, *biases], [*theirs.coefs_, *theirs.intercepts_], strict=True):
        np.testing.assert_allclose(ours, expected, atol=1e-6)
    np.testing.assert_allclose(nets.probabilities(X, [rows])[0], theirs.predict_proba(Z), atol=1e-6)


def test_inputs_are_standardised():
    X = np.array([[1.0, 5.0, np.nan], [3.0, 5.0, 2.0], [8.0, 5.0, 4.0]])
    nets = train_many(X, np.array([0, 1, 1]), [np.arange(3)], n_classes=2, seeds=[0], epochs=1)
    np.testing.assert_allclose(nets.mean[0], [4.0, 5.0, 3.0])
    np.testing.assert_allclose(nets.scale[0], [1 / np.std([1, 3, 8]), 0.0, 1.0])


def test_inputs_may_share_one_scale():
    X = np.array([[1.0, 5.0, 10.0], [3.0, 5.0, 2.0], [8.0, 5.0, 4.0]])
    rows = [np.arange(3)]
    nets = train_many(X, np.array([0, 1, 1]), rows, n_classes=2, seeds=[0], epochs=1, shared_scale=True)
    together = 1 / np.sqrt(X.var(axis=0).mean())
    np.testing.assert_allclose(nets.mean[0], X.mean(axis=0))
    np.testing.assert_allclose(nets.scale[0], [together, 0.0, together])


def test_scale_of_a_single_kind_of_input_is_its_own():
    X = np.array([[1.0], [3.0], [8.0]])
    one, other = (
        train_many(X, np.array([0, 1, 1]), [np.arange(3)], n_classes=2, seeds=[0], epochs=9, shared_scale=shared)
        for shared in (False, True)
    )
    np.testing.assert_allclose(one.weights, other.weights, rtol=1e-12)


class TestFunctions:
    def test_exponential(self):
        x = np.linspace(-39.9, 0.0, 5001)
        ours = np.array([exp_of_negative(v) for v in x])
        np.testing.assert_allclose(ours, np.exp(x), atol=1e-10, rtol=0)

    def test_exponential_stays_positive(self):
        assert 0.0 < exp_of_negative(-1e9) < 1e-17

    def test_tanh(self):
        x = np.linspace(-30.0, 30.0, 6001)[None, :].copy()
        expected = np.tanh(x)
        tanh(x)
        np.testing.assert_allclose(x, expected, atol=1e-10, rtol=0)
        assert x.min() >= -1.0
        assert x.max() <= 1.0


class TestBatches:
    @settings(max_examples=25, deadline=None)
    @given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.sampled_from([0, 1, 9]))
    def test_a_net_does_not_depend_on_its_batch(self, seed, nets, hidden):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(80, 3)), rng.integers(0, 3, 80)
        X[rng.random(X.shape) < 0.1] = np.nan
        rows = [rng.permutation(80)[: rng.integers(1, 80)] for _ in range(nets)]
        seeds = list(range(nets))
        options = {"n_classes": 3, "hidden": hidden, **QUICK}
        together = train_many(X, y, rows, seeds=seeds, **options)
        for t in range(nets):
            alone = train_many(X, y, rows[t : t + 1], seeds=seeds[t : t + 1], **options)
            np.testing.assert_array_equal(alone.weights[0], together.weights[t])

    @settings(max_examples=40, deadline=None)
    @given(st.integers(0, 2**32 - 1), st.sampled_from([LinearPerceptron(**QUICK), MultilayerPerceptron(4, **QUICK)]))
    def test_cross_predict_is_fit_and_predict(self, seed, learner):
        problem = mixed_problem(seed)
        found = learner.cross_predict(problem.X, problem.y, problem.folds, classes=problem.classes)
        np.testing.assert_array_equal(found, looped(learner, problem))

    def test_threads_change_nothing(self):
        X, y = load_iris(return_X_y=True)
        rows = [np.flatnonzero(np.arange(150) % 5 != k) for k in range(5)]
        one, other = (
            train_many(X, y, rows, n_classes=3, seeds=range(5), hidden=3, jobs=j, **QUICK).weights for j in (1, 3)
        )
        np.testing.assert_array_equal(one, other)

    def test_no_nets(self):
        nets = train_many(np.zeros((3, 2)), np.zeros(3, dtype=int), [], n_classes=1, seeds=[])
        assert nets.predict(np.zeros((3, 2)), []) == []


class TestSeeds:
    X, y = load_iris(return_X_y=True)

    def test_same_seed_same_net(self):
        one, other = (MultilayerPerceptron(3, random_state=4, **QUICK).fit(self.X, self.y) for _ in range(2))
        np.testing.assert_array_equal(one.nets_.weights, other.nets_.weights)

    def test_another_seed_another_net(self):
        one, other = (MultilayerPerceptron(3, random_state=s, **QUICK).fit(self.X, self.y) for s in (4, 5))
        assert (one.nets_.weights != other.nets_.weights).any()

    def test_no_seed_is_seed_zero(self):
        one, other = (LinearPerceptron(random_state=s, **QUICK).fit(self.X, self.y) for s in (None, 0))
        np.testing.assert_array_equal(one.nets_.weights, other.nets_.weights)


def test_hidden_units_learn_what_a_line_cannot():
    X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0]
    assert MultilayerPerceptron().fit(X, y).score(X, y) == 1.0
    assert LinearPerceptron().fit(X, y).score(X, y) < 1.0


@pytest.mark.parametrize("learner", [LinearPerceptron(), MultilayerPerceptron(3)], ids=["linear", "multilayer"])
class TestDegenerateData:
    def test_single_class(self, learner):
        model = learner.fit([[1.0], [2.0]], ["z", "z"])
        assert model.predict([[9.0]]).tolist() == ["z"]
        assert model.predict_proba([[9.0]]).tolist() == [[1.0]]

    def test_single_example(self, learner):
        assert learner.fit([[1.0]], ["b"], classes=["a", "b"]).predict([[1.0]]).tolist() == ["b"]

    def test_constant_attribute_is_ignored(self, learner):
        X, y = np.array([[0.0, 0.1], [1.0, 0.1], [4.0, 0.1], [5.0, 0.1]]), [0, 0, 1, 1]
        model = learner.fit(X, y)
        np.testing.assert_array_equal(model.predict_proba([[3.0, 1e9]]), model.predict_proba([[3.0, 0.1]]))

    def test_all_attributes_constant_predict_the_majority(self, learner):
        assert learner.fit([[7.0]] * 5, [0, 1, 1, 1, 0]).predict([[7.0], [8.0]]).tolist() == [1, 1]

    def test_all_missing_attribute_is_ignored(self, learner):
        model = learner.fit([[0.0, None], [1.0, None], [4.0, None], [5.0, None]], [0, 0, 1, 1])
        np.testing.assert_array_equal(model.predict_proba([[3.0, None]]), model.predict_proba([[3.0, 12.0]]))
        assert model.predict([[0.0, None], [5.0, None]]).tolist() == [0, 1]

    def test_missing_value_counts_as_the_mean(self, learner):
        model = learner.fit([[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1])
        np.testing.assert_array_equal(model.predict_proba([[None]]), model.predict_proba([[2.5]]))

    def test_unseen_nominal_value_counts_as_missing(self, learner):
        model = learner.fit([["a"], ["b"], ["c"], ["a"]], [0, 1, 1, 0])
        np.testing.assert_array_equal(model.predict_proba([["new"]]), model.predict_proba([[None]]))
        assert model.predict([["a"], ["b"]]).tolist() == [0, 1]

    def test_class_without_examples_is_hardly_ever_predicted(self, learner):
        model = learner.fit([[0.0], [1.0]] * 5, ["a", "c"] * 5, classes=["a", "b", "c"])
        assert model.predict([[0.0], [1.0]]).tolist() == ["a", "c"]

    def test_more_folds_than_examples(self, learner):
        assert learner.cross_predict([[0.0], [1.0], [5.0]], [0, 0, 1], [[0, 5, 9]]).shape == (1, 3)

    def test_huge_values_do_not_overflow(self, learner):
        model = learner.fit(Table.build([[-1e150], [1e150]] * 3), [0, 1] * 3)
        assert model.predict([[-1e150], [1e150]]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (MultilayerPerceptron(0), "hidden must be a whole number of at least 1, got 0"),
        (MultilayerPerceptron(epochs=1.5), "epochs must be a whole number of at least 1, got 1.5"),
        (LinearPerceptron(learning_rate=0), "learning_rate must be a number above 0, got 0"),
        (LinearPerceptron(random_state=-3), "random_state must be a whole number of at least 0, got -3"),
    ],
)
def test_parameters_are_checked(learner, message):
    with pytest.raises(InvalidInput, match=message):
        learner.fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seeds": [1, 2]}, r"seeds must be one per net \(1\), got 2"),
        ({"rows": [np.array([0, 9])]}, "rows must be from 0 to 3, got 0 to 9"),
        ({"rows": [np.array([], dtype=int)]}, "at least one training example per net"),
        ({"codes": np.array([0, 1, 2, 0])}, "codes must be from 0 to 1, got 0 to 2"),
        ({"codes": np.array([0.0, 1.0, 1.0, 0.5])}, r"codes must be a list of whole numbers, got float64"),
        ({"rows": [np.array([True, False, True, False])]}, r"rows must be a list of whole numbers, got bool"),
        ({"X": np.array([[0.0], [np.inf], [1.0], [2.0]])}, "X must not have infinite values"),
        ({"X": [["a"]] * 4}, "X must be an array of numbers: could not convert string"),
        ({"n_classes": 2.0}, "n_classes must be a whole number of at least 1, got 2.0"),
        ({"hidden": -1}, "hidden must be a whole number of at least 0, got -1"),
        ({"epochs": 0}, "epochs must be a whole number of at least 1, got 0"),
        ({"learning_rate": np.nan}, "learning_rate must be a number above 0, got nan"),
        ({"codes": np.array([0, 1])}, r"codes must be one per row of X, got \(2,\) for X of shape \(4, 1\)"),
    ],
)
def test_train_many_refuses_what_does_not_fit(changes, message):
    right = {
        "X": np.zeros((4, 1)),
        "codes": np.array([0, 1, 1, 0]),
        "rows": [np.arange(4)],
        "seeds": [0],
        "n_classes": 2,
    }
    with pytest.raises(InvalidInput, match=message):
        train_many(**{**right, **changes})


@pytest.mark.parametrize("rows", [[np.array([4])], [np.array([0]), np.array([0])]])
def test_nets_refuse_rows_that_do_not_fit(rows):
    nets = train_many(np.zeros((4, 1)), np.array([0, 1, 1, 0]), [np.arange(4)], n_classes=2, seeds=[0], **QUICK)
    with pytest.raises(InvalidInput, match=r"rows must be from 0 to 3|rows 1 lists, got"):
        nets.predict(np.zeros((4, 1)), rows)
