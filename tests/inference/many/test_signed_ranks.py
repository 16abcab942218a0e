from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldwise.inference.many.signed_ranks import interval_index, upper_tail


@given(st.lists(st.integers(1, 12).map(lambda i: i / 2), min_size=1, max_size=9), st.integers(-30, 30))
def test_tail_is_the_enumerated_one(ranks, quarter):
    excess = quarter / 4
    r = np.array(ranks)
    sums = np.array(list(product([0, 1], repeat=len(r)))) @ r - r.sum() / 2
    assert upper_tail(r[None], np.array([excess])) == pytest.approx([np.mean(sums >= excess - 1e-9)], abs=1e-14)


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(0, 6), min_size=5, max_size=5), min_size=1, max_size=8))
def test_rows_do_not_disturb_each_other_and_zeros_take_no_part(rows):
    ranks = np.array(rows) / 2
    excess = ranks.sum(axis=1) / 4
    together = upper_tail(ranks, excess)
    alone = [upper_tail(row[None], e[None])[0] for row, e in zip(ranks, excess, strict=True)]
    assert together.tolist() == alone
    padded = np.column_stack([ranks, np.zeros(len(ranks))])
    assert upper_tail(padded, excess).tolist() == alone


def test_the_whole_distribution_and_nothing_beyond_it():
    ranks = np.arange(1.0, 11)[None]
    assert upper_tail(ranks, np.array([-27.5])) == pytest.approx([1.0])
    assert upper_tail(ranks, np.array([27.5])) == pytest.approx([2.0**-10])
    assert upper_tail(ranks, np.array([28.0])).tolist() == [0]
    assert upper_tail(np.empty((0, 4)), np.empty(0)).shape == (0,)


def test_fifty_ranks_keep_their_precision():
    # the smallest of 2^50 probabilities, and symmetry of the tails
    ranks = np.arange(1.0, 51)[None]
    assert upper_tail(ranks, np.array([637.5])) == pytest.approx([2.0**-50], rel=1e-12)
    above, below = upper_tail(ranks, np.array([101.5])), upper_tail(ranks, np.array([-100.5]))
    assert above + below == pytest.approx([1.0], rel=1e-12)


@pytest.mark.parametrize(
    ("n", "critical"), [(6, 0), (7, 2), (8, 3), (9, 5), (10, 8), (12, 13), (15, 25), (20, 52), (25, 89)]
)
def test_depth_agrees_with_the_printed_table_of_critical_values(n, critical):
    # Wilcoxon's table, two-sided 5 %: the largest T that rejects; the interval starts at the next pair mean
    assert interval_index(n, 0.025) == critical + 1


def test_no_depth_is_allowed_when_nothing_rejects():
    assert interval_index(5, 0.025) == 0
