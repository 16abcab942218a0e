from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from foldwise.core.errors import InvalidInput
from foldwise.inference.stability import partition_stability

matrices = arrays(np.float64, (6, 5), elements=st.integers(-10, 10).map(lambda k: k / 10))


def by_hand(x, multiplier):
    return multiplier * x.mean() / x.std(ddof=1)


def test_statistic_and_pvalue_are_those_of_the_test():
    x = np.random.default_rng(0).normal(0.1, 1, (10, 10))
    result = partition_stability(x, multiplier=11**0.5, df=10)
    assert result.statistic == pytest.approx(by_hand(x, 11**0.5))
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(result.statistic), 10))
    assert result.threshold == pytest.approx(stats.t.ppf(0.975, 10))


def test_the_jackknife_is_the_textbook_one():
    x = np.random.default_rng(1).normal(0.2, 1, (8, 5))
    left_out = np.array([by_hand(np.delete(x, j, axis=0), 2.0) for j in range(8)])
    expected = np.sqrt(7 / 8 * np.sum((left_out - left_out.mean()) ** 2))
    assert partition_stability(x, multiplier=2.0, df=9).monte_carlo_error == pytest.approx(expected)


def test_the_error_is_that_of_repeating_the_experiment():
    # runs are independent draws here, so the spread of the statistic over repetitions is known by simulation
    x = np.random.default_rng(2).normal(0.3, 1, (2000, 20, 10))
    result = partition_stability(x, multiplier=1.0, df=10)
    spread = result.statistic.std()
    assert np.sqrt(np.mean(result.monte_carlo_error**2)) == pytest.approx(spread, rel=0.06)


@given(matrices)
def test_swapping_the_learners_changes_the_sign_only(x):
    result, swapped = (partition_stability(z, multiplier=3.0, df=10) for z in (x, -x))
    assert swapped.statistic == pytest.approx(-result.statistic)
    assert swapped.distance == pytest.approx(result.distance)


@given(matrices, st.permutations(range(6)))
def test_the_order_of_runs_does_not_matter(x, order):
    result, shuffled = (partition_stability(z, multiplier=3.0, df=10) for z in (x, x[order]))
    assert shuffled.distance == pytest.approx(result.distance, rel=1e-6, nan_ok=False)


def test_batched_equals_looped():
    x = np.random.default_rng(3).normal(size=(4, 3, 5))
    batched = partition_stability(x, multiplier=2.0, df=7)
    assert batched.distance.tolist() == [partition_stability(z, multiplier=2.0, df=7).distance for z in x]


def test_no_difference_at_all_is_settled():
    result = partition_stability(np.zeros((3, 4)), multiplier=2.0, df=10)
    assert (result.statistic, result.pvalue) == (0, 1)
    assert result.settled


def test_constant_differences_are_settled_and_a_lone_run_with_all_the_variance_is_not():
    constant = partition_stability(np.full((3, 4), 0.1), multiplier=2.0, df=10)
    assert constant.settled
    lone = np.full((3, 4), 0.1)
    lone[2, 0] = 0.9
    assert not partition_stability(lone, multiplier=2.0, df=10).settled


@pytest.mark.parametrize(("x", "options", "message"), [
    (np.zeros((1, 5)), {}, "at least 2 runs"),
    (np.zeros(5), {}, "at least 2 axes"),
    (np.zeros((2, 5)), {"alpha": 0}, "alpha must be strictly between"),
    (np.zeros((2, 5)), {"df": 0}, "df must be a number above 0"),
])  # fmt: skip
def test_bad_input_is_named(x, options, message):
    with pytest.raises(InvalidInput, match=message):
        partition_stability(x, **({"multiplier": 2.0, "df": 10} | options))
