from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from foldwise.learners.tan import cut_points, intervals


def sorted_case(seed, n, classes, levels):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    x = np.round(rng.normal(y * 2.0, 1.0) * levels) / levels
    order = np.argsort(x, kind="stable")
    return x[order], y[order].astype(np.int64)


def recursive_cuts(x, y):
    """Fayyad and Irani's procedure written recursively, with logarithms of probabilities."""

    def entropy(part):
        p = np.unique(part, return_counts=True)[1] / len(part)
        return -(p * np.log2(p)).sum(), len(p)

    places = [i for i in range(1, len(x)) if x[i - 1] < x[i]]
    if not places:
        return []
    mixed = [(i * entropy(y[:i])[0] + (len(y) - i) * entropy(y[i:])[0]) / len(y) for i in places]
    assume(np.count_nonzero(np.array(mixed) < min(mixed) + 1e-9) == 1)  # otherwise rounding decides
    i = places[int(np.argmin(mixed))]
    (e, k), (e1, k1), (e2, k2) = entropy(y), entropy(y[:i]), entropy(y[i:])
    gain = e - min(mixed)
    if gain <= (np.log2(len(y) - 1) + np.log2(3**k - 2) - (k * e - k1 * e1 - k2 * e2)) / len(y):
        return []
    return [*recursive_cuts(x[:i], y[:i]), (x[i - 1] + x[i]) / 2, *recursive_cuts(x[i:], y[i:])]


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 60), st.integers(1, 4), st.sampled_from([1, 4, 1000]))
def test_equals_the_recursive_definition(seed, n, classes, levels):
    x, y = sorted_case(seed, n, classes, levels)
    np.testing.assert_allclose(cut_points(x, y, classes), recursive_cuts(x, y))


def test_cuts_between_pure_groups():
    x = np.arange(90.0)
    y = np.repeat([0, 1, 0], 30)
    assert cut_points(x, y, 2).tolist() == [29.5, 59.5]


@pytest.mark.parametrize("values", [[], [1.0], [2.0, 2.0, 2.0, 2.0]])
def test_nothing_to_cut(values):
    assert cut_points(np.array(values), np.arange(len(values)) % 2, 2).tolist() == []


def test_noise_is_not_cut():
    assert cut_points(np.arange(40.0), np.arange(40) % 2, 2).tolist() == []


def test_one_class_is_not_cut():
    assert cut_points(np.arange(40.0), np.zeros(40, dtype=np.int64), 1).tolist() == []


def test_a_cut_point_belongs_to_the_interval_below():
    assert intervals(np.array([0.9, 1.0, 1.1]), np.array([1.0])).tolist() == [0.0, 0.0, 1.0]


def test_without_cuts_all_values_are_in_one_interval():
    found = intervals(np.array([-5.0, np.nan, 5.0]), np.array([]))
    np.testing.assert_array_equal(found, [0.0, np.nan, 0.0])
