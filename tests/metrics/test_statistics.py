"""Resampled and exchanged metrics: always what the metric gives on the items themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldwise.metrics.catalogue import find_metric, known_metric, metric_names
from foldwise.metrics.function import measure
from foldwise.metrics.metric import Needs, Truth
from foldwise.metrics.statistic import MOST_NUMBERS, blocks

OWN = metric_names()


def example(name, *, n=14, k=3, seed=0, models=2):
    """A truth and models' outputs of the form that the metric needs."""
    rng, needs = np.random.default_rng(seed), known_metric(name).needs
    if needs is Needs.NUMBERS:
        y = rng.normal(5, 1, n).round(1)
        return Truth(values=y), [(y + rng.normal(0, 1, n)).round(1) for _ in range(models)]
    if needs is Needs.QUANTILES:
        y, levels = rng.normal(5, 1, n).round(1), (0.1, 0.5, 0.9)
        return Truth(values=y, levels=levels), [
            np.sort((y[:, None] + rng.normal(0, 1, (n, 3))).round(1)) for _ in range(models)
        ]
    if needs is Needs.RISKS:
        lived = rng.exponential(5, n).round(1)
        return Truth(values=np.where(rng.random(n) < 0.7, lived, -lived)), [
            (rng.normal(0, 1, n) - np.log(lived + 1)).round(1) for _ in range(models)
        ]
    k = 2 if needs is Needs.SCORES or known_metric(name).one_class else k
    truth = Truth(values=rng.permutation(np.arange(n) % k), classes=tuple(range(k)), positive=1)
    if needs is Needs.LABELS:
        return truth, [np.where(rng.random(n) < 0.5, truth.values, rng.integers(0, k, n)) for _ in range(models)]
    if needs is Needs.SCORES:
        return truth, [rng.normal(truth.values, 1).round(1) for _ in range(models)]
    return truth, [rng.dirichlet(np.ones(k), n) for _ in range(models)]


def grouped(n):
    return np.arange(n) % 5


@pytest.mark.parametrize("name", OWN)
def test_all_items_once_is_the_metric(name):
    truth, outputs = example(name, models=3)
    statistic = measure(known_metric(name), truth, outputs)
    expected = [known_metric(name).value(truth, output) for output in outputs]
    assert statistic.values == pytest.approx(expected, abs=1e-12)
    assert statistic.weighted(statistic.counts[None])[0] == pytest.approx(expected, abs=1e-12)
    assert statistic.units == len(truth)


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("clustered", [False, True])
def test_effects_are_derivatives_by_the_weights(name, clustered):
    truth, outputs = example(name)
    statistic = measure(known_metric(name), truth, outputs, grouped(len(truth)) if clustered else None)
    step = 1e-5 * np.eye(len(statistic.counts))
    slopes = (statistic.weighted(statistic.counts + step) - statistic.weighted(statistic.counts - step)) / 2e-5
    assert statistic.effects == pytest.approx(slopes.T, abs=1e-7)
    assert (statistic.counts * statistic.effects).sum(axis=1) == pytest.approx(0, abs=1e-9)


# wql is over the mean size of the true numbers of the test set, which is taken as given
@pytest.mark.parametrize("name", [name for name in OWN if name != "wql"])
@pytest.mark.parametrize("clustered", [False, True])
def test_a_unit_that_counts_three_times_is_its_rows_three_times(name, clustered):
    truth, outputs = example(name)
    groups = grouped(len(truth)) if clustered else None
    statistic = measure(known_metric(name), truth, outputs, groups)
    units = groups if clustered else np.arange(len(truth))
    expected = set()
    for unit in range(units.max() + 1):
        rows = np.repeat(np.arange(len(truth)), np.where(units == unit, 3, 1))
        expected.add(tuple(round(known_metric(name).value(truth.take(rows), output[rows]), 9) for output in outputs))
    found = statistic.weighted(statistic.counts + 2 * np.eye(len(statistic.counts)))
    assert {tuple(round(float(value), 9) for value in row) for row in found} == expected


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("clustered", [False, True])
def test_exchanging_all_mirrors_and_exchanging_none_changes_nothing(name, clustered):
    truth, outputs = example(name)
    statistic = measure(known_metric(name), truth, outputs, grouped(len(truth)) if clustered else None)
    found = statistic.exchanged(np.stack([np.zeros_like(statistic.counts), statistic.counts]))
    difference = statistic.values[0] - statistic.values[1]
    assert found.differences == pytest.approx([difference, -difference], abs=1e-12)
    between = statistic.effects[0] - statistic.effects[1]
    units = statistic.units
    error = np.sqrt((statistic.counts * between**2).sum() * units / (units - 1))
    assert found.standard_errors == pytest.approx([error, error], abs=1e-12)


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("clustered", [False, True])
def test_an_exchanged_set_is_what_the_metric_gives_on_exchanged_outputs(name, clustered):
    truth, outputs = example(name)
    groups = grouped(len(truth)) if clustered else None
    statistic = measure(known_metric(name), truth, outputs, groups)
    a, b = outputs
    results = set()
    units = groups if clustered else np.arange(len(truth))
    for turned in np.eye(units.max() + 1, dtype=bool):
        swap = turned[units].reshape(-1, *[1] * (a.ndim - 1))
        other = measure(known_metric(name), truth, [np.where(swap, b, a), np.where(swap, a, b)], groups)
        none = other.exchanged(np.zeros((1, len(other.counts))))
        results.add((round(float(none.differences[0]), 9), round(float(none.standard_errors[0]), 9)))
    found = statistic.exchanged(np.eye(len(statistic.counts)))
    pairs = zip(found.differences, found.standard_errors, strict=True)
    assert {(round(float(d), 9), round(float(e), 9)) for d, e in pairs} == results


@pytest.mark.parametrize("name", ["f1_macro", "matthews_corrcoef", "roc_auc_ovr", "log_loss", "balanced_accuracy"])
@settings(max_examples=15)
@given(seed=st.integers(0, 10_000))
def test_other_names_of_the_classes_change_no_value(name, seed):
    truth, outputs = example(name, seed=seed)
    turned = np.array([2, 0, 1])
    relabelled = Truth(values=turned[truth.values], classes=truth.classes, positive=truth.positive)
    renamed = [turned[output] if output.ndim == 1 else output[:, np.argsort(turned)] for output in outputs]
    first, second = (measure(known_metric(name), t, o) for t, o in ((truth, outputs), (relabelled, renamed)))
    assert second.values == pytest.approx(first.values, abs=1e-12)
    spread = [(s.counts * (s.effects[0] - s.effects[1]) ** 2).sum() for s in (first, second)]
    assert spread[1] == pytest.approx(spread[0], abs=1e-12)


@pytest.mark.parametrize("name", ["f1", "r2", "average_precision", "spearman"])
@settings(max_examples=15)
@given(order=st.permutations(range(14)))
def test_the_order_of_the_items_changes_nothing(name, order):
    truth, outputs = example(name)
    first = measure(known_metric(name), truth, outputs)
    second = measure(known_metric(name), truth.take(np.array(order)), [output[list(order)] for output in outputs])
    counts = np.random.default_rng(0).integers(0, 3, (4, len(first.counts))).astype(float) + 0.5
    assert second.weighted(counts) == pytest.approx(first.weighted(counts), abs=1e-12)


@pytest.mark.parametrize("name", ["f1_macro", "balanced_accuracy", "cohen_kappa"])
@pytest.mark.parametrize("clustered", [False, True])
def test_many_classes_are_as_few_with_names_that_never_occur(name, clustered):
    truth, outputs = example(name)
    groups = grouped(len(truth)) if clustered else None
    many = Truth(values=truth.values, classes=tuple(range(50)), positive=1)
    few, sparse = (measure(known_metric(name), t, outputs, groups) for t in (truth, many))
    assert sparse.values == pytest.approx(few.values, abs=1e-12)
    squares = [(s.counts * (s.effects[0] - s.effects[1]) ** 2).sum() for s in (few, sparse)]
    assert squares[1] == pytest.approx(squares[0])
    errors = [s.exchanged(s.counts[None]).standard_errors[0] for s in (few, sparse)]
    assert errors[1] == pytest.approx(errors[0])


def test_cells_of_many_models_and_classes_are_still_told_apart():
    truth, outputs = example("accuracy", n=200, k=3, models=16)
    statistic = measure(known_metric("accuracy"), truth, outputs)
    assert statistic.values == pytest.approx([(output == truth.values).mean() for output in outputs])
    assert len(statistic.counts) == len(np.unique(np.column_stack([truth.values, *outputs]), axis=0))


# ---- functions


def test_a_function_is_resampled_and_left_out_unit_by_unit():
    truth, outputs = example("mae")
    groups = grouped(len(truth))
    metric = find_metric(lambda y, p: np.abs(y - p).mean(), truth)
    function, known = measure(metric, truth, outputs, groups), measure(known_metric("mae"), truth, outputs, groups)
    assert function.values == pytest.approx(known.values)
    assert np.sort(function.effects[0]) == pytest.approx(np.sort(known.effects[0]), rel=0.5)
    counts = np.array([[1.0, 2, 0, 1, 1]])
    rows = np.repeat(np.arange(14), counts[0].astype(int)[groups])
    expected = [np.abs(truth.values - output)[rows].mean() for output in outputs]
    assert function.weighted(counts)[0] == pytest.approx(expected)
    swapped = function.exchanged(np.ones((1, 5)))
    assert swapped.differences == pytest.approx([known.values[1] - known.values[0]])
    assert swapped.standard_errors is None


def test_the_jackknife_of_a_mean_is_its_standard_error_also_in_parts():
    rng = np.random.default_rng(0)
    y = np.zeros(1000)
    metric = find_metric(lambda y, p: float(np.mean(p)), Truth(values=y))
    p = rng.normal(size=1000)
    for n in (50, 1000):
        statistic = measure(metric, Truth(values=y[:n]), [p[:n], p[:n]])
        error = np.sqrt((statistic.effects[0] ** 2).sum())
        assert error == pytest.approx(p[:n].std() / np.sqrt(n), rel=0.15 if n > 200 else 0.02)


def test_a_function_without_a_value_on_a_resample_has_none():
    def only_both(y, p):
        if len(set(y.tolist())) < 2:
            raise ValueError("one class")
        return float((y == p).mean())

    truth = Truth(values=np.array([0, 0, 1, 1]), classes=("x", "y"))
    statistic = measure(find_metric(only_both, truth), truth, [np.array([0.0, 1, 1, 0])] * 2)
    assert np.isnan(statistic.weighted(np.array([[4.0, 0, 0, 0]]))).all()


def test_blocks_cover_all_rows_once():
    parts = list(blocks(10, MOST_NUMBERS // 3))
    assert [i for part in parts for i in range(part.start, part.stop)] == list(range(10))


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(2, 30), st.integers(0, 2))
def test_leaving_out_one_by_one_is_what_weights_of_zero_give(seed, n, decimals):
    rng = np.random.default_rng(seed)
    scores, numbers = np.round(rng.normal(size=(2, n)), decimals)
    labels = Truth(values=(rng.random(n) < 0.4).astype(int), classes=("no", "yes"), positive=1)
    for name, truth in (("average_precision", labels), ("spearman", Truth(values=numbers))):
        weighable = known_metric(name).weighable(truth, scores)
        assert weighable.left_out(n) == pytest.approx(weighable.values(1 - np.eye(n)), abs=1e-12)
