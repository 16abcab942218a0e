from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from mlxtend.evaluate.bootstrap_point632 import no_information_rate as mlxtend_rate
from sklearn import datasets
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.metrics import mean_squared_error, zero_one_loss

from foldwise.comparison import error_estimators, estimate_error
from foldwise.comparison.error_estimators import bootstrap632, leave_one_out_bootstrap, no_information_rate
from foldwise.core.errors import DegenerateData, InvalidInput
from foldwise.core.types import Array
from foldwise.resampling import Plan

rates = st.floats(0, 1)
REFERENCE = Path(__file__).parents[1] / "reference" / "estimators.tsv"


class Stored(Plan):
    """Bootstrap samples that were drawn elsewhere."""

    def __init__(self, samples):
        self.samples = samples

    @property
    def identity(self):
        return {"plan": "stored"}

    def describe(self):
        return "stored samples"

    def _shape(self, cases):
        return len(self.samples), 1

    def _assign(self, run, cases, seed):
        return self.samples[run]

    def _cut(self, assignment, fold, cases):
        return assignment, np.setdiff1d(np.arange(cases.n), assignment)


def transcript(case):
    rows = [line.split("\t") for line in REFERENCE.read_text().splitlines() if line.startswith(case + "\t")]
    samples = [np.array(value.split(";"), dtype=np.int64) for _, figure, value in rows if figure == "sample"]
    return samples, {figure: float(value) for _, figure, value in rows if figure != "sample"}


@pytest.mark.parametrize(
    ("case", "rows", "learner"),
    [
        ("lda", np.arange(150), LinearDiscriminantAnalysis()),
        ("qda", np.r_[50:70, 100:120], QuadraticDiscriminantAnalysis()),
    ],
)
def test_agrees_with_r(case, rows, learner, monkeypatch):
    samples, expected = transcript(case)
    iris = datasets.load_iris()
    X, y = iris.data[rows], iris.target[rows]
    monkeypatch.setattr(error_estimators, "Bootstrap", lambda n: Stored(samples))
    plain = estimate_error(learner, X, y, method="bootstrap632")
    plus = estimate_error(learner, X, y, method="bootstrap632plus")
    assert plain.estimate == pytest.approx(expected["point632"], rel=1e-12)
    assert plus.estimate == pytest.approx(expected["point632plus"], rel=1e-12)
    for figure in ("apparent", "out_of_bag", "no_information", "overfitting"):
        assert plus.components[figure] == pytest.approx(expected[figure], rel=1e-10), figure
    assert estimate_error(learner, X, y, method="apparent").estimate == pytest.approx(expected["apparent"])
    assert estimate_error(learner, X, y, method="loo").estimate == pytest.approx(expected["loo"])


@given(rates, rates, rates)
def test_plus_lies_between_its_parts_and_never_below_plain(apparent, out_of_bag, no_information):
    result = bootstrap632(apparent, out_of_bag, no_information)
    assert 0 <= result.overfitting <= 1
    assert result.point632plus >= result.point632
    assert min(apparent, out_of_bag) - 1e-12 <= result.point632 <= max(apparent, out_of_bag) + 1e-12
    assert result.point632plus <= max(apparent, out_of_bag) + 1e-12


@given(rates, rates)
def test_without_overfitting_plus_is_plain(low, high):
    apparent, out_of_bag = max(low, high), min(low, high)
    result = bootstrap632(apparent, out_of_bag, 0.9)
    assert result.overfitting == 0
    assert result.point632plus == result.point632


@given(rates, rates)
def test_as_bad_as_no_information_counts_out_of_bag_alone(apparent, out_of_bag):
    result = bootstrap632(apparent, out_of_bag, out_of_bag)
    if out_of_bag > apparent:
        assert result.overfitting == 1
        assert result.point632plus == pytest.approx(out_of_bag)


def test_out_of_bag_above_no_information_is_bounded_as_published():
    # equation 32: the plain estimate keeps the unbounded error, the correction takes the bounded one
    result = bootstrap632(0.0, 0.6, 0.5)
    assert result.overfitting == 1
    assert result.point632plus == pytest.approx(0.632 * 0.6 + 0.368 * 0.5)


@given(st.integers(1, 30).flatmap(lambda n: st.tuples(*[arrays(np.int64, n, elements=st.integers(0, 3))] * 2)))
def test_no_information_rate_of_classes_agrees_with_all_pairs(pair):
    y, predicted = pair
    assert no_information_rate(y, predicted) == pytest.approx(mlxtend_rate(y, predicted, zero_one_loss))


@given(st.integers(1, 20).flatmap(lambda n: st.tuples(*[arrays(np.float64, n, elements=st.floats(-9, 9))] * 2)))
def test_no_information_rate_of_numbers_agrees_with_all_pairs(pair):
    y, predicted = pair
    expected = mlxtend_rate(y, predicted, mean_squared_error)
    assert no_information_rate(y, predicted, regression=True) == pytest.approx(expected, abs=1e-9)


@given(arrays(np.float64, (5, 4), elements=st.sampled_from([0.0, 1.0, np.nan])))
def test_leave_one_out_bootstrap_is_a_mean_of_means(losses):
    columns = [column[~np.isnan(column)] for column in losses.T]
    means = [column.mean() for column in columns if column.size]
    if means:
        assert leave_one_out_bootstrap(losses) == pytest.approx(np.mean(means))


def test_nothing_left_out():
    with pytest.raises(DegenerateData, match="no example was left out of any bootstrap sample"):
        leave_one_out_bootstrap(np.full((2, 2), np.nan))
    with pytest.raises(InvalidInput, match=r"losses must have two axes \(samples, examples\), got shape \(2,\)"):
        leave_one_out_bootstrap([0, 1])


class Spy:
    """A learner that remembers what it was trained on; all instances share the memory."""

    sizes: list[Array] = []  # noqa: RUF012
    _estimator_type = "classifier"

    def get_params(self, deep=True):
        return {}

    def set_params(self):
        return self

    def fit(self, X, y):
        self.sizes.append(np.sort(X[:, 0]))
        self.known = set(X[:, 0])
        return self

    def predict(self, X):
        """Right for what it has seen, wrong for the rest."""
        return np.array([int(x) % 2 if x in self.known else 1 - int(x) % 2 for x in X[:, 0]])


def test_the_apparent_error_comes_from_the_model_trained_on_all_examples():
    Spy.sizes = []
    X = np.arange(30.0).reshape(-1, 1)
    result = estimate_error(Spy(), X, np.arange(30) % 2, method="bootstrap632", repeats=5)
    assert sum(np.array_equal(seen, X[:, 0]) for seen in Spy.sizes) == 1
    assert len(Spy.sizes) == 6
    assert (result.components["apparent"], result.components["out_of_bag"]) == (0, 1)
    assert result.estimate == pytest.approx(0.632)
