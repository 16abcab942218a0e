from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.inference import clustered_difference, clustered_t, paired_t, student_posterior

CASES = ("equal", "unequal", "large")
marked = st.lists(st.tuples(st.integers(-20, 20).map(lambda v: v / 10), st.integers(0, 4)), min_size=4, max_size=30)


def differences(marks, case):
    return np.subtract(marks[f"{case}.a"], marks[f"{case}.b"]), marks[f"{case}.groups"]


@pytest.mark.parametrize("case", CASES)
def test_paired_t_agrees_with_r(marks, case):
    result = paired_t(marks[f"{case}.a"], marks[f"{case}.b"])
    limits = result.confidence_interval()
    found = result.estimate, result.statistic, result.df, result.pvalue, limits.low, limits.high
    assert found == pytest.approx(marks[f"{case}.paired"], rel=1e-12)
    x, _ = differences(marks, case)
    assert paired_t(x).pvalue == pytest.approx(result.pvalue, rel=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_cr0_and_cr2_agree_with_clubsandwich(marks, case):
    x, groups = differences(marks, case)
    robust = clustered_difference(x, groups)
    found = robust.estimate, robust.standard_error, robust.df, robust.pvalue
    assert found == pytest.approx(marks[f"{case}.clustered"], rel=1e-9)
    assert clustered_difference(x, groups, method="CR0").standard_error == pytest.approx(*marks[f"{case}.CR0"])


@pytest.mark.parametrize("case", CASES)
def test_guards_never_make_it_more_certain(marks, case):
    x, groups = differences(marks, case)
    guarded, plain = clustered_t(x, groups), clustered_difference(x, groups)
    assert guarded.estimate == pytest.approx(plain.estimate)
    assert guarded.standard_error >= max(plain.standard_error, paired_t(x).standard_error) - 1e-15
    assert guarded.df <= plain.df + 1e-9


def test_equal_clusters_that_differ_keep_the_values_of_clubsandwich():
    # clusters that differ more than their items: neither guard has anything to do
    x = np.repeat([0.5, -0.3, 0.2, 0.9, -0.6], 4) + np.tile([0.01, -0.01, 0.02, -0.02], 5)
    groups = np.repeat(range(5), 4)
    guarded, plain = clustered_t(x, groups), clustered_difference(x, groups)
    assert (guarded.statistic, guarded.df, guarded.pvalue) == pytest.approx((plain.statistic, plain.df, plain.pvalue))


def test_clusters_with_equal_means_leave_the_standard_error_of_the_items():
    x, groups = np.tile([0.4, -0.4], 4), np.repeat(range(4), 2)
    assert clustered_difference(x, groups).standard_error == 0
    assert clustered_t(x, groups).standard_error == pytest.approx(paired_t(x).standard_error)


@given(marked)
@settings(max_examples=25)
def test_swap_mirrors_and_order_and_names_do_not_matter(items):
    values, groups = zip(*items, (0.3, 7), (-0.1, 8), strict=True)
    result = clustered_t(values, groups)
    swapped = clustered_t(np.negative(values), groups)
    renamed = clustered_t(values[::-1], [f"text {g}" for g in groups[::-1]])
    assert (swapped.estimate, swapped.statistic) == pytest.approx((-result.estimate, -result.statistic))
    for other in (swapped, renamed):
        assert (other.df, other.pvalue) == pytest.approx((result.df, result.pvalue), rel=1e-9)


@given(marked, st.floats(0.01, 0.99))
@settings(max_examples=25)
def test_interval_is_dual_to_p_and_to_the_probabilities(items, alpha):
    values, groups = zip(*items, (0.3, 7), (-0.1, 8), strict=True)
    result = clustered_t(values, groups)
    limits = result.confidence_interval(1 - alpha)
    if abs(result.pvalue - alpha) > 1e-9:
        assert (0 in limits) == (result.pvalue > alpha)
    posterior = student_posterior(result, rope=0.0)
    assert posterior.credible_interval(1 - alpha).low == pytest.approx(limits.low)
    less = min(posterior.probabilities.a_better, posterior.probabilities.b_better)
    assert 2 * less == pytest.approx(result.pvalue)


def test_batched_equals_looped():
    rng = np.random.default_rng(5)
    x, groups = rng.normal(size=(3, 2, 12)), rng.integers(0, 4, 12)
    batched, posterior = clustered_t(x, groups), student_posterior(clustered_t(x, groups), rope=0.1)
    for where in np.ndindex(3, 2):
        one = clustered_t(x[where], groups)
        assert (batched.pvalue[where], batched.df[where]) == pytest.approx((one.pvalue, one.df))
        same = student_posterior(one, rope=0.1).probabilities.equivalent
        assert posterior.probabilities.equivalent[where] == pytest.approx(same)


@pytest.mark.parametrize(("x", "groups", "message"), [
    ([0.1, 0.2], [1, 1], "groups must hold at least 2 different groups, got 1"),
    ([0.1, 0.2], [1, 2, 3], "groups must name one group per item"),
    ([0.1, np.nan], [1, 2], r"x must be finite, but x\[1\] is nan"),
])  # fmt: skip
def test_bad_input_is_named(x, groups, message):
    with pytest.raises(InvalidInput, match=message):
        clustered_t(x, groups)
