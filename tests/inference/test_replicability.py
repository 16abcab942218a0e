from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.inference import replicability

# bouckaertfrank2004 Table 1: how often of 10 the 5×2cv t test did not reject, on 27 data sets (NB vs C4.5, NB vs NN,
# C4.5 vs NN), anneal to zoo
TABLE_1 = np.array([
    [4, 4, 10], [9, 9, 2], [5, 10, 8], [10, 7, 10], [1, 4, 7], [10, 9, 8], [6, 8, 10], [7, 10, 10], [9, 6, 10],
    [6, 6, 9], [4, 5, 9], [9, 10, 10], [8, 10, 7], [10, 10, 10], [10, 10, 8], [10, 10, 10], [8, 10, 10], [9, 10, 10],
    [10, 6, 7], [7, 3, 10], [10, 9, 6], [8, 8, 9], [0, 0, 9], [4, 9, 7], [4, 0, 0], [8, 9, 10], [10, 10, 8],
])  # fmt: skip


@pytest.mark.parametrize(("column", "consistent", "almost", "r"), [
    (0, 9, 14, 0.737),
    (1, 12, 17, 0.783),
    (2, 13, 17, 0.816),
])  # fmt: skip
def test_summary_rows_of_bouckaert_and_franks_table_1(column, consistent, almost, r):
    summary = replicability(10 - TABLE_1[:, column], 10).summary()
    assert (summary.data_sets, summary.consistent, summary.almost_consistent) == (27, consistent, almost)
    assert round(summary.R, 3) == r


@given(st.lists(st.booleans(), min_size=2, max_size=12))
def test_r_is_the_share_of_pairs_that_agree(decisions):
    pairs = [a == b for a, b in combinations(decisions, 2)]
    result = replicability(sum(decisions), len(decisions))
    assert pytest.approx(np.mean(pairs)) == result.R
    assert result.consistent == all(pairs)
    assert result.almost_consistent == (min(sum(decisions), len(decisions) - sum(decisions)) <= 1)


@given(st.integers(2, 50).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_rejections_and_acceptances_are_exchangeable(kn):
    k, n = kn
    assert replicability(k, n) == replicability(n - k, n)


def test_the_least_r_of_ten_repetitions():
    # five against five: 20 of the 45 pairs agree
    assert replicability(np.arange(11), 10).R.min() == pytest.approx(20 / 45)


def test_repetitions_may_differ_and_shapes_broadcast():
    result = replicability([[0, 1], [2, 3]], [4, 5])
    assert result.R.tolist() == [[1.0, 0.6], [pytest.approx(1 / 3), 0.4]]
    assert result.consistent.tolist() == [[True, False], [False, False]]


def test_a_single_data_set_gives_scalars():
    result = replicability(10, 10)
    assert (float(result.R), bool(result.consistent), result.summary().data_sets) == (1.0, True, 1)


@pytest.mark.parametrize(("k", "n", "message"), [
    (11, 10, "rejections must be at most repetitions = 10, got 11"),
    (-1, 10, "rejections must be whole numbers of at least 0, but rejections is -1"),
    (1.5, 10, "rejections is 1.5"),
    (0, 1, "repetitions must be at least 2, got 1"),
    ([], 10, "rejections must have at least 1 value, got none"),
    ([1, np.nan], 10, r"rejections\[1\] is nan"),
])  # fmt: skip
def test_bad_counts_are_named(k, n, message):
    with pytest.raises(InvalidInput, match=message):
        replicability(k, n)
