from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower

from foldwise.core.errors import InvalidInput
from foldwise.inference import detectable_difference, student_power

dfs = st.sampled_from([1, 2, 5, 9, 29, 99, 999, 2.5])
alphas = st.sampled_from([0.001, 0.01, 0.05, 0.2])


@given(dfs, alphas, st.floats(0, 15))
def test_power_is_two_tails_of_scipys_noncentral_t(df, alpha, noncentrality):
    critical = stats.t.isf(alpha / 2, df)
    tails = stats.nct.sf(critical, df, noncentrality) + np.nan_to_num(stats.nct.cdf(-critical, df, noncentrality))
    assert student_power(noncentrality, 1.0, df, alpha=alpha) == pytest.approx(tails, rel=1e-9)


@pytest.mark.parametrize("n", [5, 10, 30, 100])
def test_agrees_with_statsmodels(n):
    effect = detectable_difference(1 / np.sqrt(n), n - 1)
    assert TTestPower().power(effect, n, 0.05, alternative="two-sided") == pytest.approx(0.8, rel=1e-9)


@given(dfs, alphas, st.sampled_from([0.3, 0.5, 0.8, 0.99]), st.floats(1e-6, 1e3))
def test_the_difference_found_has_the_power_asked_for(df, alpha, power, standard_error):
    found = detectable_difference(standard_error, df, alpha=alpha, power=power)
    assert student_power(found, standard_error, df, alpha=alpha) == pytest.approx(power, rel=1e-9)


@given(dfs, alphas)
def test_no_effect_is_rejected_at_the_level(df, alpha):
    assert student_power(0, 1, df, alpha=alpha) == pytest.approx(alpha, rel=1e-9)


@given(dfs, st.floats(0.01, 20))
def test_power_does_not_see_the_sign(df, effect):
    assert student_power(effect, 1, df) == student_power(-effect, 1, df)


def test_power_grows_with_the_effect_to_one():
    power = student_power(np.geomspace(0.01, 1e6, 300), 1.0, np.array([[1], [5], [99]]))
    assert (np.diff(power, axis=1) >= -1e-12).all()
    assert power[:, -1] == pytest.approx(1)


def test_extreme_levels_with_one_degree_of_freedom():
    # far outside the range where the noncentral t can be evaluated: |T| is as good as noncentrality / |Z|
    found = detectable_difference(1.0, 1, alpha=1e-6, power=0.8)
    assert found == pytest.approx(stats.t.isf(5e-7, 1) * stats.norm.isf(0.1), rel=1e-4)


def test_large_df_is_the_normal_formula():
    z = stats.norm.isf([0.025, 0.2]).sum()
    assert detectable_difference(1.0, 1e7) == pytest.approx(z, rel=1e-5)


def test_batched_equals_looped():
    errors, df = np.array([[0.1, 0.2, 0.3]]), np.array([[5], [9], [5], [99]])
    batched = detectable_difference(errors, df)
    assert batched.shape == (4, 3)
    looped = [[detectable_difference(e, d) for e in errors[0]] for d in df[:, 0]]
    assert batched.tolist() == looped


def test_no_standard_error_detects_anything():
    assert detectable_difference(0.0, 9) == 0


@pytest.mark.parametrize(("call", "message"), [
    (lambda: detectable_difference(-1, 9), "standard_error must be at least 0, got -1"),
    (lambda: detectable_difference(1, 0), "df must be above 0, got 0"),
    (lambda: detectable_difference(1, 9, power=0.05), "power must be above alpha = 0.05, got 0.05"),
    (lambda: detectable_difference(1, 9, power=1), "power must be strictly between 0 and 1"),
    (lambda: detectable_difference(1, 9, alpha=0), "alpha must be strictly between 0 and 1"),
    (lambda: detectable_difference(np.nan, 9), "standard_error must be finite"),
    (lambda: student_power(1, 0, 9), "standard_error must be above 0, got 0"),
    (lambda: student_power(np.inf, 1, 9), "effect must be finite"),
])  # fmt: skip
def test_bad_values_are_named(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
