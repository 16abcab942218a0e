"""Decimals are whole steps of their last digit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from foldwise.core.decimals import steps_per_one

whole = st.integers(-40, 40) | st.integers(-(2**40), 2**40)
decimals = st.builds(
    lambda values, digits: values / 10.0**digits,
    arrays(np.int64, st.integers(1, 12), elements=whole),
    st.integers(0, 9),
)
columns = decimals | arrays(np.float64, st.integers(1, 12), elements=st.floats(-1e300, 1e300))


@given(columns, st.sampled_from([1e3, 2.0**30, 2.0**52]))
def test_values_are_their_steps(values, most):
    steps = steps_per_one(values, most=most)
    if steps is not None:
        counted = np.rint(values * steps)
        assert np.abs(counted).max() <= most
        np.testing.assert_array_equal(counted / steps, values)


def test_decimals_are_found_and_other_numbers_are_not():
    assert steps_per_one(np.array([3.0, -2.0]), most=10) == 1.0
    assert steps_per_one(np.array([0.125, 7.0]), most=7000) == 1000.0
    assert steps_per_one(np.array([0.125, 7.0]), most=6999) is None
    assert steps_per_one(np.append(np.zeros(5000), 1 / 3), most=1e9) is None  # beyond the first few
