from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from foldwise.core.errors import InvalidInput
from foldwise.inference import best_set, max_t, rank_intervals

values = st.tuples(st.integers(2, 4), st.integers(3, 9)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 3))
)


def test_agrees_with_multipliers_drawn_item_by_item():
    rng = np.random.default_rng(3)
    data = rng.normal(size=(4, 200)) + rng.normal(size=200) + np.array([[0.2], [0.15], [0.1], [0]])
    result = best_set(data)
    multipliers = rng.normal(size=(4000, 200))
    for m in range(4):
        others = [data[j] - data[m] for j in range(4) if j != m]
        sizes = [d.mean() / (d.std(ddof=1) / np.sqrt(200)) for d in others]
        drawn = [(multipliers @ (d - d.mean())) / 200 / (d.std(ddof=1) / np.sqrt(200)) for d in others]
        if max(sizes) > 0:
            assert result.pvalue[m] == pytest.approx(np.mean(np.max(drawn, axis=0) >= max(sizes)), abs=0.03)


def test_two_models_are_a_one_sided_paired_t_test():
    rng = np.random.default_rng(0)
    data = rng.normal(size=(2, 30)) + np.array([[0.8], [0]])
    result = best_set(data)
    assert result.pvalue == pytest.approx([1, stats.ttest_rel(*data, alternative="greater").pvalue])


@given(values)
@settings(max_examples=25)
def test_the_model_with_the_best_mean_is_always_a_member(data):
    result = best_set(data, draws=500)
    assert (result.pvalue[result.means == result.means.max()] == 1).all()
    assert result.members(0.5).any()


@given(values)
@settings(max_examples=25)
def test_whoever_is_shown_to_be_worse_is_no_member(data):
    pairs = max_t(data, draws=2000)
    worst = np.ones(len(data))
    for i, j, estimate, p in zip(pairs.first, pairs.second, pairs.estimate, pairs.adjusted, strict=True):
        loser = j if estimate > 0 else i
        worst[loser] = min(worst[loser], p if estimate != 0 else 1)
    assert (best_set(data, draws=2000).pvalue <= worst + 1e-12).all()


@pytest.mark.slow
@given(values, st.randoms())
@settings(max_examples=25)
def test_order_does_not_matter(data, random):
    rows, columns = (random.sample(range(size), size) for size in data.shape)
    first, other = best_set(data), best_set(data[rows][:, columns])
    assert other.pvalue == pytest.approx(first.pvalue[rows], abs=0.01)  # of models alike in all but their place


@pytest.mark.parametrize("data", [np.ones((3, 5)), [[1, 0, 1]] * 4, [[0.1, 0.1], [0.7, 0.7]]])
def test_models_that_can_not_be_told_apart_may_all_be_best(data):
    assert best_set(data).members().all()


def test_clusters_make_it_larger():
    rng = np.random.default_rng(1)
    data = np.repeat(rng.normal(size=(3, 12)) + np.array([[1.0], [0.6], [0]]), 10, axis=1)
    assert best_set(data).pvalue[2] < 0.001
    assert best_set(data, groups=np.repeat(np.arange(12), 10)).pvalue[2] > 0.01


def test_what_is_refused():
    with pytest.raises(InvalidInput, match="at least 2 × 2"):
        best_set([[1, 0, 1]])
    with pytest.raises(InvalidInput, match=r"shape \(models, items\)"):
        best_set(np.zeros((2, 3, 4)))
    with pytest.raises(InvalidInput, match="confidence_level"):
        best_set([[1, 0, 1], [0, 0, 1]]).members(1)


@pytest.mark.slow
@pytest.mark.parametrize("gaps", [(0, 0, 0, 0), (0, 0.3, 0.3, 1)])
def test_the_best_is_a_member_as_often_as_promised(gaps):
    rng, trials, held, sizes = np.random.default_rng(2), 500, 0, 0
    for trial in range(trials):
        data = rng.normal(size=(4, 50)) + rng.normal(size=50) - np.array(gaps)[:, None]
        members = best_set(data, draws=500, seed=trial).members(0.9)
        held, sizes = held + bool(members[0]), sizes + members.sum()
    assert held / trials > 0.9 - 2.5 * np.sqrt(0.09 / trials)
    assert sizes / trials < 4


def test_ranks_of_a_chain():
    better = np.triu(np.ones((4, 4), dtype=bool), 1)
    found = rank_intervals(better)
    assert found.low.tolist() == found.high.tolist() == [1, 2, 3, 4]


@given(arrays(np.bool_, (2, 5, 5)))
@settings(max_examples=25)
def test_ranks_hold_whatever_order_agrees_with_the_claims(claims):
    order = np.random.default_rng(0).permutation(5)
    true_rank = np.argsort(order)
    better = claims & (true_rank[:, None] < true_rank)  # any set of true claims
    found = rank_intervals(better)
    assert ((found.low <= true_rank + 1) & (true_rank + 1 <= found.high)).all()
    assert (rank_intervals(better[1]).low == found.low[1]).all()


def test_nothing_shown_leaves_every_rank():
    found = rank_intervals(np.zeros((3, 3)))
    assert (found.low.tolist(), found.high.tolist()) == ([1, 1, 1], [3, 3, 3])


@pytest.mark.parametrize(("better", "message"), [
    (np.eye(2), "must not say of two models"), (np.zeros((2, 3)), "models × models"), ([1, 0], "models × models"),
])  # fmt: skip
def test_claims_that_contradict_each_other_are_refused(better, message):
    with pytest.raises(InvalidInput, match=message):
        rank_intervals(better)
