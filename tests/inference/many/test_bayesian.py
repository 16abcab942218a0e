"""The Bayesian sign and signed-rank tests and the Bradley–Terry model."""

from __future__ import annotations

import baycomp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from foldwise.core.errors import InvalidInput
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.bayesian import (
    bayesian_sign_test,
    bayesian_signed_rank,
    bradley_terry,
    bradley_terry_from_wins,
    dirichlet_weights,
    signed_rank_shares,
    win_matrix,
)

scores = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=8)


@pytest.fixture
def pair(rng):
    b = rng.normal(0.8, 0.05, 25)
    return b + rng.normal(0.01, 0.02, 25), b


@pytest.mark.parametrize("rope", [0.0, 0.01, 0.03])
def test_signed_rank_agrees_with_baycomp(pair, rope):
    a, b = pair
    theirs = baycomp.SignedRankTest(b, a, rope, nsamples=4000, random_state=1).sample
    result = bayesian_signed_rank(a, b, rope=rope, draws=20_000)
    # baycomp's regions are left (a worse), rope, right (a better); 4000 draws leave a standard error of 0.008
    assert result.expected.as_tuple() == pytest.approx(theirs.mean(axis=0)[[2, 1, 0]], abs=0.006)
    winners = np.bincount(theirs.argmax(axis=1), minlength=3)[[2, 1, 0]] / 4000
    assert result.probabilities.as_tuple() == pytest.approx(winners, abs=0.025)


@pytest.mark.parametrize("rope", [0.0, 0.01, 0.03])
def test_sign_test_agrees_with_baycomp(pair, rope):
    a, b = pair
    theirs = baycomp.SignTest(b, a, rope, nsamples=50_000, random_state=1).sample
    result = bayesian_sign_test(a, b, rope=rope, draws=50_000)
    assert result.expected.as_tuple() == pytest.approx(theirs.mean(axis=0)[[2, 1, 0]], abs=0.002)
    winners = np.bincount(theirs.argmax(axis=1), minlength=3)[[2, 1, 0]] / 50_000
    assert result.probabilities.as_tuple() == pytest.approx(winners, abs=0.01)


@given(scores, st.sampled_from([0.0, 0.05, 0.1]))
def test_shares_are_the_double_sum_over_pairs(pairs, rope):
    a, b = np.array(pairs).T / 20
    z = np.concatenate([[0.0], np.round(a - b, 13)])
    weights = dirichlet_weights(len(a), 3)
    sums = np.round(z[:, None] + z, 12)
    above = (sums > 2 * rope) + 0.5 * (sums == 2 * rope)
    below = (sums < -2 * rope) + 0.5 * (sums == -2 * rope)
    shares = signed_rank_shares(z[1:], weights, rope)
    for w, (better, same, worse) in zip(weights, shares, strict=True):
        assert better == pytest.approx(w @ above @ w, abs=1e-12)
        assert worse == pytest.approx(w @ below @ w, abs=1e-12)
        assert same == pytest.approx(1 - better - worse, abs=1e-12)


@settings(max_examples=30)
@given(scores, st.sampled_from([0.0, 0.05, 0.1]))
def test_exact_means_are_those_of_the_draws(pairs, rope):
    a, b = np.array(pairs).T / 20
    result = bayesian_signed_rank(a, b, rope=rope, draws=4000)
    assert np.array(result.expected.as_tuple()) == pytest.approx(result.draws.mean(axis=0), abs=0.03)
    assert sum(result.expected.as_tuple()) == pytest.approx(1)


@pytest.mark.parametrize("test", [bayesian_signed_rank, bayesian_sign_test])
@settings(max_examples=30)
@given(pairs=scores)
def test_swap_mirrors(test, pairs):
    a, b = np.array(pairs).T / 20
    result, swapped = test(a, b, draws=2000), test(b, a, draws=2000)
    assert result.expected.as_tuple() == pytest.approx(swapped.expected.mirrored().as_tuple(), abs=1e-12)
    assert result.probabilities.as_tuple() == pytest.approx(swapped.probabilities.mirrored().as_tuple(), abs=0.06)
    assert sum(result.probabilities.as_tuple()) == pytest.approx(1)


@pytest.mark.parametrize("test", [bayesian_signed_rank, bayesian_sign_test])
def test_a_learner_against_itself(test, pair):
    a = pair[0]
    assert test(a, a).probabilities.as_tuple() == (0, 1, 0)
    without = bayesian_signed_rank(a, a, rope=0.0)
    assert without.probabilities.as_tuple() == (0.5, 0, 0.5)


@pytest.mark.parametrize("test", [bayesian_signed_rank, bayesian_sign_test])
def test_batched_has_the_same_expectations_as_looped(test, rng):
    a, b = rng.normal(size=(2, 4, 9))
    batched = test(a, b, draws=100)
    assert batched.draws.shape == (4, 100, 3)
    looped = [test(x, y, draws=100).expected.a_better for x, y in zip(a, b, strict=True)]
    assert batched.expected.a_better.tolist() == pytest.approx(looped)


@pytest.mark.parametrize("test", [bayesian_signed_rank, bayesian_sign_test])
def test_bad_input_is_named(test):
    with pytest.raises(InvalidInput, match=r"rope must be a number of at least 0, got -0\.1"):
        test([1, 2], [2, 1], rope=-0.1)
    with pytest.raises(InvalidInput, match="prior must be a number above 0, got 0"):
        test([1, 2], [2, 1], prior=0)
    with pytest.raises(InvalidInput, match="draws must be a whole number"):
        test([1, 2], [2, 1], draws=0)
    with pytest.raises(InvalidInput, match="seed must be"):
        test([1, 2], [2, 1], seed=-1)


@pytest.mark.slow
@given(st.integers(0, 12), st.integers(0, 12))
@settings(max_examples=8)
def test_bradley_terry_of_two_learners_is_the_beta_posterior(wins, losses):
    result = bradley_terry_from_wins([[0, wins], [losses, 0]], draws=6000)
    posterior = stats.beta(1 + wins, 1 + losses)
    chance = 1 / (1 + np.exp(result.draws[:, 1] - result.draws[:, 0]))
    assert chance.mean() == pytest.approx(posterior.mean(), abs=0.02)
    assert chance.std() == pytest.approx(posterior.std(), abs=0.02)
    assert result.probabilities.a_better[0, 1] == pytest.approx(posterior.sf(0.55), abs=0.04)


def test_bradley_terry_recovers_the_strengths_it_was_made_with(rng):
    truth = np.array([1.0, 0.3, 0.0, -1.3])
    chance = 1 / (1 + np.exp(truth - truth[:, None]))
    upper = np.triu(rng.binomial(2000, chance), 1)
    wins = upper + np.tril(2000 - upper.T, -1)
    result = bradley_terry_from_wins(wins)
    assert result.strengths == pytest.approx(truth, abs=0.1)
    interval = result.credible_interval(0.999)
    assert np.all((interval.low < truth) & (truth < interval.high))
    assert result.best.tolist() == [1, 0, 0, 0]
    assert result.win_probability == pytest.approx(chance, abs=0.03)


@pytest.mark.slow
def test_bradley_terry_simulation_based_calibration():
    # strengths from the prior, wins from the strengths: the truth's rank among the draws must be uniform
    rng = np.random.default_rng(3)
    ranks = []
    for seed in range(64):
        strength = rng.standard_gamma(1.0, size=3)
        upper = np.triu(rng.binomial(5, strength[:, None] / (strength[:, None] + strength)), 1)
        wins = upper + np.tril(5 - upper.T, -1)
        draws = bradley_terry_from_wins(wins, draws=240, seed=seed).draws[:: 240 // 15][:15]
        ranks.append((draws[:, 0] < np.log(strength[0]) - np.log(strength).mean()).sum())
    assert stats.chisquare(np.bincount(np.array(ranks) // 4, minlength=4)).pvalue > 0.01


def test_bradley_terry_of_a_table(demsar):
    wins = win_matrix(demsar)
    assert wins[0, 1] == 2 + 1  # C4.5 beats C4.5+m on two data sets and ties on two
    assert np.all((wins + wins.T)[~np.eye(4, dtype=bool)] == 14)
    order = [2, 0, 3, 1]
    result, moved = bradley_terry(demsar), bradley_terry(demsar[:, order])
    assert moved.strengths == pytest.approx(result.strengths[order], abs=0.08)
    lower = bradley_terry(ScoreTable.of(-demsar, higher_is_better=False))
    assert lower.strengths == pytest.approx(result.strengths)
    twice = bradley_terry(np.column_stack([demsar, demsar[:, 0]]))
    assert twice.win_probability[0, 4] == pytest.approx(0.5, abs=0.03)
    total = result.probabilities.a_better + result.probabilities.equivalent + result.probabilities.b_better
    assert total == pytest.approx(np.ones((4, 4)))
    assert np.diag(result.probabilities.equivalent).tolist() == [1] * 4


@pytest.mark.parametrize(("wins", "options", "message"), [
    ([[0, 1, 2], [1, 0, 2]], {}, "k × k matrix"),
    ([[0, -1], [2, 0]], {}, "must not be negative"),
    ([[0, 1], [2, 0]], {"margin": 0.6}, "margin must be below 0.5"),
    ([[0, 1], [2, 0]], {"margin": -0.1}, "margin must be a number above 0"),
    ([[0, np.nan], [2, 0]], {}, r"wins\[0, 1\] is nan"),
])  # fmt: skip
def test_bad_wins_are_named(wins, options, message):
    with pytest.raises(InvalidInput, match=message):
        bradley_terry_from_wins(wins, **options)
