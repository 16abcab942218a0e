from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from statsmodels.stats.weightstats import ttost_paired

from foldwise.core.errors import InvalidInput
from foldwise.inference import corrected_resampled_t, resampled_t, tost

values = st.integers(-30, 30).map(lambda k: k / 300)
sample = hnp.arrays(float, st.sampled_from([2, 5, 10]), elements=values).filter(lambda x: np.ptp(x) > 0)
margins = st.sampled_from([0.01, 0.05, 0.2])


@pytest.mark.parametrize("margin", [0.005, 0.02, 0.1])
def test_agrees_with_statsmodels(margin):
    x = np.random.default_rng(0).normal(0.01, 0.02, size=12)
    pvalue, (_, low, _), (_, high, _) = ttost_paired(x, np.zeros(12), -margin, margin)
    result = tost(resampled_t(x), margin=margin)
    assert [result.pvalue, result.pvalue_low, result.pvalue_high] == pytest.approx([pvalue, low, high], rel=1e-10)


@given(sample, margins, st.sampled_from([0.01, 0.05, 0.2]))
def test_equivalent_exactly_when_the_interval_lies_inside_the_margin(x, margin, alpha):
    result = corrected_resampled_t(x, test_train_ratio=1 / 9)
    interval = result.confidence_interval(1 - 2 * alpha)
    pvalue = tost(result, margin=margin).pvalue
    if abs(pvalue - alpha) > 1e-12:
        assert (pvalue < alpha) == (-margin < interval.low and interval.high < margin)


@given(sample, margins)
def test_swapping_the_learners_swaps_the_two_tests(x, margin):
    there, back = tost(resampled_t(x), margin=margin), tost(resampled_t(-x), margin=margin)
    assert (there.pvalue_low, there.pvalue_high) == (back.pvalue_high, back.pvalue_low)
    assert there.pvalue == back.pvalue == max(there.pvalue_low, there.pvalue_high)


@given(sample)
def test_a_wider_margin_is_easier(x):
    result = resampled_t(x)
    assert tost(result, margin=0.2).pvalue <= tost(result, margin=0.05).pvalue


def test_batches_and_margins_broadcast():
    x = np.random.default_rng(0).normal(size=(3, 6))
    result = tost(resampled_t(x), margin=[[0.5], [1.0]])
    assert result.pvalue.shape == (2, 3)
    assert result.pvalue[1, 2] == pytest.approx(tost(resampled_t(x[2]), margin=1.0).pvalue, rel=1e-13)


def test_one_sided_results_serve_as_well():
    x = [0.01, 0.02, -0.01, 0.0]
    assert tost(resampled_t(x, alternative="less"), margin=0.1) == tost(resampled_t(x), margin=0.1)


@pytest.mark.parametrize("value", [0.0, 0.1, 0.25, -0.25, 0.3])
@pytest.mark.filterwarnings("ignore::foldwise.core.errors.DegenerateVariance")
def test_without_variance_nothing_is_shown(value):
    result = tost(resampled_t(np.full(4, value)), margin=0.25)
    assert (result.pvalue, result.pvalue_low, result.pvalue_high) == (1, 1, 1)
    batch = tost(resampled_t(np.array([np.full(4, value), [0.1, 0.0, 0.1, 0.05]])), margin=0.25)
    assert batch.pvalue[0] == 1 > batch.pvalue[1]


@pytest.mark.parametrize("margin", [0, -0.1])
def test_margin_must_be_above_zero(margin):
    with pytest.raises(InvalidInput, match=f"margin must be above 0, got {margin:g}"):
        tost(resampled_t([0.1, 0.2]), margin=margin)
