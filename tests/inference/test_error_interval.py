from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.inference import EMPIRICAL_PRIOR, INTERVAL_METHODS, error_interval

LEVELS = [0.8, 0.9, 0.95, 0.99]
INSIDE = ["jeffreys", "uniform", "beta", "clopper_pearson", "wilson", "agresti_coull"]
SYMMETRIC = [method for method in INTERVAL_METHODS if method != "beta"]
ANY_LEVEL = [method for method in INTERVAL_METHODS if method not in ("approximate_beta", "abramowitz_stegun")]
samples = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def interval(errors, n, method, level=0.95):
    prior = EMPIRICAL_PRIOR if method == "beta" else None
    return error_interval(errors, n, method=method, confidence_level=level, prior=prior)


@pytest.mark.parametrize(("case", "method", "prior"), [
    ("beta_0.5_0.5", "jeffreys", None),
    ("beta_1_1", "uniform", None),
    ("beta_1_3.67", "beta", EMPIRICAL_PRIOR),
    ("clopper_pearson", "clopper_pearson", None),
    ("wilson", "wilson", None),
])  # fmt: skip
@pytest.mark.parametrize("side", ["low", "high"])
def test_agrees_with_r(rates, case, method, prior, side):
    # qbeta, binom.test and prop.test without correction
    for (errors, n, level), limit in rates(f"{case}_{side}"):
        result = error_interval(errors, n, method=method, confidence_level=level, prior=prior)
        # R's prop.test leaves a rounding error where Wilson's limit is 0
        assert getattr(result, side) == pytest.approx(limit, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(("errors", "n"), [(20, 100), (1, 30), (29, 30), (0, 12), (12, 12), (450, 1000)])
@pytest.mark.parametrize("name", ["agresti_coull", "wilson", "jeffreys"])
@pytest.mark.parametrize("level", LEVELS)
def test_agrees_with_statsmodels(errors, n, name, level):
    low, high = proportion_confint(errors, n, alpha=1 - level, method=name)
    result = error_interval(errors, n, method=name, confidence_level=level)
    if not (name == "jeffreys" and errors == 0):
        assert result.low == pytest.approx(low, rel=1e-9, abs=1e-15)
    if not (name == "jeffreys" and errors == n):
        assert result.high == pytest.approx(high, rel=1e-9)


def test_textbook_by_hand():
    # 20 errors in 100: s = 0.04, z = 1.959964
    plain, corrected = interval(20, 100, "textbook"), interval(20, 100, "textbook_continuity")
    assert (plain.low, plain.high) == pytest.approx((0.2 - 0.0783986, 0.2 + 0.0783986), abs=1e-7)
    assert (corrected.low, corrected.high) == pytest.approx((0.2 - 0.0833986, 0.2 + 0.0833986), abs=1e-7)
    assert interval(1, 30, "textbook").low < 0


@given(samples, st.sampled_from(SYMMETRIC))
def test_counting_right_answers_instead_mirrors_the_interval(sample, method):
    errors, n = sample
    if method == "abramowitz_stegun":  # its formulas for few errors end at 200 examples
        n = min(n, 200)
        errors = min(errors, n)
    result, mirrored = interval(errors, n, method), interval(n - errors, n, method)
    assert result.low == pytest.approx(1 - mirrored.high, abs=1e-12)
    assert result.high == pytest.approx(1 - mirrored.low, abs=1e-12)


@given(samples, st.sampled_from(ANY_LEVEL))
def test_intervals_nest_with_the_level(sample, method):
    results = [interval(*sample, method, level) for level in LEVELS]
    for inner, outer in pairwise(results):
        assert outer.low <= inner.low + 1e-12
        assert inner.high <= outer.high + 1e-12


@given(samples, st.sampled_from(INSIDE), st.sampled_from(LEVELS))
def test_limits_are_rates_and_hold_the_estimate(sample, method, level):
    result = interval(*sample, method, level)
    assert 0 <= result.low < result.high <= 1
    if method in ("jeffreys", "clopper_pearson", "wilson", "agresti_coull"):
        assert result.estimate in result.interval


@pytest.mark.parametrize("method", ["jeffreys", "uniform", "beta", "clopper_pearson", "wilson"])
@pytest.mark.parametrize("n", [1, 7, 1000, 10**9])
def test_no_error_and_no_right_answer_reach_the_end(method, n):
    assert interval(0, n, method).low == 0
    assert interval(n, n, method).high == 1


@given(samples, st.floats(0.001, 0.999), st.sampled_from(LEVELS))
def test_wilson_is_dual_to_the_score_test(sample, rate, level):
    errors, n = sample
    z = abs(errors / n - rate) / np.sqrt(rate * (1 - rate) / n)
    pvalue = 2 * stats.norm.sf(z)
    assume(abs(pvalue - (1 - level)) > 1e-9)
    assert (rate in interval(errors, n, "wilson", level).interval) == (pvalue > 1 - level)


@given(samples, st.floats(0.001, 0.999), st.sampled_from(LEVELS))
def test_clopper_pearson_is_dual_to_the_exact_binomial_tests(sample, rate, level):
    errors, n = sample
    tail = min(stats.binom.cdf(errors, n, rate), stats.binom.sf(errors - 1, n, rate))
    assume(abs(tail - (1 - level) / 2) > 1e-9)
    assert (rate in interval(errors, n, "clopper_pearson", level).interval) == (tail > (1 - level) / 2)


@given(samples, st.sampled_from(LEVELS))
def test_jeffreys_lies_within_clopper_pearson(sample, level):
    inner, outer = interval(*sample, "jeffreys", level), interval(*sample, "clopper_pearson", level)
    assert outer.low - 1e-12 <= inner.low
    assert inner.high <= outer.high + 1e-12


def test_posterior_summaries_of_the_report():
    # martinhirschberg1996 section 2.2: mean (m+½)/(M+1), variance μ(1−μ)/(M+2), mode (m−½)/(M−1)
    result = error_interval(3, 20)
    mean = 3.5 / 21
    assert (result.mean, result.mode) == pytest.approx((mean, 2.5 / 19))
    assert result.variance == pytest.approx(mean * (1 - mean) / 22)
    assert (error_interval(0, 20).mode, error_interval(20, 20).mode) == (0, 1)


@given(samples, st.floats(0.1, 9), st.floats(0.1, 9))
def test_posterior_summaries_are_those_of_the_beta_distribution(sample, u, v):
    errors, n = sample
    result = error_interval(errors, n, method="beta", prior=(u, v))
    posterior = stats.beta(errors + u, n - errors + v)
    assert result.mean == pytest.approx(posterior.mean())
    assert result.variance == pytest.approx(posterior.var())
    grid = np.linspace(0, 1, 2001)[1:-1]
    assert posterior.logpdf(np.clip(result.mode, 1e-12, 1 - 1e-12)) >= posterior.logpdf(grid).max() - 1e-9


def test_methods_without_a_prior_report_the_observed_rate():
    result = error_interval(6, 30, method="wilson")
    assert (result.mean, result.mode, result.prior) == (0.2, 0.2, None)
    assert result.variance == pytest.approx(0.2 * 0.8 / 30)


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_batched_equals_looped(method):
    n = np.array([[10], [40], [200]])
    errors = np.array([0, 1, 4, 10])
    batched = interval(errors, n, method)
    assert batched.low.shape == (3, 4)
    for i, j in np.ndindex(3, 4):
        one = interval(errors[j], n[i, 0], method)
        # NumPy's exp may differ by one unit in the last place between its scalar and its vector form
        ours = (batched.low[i, j], batched.high[i, j], batched.mean[i, j])
        assert ours == pytest.approx((one.low, one.high, one.mean), rel=1e-15)


@pytest.mark.parametrize(("errors", "n", "options", "message"), [
    (-1, 10, {}, r"errors must be whole numbers of at least 0, but errors is -1"),
    (1.5, 10, {}, r"errors is 1\.5"),
    (11, 10, {}, "errors must be at most n, got 11 errors in 10"),
    (0, 0, {}, "n must be at least 1, got 0"),
    ([1, 2], [10, 20, 30], {}, r"errors and n must broadcast to one shape, got \(2,\) and \(3,\)"),
    (1, 10, {"confidence_level": 1.0}, r"confidence_level must be strictly between 0 and 1, got 1\.0"),
    (1, 10, {"method": "beta"}, r"prior must be a pair \(u, v\) for method 'beta', got None"),
    (1, 10, {"method": "beta", "prior": (0, 1)}, r"prior\[0\] must be a number above 0, got 0"),
    (1, 10, {"method": "beta", "prior": (1, -2.0)}, r"prior\[1\] must be a number above 0, got -2\.0"),
    (1, 10, {"prior": (1, 1)}, "prior may be given for method 'beta' only"),
    (1, 10, {"method": "approximate_beta", "confidence_level": 0.9}, r"must be 0\.95 for method 'approximate_beta'"),
    (1, 10, {"method": "abramowitz_stegun", "confidence_level": 0.9}, "at most 5 right answers, got 0.9"),
])  # fmt: skip
def test_bad_input_is_named(errors, n, options, message):
    with pytest.raises(InvalidInput, match=message):
        error_interval(errors, n, **options)


def test_unknown_method_suggests_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'jeffreys'"):
        error_interval(1, 10, method="jeffrey")
