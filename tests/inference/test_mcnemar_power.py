from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.inference import connor_sample_size, mcnemar, mcnemar_detectable_difference, mcnemar_power

METHODS = ["midp", "exact", "corrected", "uncorrected"]


@pytest.mark.parametrize("method", ["midp", "exact", "corrected"])
def test_agrees_with_enumeration_in_r(rates, method):
    for (n, rate, delta, alpha), power in rates(f"power_{method}"):
        assert mcnemar_power(int(n), rate, delta, alpha=alpha, method=method) == pytest.approx(power, rel=1e-9)


def test_agrees_with_simulation():
    rng = np.random.default_rng(1)
    only_a, only_b, _ = rng.multinomial(3000, [0.08, 0.06, 0.86], size=40_000).T
    rate = (mcnemar(only_a, only_b).pvalue < 0.05).mean()
    # 40,000 trials: four standard errors of the simulated rate
    assert mcnemar_power(3000, 0.14, 0.02) == pytest.approx(rate, abs=4 * np.sqrt(rate * (1 - rate) / 40_000))


@given(st.integers(5, 400), st.floats(0.05, 0.95), st.floats(0, 1), st.sampled_from(METHODS))
@settings(max_examples=40)
def test_power_is_even_and_grows_with_the_difference(n, rate, share, method):
    low, high = mcnemar_power(n, rate, [share * rate / 2, share * rate], method=method)
    assert 0 <= low <= high + 1e-12 <= 1 + 1e-9
    assert mcnemar_power(n, rate, -share * rate, method=method) == pytest.approx(high, abs=1e-12)


@given(st.integers(1, 400), st.floats(0.01, 0.99))
@settings(max_examples=40)
def test_the_exact_test_holds_its_level(n, rate):
    assert mcnemar_power(n, rate, 0.0, alpha=0.05, method="exact") <= 0.05


@pytest.mark.parametrize(("n", "rate"), [(30, 0.4), (200, 0.2), (5000, 0.05), (200, 1.0)])
@pytest.mark.parametrize("method", METHODS)
def test_detectable_difference_has_the_power_asked_for(n, rate, method):
    delta = mcnemar_detectable_difference(n, rate, power=0.8, method=method)
    assert mcnemar_power(n, rate, delta, method=method) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize("rate", [0.0, 0.001])
def test_beyond_the_discordance_all_disagreements_go_one_way(rate):
    delta = mcnemar_detectable_difference(100, rate)
    assert delta > rate
    assert mcnemar_power(100, delta, delta) == pytest.approx(0.8, abs=1e-6)


def test_large_designs_agree_with_the_normal_approximation():
    # Connor's formula solved for the difference; the two agree to O(1/√n)
    delta = mcnemar_detectable_difference(10**6, 0.3)
    assert connor_sample_size(0.3, delta) == pytest.approx(10**6, rel=2e-3)


def test_too_few_examples_detect_nothing():
    assert mcnemar_detectable_difference(4, 0.5) is None
    assert mcnemar_power(4, 0.5, 0.5) == 0
    assert mcnemar_power(50, 0.0, 0.0) == 0


def test_connor_by_hand():
    # (1.959964·√0.2 + 0.841621·√(0.2 − 0.01))² / 0.01 = 154.29
    assert connor_sample_size(0.2, 0.1) == connor_sample_size(0.2, -0.1) == 155


@pytest.mark.parametrize(("call", "message"), [
    (lambda: mcnemar_power(0, 0.2, 0.1), "n must be a whole number of at least 1, got 0"),
    (lambda: mcnemar_power(10, 1.2, 0.1), "discordance must be from 0 to 1, got 1.2"),
    (lambda: mcnemar_power(10, 0.2, [0.1, -0.3]), r"between −discordance and discordance \(0.2\), got -0.3"),
    (lambda: mcnemar_power(10, 0.2, 0.1, alpha=0), "alpha must be strictly between 0 and 1, got 0"),
    (lambda: mcnemar_power(10, 0.2, 0.1, method="mid"), "unknown method 'mid': did you mean 'midp'"),
    (lambda: mcnemar_detectable_difference(10, 0.2, power=1.0), "power must be strictly between 0 and 1, got 1.0"),
    (lambda: connor_sample_size(0.2, 0.0), "difference must be non-zero and at most discordance"),
    (lambda: connor_sample_size(0.2, 0.3), r"at most discordance \(0.2\) in size, got 0.3"),
])  # fmt: skip
def test_bad_input_is_named(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
