from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.inference.many.hierarchical import (
    Prior,
    Summaries,
    df_grid,
    hierarchical_correlated_t,
    hierarchical_from_summaries,
    sample,
)


@pytest.fixture(scope="module")
def simulated():
    """Truth and posterior draws of 400 experiments drawn from the prior: 6 data sets with 10 correlated splits each."""
    rng = np.random.default_rng(7)
    experiments, datasets, splits, rho = 400, 6, 10, 0.1
    prior = Prior(delta0=1.0, sigma0=0.5, sigma=0.3)
    df = rng.choice(df_grid()[0], p=df_grid()[1], size=experiments)
    delta0 = rng.uniform(-prior.delta0, prior.delta0, size=experiments)
    sigma0 = rng.uniform(0, prior.sigma0, size=experiments)
    sigma = rng.uniform(0, prior.sigma, size=(experiments, datasets))
    delta = delta0[:, None] + sigma0[:, None] * rng.standard_t(df[:, None], size=sigma.shape)
    shared, own = rng.normal(size=(*sigma.shape, 1)), rng.normal(size=(*sigma.shape, splits))
    x = delta[..., None] + sigma[..., None] * (np.sqrt(rho) * shared + np.sqrt(1 - rho) * own)
    data = Summaries(
        mean=x.mean(axis=2),
        squares=((x - x.mean(axis=2, keepdims=True)) ** 2).sum(axis=2),
        n=np.full((1, datasets), float(splits)),
        correlation=np.full((1, datasets), rho),
    )
    draws = sample(data, prior, rng, chains=experiments, warmup=100, iterations=31, thin=8)
    truth = {"delta0": delta0, "sigma0": sigma0, "df": df, "delta": delta[:, 0]}
    drawn = {"delta0": draws.delta0, "sigma0": draws.sigma0, "df": draws.df, "delta": draws.delta[:, :, 0]}
    return truth, drawn


@pytest.mark.parametrize("parameter", ["delta0", "sigma0", "df", "delta"])
def test_simulation_based_calibration(parameter, simulated):
    # Talts et al. (2018): the truth's rank among posterior draws is uniform when sampler and model agree
    truth, drawn = simulated[0][parameter], simulated[1][parameter]
    ties = np.random.default_rng(1).binomial((drawn == truth).sum(axis=0), 0.5)
    ranks = (drawn < truth).sum(axis=0) + ties
    counts = np.bincount(ranks // 4, minlength=8)
    assert counts.sum() == 400
    assert stats.chisquare(counts).pvalue > 0.01


def test_a_wrong_model_would_be_caught(simulated):
    truth, drawn = simulated[0]["delta0"], simulated[1]["delta0"]
    centre = drawn.mean(axis=0)
    too_narrow = centre + 0.6 * (drawn - centre)
    counts = np.bincount((too_narrow < truth).sum(axis=0) // 4, minlength=8)
    assert stats.chisquare(counts).pvalue < 1e-6


def test_many_data_sets_with_many_splits_recover_the_population(rng):
    delta = 0.03 + 0.01 * rng.normal(size=60)
    x = delta[:, None] + 0.02 * rng.normal(size=(60, 50))
    result = hierarchical_correlated_t(x, correlation=0.0, rope=0.01)
    assert result.estimate == pytest.approx(delta.mean(), abs=0.002)
    assert result.sigma0.mean() == pytest.approx(0.01, abs=0.003)
    assert result.per_dataset == pytest.approx(delta, abs=0.012)
    truth = stats.norm.sf(0.01, 0.03, 0.01)
    assert result.expected.a_better == pytest.approx(truth, abs=0.03)
    assert result.probabilities.a_better > 0.999
    assert result.rhat < 1.05
    low, high = result.credible_interval(0.9).low, result.credible_interval(0.9).high
    assert low < result.estimate < high


def test_estimates_are_drawn_towards_each_other(rng):
    delta = 0.01 * rng.normal(size=20)
    x = delta[:, None] + 0.1 * rng.normal(size=(20, 10))
    result = hierarchical_correlated_t(x, correlation=0.1, draws=2000)
    assert result.per_dataset.std() < 0.7 * x.mean(axis=1).std()


def test_swap_mirrors(rng):
    x = rng.normal(0.01, 0.03, size=(10, 20))
    result, swapped = (hierarchical_correlated_t(sign * x, correlation=0.1, draws=4000) for sign in (1, -1))
    assert swapped.estimate == pytest.approx(-result.estimate, abs=0.001)
    assert swapped.expected.b_better == pytest.approx(result.expected.a_better, abs=0.02)


def test_only_the_summaries_matter_and_the_seed_decides(rng):
    x = rng.normal(0.01, 0.03, size=(6, 20))
    direct = hierarchical_correlated_t(x, correlation=0.1, draws=300, seed=5)
    means, squares = x.mean(axis=1), ((x - x.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    by_summary = hierarchical_from_summaries(
        means, squares, [20] * 6, correlation=0.1, largest=np.abs(x).max(), draws=300, seed=5
    )
    assert by_summary.draws == pytest.approx(direct.draws)
    other = hierarchical_correlated_t(x, correlation=0.1, draws=300, seed=6)
    assert not np.array_equal(other.draws, direct.draws)
    assert direct.draws.sum(axis=1) == pytest.approx(np.ones(300))


@pytest.mark.parametrize("x", [np.zeros((4, 2)), np.full((5, 10), 0.05), np.tile([[0.8 - 0.7, 0.9 - 0.8]], (4, 1))])
def test_splits_without_spread_anywhere_are_no_certainty(x):
    with pytest.warns(DegenerateVariance, match="their variance is unknown and there is no posterior"):
        result = hierarchical_correlated_t(x, correlation=0.1, draws=50)
    assert np.isnan(result.probabilities.as_tuple()).all()
    assert np.isnan(result.credible_interval().low)
    assert result.estimate == pytest.approx(x.mean())


def test_a_data_set_without_spread_is_no_more_certain_than_the_others(rng):
    x = rng.normal(0.0, 0.04, size=(4, 10))
    x[0] = 0.03
    result = hierarchical_correlated_t(x, correlation=0.1, draws=2000)
    other = x.copy()
    # the same mean with the others' mean standard deviation
    other[0] = 0.03 + np.resize([1, -1], 10) * x[1:].std(axis=1, ddof=1).mean() * np.sqrt(9 / 10)
    reference = hierarchical_correlated_t(other, correlation=0.1, draws=2000)
    assert result.per_dataset == pytest.approx(reference.per_dataset)
    assert result.per_dataset[0] < 0.025  # drawn towards the others, not pinned to its mean


def test_data_sets_may_have_different_numbers_of_splits_and_correlations(rng):
    x = [rng.normal(0.05, 0.02, size=n) for n in (10, 100, 5)]
    result = hierarchical_correlated_t(x, correlation=[0.1, 0.1, 0.5], draws=200)
    assert result.per_dataset.shape == (3,)


@pytest.mark.parametrize(("x", "correlation", "message"), [
    ([[0.1, 0.2]], 0.1, "at least two data sets"),
    ([[0.1], [0.2]], 0.1, "at least two splits"),
    ([[0.1, np.nan], [0.1, 0.2]], 0.1, r"x\[0\]\[1\] is nan"),
    ([[0.1, 0.2], [0.1, 0.2]], 1.0, "from 0 to below 1"),
    ([[0.1, 0.2], [0.1, 0.2]], [0.1, 0.1, 0.1], "one per data set"),
])  # fmt: skip
def test_bad_input_is_named(x, correlation, message):
    with pytest.raises(InvalidInput, match=message):
        hierarchical_correlated_t(x, correlation=correlation)


def test_bad_summaries_are_named():
    with pytest.raises(InvalidInput, match="must not be negative"):
        hierarchical_from_summaries([0.1, 0.2], [-1, 1], [10, 10], correlation=0.1)
    with pytest.raises(InvalidInput, match="rope must be a number of at least 0, got -1"):
        hierarchical_from_summaries([0.1, 0.2], [1, 1], [10, 10], correlation=0.1, rope=-1)
