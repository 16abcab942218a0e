from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Interval
from foldwise.inference.many._pairwise import median_limits, sign_test
from foldwise.inference.many.signed_ranks import (
    EXACT_UP_TO,
    interval_index,
    middle_pair_mean,
    ordered_pair_means,
    pair_means,
)
from foldwise.inference.many.wilcoxon import wilcoxon_signed_rank

X = [0.83, 1.41, -0.52, 2.20, 0.27, 1.75, -1.13, 3.04, 0.61, 1.96, 2.51, -0.08]
TESTS = ("wilcoxon", "sign")
distinct = st.lists(st.integers(-999, 999), min_size=5, max_size=12, unique_by=abs)


def test_agrees_with_r(r_values):
    """Each limit is that of R's one-sided test of level 0.9."""
    found = median_limits(X, test="wilcoxon", alpha=0.1)
    assert found.low == pytest.approx(r_values["exact.greater.low"])
    assert found.high == pytest.approx(r_values["exact.less.high"])


@settings(max_examples=25)
@given(distinct, st.sampled_from([0.05, 0.1, 0.01]), st.sampled_from(TESTS), st.floats(-900.25, 900))
def test_dual_to_the_one_sided_tests(values, alpha, test, centre):
    x = np.array(values, dtype=float)
    found = median_limits(x, test=test, alpha=alpha)
    p = [_p(x - centre, test, side) for side in ("greater", "less")]
    if len(set(np.abs(x - centre))) == len(x):  # without ties and zeros
        assert (found.low > centre) == (p[0] <= alpha)
        assert (found.high < centre) == (p[1] <= alpha)


def _p(x, test, side):
    one = sign_test if test == "sign" else wilcoxon_signed_rank
    return float(one(x, 0 * x, alternative=side).pvalue)


def test_the_signs_of_few_data_sets_enumerated():
    """By hand: the share of sign patterns in which fewer than k of n differences lie below the median."""
    n = 8
    below = np.array([sum(signs) for signs in itertools.product((0, 1), repeat=n)])
    for alpha in (0.2, 0.05, 0.005, 0.001):
        depth = max((k for k in range(1, n + 1) if np.mean(below < k) <= alpha), default=0)
        expected = Interval(low=-math.inf, high=math.inf) if depth == 0 else Interval(low=depth, high=n + 1 - depth)
        assert median_limits(range(1, n + 1), test="sign", alpha=alpha) == expected


@pytest.mark.parametrize("test", TESTS)
def test_turned_round_the_limits_are_mirrored(test):
    there, back = (median_limits(sign * np.array(X), test=test, alpha=0.05) for sign in (1, -1))
    assert back == -there


@pytest.mark.parametrize("test", TESTS)
def test_too_few_data_sets_bound_nothing(test):
    assert median_limits([0.1] * 4, test=test, alpha=0.05) == Interval(low=-math.inf, high=math.inf)
    assert median_limits([0.1] * 5, test=test, alpha=0.05) == Interval(low=0.1, high=0.1)


@pytest.mark.parametrize("tail", [0.05, 0.005, 1e-4])
def test_many_data_sets_take_the_normal_law(tail):
    exact, normal = interval_index(EXACT_UP_TO, tail), interval_index(EXACT_UP_TO + 1, tail)
    assert 0.995 * exact < normal < 1.015 * exact  # one more data set makes it a little larger
    assert interval_index(100_000, tail) > 2e9


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS)
def test_each_limit_errs_at_most_as_often_as_alpha_says(test):
    """2000 studies of 12 data sets from a Laplace law: at most 5 %, with Monte-Carlo error."""
    rng, trials = np.random.default_rng(0), 2000
    x = rng.laplace(0.3, 1, size=(trials, 12))
    beyond = [median_limits(row, test=test, alpha=0.05) for row in x]
    bound = stats.binom.ppf(0.999, trials, 0.05)
    assert sum(found.low > 0.3 for found in beyond) <= bound
    assert sum(found.high < 0.3 for found in beyond) <= bound


@pytest.mark.parametrize(("options", "message"), [
    ({"test": "t", "alpha": 0.05}, "unknown test 't'"),
    ({"test": "sign", "alpha": 0}, "alpha must be strictly between 0 and 1"),
])  # fmt: skip
def test_bad_input(options, message):
    with pytest.raises(InvalidInput, match=message):
        median_limits(X, **options)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 250), st.sampled_from([None, 0, 1, 2]))
def test_pair_means_at_places_are_those_of_all_in_order(seed, n, decimals):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n) if decimals is None else np.round(rng.normal(size=n), decimals) * 1e-7 + 0.1
    every = np.sort(pair_means(x))
    places = [0, len(every) // 3, len(every) - 1]
    assert ordered_pair_means(x, places) == every[places].tolist()
    assert middle_pair_mean(x) == np.median(every)
