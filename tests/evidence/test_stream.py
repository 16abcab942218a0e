from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.evidence.sequence import Stream, check_contiguous

X = np.array([0.0, 1.0, 1.0, 0.5, 0.25])


def test_items_count_one_by_one():
    found = Stream.of(X)
    assert (found.differences.tolist(), found.items.tolist(), found.waiting) == (X.tolist(), [1, 2, 3, 4, 5], 0)


def test_a_cluster_counts_when_the_next_one_has_begun():
    groups = np.array([4, 4, 2, 7, 7])
    found, whole = Stream.of(X, groups), Stream.of(X, groups, complete=True)
    assert (found.differences.tolist(), found.items.tolist(), found.waiting) == ([0.5, 1.0], [2, 3], 2)
    assert (whole.differences.tolist(), whole.items.tolist(), whole.waiting) == ([0.5, 1.0, 0.375], [2, 3, 5], 0)


def test_an_item_with_trials_counts_when_the_next_one_has_begun():
    found = Stream.of(X, trials=True)
    assert (found.n, found.waiting) == (4, 1)
    assert Stream.of(X, trials=True, complete=True).n == 5


@settings(max_examples=25)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=12))
def test_what_comes_again_is_found(groups):
    """By hand: somewhere a group is left and met again."""
    again = any(groups[i] != groups[i - 1] and groups[i] in groups[: i - 1] for i in range(1, len(groups)))
    if again:
        with pytest.raises(InvalidInput, match="groups must keep together what belongs together"):
            check_contiguous(groups, "groups")
    else:
        check_contiguous(groups, "groups")


def test_the_row_is_named():
    with pytest.raises(InvalidInput, match="but row 4 goes back to an earlier one"):
        check_contiguous(["p", "q", "q", "p", "q"], "items")
