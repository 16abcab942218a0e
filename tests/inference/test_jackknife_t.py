"""The jackknife t test of a metric: what it must be, and what must hold of it whatever the data."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inference.resampled_examples import EXAMPLES, example, labels, numbers

from foldwise import inference as inf
from foldwise.core.errors import InvalidInput
from foldwise.inference import metric_tests
from foldwise.metrics import statistic as statistics
from foldwise.metrics.catalogue import known_metric
from foldwise.metrics.function import measure
from foldwise.metrics.metric import Truth


@pytest.mark.parametrize("name", ["average_precision", "rmse"])
@pytest.mark.parametrize("groups", [None, np.arange(24) // 3], ids=["items", "clusters"])
def test_the_standard_error_is_that_of_leaving_rows_out(name, groups):
    statistic, truth, outputs = example(name, groups, n=24)
    metric, units = known_metric(name), np.arange(24) if groups is None else groups
    kept = [np.flatnonzero(units != unit) for unit in np.unique(units)]
    without = np.array([[metric.value(truth.take(r), output[r]) for output in outputs] for r in kept])
    difference, n = without[:, 0] - without[:, 1], len(kept)
    # (n − 1)/n Σ(d − d̄)², and the n/(n − 1) by which all standard errors over units are enlarged
    expected = np.sqrt(((difference - difference.mean()) ** 2).sum() * (n - 1) / n)
    assert float(inf.jackknife_t(statistic).standard_error) == pytest.approx(expected, rel=1e-9)


def test_labels_have_the_wider_of_the_two_standard_errors():
    """Of one discordant positive in eight the jackknife knows too little: the two supposed items widen it."""
    truth = Truth(values=np.repeat([1, 0], [8, 392]), classes=("no", "yes"), positive=1)
    other = truth.values.copy()
    other[0] = 0
    statistic = measure(known_metric("recall"), truth, [truth.values, other])
    effects = statistic.left_out()
    alone = float(statistics.spread(effects[0] - effects[1], statistic.counts))
    result = inf.jackknife_t(statistic)
    assert float(result.standard_error) > 1.1 * alone
    assert result.df < 10


@settings(max_examples=60)
@given(
    st.sampled_from(sorted(EXAMPLES)),
    st.integers(0, 10_000),
    st.lists(st.integers(1, 60), min_size=2, max_size=8) | st.none(),
    st.lists(st.floats(1e-6, 0.999999), min_size=2, max_size=5),
)
def test_intervals_are_ordered_hold_their_estimate_and_widen_with_the_level(name, seed, sizes, levels):
    n = 30 if sizes is None else sum(sizes)
    groups = None if sizes is None else np.repeat(np.arange(len(sizes)), sizes)
    if n < 6:
        return
    statistic, _, _ = example(name, groups, n=n, seed=seed)
    result = inf.jackknife_t(statistic)
    found = [result.confidence_interval(level) for level in sorted(levels)]
    for narrow, wide in pairwise(found):
        assert wide.low <= narrow.low <= result.estimate <= narrow.high <= wide.high


def test_of_equal_effects_degrees_of_freedom_count_the_units_that_carry_them():
    truth = Truth(values=np.zeros(400))
    a = np.zeros(400)
    a[:6] = [3, -3, 3, -3, 3, -3]
    few = inf.jackknife_t(measure(known_metric("rmse"), truth, [a, a / 2]))
    many = inf.jackknife_t(measure(known_metric("rmse"), *numbers(n=400)))
    assert few.df < 15
    assert many.df > 50


@pytest.mark.parametrize("name", ["rmse", "average_precision"])
def test_many_units_need_not_be_left_out(name, monkeypatch):
    statistic, _, _ = example(name, n=400)
    left_out = inf.jackknife_t(statistic)
    monkeypatch.setattr(metric_tests, "NOT_LEFT_OUT", (300, 10))
    limit = inf.jackknife_t(statistic)
    assert float(limit.standard_error) == pytest.approx(float(left_out.standard_error), rel=0.06)


@pytest.mark.parametrize("name", ["average_precision", "rmse", "spearman"])
def test_a_model_against_itself_is_no_evidence(name):
    truth, outputs = EXAMPLES[name]()
    result = inf.jackknife_t(measure(known_metric(name), truth, [outputs[0]] * 2))
    assert (result.estimate, result.standard_error, result.pvalue) == (0, 0, 1)
    assert result.confidence_interval().width == np.inf


@pytest.mark.parametrize("n", [20, 2000])
def test_the_same_labels_bound_the_difference_by_what_so_many_items_can_show(n):
    truth, outputs = labels(n=n)
    result = inf.jackknife_t(measure(known_metric("f1"), truth, [outputs[0]] * 2))
    assert (result.estimate, result.pvalue) == (0, 1)
    assert 1 / n < result.confidence_interval().high < 16 / n


def test_bad_input_is_told_in_a_sentence():
    _, truth, outputs = example("f1")
    with pytest.raises(InvalidInput, match="statistic must be of at least 2 models, got 1"):
        inf.jackknife_t(measure(known_metric("f1"), truth, outputs[:1]))
