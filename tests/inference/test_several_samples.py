from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.inference import paired_t, single_sample_se, single_sample_ss, unpaired_t

A = np.array([0.20, 0.25, 0.22, 0.30, 0.28, 0.19])
B = np.array([0.18, 0.20, 0.21, 0.24, 0.29, 0.15])
errors = arrays(np.float64, 7, elements=st.integers(0, 100).map(lambda m: m / 100))


def test_paired_agrees_with_scipy():
    reference, result = stats.ttest_rel(A, B), paired_t(A, B)
    assert (result.statistic, result.df, result.pvalue) == pytest.approx(
        (reference.statistic, reference.df, reference.pvalue)
    )
    low, high = reference.confidence_interval(0.9)
    assert result.confidence_interval(0.9).low == pytest.approx(low)
    assert result.confidence_interval(0.9).high == pytest.approx(high)


@pytest.mark.parametrize(("df", "equal_var"), [("pooled", True), ("welch", False)])
def test_unpaired_agrees_with_scipy(df, equal_var):
    reference, result = stats.ttest_ind(A, B, equal_var=equal_var), unpaired_t(A, B, df=df)
    assert (result.statistic, result.df, result.pvalue) == pytest.approx(
        (reference.statistic, reference.df, reference.pvalue)
    )


def test_the_report_takes_the_fewer_degrees_of_freedom():
    assert unpaired_t(A, B).df == 5
    assert unpaired_t(A, B).pvalue > unpaired_t(A, B, df="welch").pvalue > paired_t(A, B).pvalue


@pytest.mark.filterwarnings("ignore::foldwise.core.errors.DegenerateVariance")
@given(errors, errors, st.sampled_from([paired_t, unpaired_t]))
def test_swap_mirrors_and_self_comparison_is_silent(a, b, test):
    result, swapped = test(a, b), test(b, a)
    assert result.statistic == pytest.approx(-swapped.statistic)
    assert result.pvalue == pytest.approx(swapped.pvalue)
    assert test(a, a).pvalue == 1


@pytest.mark.filterwarnings("ignore::foldwise.core.errors.DegenerateVariance")
@given(errors, errors, st.permutations(range(7)))
def test_order_of_samples_does_not_matter(a, b, order):
    assert paired_t(a[order], b[order]).pvalue == pytest.approx(paired_t(a, b).pvalue, rel=1e-6)
    assert unpaired_t(a, b[order]).pvalue == pytest.approx(unpaired_t(a, b).pvalue, rel=1e-6)


@pytest.mark.parametrize("test", [paired_t, unpaired_t])
def test_batched_equals_looped(test):
    a, b = np.random.default_rng(0).random((2, 4, 3, 8))
    batched = test(a, b).pvalue
    assert batched.shape == (4, 3)
    for where in np.ndindex(4, 3):
        assert batched[where] == pytest.approx(test(a[where], b[where]).pvalue)


def test_constant_difference_is_called_degenerate():
    with pytest.warns(DegenerateVariance, match="variance estimate is 0"):
        assert unpaired_t([0.3, 0.3, 0.3], [0.1, 0.1, 0.1], df="welch").pvalue == 0


@pytest.mark.parametrize("test", [paired_t, unpaired_t])
@pytest.mark.parametrize(("a", "b", "message"), [
    ([0.1, 0.2], [0.1, 0.2, 0.3], r"must have the same shape, got \(2,\) and \(3,\)"),
    ([0.1], [0.2], "at least 2"),
    ([0.1, np.inf], [0.1, 0.2], r"a must be finite, but (errors_)?a\[1\] is inf"),
])  # fmt: skip
def test_bad_samples_are_named(test, a, b, message):
    with pytest.raises(InvalidInput, match=message):
        test(a, b)


def test_se_by_hand():
    # ε = 0.25, N = 100: SE = √(0.1875/100)
    result = single_sample_se(30, 20, 100)
    assert result.estimate == pytest.approx(0.1)
    assert result.standard_error == pytest.approx(0.0433013)
    assert result.apparent
    assert result.heuristic
    assert "heuristic" in result.caveat
    assert not hasattr(result, "pvalue")


def test_ss_by_hand():
    # x = (10·0.1 + 30·0.3)/40 = 0.25; SS² = (0.15²·10 + 0.05²·30)/(1·40)
    result = single_sample_ss([0.1, 0.3], [10, 30])
    assert result.estimate == pytest.approx(0.25)
    assert result.standard_error == pytest.approx(np.sqrt(0.3 / 40))


@given(errors)
def test_ss_with_equal_folds_is_the_ordinary_standard_error(delta):
    if np.ptp(delta) > 0:
        assert single_sample_ss(delta, [12] * 7).standard_error == pytest.approx(stats.sem(delta))


def test_no_difference_is_not_apparent():
    assert (single_sample_se(0, 0, 10).statistic, single_sample_ss([0, 0], [5, 5]).statistic) == (0, 0)
    assert not single_sample_se(7, 7, 10).apparent
    assert single_sample_ss([0.1, 0.1, 0.1], [5, 5, 5]).statistic == np.inf


@pytest.mark.parametrize(("call", "message"), [
    (lambda: single_sample_se(11, 2, 10), "errors_a must be at most n, got 11 errors in 10"),
    (lambda: single_sample_ss([0.1, 0.2], [5]), r"sizes must hold one size per fold, shape \(2,\), got shape \(1,\)"),
    (lambda: single_sample_ss([0.1, 0.2], [5, 0]), "at least 2 folds of at least 1 example each"),
    (lambda: single_sample_ss([0.1], [5]), "at least 2 folds of at least 1 example each"),
])  # fmt: skip
def test_bad_heuristic_input_is_named(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
