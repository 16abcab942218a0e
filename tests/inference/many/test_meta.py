from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.meta_analysis import combine_effects

from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.inference.many.meta import combine_data_sets, random_effects

effects = st.lists(st.tuples(st.integers(-20, 20), st.integers(1, 50)), min_size=2, max_size=8)


@pytest.mark.parametrize("spread", [0.0, 0.05, 0.5])
def test_agrees_with_statsmodels_paule_mandel_and_hartung_knapp(spread, rng):
    v = rng.uniform(0.001, 0.02, size=12)
    y = rng.normal(0.1, np.sqrt(v + spread**2))
    reference = combine_effects(y, v, method_re="iterated", use_t=True, alpha=0.05)
    result = random_effects(y, v)
    assert result.between_variance == pytest.approx(max(reference.tau2, 0.0), rel=1e-4, abs=1e-9)
    assert result.estimate == pytest.approx(reference.mean_effect_re, rel=1e-5)
    if result.between_variance > 0:
        assert result.standard_error == pytest.approx(np.sqrt(reference.var_hksj_re), rel=1e-5)
        low, high = reference.conf_int(alpha=0.05, use_t=True)[3]
        interval = result.confidence_interval()
        assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-4)
    assert result.df == 11


def test_equal_variances_reduce_to_the_t_test_over_data_sets(rng):
    from scipy import stats

    y = rng.normal(0.02, 0.05, size=10)
    reference = stats.ttest_1samp(y, 0)
    result = random_effects(y, np.full(10, 1e-4))
    assert result.statistic == pytest.approx(reference.statistic, rel=1e-9)
    assert result.pvalue == pytest.approx(reference.pvalue, rel=1e-9)


def test_variance_of_a_data_set_is_the_corrected_one(rng):
    x = rng.normal(0.02, 0.03, size=(6, 100))
    corrected = (1 / 100 + 1 / 9) * x.var(axis=1, ddof=1)
    by_hand = random_effects(x.mean(axis=1), corrected)
    assert combine_data_sets(x, test_train_ratio=1 / 9).estimate == pytest.approx(by_hand.estimate, rel=1e-12)
    ratios = np.linspace(0.1, 0.5, 6)
    one_each = combine_data_sets(x, test_train_ratio=ratios)
    assert np.all(np.diff(one_each.weights / combine_data_sets(x, test_train_ratio=0.1).weights) < 0)


@given(effects)
def test_swap_mirrors_and_the_interval_is_dual(pairs):
    y, v = np.array(pairs, dtype=float).T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # equal differences have their own test
        result, swapped = random_effects(y, v), random_effects(-y, v)
    assert swapped.estimate == pytest.approx(-result.estimate)
    assert swapped.pvalue == pytest.approx(result.pvalue)
    interval = result.confidence_interval(0.9)
    if abs(result.pvalue - 0.1) > 1e-9:
        assert (0 in interval) == (result.pvalue > 0.1)
    assert result.weights.sum() == pytest.approx(1)
    assert 0 <= result.heterogeneity < 1


def test_a_learner_against_itself():
    result = combine_data_sets(np.zeros((5, 10)), test_train_ratio=1 / 9)
    assert (result.estimate, result.pvalue, result.between_variance) == (0, 1, 0)
    assert (result.confidence_interval().low, result.confidence_interval().high) == (-np.inf, np.inf)


def test_a_data_set_without_spread_gets_no_more_weight_than_the_others():
    x = np.array([[0.1, 0.1, 0.1], [0.2, 0.3, 0.1], [0.0, 0.1, -0.1], [0.3, 0.5, 0.1]])
    result = combine_data_sets(x, test_train_ratio=0.5)
    variance = (1 / 3 + 0.5) * np.array([0.06 / 3, 0.01, 0.01, 0.04])  # the first: the mean of the others'
    assert result.estimate == pytest.approx(random_effects(x.mean(axis=1), variance).estimate)
    assert result.pvalue == pytest.approx(random_effects(x.mean(axis=1), variance).pvalue)
    assert result.weights[0] < 0.3


def test_without_spread_anywhere_the_data_sets_have_equal_weight():
    x = np.array([[0.8 - 0.7, 0.9 - 0.8], [0.3, 0.3], [0.2, 0.2]])  # the first equal but for rounding
    constant = combine_data_sets(x, test_train_ratio=0.5)
    assert constant.estimate == pytest.approx(0.2)
    assert constant.weights == pytest.approx([1 / 3] * 3)
    with pytest.warns(DegenerateVariance, match="not credible"):
        same = combine_data_sets(np.full((3, 2), 0.1), test_train_ratio=0.5)
    with pytest.warns(DegenerateVariance, match="there is no interval"):
        interval = same.confidence_interval()
    assert np.isnan([interval.low, interval.high]).all()


def test_means_that_agree_better_than_their_variances_allow_are_no_certainty():
    y, v = np.full(3, 0.02), np.array([0.001, 0.002, 0.004])
    result = random_effects(y, v)
    assert result.standard_error == pytest.approx(1 / np.sqrt((1 / v).sum()))  # inverse-variance weighting, by hand
    assert result.pvalue > 0.4
    assert 0 in result.confidence_interval()


@pytest.mark.parametrize(("x", "ratio", "message"), [
    ([[0.1], [0.2]], 0.1, "at least two splits"),
    ([[0.1, 0.2]], 0.1, "at least two data sets"),
    ([[0.1, 0.2], [0.1, 0.2]], 0.0, "test_train_ratio must be above 0"),
    ([[0.1, 0.2], [0.1, 0.2]], [0.1, 0.1, 0.1], "one per data set"),
    ([[0.1, np.nan], [0.1, 0.2]], 0.1, r"differences\[0, 1\] is nan"),
])  # fmt: skip
def test_bad_input_is_named(x, ratio, message):
    with pytest.raises(InvalidInput, match=message):
        combine_data_sets(x, test_train_ratio=ratio)


def test_negative_variance_is_refused():
    with pytest.raises(InvalidInput, match="must not be negative"):
        random_effects([0.1, 0.2], [0.1, -0.2])
