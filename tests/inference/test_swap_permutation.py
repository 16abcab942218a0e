"""The swap permutation test against enumeration, McNemar's test, and what must hold of it whatever the data."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inference.resampled_examples import EXAMPLES, example, labels, numbers

from foldwise import inference as inf
from foldwise.core.errors import InvalidInput
from foldwise.inference.metric_tests import all_swaps, swapped_counts
from foldwise.metrics.catalogue import find_metric, known_metric
from foldwise.metrics.function import measure
from foldwise.metrics.metric import Truth
from foldwise.metrics.statistic import Statistic


def by_hand(name, truth, outputs, groups=None):
    """The p-value of all exchanges, each computed from its own rows, with its own standard error by the jackknife's
    limit: weights a little larger, unit by unit."""
    metric, units = known_metric(name), np.arange(len(truth)) if groups is None else groups
    count = units.max() + 1

    def studentised(a, b):
        step = 1e-4
        statistic = measure(metric, truth, [a, b], units)
        difference = statistic.values[0] - statistic.values[1]
        moved = statistic.weighted(statistic.counts + step * np.eye(len(statistic.counts)))
        slopes = (moved[:, 0] - moved[:, 1] - difference) / step
        error = np.sqrt((statistic.counts * slopes**2).sum() * count / (count - 1))
        return 0.0 if abs(difference) < 1e-12 else difference / error if error > 1e-9 else np.inf

    observed, reached = abs(studentised(*outputs)), 0
    for swap in product([False, True], repeat=count):
        turned = np.array(swap)[units]
        a, b = np.where(turned, outputs[1], outputs[0]), np.where(turned, outputs[0], outputs[1])
        reached += abs(studentised(a, b)) >= observed * (1 - 1e-3)
    return reached / 2**count


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("groups", [None, np.array([0, 0, 0, 1, 1, 2])], ids=["items", "clusters"])
def test_few_units_are_exchanged_in_all_ways(name, groups):
    statistic, truth, outputs = example(name, groups, n=6, seed=3)
    result = inf.swap_permutation(statistic)
    assert result.exact
    assert result.pvalue == pytest.approx(by_hand(name, truth, outputs, groups))


@pytest.mark.parametrize("name", EXAMPLES)
def test_random_exchanges_agree_with_all_of_them(name):
    statistic, _, _ = example(name, n=12, seed=1)
    exact = inf.swap_permutation(statistic)
    random = inf.swap_permutation(statistic, permutations=3000 if exact.permutations > 3000 else 99)
    if random.exact:
        return
    assert exact.exact
    assert random.pvalue == pytest.approx(exact.pvalue, abs=4 * np.sqrt(0.25 / 3000) + 1 / 3001)


def test_accuracy_of_labels_is_mcnemars_exact_test():
    """Unstudentised it is the same; dividing by the standard error keeps the order, which the difference decides."""
    truth, outputs = labels(n=60, right=(0.9, 0.7))
    result = inf.swap_permutation(measure(known_metric("accuracy"), truth, outputs))
    right = [output == truth.values for output in outputs]
    counts = int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum())
    exact = float(inf.mcnemar(*counts, method="exact").pvalue)
    assert result.pvalue == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 9999) + 1e-4)


def test_binomial_exchanges_of_a_kind_are_those_of_its_units():
    rng = np.random.default_rng(0)
    together = swapped_counts(np.array([6.0, 2.0]), 4000, rng)
    apart = swapped_counts(np.ones(8), 4000, rng)
    assert together.mean(axis=0) == pytest.approx([3, 1], abs=0.1)
    assert together.var(axis=0) == pytest.approx([apart[:, :6].sum(1).var(), apart[:, 6:].sum(1).var()], rel=0.15)


def test_all_ways_are_there_as_often_as_units_can_be_exchanged():
    swaps = all_swaps(np.array([2.0, 5.0, 1.0]), np.array([True, False, True]))
    assert len(swaps) == 8
    assert sorted(map(tuple, swaps.tolist())) == sorted(
        [(0, 0, 0), (1, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 1), (2, 0, 1)]
    )


@settings(max_examples=20)
@given(st.integers(0, 1000), st.sampled_from(sorted(EXAMPLES)))
def test_models_exchanged_mirror_the_statistic_and_leave_p_alone(seed, name):
    statistic, truth, outputs = example(name, n=10, seed=seed)
    one, two = (inf.swap_permutation(s) for s in (statistic, measure(known_metric(name), truth, outputs[::-1])))
    assert (one.statistic, one.pvalue) == pytest.approx((-two.statistic, two.pvalue), abs=1e-9)


@settings(max_examples=20)
@given(st.permutations(range(10)), st.sampled_from(sorted(EXAMPLES)))
def test_the_order_of_the_items_changes_nothing(order, name):
    statistic, truth, outputs = example(name, n=10, seed=2)
    turned = measure(known_metric(name), truth.take(np.array(order)), [output[list(order)] for output in outputs])
    assert inf.swap_permutation(turned).pvalue == inf.swap_permutation(statistic).pvalue


@pytest.mark.parametrize("name", ["rmse", "average_precision"])
def test_many_units_need_no_draws(name, monkeypatch):
    statistic, _, _ = example(name, n=300)
    drawn = inf.swap_permutation(statistic, permutations=999)
    monkeypatch.setattr(Statistic, "many", (300, 10))
    limit = inf.swap_permutation(statistic)
    assert (limit.normal, limit.permutations, drawn.normal) == (True, 0, False)
    assert limit.pvalue == pytest.approx(drawn.pvalue, abs=4 * np.sqrt(0.25 / 999))


def test_a_function_is_not_studentised_and_agrees_with_all_exchanges():
    truth, outputs = numbers(n=8, seed=4)
    result = inf.swap_permutation(measure(find_metric(lambda y, p: np.abs(y - p).max(), truth), truth, outputs))
    errors = [np.abs(truth.values - output) for output in outputs]
    differences = []
    for swap in product([False, True], repeat=8):
        turned = np.array(swap)
        differences.append(np.where(turned, *errors[::-1]).max() - np.where(turned, *errors).max())
    observed = abs(errors[0].max() - errors[1].max())
    assert result.pvalue == np.mean(np.abs(differences) >= observed - 1e-12)
    assert (result.exact, result.studentised) == (True, False)


# ---- without evidence, and bad input


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_model_against_itself_is_no_evidence(name):
    truth, outputs = EXAMPLES[name]()
    result = inf.swap_permutation(measure(known_metric(name), truth, [outputs[0]] * 2))
    assert (result.estimate, result.statistic, result.pvalue, result.exact) == (0, 0, 1, True)


def test_all_right_against_all_wrong_is_as_certain_as_so_many_items_allow():
    truth = Truth(values=np.array([0, 1, 0, 1, 1]), classes=(0, 1), positive=1)
    result = inf.swap_permutation(measure(known_metric("accuracy"), truth, [truth.values, 1 - truth.values]))
    assert result.statistic == np.inf
    assert result.pvalue == 2 / 2**5


def test_p_is_never_zero():
    truth, _ = labels(n=400)
    result = inf.swap_permutation(measure(known_metric("f1"), truth, [truth.values, 1 - truth.values]), permutations=99)
    assert result.pvalue == 1 / 100


def test_bad_input_is_told_in_a_sentence():
    statistic, truth, outputs = example("f1")
    with pytest.raises(InvalidInput, match="permutations must be a whole number of at least 99, got 5"):
        inf.swap_permutation(statistic, permutations=5)
    with pytest.raises(InvalidInput, match="statistic must be of at least 2 models, got 1"):
        inf.swap_permutation(measure(known_metric("f1"), truth, outputs[:1]))
