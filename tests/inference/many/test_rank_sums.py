"""The sums of signed ranks are those of the ranks, whatever ties and zeros there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import stats

from foldwise.inference.many._pairwise import pairwise
from foldwise.inference.many.blocks import in_batches
from foldwise.inference.many.signed_ranks import signed_rank_sums
from foldwise.inference.many.wilcoxon import wilcoxon_signed_rank

tied = st.integers(-4, 4).map(float)
wild = st.floats(-1e300, 1e300) | st.sampled_from([0.0, -0.0, 5e-324, -5e-324])
differences = arrays(np.float64, array_shapes(min_dims=1, max_dims=3, max_side=8), elements=tied | wild)


@given(differences, st.sampled_from(["pratt", "drop", "split"]))
def test_sums_are_those_of_the_ranks(d, zeros):
    ranks = stats.rankdata(np.abs(d), axis=-1)
    if zeros == "drop":
        ranks = ranks - (d == 0).sum(axis=-1, keepdims=True)
    if zeros != "split":
        ranks = np.where(d == 0, 0.0, ranks)
    sums = signed_rank_sums(d, zeros)
    np.testing.assert_array_equal(sums.plus, (ranks * ((d > 0) + 0.5 * (d == 0))).sum(axis=-1))
    np.testing.assert_array_equal(sums.total, ranks.sum(axis=-1))
    np.testing.assert_array_equal(sums.squares, (ranks**2).sum(axis=-1))
    np.testing.assert_array_equal(sums.n, np.count_nonzero(ranks, axis=-1))


@given(
    arrays(
        np.int32,
        array_shapes(min_dims=1, max_dims=2, max_side=8),
        elements=st.integers(-(2**30), 2**30) | st.integers(-3, 3),
    ),
    st.sampled_from(["pratt", "drop", "split"]),
)
def test_whole_numbers_have_the_sums_of_the_same_floats(d, zeros):
    for whole, same in zip(signed_rank_sums(d, zeros), signed_rank_sums(d.astype(np.float64), zeros), strict=True):
        np.testing.assert_array_equal(whole, same)


@pytest.mark.slow
@pytest.mark.parametrize("digits", [2, 12])
def test_many_pairs_are_tested_as_each_of_them_alone(digits):
    # 12 learners on 60,000 data sets: as many parts as pairs, which go to several threads
    scores = np.random.default_rng(0).random((60_000, 12)).round(digits)
    together = pairwise(scores)
    assert len(together.pvalues) == 66
    for place in (0, 17, 65):
        alone = wilcoxon_signed_rank(scores[:, together.first[place]], scores[:, together.second[place]])
        assert together.pvalues[place] == alone.pvalue
        assert together.lead[place] == alone.excess


@given(st.integers(1, 500), st.integers(1, 300_000))
def test_every_row_is_in_one_part_and_the_parts_are_in_order(count, width):
    parts = list(in_batches(lambda part: range(count)[part], count, width=width))
    assert [row for part in parts for row in part] == list(range(count))
