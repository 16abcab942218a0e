"""dealing_stability: the jackknife over dealings against brute force, and what settles a verdict."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from foldwise.core.errors import InvalidInput
from foldwise.inference import dealing_stability, round_robin


def drawn(seed, dealings=6, g=4, mean=0.1):
    rng = np.random.default_rng(seed)
    return mean + 0.1 * rng.normal(size=(1, 1, g)) + 0.1 * rng.normal(size=(dealings, g, g))


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), dealings=st.integers(2, 7), alpha=st.sampled_from([0.01, 0.05, 0.2]))
def test_it_is_the_jackknife_over_dealings(seed, dealings, alpha):
    d = drawn(seed, dealings)
    found = dealing_stability(d, alpha=alpha)
    without = np.array([round_robin(np.delete(d, j, axis=0)).statistic for j in range(dealings)])
    error = np.sqrt((dealings - 1) * without.var())
    threshold = stats.t.ppf(1 - alpha / 2, round_robin(d).df)
    assert found.statistic == pytest.approx(round_robin(d).statistic)
    assert found.pvalue == pytest.approx(round_robin(d).pvalue)
    assert found.monte_carlo_error == pytest.approx(error, rel=1e-6)
    assert found.distance == pytest.approx(abs(abs(found.statistic) - threshold) / error, rel=1e-6)
    assert found.needed == pytest.approx(max(2.6, stats.t.ppf(0.995, dealings - 1)))
    assert found.settled == (found.distance >= found.needed)


def test_swapped_batched_and_with_other_degrees_of_freedom():
    d = np.stack([drawn(seed) for seed in range(4)])
    batched, back = dealing_stability(d, df=18), dealing_stability(-d, df=18)
    assert back.distance == pytest.approx(batched.distance)
    assert batched.distance == pytest.approx([dealing_stability(table, df=18).distance for table in d])
    assert batched.threshold == pytest.approx(stats.t.ppf(0.975, 18))


@pytest.mark.parametrize("value", [0.0, 0.1])
def test_without_variance_nothing_more_can_be_learnt(value):
    found = dealing_stability(np.full((5, 4, 4), value))
    assert (found.statistic, found.pvalue, found.settled) == (0, 1, True)


def test_one_dealing_is_refused():
    with pytest.raises(InvalidInput, match=r"at least 2 dealings to compare them, got shape \(1, 4, 4\)"):
        dealing_stability(np.zeros((4, 4)))
