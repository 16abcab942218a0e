"""Differences in whole steps are those of the floats, to the bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from foldwise.inference.many._adjust import learner_pairs
from foldwise.inference.many._pairwise import MOST_STEPS, PairDifferences
from foldwise.inference.many.blocks import paired_differences

shapes = st.tuples(st.integers(1, 6), st.integers(2, 5))


@st.composite
def decimals(draw):
    """Scores with up to seven decimals, of any size for which they are told apart, some of them equal."""
    steps = draw(arrays(np.int64, draw(shapes), elements=st.integers(-MOST_STEPS, MOST_STEPS) | st.integers(-9, 9)))
    return steps / 10.0 ** draw(st.integers(0, 7))


floats = shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=st.floats(-1e300, 1e300)))


@settings(max_examples=100)
@given(decimals() | floats)
def test_differences_are_the_cleaned_ones(scores):
    first, second = learner_pairs(scores.shape[1])
    found = PairDifferences(scores)
    expected = paired_differences(scores.T[first], scores.T[second])
    np.testing.assert_array_equal(found.between(first, second), expected)
    assert not np.signbit(found.between(first, second)[expected == 0]).any()
    signed = found.signed(first, second)
    np.testing.assert_array_equal(np.sign(signed), np.sign(expected))
    np.testing.assert_array_equal(
        np.argsort(np.abs(signed), kind="stable"), np.argsort(np.abs(expected), kind="stable")
    )
    np.testing.assert_array_equal(np.unique(np.abs(signed)).size, np.unique(np.abs(expected)).size)


def test_decimals_are_counted_in_whole_steps_and_other_scores_are_not():
    pair = np.array([0]), np.array([1])
    assert PairDifferences(np.array([[0.9312, 0.5], [0.1, 0.25]])).signed(*pair).dtype == np.int32
    assert PairDifferences(np.array([[1 / 3, 0.5], [0.1, 0.25]])).signed(*pair).dtype == np.float64
    # the last column alone shows that these are no decimals
    assert PairDifferences(np.array([[0.5, 0.25], [0.5, 1 / 3]])).signed(*pair).dtype == np.float64
