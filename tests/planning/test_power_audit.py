"""Every row of `plan` against simulations of the test that it plans, at small sizes and levels and at large ones."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import foldwise as fw
from foldwise import inference as inf
from foldwise.inference.many.signed_ranks import rejection_depth
from foldwise.inference.many.wilcoxon import _cumulant_differences, _edgeworth, _law, wilcoxon_power
from foldwise.inference.power import binomial_cdf, likely_counts, two_rates_power

TRIALS = 4000


def mcnemar(rng, size, difference, discordance):
    shares = [(discordance + difference) / 2, (discordance - difference) / 2, 1 - discordance]
    cells = rng.multinomial(size, shares, TRIALS)
    return inf.mcnemar(cells[:, 0], cells[:, 1]).pvalue


def two_rates(rng, size, difference, rate):
    a, b = rng.binomial(size, rate, TRIALS), rng.binomial(size, rate - difference, TRIALS)
    return inf.two_rates(a, size, b, size).pvalue


def corrected_repeated_cv_t(rng, size, difference, sigma, folds):
    # folds correlate by 1/folds; `sigma` is their spread on one data set, so the shared part comes on top of it
    own = rng.normal(difference, sigma, (TRIALS, size, folds))
    shared = rng.normal(0, sigma * math.sqrt(1 / (folds - 1)), (TRIALS, 1, 1))
    return inf.corrected_repeated_cv_t(own + shared).pvalue


def wilcoxon(rng, size, difference, sigma):
    x = rng.normal(difference, sigma, (TRIALS, size))
    return inf.wilcoxon_signed_rank(x, np.zeros_like(x)).pvalue


AUDIT = [
    # simulated test, options of the plan, then triples of size, difference and alpha
    (mcnemar, {"discordance": 0.2}, [(5, 0.2, 0.1), (30, 0.1, 0.05), (200, 0.08, 0.05), (200, 0.1, 0.001)]),
    (mcnemar, {"discordance": 0.9}, [(5000, 0.03, 0.01), (8, 0.8, 0.01), (50, 0.3, 0.05), (12, 0.9, 0.001)]),
    (mcnemar, {"discordance": 0.01}, [(2000, 0.005, 0.05), (10**6, 0.0003, 0.05), (10**9, 1e-5, 0.01)]),
    (two_rates, {"rate": 0.3}, [(5, 0.3, 0.2), (20, 0.2, 0.05), (150, 0.15, 0.001), (10**6, 0.0015, 0.01)]),
    (two_rates, {"rate": 0.01}, [(300, 0.01, 0.05), (3000, 0.005, 0.01), (10**9, 1e-5, 0.05)]),
    (two_rates, {"rate": 0.95}, [(10, 0.5, 0.01), (40, 0.2, 0.05)]),
    (corrected_repeated_cv_t, {"sigma": 0.05, "folds": 10}, [(1, 0.05, 0.05), (10, 0.05, 0.05), (10, 0.09, 0.001)]),
    (corrected_repeated_cv_t, {"sigma": 2.0, "folds": 2}, [(1, 20.0, 0.05), (2, 9.0, 0.01), (5, 5.0, 0.05)]),
    (wilcoxon, {"sigma": 1.0}, [(5, 2.0, 0.1), (6, 1.0, 0.05), (7, 3.0, 0.01), (8, 2.0, 0.01), (8, 3.0, 0.01)]),
    (wilcoxon, {"sigma": 0.1}, [(20, 0.1, 0.001), (30, 0.05, 0.05), (31, 0.05, 0.05), (60, 0.03, 0.001)]),
]  # fmt: skip


@pytest.mark.parametrize(("simulate", "options", "size", "difference", "alpha"), [
    (simulate, options, *point) for simulate, options, points in AUDIT for point in points
])  # fmt: skip
def test_the_power_is_that_of_the_simulated_test(simulate, options, size, difference, alpha):
    power = fw.plan(simulate.__name__, size=size, difference=difference, alpha=alpha, **options).power
    rejected = int((simulate(np.random.default_rng(size), size, difference, **options) < alpha).sum())
    # 4.4 standard errors: one of these tests in a thousand would fail by chance
    low, high = stats.binom.interval(1 - 1e-5, TRIALS, power)
    assert low <= rejected <= high


def test_the_audit_knows_every_test_of_the_plan():
    with pytest.raises(fw.FoldwiseError, match="mcnemar") as refusal:
        fw.plan("", size=10)
    assert all(simulate.__name__ in str(refusal.value) for simulate, _, _ in AUDIT)


@pytest.mark.parametrize("alpha", [0.05, 1e-4, 1e-7])
@pytest.mark.parametrize("size", [8, 30, 31, 60])
def test_wilcoxons_power_never_falls_as_the_difference_grows(size, alpha):
    powers = [wilcoxon_power(size, shift, alpha=alpha) for shift in (*np.arange(0, 5, 0.2), 10, 39, 41, 1e6)]
    # beyond 30 two expansions meet
    assert (np.diff(powers) >= (-1e-3 if size > 30 else -1e-6)).all()
    assert powers[-1] == pytest.approx(float(2 * 0.5 ** min(size, 50) < alpha), abs=1e-6)


@pytest.mark.parametrize(("alpha", "error"), [(0.05, 1e-3), (1e-3, 3e-3), (1e-6, 7e-3), (1e-8, 0.03)])
def test_beyond_30_data_sets_the_expansion_is_as_close_as_it_says(alpha, error):
    depth = rejection_depth(30, alpha)
    shifts = np.arange(0.1, 3, 0.2)
    exact = [_law(30, shift, depth).sum() for shift in shifts]
    assert [_edgeworth(30, shift, depth) for shift in shifts] == pytest.approx(exact, abs=error)


@pytest.mark.parametrize("n", [3, 8, 15])
def test_without_a_shift_the_law_is_wilcoxons_null_law(n):
    sums = np.zeros(n * (n + 1) // 2 + 1)
    sums[0] = 1
    for rank in range(1, n + 1):
        sums[rank:] += sums[:-rank].copy()
    assert _law(n, 0.0, len(sums)) == pytest.approx(sums / 2**n, abs=1e-11)


def test_the_largest_depth_of_all_is_that_of_no_negative_difference():
    # alpha 1e-4 on 15 data sets leaves a rank sum of 0 or 1: no negative difference, or the smallest one
    assert _law(15, 0.7, 1)[0] == pytest.approx(stats.norm.cdf(0.7) ** 15, rel=1e-8)


def test_edgeworths_cumulants_are_those_of_the_exact_law():
    law = _law(24, 0.6, 24 * 25 // 2 + 1)
    s = np.arange(len(law))
    mean = law @ s
    second, third, fourth = (law @ (s - mean) ** k for k in (2, 3, 4))
    at = [sum(math.comb(24, k) * d for k, d in enumerate(row)) for row in _cumulant_differences(0.6)]
    assert at == pytest.approx([mean, second, third, fourth - 3 * second**2], rel=1e-6)
    assert _edgeworth(24, 0.6, 81) == pytest.approx(law[:81].sum(), abs=2e-3)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 60), st.floats(0.01, 0.99), st.floats(0, 1), st.sampled_from([0.5, 0.1, 0.05, 1e-3, 1e-8]))
def test_two_rates_power_is_the_sum_over_all_tables(n, rate, share, alpha):
    k = np.arange(n + 1.0)
    rejects = inf.two_rates(k[:, None], n, k[None, :], n).pvalue < alpha
    better = max(rate - share * rate, 0.0)
    brute = stats.binom.pmf(k, n, rate) @ (rejects @ stats.binom.pmf(k, n, better))
    assert two_rates_power(n, rate, share * rate, alpha=alpha) == pytest.approx(brute, abs=1e-12)


@pytest.mark.parametrize(("options", "connor"), [
    # Connor's formula, and its sibling for independent rates, are right to a few parts in a thousand at these sizes
    ({"test": "two_rates", "rate": 0.1, "difference": 0.0005}, 5_637_000),
    ({"test": "mcnemar", "discordance": 0.05, "difference": 0.0001}, inf.connor_sample_size(0.05, 0.0001)),
    ({"test": "mcnemar", "discordance": 0.5, "difference": 1e-6}, inf.connor_sample_size(0.5, 1e-6)),
    ({"test": "two_rates", "rate": 0.1, "difference": 1e-6}, 2 * 0.09 * 7.8489 * 1e12),
    ({"test": "wilcoxon", "sigma": 1.0, "difference": 1e-4}, 7.8489e8 * math.pi / 3),
])  # fmt: skip
def test_any_size_is_found_in_little_memory(options, connor):
    tracemalloc.start()
    try:
        size = fw.plan(**options).size
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()
    assert size == pytest.approx(connor, rel=3e-3)


def test_thinned_sums_are_whole_sums():
    n, rate = 4_000_000, 0.3
    thin = likely_counts(n, rate)
    assert len(thin.values) < 2000
    assert thin.weights @ thin.values == pytest.approx(n * rate, rel=1e-9)
    assert thin.weights @ (thin.values - n * rate) ** 2 == pytest.approx(n * rate * 0.7, rel=1e-6)
    k = np.arange(1_198_000.0, 1_202_001, 500)
    assert binomial_cdf(k, n, rate, 1 - rate) == pytest.approx(stats.binom.cdf(k, n, rate), abs=1e-6)
    large = 10 * n
    assert binomial_cdf(10 * k, large, rate, 1 - rate) == pytest.approx(stats.binom.cdf(10 * k, large, rate), abs=1e-6)
