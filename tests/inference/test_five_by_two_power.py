from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from foldwise.core.errors import InvalidInput
from foldwise.inference import five_by_two_cv_f, five_by_two_f_detectable_difference, five_by_two_f_power


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("effect", [0.0, 0.03, 0.2])
def test_power_is_that_of_scipys_noncentral_f(alpha, effect):
    within = 0.02
    critical = 2 * stats.f.ppf(1 - alpha, 10, 5) - 1
    expected = stats.ncf.sf(critical, 1, 5, 10 * effect**2 / within) if effect else stats.f.sf(critical, 1, 5)
    assert five_by_two_f_power(effect, within, alpha=alpha) == pytest.approx(expected, rel=1e-8)


@given(st.floats(1e-6, 10), st.floats(0.01, 0.2), st.floats(0.3, 0.99))
def test_the_detectable_difference_is_found_as_often_as_asked(within, alpha, power):
    effect = five_by_two_f_detectable_difference(within, alpha=alpha, power=power)
    assert five_by_two_f_power(effect, within, alpha=alpha) == pytest.approx(power, rel=1e-9)
    assert five_by_two_f_power(-effect, within, alpha=alpha) == pytest.approx(power, rel=1e-9)


def test_simulated_runs_with_one_mean_reject_as_often():
    rng = np.random.default_rng(4)
    trials, sigma, effect = 20_000, 0.05, 0.15
    mean = effect + rng.normal(0, sigma / np.sqrt(2), (trials, 1, 1))
    half = rng.normal(0, sigma / np.sqrt(2), (trials, 5, 1))
    rate = float((five_by_two_cv_f(mean + np.concatenate([half, -half], axis=-1)).pvalue < 0.05).mean())
    assert rate == pytest.approx(five_by_two_f_power(effect, 5 * sigma**2), abs=4 * np.sqrt(0.25 / trials))


def test_a_variance_of_zero_is_refused():
    with pytest.raises(InvalidInput, match="within must be above 0, got 0"):
        five_by_two_f_power(0.1, 0.0)
    with pytest.raises(InvalidInput, match="power must be above alpha"):
        five_by_two_f_detectable_difference(0.1, alpha=0.5, power=0.4)
