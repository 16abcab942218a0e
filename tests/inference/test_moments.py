from __future__ import annotations

from fractions import Fraction
from statistics import mean, variance

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from foldwise.core.errors import InvalidInput
from foldwise.inference.student import matrices, moments, ratios, samples

exact = st.lists(st.integers(-1000, 1000), min_size=2, max_size=12)


@given(exact, st.sampled_from([0, 1, 30, 10**4, 10**8]))
def test_agrees_with_exact_fractions(values, offset):
    # around the point where raw squares give way to centred ones, and far beyond it
    shifted = [value + offset for value in values]
    result = moments(np.array(shifted, dtype=float))
    assert float(result.mean) == pytest.approx(float(mean(map(Fraction, shifted))), rel=1e-13, abs=1e-13)
    assert float(result.variance) == pytest.approx(float(variance(map(Fraction, shifted))), rel=1e-12, abs=1e-300)


@given(st.floats(1e-100, 1e100), st.sampled_from([-1, 0, 1]), st.integers(2, 200))
def test_constant_samples_have_no_variance_at_all(size, sign, n):
    value = sign * size
    result = moments(np.full((3, n), value))
    assert result.mean.tolist() == [value] * 3
    assert result.variance.tolist() == [0.0] * 3


def test_one_unit_in_the_last_place_is_a_variance():
    x = np.array([0.1, 0.1, np.nextafter(0.1, 1)])
    assert moments(x).variance > 0


@given(hnp.arrays(float, (2, 3, 4), elements=st.integers(-9, 9).map(float)))
def test_memory_layout_does_not_matter(x):
    turned = np.asfortranarray(x)
    assert moments(turned).variance.tolist() == moments(x).variance.tolist()
    view = np.swapaxes(x, 0, 1)
    assert np.swapaxes(moments(view).mean, 0, 1).tolist() == moments(x).mean.tolist()


def test_an_empty_batch_has_no_results():
    result = moments(np.empty((0, 5)))
    assert result.mean.shape == result.variance.shape == (0,)


@pytest.mark.parametrize(("x", "message"), [
    ([[1, 2], [3, np.nan]], r"x must be finite, but x\[1, 1\] is nan"),
    ([1e155, 2e155], r"x must be small enough to be squared, but its largest value is 2e\+155"),
])  # fmt: skip
def test_what_cant_be_squared_is_refused(x, message):
    with pytest.raises(InvalidInput, match=message):
        moments(np.asarray(x, dtype=float))


def test_shapes_are_checked():
    with pytest.raises(
        InvalidInput, match=r"at least 2 differences on its last axis for a variance, got shape \(3, 1\)"
    ):
        samples([[1], [2], [3]])
    with pytest.raises(InvalidInput, match=r"x must be an array of numbers of one shape"):
        samples([[1, 2], [3]])
    with pytest.raises(InvalidInput, match=r"x must have shape \(\.\.\., 5, 2\), got shape \(2, 5\)"):
        matrices(np.ones((2, 5)), shape=(5, 2))


def test_ratios_name_the_first_bad_value():
    with pytest.raises(InvalidInput, match=r"above 0, got -0\.5"):
        ratios([0.1, -0.5, 0])
