"""Clark-West, Giacomini-White and the model confidence set: by hand, beside arch, and their level by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldwise import inference as inf
from foldwise.core.errors import InvalidInput


def test_clark_and_west_by_hand():
    y, small, large = np.array([1.0, 2.0, 0.5, 3.0]), np.full(4, 2.0), np.array([1.5, 2.0, 1.0, 2.5])
    by_hand = (y - small) ** 2 - (y - large) ** 2 + (small - large) ** 2
    found = inf.clark_west(y, small, large)
    assert found.estimate == pytest.approx(by_hand.mean())
    assert found.pvalue == inf.diebold_mariano(by_hand, alternative="greater").pvalue


def test_clark_and_west_keep_their_level_where_diebold_and_mariano_favour_the_small_model():
    """A constant is true; the large model estimates a slope, in a window of the last 20 periods."""
    rng = np.random.default_rng(2)
    rejected, leads = [], []
    for _ in range(400):
        x, y = rng.normal(size=120), rng.normal(size=120)
        small, large = np.zeros(100), np.zeros(100)
        for t in range(20, 120):
            window = slice(t - 20, t)
            large[t - 20] = (x[window] @ y[window]) / (x[window] @ x[window]) * x[t]
        truth = y[20:]
        rejected.append(inf.clark_west(truth, small, large).pvalue < 0.05)
        leads.append(((truth - small) ** 2 - (truth - large) ** 2).mean())
    assert np.mean(rejected) < 0.08
    assert np.mean(leads) < 0  # what Diebold and Mariano's test would look at


def test_giacomini_and_white_find_a_season_and_keep_their_level():
    rng = np.random.default_rng(3)
    season = np.tile([1.0, -1.0], 60)
    assert inf.giacomini_white(0.6 * season + rng.normal(size=120), season).pvalue < 0.01
    assert inf.diebold_mariano(0.6 * season + rng.normal(size=120)).pvalue > 0.05
    level = np.mean([inf.giacomini_white(rng.normal(size=120), season).pvalue < 0.05 for _ in range(1500)])
    assert level == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / 1500))


@given(st.integers(0, 1000), st.floats(0.1, 10))
def test_the_scale_of_instruments_and_losses_does_not_matter(seed, scale):
    rng = np.random.default_rng(seed)
    x, known = rng.normal(size=80), rng.normal(size=80)
    plain, other = inf.giacomini_white(x, known), inf.giacomini_white(-scale * x, known / scale)
    assert other.pvalue == pytest.approx(plain.pvalue)


def losses(seed, k=5, n=250):
    rng = np.random.default_rng(seed)
    common = rng.normal(size=n)
    return common + rng.normal(np.linspace(0, 0.5, k)[:, None], 1.0, (k, n))


@pytest.mark.parametrize("statistic", ["range", "max"])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_set_is_nearly_that_of_arch(seed, statistic):
    bootstrap = pytest.importorskip("arch.bootstrap", reason="arch is not installed")
    theirs = bootstrap.MCS(
        losses(seed).T, size=0.05, reps=3000, block_size=7, method="R" if statistic == "range" else "max", seed=1
    )
    theirs.compute()
    found = inf.model_confidence_set(losses(seed), block=7, statistic=statistic, draws=3000)
    assert found.pvalue == pytest.approx(theirs.pvalues["Pvalue"].sort_index().to_numpy(), abs=0.05)
    assert list(found.order) == list(theirs.pvalues.index)


@settings(max_examples=10)
@given(st.permutations(range(5)), st.floats(0.5, 3))
def test_order_and_scale_of_the_models_do_not_matter(order, scale):
    x = losses(4)
    plain, other = inf.model_confidence_set(x, draws=200), inf.model_confidence_set(scale * x[order], draws=200)
    assert other.pvalue == pytest.approx(plain.pvalue[order])


def test_the_best_are_held_and_the_worst_are_not():
    """200 series of three equal models and one that is worse."""
    rng = np.random.default_rng(6)
    held, worst = [], []
    for _ in range(200):
        found = inf.model_confidence_set(rng.normal([[0.0], [0.0], [0.0], [1.0]], 1.0, (4, 100)), draws=300)
        held.append(found.members()[:3].all())
        worst.append(found.members()[3])
    assert np.mean(held) > 0.84  # measured .915 ± .014 on 400 other series: blocks cost some of the level
    assert np.mean(worst) < 0.05


def test_a_model_against_itself_stays():
    x = np.random.default_rng(0).normal(size=50)
    assert inf.model_confidence_set([x, x], draws=100).pvalue.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: inf.clark_west([1, 2], [1, 2], [1]), "one length"),
        (lambda: inf.giacomini_white([1.0, 2, 3], [1.0, 1, 1]), "must vary"),
        (lambda: inf.giacomini_white([1.0, 2, 3], [1.0, 2]), "one row per period"),
        (lambda: inf.giacomini_white(np.arange(8.0), np.random.default_rng(0).normal(size=(8, 3))), "must be longer"),
        (lambda: inf.model_confidence_set([[1.0, 2]]), "models × periods"),
        (lambda: inf.model_confidence_set([[1.0, 2], [2, 1]], block=3), "at most the number of periods"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()


@pytest.mark.parametrize("seed", [0, 1, 2, 5])
def test_superior_predictive_ability_is_archs_within_the_draws(seed):
    from arch.bootstrap import SPA

    rng = np.random.default_rng(seed)
    base, losses = rng.normal(1, 1, 120), rng.normal([[1.0], [0.9], [1.4]], 1.0, (3, 120))
    theirs = SPA(base, losses.T, block_size=5, reps=4000, seed=1)  # which does not studentise the maximum
    theirs.compute()
    ours = inf.superior_predictive_ability(base, losses, block=5, draws=4000, studentised=False)
    assert ours.statistic > 0  # where nothing is gained arch's p is below 1, and ours 1
    for name, found in (("lower", ours.lower), ("consistent", ours.pvalue), ("upper", ours.upper)):
        p = float(theirs.pvalues[name])
        assert found == pytest.approx(p, abs=4 * (2 * max(p * (1 - p), 0.002) / 4000) ** 0.5), name
    assert ours.lower <= ours.pvalue <= ours.upper
    # the variance is the one of the bootstrap's kernel
    wide = inf.superior_predictive_ability(base, losses, block=5)
    gains = base - losses[wide.best]
    assert wide.statistic == pytest.approx(gains.mean() / np.sqrt(theirs._loss_diff_var[wide.best] / 120), rel=1e-9)


def test_superior_predictive_ability_in_degenerate_cases():
    rng = np.random.default_rng(1)
    base = rng.normal(1, 1, 60)
    same = inf.superior_predictive_ability(base, [base, base])
    assert (same.statistic, same.pvalue, same.upper) == (0, 1, 1)
    assert inf.superior_predictive_ability(base, [base + 1]).pvalue == 1
    twice = inf.superior_predictive_ability(base, [base - 0.1 * rng.random(60)] * 2)
    once = inf.superior_predictive_ability(base, [base - 0.1 * np.random.default_rng(1).random(60)])
    assert twice.pvalue <= 1
    assert once.best == 0
    for wrong, message in (
        ((base, base), "benchmark must be one series and losses models × periods"),
        ((base[:2], [base[:2]]), "at least 3, got shapes"),
    ):
        with pytest.raises(InvalidInput, match=message):
            inf.superior_predictive_ability(*wrong)


def test_superior_predictive_ability_keeps_its_level():
    rng, trials, rejected = np.random.default_rng(2), 300, 0
    for trial in range(trials):
        losses = rng.normal(1, 1, (4, 100))
        rejected += inf.superior_predictive_ability(losses[0], losses[1:], draws=300, seed=trial).pvalue < 0.05
    assert rejected / trials < 0.05 + 3.3 * (0.05 * 0.95 / trials) ** 0.5
