from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import stats

from foldwise.core.errors import InvalidInput
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many._adjust import from_pairs, learner_pairs, pairs_of
from foldwise.inference.many.blocks import (
    mean_ranks,
    paired_differences,
    rank_rows,
    rank_scores,
    score_blocks,
    without_rounding_noise,
)

stacks = arrays(np.float64, array_shapes(min_dims=1, max_dims=3, max_side=6), elements=st.integers(-4, 4))


@given(stacks)
def test_ranks_agree_with_scipy(x):
    assert rank_rows(x).tolist() == stats.rankdata(x, axis=-1).tolist()


@given(stacks)
def test_ranks_of_a_row_sum_to_the_triangle_number(x):
    n = x.shape[-1]
    assert np.all(rank_rows(x).sum(axis=-1) == n * (n + 1) / 2)


@given(arrays(np.float64, (5, 3), elements=st.integers(0, 4)))
def test_mean_ranks_prefer_high_scores(scores):
    assert mean_ranks(scores) == pytest.approx(stats.rankdata(-scores, axis=1).mean(axis=0))


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=1, max_size=9), st.integers(-9, 9))
def test_differences_of_decimals_are_those_of_the_integers_behind_them(pairs, power):
    whole = np.array(pairs, dtype=np.int64)
    scale = 10.0**power
    found = paired_differences(whole[:, 0] * scale, whole[:, 1] * scale)
    expected = whole[:, 0] - whole[:, 1]
    assert np.array_equal(rank_rows(np.abs(found)), rank_rows(np.abs(expected).astype(float)))
    assert np.array_equal(np.sign(found), np.sign(expected))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9))
def test_rounding_moves_nothing_by_more_than_its_unit(values):
    x = np.array(values)
    size = np.abs(x).max()
    clean = without_rounding_noise(x, size)
    assert np.all(np.abs(clean - x) <= 1e-12 * max(size, 1e-300))
    assert without_rounding_noise(-x, size).tolist() == (-clean).tolist()


@given(arrays(np.float64, (6, 4), elements=st.integers(1, 5)), st.integers(0, 2**16), st.sampled_from([1e-9, 1, 1e9]))
def test_rank_tests_and_pairwise_tests_agree_on_ties(scores, seed, scale):
    # what the order of a sum leaves: a few units in the last place
    noisy = scale * scores * (1 + np.random.default_rng(seed).integers(-8, 9, size=scores.shape) * 2.0**-52)
    assert rank_scores(noisy).tolist() == rank_scores(scores).tolist()
    for j in range(4):
        assert (
            np.sign(paired_differences(noisy[:, 0], noisy[:, j])).tolist()
            == np.sign(scores[:, 0] - scores[:, j]).tolist()
        )


def test_small_losses_are_not_ties_because_others_are_large():
    assert np.sign(paired_differences([1e-3, 1e12], [2e-3, 3e12])).tolist() == [-1, -1]
    assert rank_scores(np.array([[1e-3, 2e-3, 1e12]])).tolist() == [[3, 2, 1]]


def test_real_differences_survive_the_rounding():
    # a millionth of a per mille is still a difference
    assert np.all(paired_differences([0.9 + 1e-9, 0.8], [0.9, 0.8]) >= 0)
    assert paired_differences([0.9 + 1e-9], [0.9])[0] > 0


def test_one_set_of_scores_may_meet_many():
    assert paired_differences([[0.3, 0.2], [0.5, 0.5]], [0.2, 0.1]).tolist() == [[0.1, 0.1], [0.3, 0.4]]


def test_a_score_table_brings_its_direction():
    table = ScoreTable.of([[0.1, 0.2], [0.3, 0.5]], higher_is_better=False)
    assert score_blocks(table).tolist() == [[-0.1, -0.2], [-0.3, -0.5]]
    with pytest.raises(InvalidInput, match="at least 3 data sets"):
        score_blocks(table, min_datasets=3)


@given(st.integers(2, 8), st.randoms(use_true_random=False))
def test_pairs_and_matrices_are_inverse(k, random):
    values = np.array([random.random() for _ in range(k * (k - 1) // 2)])
    matrix = from_pairs(values, k)
    assert matrix.tolist() == matrix.T.tolist()
    found, size = pairs_of(matrix)
    assert (found.tolist(), size) == (values.tolist(), k)
    i, j = learner_pairs(k)
    assert np.all(i < j)
    assert len(i) == len(values)
