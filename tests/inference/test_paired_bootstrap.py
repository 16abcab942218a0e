"""The paired bootstrap against enumeration, SciPy's BCa, and what must hold of it whatever the data."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inference.resampled_examples import EXAMPLES, example, labels, numbers
from scipy import stats

from foldwise import inference as inf
from foldwise.core.errors import DegenerateData, InvalidInput
from foldwise.inference.draws import resampled_counts
from foldwise.metrics import statistic as statistics
from foldwise.metrics.catalogue import find_metric, known_metric
from foldwise.metrics.measure import measure
from foldwise.metrics.truth import Truth


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("groups", [None, np.array([0, 0, 1, 1, 2, 2, 3, 3])], ids=["items", "clusters"])
def test_resamples_are_those_of_all_rows(name, groups):
    """Drawn by weights or by cells, differences are distributed as over every resample of the rows themselves."""
    statistic, truth, outputs = example(name, groups)
    metric, units = known_metric(name), np.arange(8) if groups is None else groups
    count = units.max() + 1
    if groups is None:
        draws = np.random.default_rng(1).integers(0, count, (800, count))
    else:
        draws = np.array(list(product(range(count), repeat=count)))
    rows = [np.concatenate([np.flatnonzero(units == unit) for unit in draw]) for draw in draws]
    exact = [metric.value(truth.take(r), outputs[0][r]) - metric.value(truth.take(r), outputs[1][r]) for r in rows]
    result = inf.paired_bootstrap(statistic, resamples=2000)
    grid = np.quantile(exact, np.linspace(0.05, 0.95, 13)) + 1e-9
    ours = np.searchsorted(result.differences, grid) / 2000
    theirs = np.searchsorted(np.sort(exact), grid) / len(exact)
    # two samples of at least 800 and of 2000, or that one against all there are
    assert np.abs(ours - theirs).max() < 4 * np.sqrt(0.25 / 800 + 0.25 / 2000)


def test_cells_are_drawn_as_their_rows():
    rng = np.random.default_rng(0)
    few, single = np.array([30.0, 10, 5, 5]), np.ones(50)
    kinds = np.repeat(np.arange(4), few.astype(int))
    drawn = resampled_counts(few, 4000, rng)
    by_row = resampled_counts(single, 4000, rng) @ np.eye(4)[kinds]
    assert drawn.mean(axis=0) == pytest.approx(few, abs=0.25)
    assert drawn.std(axis=0) == pytest.approx(by_row.std(axis=0), rel=0.06)
    assert (drawn.sum(axis=1) == 50).all()


def test_the_interval_is_scipys_bca_where_units_are_many_enough_for_the_normal():
    truth, outputs = numbers(n=60, noise=(1.0, 1.4))
    result = inf.paired_bootstrap(measure(known_metric("rmse"), truth, outputs), resamples=9999)
    plain = replace(result, df=np.inf, units=10**9).confidence_interval(0.9)

    def difference(y, a, b, axis):
        return np.sqrt(((y - a) ** 2).mean(axis=axis)) - np.sqrt(((y - b) ** 2).mean(axis=axis))

    theirs = stats.bootstrap(
        (truth.values, *outputs), difference, paired=True, confidence_level=0.9, n_resamples=9999, rng=1
    )
    width = theirs.confidence_interval.high - theirs.confidence_interval.low
    assert plain.low == pytest.approx(theirs.confidence_interval.low, abs=0.03 * width)
    assert plain.high == pytest.approx(theirs.confidence_interval.high, abs=0.03 * width)
    assert result.standard_error == pytest.approx(theirs.standard_error, rel=0.05)
    assert result.confidence_interval(0.9).width > plain.width


def test_of_few_units_the_interval_is_as_wide_as_students():
    truth = Truth(values=np.zeros(6))
    a = np.array([-1.0, 1, -2, 2, -0.5, 0.5]) + 10
    metric = find_metric("mae", truth)
    result = inf.paired_bootstrap(measure(metric, truth, [a, np.full(6, 10.0)]), resamples=20_000)
    student = stats.t.ppf(0.975, 5) * a.std(ddof=1) / np.sqrt(6)
    assert result.df == 5
    # the bootstrap of six numbers has lighter tails than the normal law that Student's interval supposes
    assert 0.85 * student < result.confidence_interval().width / 2 < 1.05 * student


@settings(max_examples=20)
@given(st.integers(0, 1000), st.sampled_from([0.8, 0.9, 0.95]), st.sampled_from(sorted(EXAMPLES)))
def test_test_interval_and_probabilities_come_from_one_distribution(seed, level, name):
    statistic, _, _ = example(name, n=30, seed=seed)
    result = inf.paired_bootstrap(statistic, resamples=500, seed=seed)
    if result.degenerate:
        return
    interval = result.confidence_interval(level)
    edge = 1 / 501  # the quantiles lie between resamples
    assert float(result.cdf(interval.low)) == pytest.approx((1 - level) / 2, abs=4 * edge)
    if abs(result.pvalue - (1 - level)) > 8 * edge:
        assert (0 in interval) == (result.pvalue >= 1 - level)
    chances = result.probabilities(0.05)
    assert sum(chances.as_tuple()) == pytest.approx(1)
    none = result.probabilities(0.0)
    assert (none.a_better + none.b_better, none.equivalent) == (pytest.approx(1), 0)


def test_the_same_seed_gives_the_same_answer_and_another_one_nearly_so():
    statistic, _, _ = example("average_precision", n=40)
    first, again, other = (inf.paired_bootstrap(statistic, resamples=2000, seed=seed) for seed in (0, 0, 1))
    assert (first.differences == again.differences).all()
    assert first.pvalue == pytest.approx(other.pvalue, abs=0.1)
    assert not (first.differences == other.differences).all()


def test_the_order_of_the_items_changes_nothing():
    truth, outputs = labels(n=40)
    order = np.random.default_rng(5).permutation(40)
    turned = measure(known_metric("f1"), truth.take(order), [output[order] for output in outputs])
    first, second = (inf.paired_bootstrap(s) for s in (measure(known_metric("f1"), truth, outputs), turned))
    assert (first.differences == second.differences).all()
    assert first.pvalue == second.pvalue


@pytest.mark.parametrize("name", ["rmse", "average_precision"])
def test_many_units_need_no_draws(name, monkeypatch):
    statistic, _, _ = example(name, n=400)
    drawn = inf.paired_bootstrap(statistic, resamples=4000)
    monkeypatch.setattr(statistics, "MANY_KINDS", 300)
    monkeypatch.setattr(statistics, "MANY_UNITS", 10)
    limit = inf.paired_bootstrap(statistic, resamples=4000)
    assert limit.normal
    assert not drawn.normal
    low, high = drawn.confidence_interval().low, drawn.confidence_interval().high
    assert limit.confidence_interval().low == pytest.approx(low, abs=0.06 * (high - low))
    assert limit.confidence_interval().high == pytest.approx(high, abs=0.06 * (high - low))


def test_a_few_units_that_carry_the_variance_are_drawn_however_many_others_there_are(monkeypatch):
    monkeypatch.setattr(statistics, "MANY_KINDS", 100)
    monkeypatch.setattr(statistics, "MANY_UNITS", 50)
    truth = Truth(values=np.zeros(400))
    a = np.linspace(0, 0.001, 400)
    a[:5] = 100
    assert not inf.paired_bootstrap(measure(known_metric("rmse"), truth, [a, a / 2])).normal


# ---- without evidence, and bad input


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_model_against_itself_is_no_evidence(name):
    truth, outputs = EXAMPLES[name]()
    result = inf.paired_bootstrap(measure(known_metric(name), truth, [outputs[0]] * 2), resamples=200)
    assert (result.estimate, result.standard_error, result.pvalue) == (0, 0, 1)
    assert result.confidence_interval().width == np.inf


def test_certainty_is_never_reached():
    truth, _ = labels(n=200)
    result = inf.paired_bootstrap(measure(known_metric("f1"), truth, [truth.values, np.ones(200, dtype=int)]))
    assert 0 < result.pvalue < 0.001
    assert 0 < result.probabilities(0.01).b_better < 0.001


def test_a_metric_without_values_on_many_resamples_says_so():
    def picky(y, p):
        if len(set(y.tolist())) < 2:
            raise ValueError("one class")
        return float((y == p).mean())

    truth = Truth(values=np.array([0, 0, 1, 1]), classes=(0, 1))
    statistic = measure(find_metric(picky, truth), truth, [np.array([0, 1, 1, 1]), np.array([1, 0, 1, 0])])
    with pytest.raises(DegenerateData, match=r"the metric has no value on \d+ of 200 resamples"):
        inf.paired_bootstrap(statistic, resamples=200)


def test_bad_input_is_told_in_a_sentence():
    statistic, truth, outputs = example("f1")
    with pytest.raises(InvalidInput, match="resamples must be a whole number of at least 100, got 5"):
        inf.paired_bootstrap(statistic, resamples=5)
    with pytest.raises(InvalidInput, match="statistic must be of at least 2 models, got 1"):
        inf.paired_bootstrap(measure(known_metric("f1"), truth, outputs[:1]))
