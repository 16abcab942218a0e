"""Every metric against an independent source: scikit-learn, SciPy, or the definition."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.metric import is_loss
from foldwise.metrics.catalogue import find_metric, known_metric, metric_names
from foldwise.metrics.metric import Needs, Truth


def averaged(score, average):
    return lambda y, p: score(y, p, average=average, zero_division=0)


def specificity(y, p):
    return np.mean(p[y != 1] != 1)


LABELS = {
    "accuracy": sk.accuracy_score,
    "error": sk.zero_one_loss,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "matthews_corrcoef": sk.matthews_corrcoef,
    "cohen_kappa": sk.cohen_kappa_score,
    **{
        f"{name}_{average}": averaged(score, average)
        for name, score in (("f1", sk.f1_score), ("precision", sk.precision_score), ("recall", sk.recall_score),
                            ("jaccard", sk.jaccard_score))
        for average in ("macro", "weighted", "micro")
    },
}  # fmt: skip
BINARY = {
    "f1": sk.f1_score,
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "jaccard": sk.jaccard_score,
    "specificity": specificity,
}
SCORES = {"roc_auc": sk.roc_auc_score, "average_precision": sk.average_precision_score}
CLASS_SCORES = {
    f"roc_auc_{scheme}{'_weighted' * (average == 'weighted')}": (scheme, average)
    for scheme in ("ovr", "ovo")
    for average in ("macro", "weighted")
}
NUMBERS = {
    "mae": sk.mean_absolute_error,
    "mse": sk.mean_squared_error,
    "mape": sk.mean_absolute_percentage_error,
    "rmse": sk.root_mean_squared_error,
    "r2": sk.r2_score,
    "explained_variance": sk.explained_variance_score,
    "pearson": lambda y, p: stats.pearsonr(y, p)[0],
    "spearman": lambda y, p: stats.spearmanr(y, p)[0],
}


def classes(k, n=60, seed=0):
    """A truth of k classes, and predictions that are right on about half."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % k)
    p = np.where(rng.random(n) < 0.5, y, rng.integers(0, k, n))
    return Truth(values=y, classes=tuple(range(k)), positive=1), p


def test_the_tables_hold_every_metric():
    tables = {*LABELS, *BINARY, *SCORES, *CLASS_SCORES, *NUMBERS, "log_loss", "brier"}
    tables |= {"pinball", "wql"}  # of several quantiles: tests/doors/test_forecasts.py
    tables |= {"c_index", "c_index_uno"}  # tests/metrics/test_survival.py
    assert set(metric_names()) == tables


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.parametrize("k", [2, 3, 40])
def test_metrics_of_labels(name, k):
    truth, p = classes(k)
    assert known_metric(name).value(truth, p) == pytest.approx(LABELS[name](truth.values, p), abs=1e-12)


@pytest.mark.parametrize("name", BINARY)
def test_metrics_of_one_class(name):
    truth, p = classes(2)
    assert known_metric(name).value(truth, p) == pytest.approx(BINARY[name](truth.values, p), abs=1e-12)


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("digits", [1, 8])
def test_metrics_of_scores_with_and_without_ties(name, digits):
    truth, _ = classes(2)
    scores = np.random.default_rng(1).normal(truth.values, 1).round(digits)
    assert known_metric(name).value(truth, scores) == pytest.approx(SCORES[name](truth.values, scores), abs=1e-12)


@pytest.mark.parametrize("name", CLASS_SCORES)
def test_areas_of_several_classes(name):
    truth, _ = classes(4)
    p = np.random.default_rng(1).dirichlet(np.ones(4), len(truth))
    scheme, average = CLASS_SCORES[name]
    expected = sk.roc_auc_score(truth.values, p, multi_class=scheme, average=average)
    assert known_metric(name).value(truth, p) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("k", [2, 4])
def test_losses_of_probabilities(k):
    truth, _ = classes(k)
    p = np.random.default_rng(1).dirichlet(np.ones(k), len(truth))
    assert known_metric("log_loss").value(truth, p) == pytest.approx(sk.log_loss(truth.values, p), abs=1e-12)
    apart = ((p - np.eye(k)[truth.values]) ** 2).sum(axis=1).mean()
    assert known_metric("brier").value(truth, p) == pytest.approx(apart / 2 if k == 2 else apart, abs=1e-12)


@pytest.mark.parametrize("name", NUMBERS)
def test_metrics_of_numbers(name):
    rng = np.random.default_rng(2)
    y = rng.normal(100, 2, 50).round(1)
    p = (y + rng.normal(0, 1, 50)).round(1)
    assert known_metric(name).value(Truth(values=y), p) == pytest.approx(NUMBERS[name](y, p), abs=1e-9)


@pytest.mark.parametrize("name", metric_names())
def test_the_name_tells_the_direction_and_other_processes_can_have_it(name):
    metric = known_metric(name)
    assert is_loss(name) is (not metric.higher_is_better)
    assert pickle.loads(pickle.dumps(metric)) == metric


@pytest.mark.parametrize(("name", "expected"), [("f1", 0.0), ("precision", 0.0), ("cohen_kappa", 0.0), ("mcc", 0.0)])
def test_what_is_undefined_is_zero(name, expected):
    truth = Truth(values=np.array([0, 0, 0]), classes=(0, 1), positive=1)
    assert known_metric(name).value(truth, np.zeros(3, dtype=np.int64)) == expected


def test_nothing_is_explained_of_a_truth_that_does_not_vary():
    assert known_metric("r2").value(Truth(values=np.ones(4)), np.array([1.0, 2, 3, 4])) == 0


# ---- by name


def test_other_names_and_negated_ones_are_the_metric_itself():
    truth = classes(2)[0]
    assert find_metric("neg_log_loss", truth).name == "log_loss"
    assert find_metric("mcc", truth).name == "matthews_corrcoef"
    assert find_metric("auc", truth).name == "roc_auc"
    assert find_metric("auc", classes(3)[0]).name == "roc_auc_ovr"


@pytest.mark.parametrize("name", ["neg_max_error", "neg_median_absolute_error", "neg_mean_poisson_deviance"])
def test_other_scorers_of_scikit_learn_are_losses_in_their_own_unit(name):
    y, p = np.array([1.0, 2, 4, 3]), np.array([2.0, 2, 3, 1])
    metric = find_metric(name, Truth(values=y))
    score = -sk.get_scorer(name)._score_func(y, p)
    assert (metric.name, metric.higher_is_better) == (name.removeprefix("neg_"), False)
    assert metric.value(Truth(values=y), p) == pytest.approx(-score)


def test_a_scorer_of_one_class_takes_the_class_that_is_named():
    truth = Truth(values=np.array([0, 1, 1, 0, 1]), classes=("no", "yes"), positive=0)
    metric = find_metric("positive_likelihood_ratio", classes(2)[0])
    assert metric.needs is Needs.LABELS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scored = find_metric("f1_samples", truth)
    with pytest.raises(InvalidInput, match="metric 'f1_samples' failed: ValueError"):
        scored.value(truth, truth.values)


def test_a_function_gets_the_labels_themselves_and_its_name_tells_the_direction():
    seen = []

    def my_error(y, p):
        seen.append((y.tolist(), p.tolist()))
        return float(np.mean(y != p))

    truth = Truth(values=np.array([0, 1]), classes=("no", "yes"))
    metric = find_metric(my_error, truth)
    assert (metric.name, metric.higher_is_better, metric.needs) == ("my_error", False, Needs.ANY)
    assert find_metric(my_error, truth, higher_is_better=True).higher_is_better
    metric.value(truth, np.array([0.5, 0.5]))
    assert seen == [(["no", "yes"], [0.5, 0.5])]


def test_bad_names_and_values_are_told_in_a_sentence():
    truth, _ = classes(2)
    with pytest.raises(UnknownName, match="unknown metric 'f11': did you mean 'f1'"):
        find_metric("f11", truth)
    with pytest.raises(InvalidInput, match="metric 'rmse' is for numbers, but truth holds classes"):
        find_metric("rmse", truth)
    with pytest.raises(InvalidInput, match="metric 'f1' is for classes, but truth holds numbers"):
        find_metric("f1", Truth(values=np.array([1.0, 2.0])))
    with pytest.raises(InvalidInput, match="metric '<lambda>' must give a finite number, got nan"):
        find_metric(lambda y, p: np.nan, truth).value(truth, truth.values)
    with pytest.raises(InvalidInput, match="must name the class that the metric is about, one of"):
        known_metric("f1").value(Truth(values=np.array([0, 1]), classes=(0, 1)), np.array([0, 1]))
