from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from foldwise.core.random import stream
from foldwise.lab.populations.two_kinds import difference_law, draw_differences

rates = st.floats(0.01, 0.99)


@given(st.integers(1, 40), rates, rates, rates, rates, st.data())
def test_mean_and_variance_are_those_of_the_binomials(size, a1, a2, b1, b2, data):
    first = data.draw(st.integers(0, size))
    law = difference_law(size, (a1, a2), (b1, b2))[first]
    values, weights = np.arange(-size, size + 1), np.diff(law, prepend=0)
    mean = first * (b1 - a1) + (size - first) * (b2 - a2)
    variance = sum(first * p * (1 - p) for p in (a1, b1)) + sum((size - first) * p * (1 - p) for p in (a2, b2))
    assert weights @ values == pytest.approx(mean, abs=1e-9)
    assert weights @ values**2 - mean**2 == pytest.approx(variance, rel=1e-6, abs=1e-8)


def test_the_law_is_the_convolution_of_two_distributions():
    law = difference_law(6, (0.1, 0.1), (0.3, 0.3))[2]
    exact = [sum(stats.binom.pmf(k, 6, 0.1) * stats.binom.cdf(k + d, 6, 0.3) for k in range(7)) for d in range(-6, 7)]
    assert law == pytest.approx(exact, abs=1e-12)


def test_draws_follow_the_law():
    law = difference_law(20, (0.05, 0.15), (0.15, 0.05))
    drawn = draw_differences(law, np.full(50_000, 7), stream(0, "law"))
    counts = np.bincount((drawn + 20).astype(int), minlength=41)
    expected = 50_000 * np.diff(law[7], prepend=0)
    common = expected > 5
    assert (
        stats.chisquare(counts[common], expected[common] * counts[common].sum() / expected[common].sum()).pvalue > 1e-3
    )
    assert set(np.unique(drawn)) <= set(range(-20, 21))


def test_equal_learners_are_symmetric():
    law = difference_law(15, (0.2, 0.2), (0.2, 0.2))[4]
    assert law + law[::-1] == pytest.approx(1 + np.diff(law, prepend=0), abs=1e-12)
