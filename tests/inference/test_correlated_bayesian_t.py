from __future__ import annotations

import baycomp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.inference import Probabilities, corrected_resampled_t, correlated_bayesian_t

values = st.integers(-30, 30).map(lambda k: k / 30)
spread_out = hnp.arrays(float, st.sampled_from([2, 5, 10]), elements=values).filter(lambda x: np.ptp(x) > 0)
ropes = st.sampled_from([0.0, 0.01, 0.1, 0.5])


def parts(result):
    p = result.probabilities
    return [p.b_better, p.equivalent, p.a_better]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("runs", "folds"), [(1, 10), (10, 10), (5, 2), (3, 5)])
@pytest.mark.parametrize("rope", [0.005, 0.03])
def test_agrees_with_baycomp(seed, runs, folds, rope):
    # baycomp takes second − first, and the correlation from the number of folds
    x = np.random.default_rng(seed).normal(0.01, 0.03, size=runs * folds)
    reference = baycomp.CorrelatedTTest.probs(np.zeros_like(x), x, rope=rope, runs=runs)
    assert parts(correlated_bayesian_t(x, correlation=1 / folds, rope=rope)) == pytest.approx(reference, rel=1e-10)


@pytest.mark.parametrize("value", [0.0, 0.25])
def test_differences_that_do_not_vary_have_no_posterior(value):
    with pytest.warns(DegenerateVariance, match="variance is unknown"):
        result = correlated_bayesian_t(np.full(8, value), correlation=0.1, rope=0.01)
    assert np.isnan(parts(result)).all()
    assert np.isnan([result.cdf(0.0), result.pdf(0.0), result.credible_interval().width]).all()
    assert (result.estimate, result.scale) == (value, 0)


def test_fewer_degrees_of_freedom_are_less_certain():
    x = [0.02, 0.03, 0.01, 0.02, 0.03]
    few, many = (correlated_bayesian_t(x, correlation=0.1, rope=0.01, df=df).probabilities.a_better for df in (2, 4))
    assert few < many == correlated_bayesian_t(x, correlation=0.1, rope=0.01).probabilities.a_better
    with pytest.raises(InvalidInput, match="df must be a number above 0"):
        correlated_bayesian_t(x, correlation=0.1, rope=0.01, df=0)


@given(spread_out, st.sampled_from([0.0, 0.1, 0.5]), st.sampled_from([-0.5, 0.0, 0.013, 0.2]))
def test_posterior_is_scipys_student(x, correlation, at):
    result = correlated_bayesian_t(x, correlation=correlation, rope=0.01)
    posterior = stats.t(result.df, loc=result.estimate, scale=result.scale)
    assert result.cdf(at) == pytest.approx(posterior.cdf(at), rel=1e-10, abs=1e-15)
    interval = result.credible_interval(0.9)
    assert [interval.low, interval.high] == pytest.approx(posterior.interval(0.9), rel=1e-9, abs=1e-12)


@given(spread_out, ropes)
def test_probabilities_sum_to_one_and_swap(x, rope):
    there = correlated_bayesian_t(x, correlation=0.1, rope=rope)
    back = correlated_bayesian_t(-x, correlation=0.1, rope=rope)
    assert sum(parts(there)) == pytest.approx(1, abs=1e-15)
    assert parts(there) == parts(back)[::-1]
    assert min(parts(there)) >= 0


@given(spread_out)
def test_credible_interval_is_the_corrected_tests_confidence_interval(x):
    bayes = correlated_bayesian_t(x, correlation=0.1, rope=0).credible_interval(0.95)
    frequentist = corrected_resampled_t(x, test_train_ratio=0.1 / 0.9).confidence_interval(0.95)
    assert [bayes.low, bayes.high] == pytest.approx([frequentist.low, frequentist.high], rel=1e-12, abs=1e-15)


@given(spread_out)
def test_without_a_rope_the_tails_are_one_sided_pvalues(x):
    left, rope, right = parts(correlated_bayesian_t(x, correlation=0.1, rope=0))
    greater = corrected_resampled_t(x, test_train_ratio=0.1 / 0.9, alternative="greater").pvalue
    assert (left, right) == pytest.approx((greater, 1 - greater), rel=1e-10)
    assert rope == pytest.approx(0, abs=1e-15)


@given(spread_out)
def test_a_wider_rope_holds_more(x):
    narrow, wide = (parts(correlated_bayesian_t(x, correlation=0.1, rope=r))[1] for r in (0.01, 0.1))
    assert narrow < wide


def test_far_tails_keep_their_digits():
    x = np.array([0.1, 0.1001, 0.0999, 0.1, 0.1002, 0.0998] * 5)
    tiny = correlated_bayesian_t(-x, correlation=0.1, rope=0.01).probabilities.a_better
    assert 0 < tiny < 1e-30


@given(hnp.arrays(float, (2, 3, 6), elements=values), ropes)
def test_batched_equals_looped(x, rope):
    x[..., 0] += 0.01
    batched = correlated_bayesian_t(x, correlation=0.1, rope=rope)
    for place in np.ndindex(2, 3):
        single = correlated_bayesian_t(x[place], correlation=0.1, rope=rope)
        assert [p[place] for p in parts(batched)] == pytest.approx(parts(single), rel=1e-12, abs=1e-16)


def test_correlation_and_rope_may_be_arrays():
    x = np.random.default_rng(0).normal(size=(2, 5))
    batched = correlated_bayesian_t(x, correlation=[0.1, 0.5], rope=[0.01, 0.2])
    second = correlated_bayesian_t(x[1], correlation=0.5, rope=0.2)
    assert [p[1] for p in parts(batched)] == pytest.approx(parts(second), rel=1e-13)


def test_for_losses_the_answers_are_mirrored():
    p = Probabilities(a_better=0.7, equivalent=0.2, b_better=0.1)
    assert p.as_tuple() == (0.7, 0.2, 0.1)
    assert p.mirrored().as_tuple() == (0.1, 0.2, 0.7)
    better = correlated_bayesian_t([0.2, 0.3, 0.25], correlation=0.1, rope=0.01).probabilities
    assert better.a_better > 0.9


@pytest.mark.parametrize(("options", "message"), [
    ({"correlation": 1, "rope": 0.01}, "correlation must be from 0 to below 1, got 1"),
    ({"correlation": -0.1, "rope": 0.01}, "correlation must be from 0 to below 1, got -0.1"),
    ({"correlation": 0.1, "rope": -0.01}, "rope must be at least 0, got -0.01"),
    ({"correlation": 0.1, "rope": np.nan}, "rope must be finite"),
])  # fmt: skip
def test_options_out_of_range(options, message):
    with pytest.raises(InvalidInput, match=message):
        correlated_bayesian_t([0.1, 0.2], **options)


@pytest.mark.parametrize(("x", "message"), [
    ([0.1], "at least 2 differences"),
    ([0.1, np.nan], r"x\[1\] is nan"),
])  # fmt: skip
def test_bad_samples(x, message):
    with pytest.raises(InvalidInput, match=message):
        correlated_bayesian_t(x, correlation=0.1, rope=0.01)
