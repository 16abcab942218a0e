"""round_robin: the block algebra against brute force, what it must not depend on, and what it is unbiased for."""

from __future__ import annotations

import warnings
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from foldwise.core.errors import DegenerateVariance, InvalidInput, UnknownName
from foldwise.inference import round_robin

# differences of accuracies on 30 test examples: ties, zeros and values that binary fractions can't hold
values = st.integers(-30, 30).map(lambda k: k / 30)
tables = st.tuples(st.integers(1, 3), st.sampled_from([3, 4, 6])).flatmap(
    lambda shape: hnp.arrays(float, (shape[0], shape[1], shape[1]), elements=values)
)
several = settings(max_examples=25)
PARTS = ("estimate", "jackknife", "interaction", "test_blocks", "shared")


def quietly(d, **options):
    """The test where a lack of variance is an outcome like any other."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        return round_robin(d, **options)


varied = tables.filter(lambda d: quietly(d).standard_error > 0)


def by_brute_force(d):
    """θ, V_J, s², V_T, κ of one dealing: least squares on dummy variables, and leaving out block after block."""
    g = len(d)
    cells = list(permutations(range(g), 2))
    y = np.array([d[cell] for cell in cells])
    X = np.array([[1.0, *np.eye(g)[b], *np.eye(g)[c]] for b, c in cells])
    coefficients, *_ = np.linalg.lstsq(X, y, rcond=None)
    residual = y - X @ coefficients
    left = len(cells) - np.linalg.matrix_rank(X)
    deleted = np.array([np.mean([d[b, c] for c in range(g) if c != b]) for b in range(g)])
    tested = np.array([np.mean([d[b, c] for b in range(g) if b != c]) for c in range(g)])
    back = np.array([residual[cells.index((c, b))] for b, c in cells])
    jackknife, test_blocks = (g - 1) ** 2 / g * deleted.var(ddof=1), tested.var(ddof=1) / g
    return y.mean(), jackknife, residual @ residual / left, test_blocks, residual @ back / left


def variance_by_hand(g, jackknife, interaction, test_blocks, shared):
    """V_J − s² with what is given back, within its bounds."""
    most = max(2 * (g - 1) / (g - 2) * test_blocks, 2 * shared)
    return min(max(jackknife - interaction + (2 * g - 1) / (g * (g - 1)) * max(shared, 0), test_blocks), most)


@several
@given(d=tables)
def test_the_parts_are_those_of_brute_force(d):
    mean, *parts = np.mean([by_brute_force(table) for table in d], axis=0)
    result = quietly(d)
    found = [getattr(result, name) for name in PARTS]
    assert found == pytest.approx([mean, *parts], rel=1e-9, abs=1e-12)
    assert result.variance == pytest.approx(variance_by_hand(d.shape[-1], *parts), rel=1e-9, abs=1e-12)


@several
@given(d=varied)
def test_the_pvalue_and_the_interval_are_students(d):
    result = round_robin(d)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(result.estimate) / result.standard_error, result.df))
    interval = result.confidence_interval(0.9)
    law = stats.t(result.df, loc=result.estimate, scale=result.standard_error)
    assert [interval.low, interval.high] == pytest.approx(law.interval(0.9))
    if abs(result.pvalue - 0.1) > 1e-12:
        assert (0 not in interval) == (result.pvalue < 0.1)


@several
@given(d=varied, pieces=st.sampled_from([None, 3, 7, 1000]))
def test_dealings_add_degrees_of_freedom_as_far_as_the_test_blocks_vary(d, pieces):
    parts = np.mean([by_brute_force(table) for table in d], axis=0)
    dealings, g = d.shape[:2]
    larger = max(parts[2:4])
    share = parts[3] / larger if larger > 1e-20 else 0.0
    wanted = min(g - 1 + (dealings - 1) * max(1, (g - 1) * share**3), (pieces or np.inf) - 1)
    result = round_robin(d, pieces=pieces)
    assert result.df == pytest.approx(wanted, rel=1e-6)
    assert result.df <= (g - 1) * dealings
    assert round_robin(d[:1], pieces=pieces).df == min(g - 1, (pieces or np.inf) - 1)


def test_only_six_dealings_add_degrees_of_freedom():
    u = np.random.default_rng(9).normal(size=(12, 1, 6))
    tables = np.broadcast_to(u, (12, 6, 6))  # nothing but test blocks
    assert [round_robin(tables[:count]).df for count in (1, 2, 5, 6, 7, 12)] == [5, 10, 25, 30, 30, 30]
    noise = np.random.default_rng(9).normal(size=(9, 6, 6))
    assert [round_robin(noise[:count]).df for count in (1, 6, 9)] == [5, 10, 10]  # nothing but interaction


@several
@given(d=varied)
def test_swapping_the_learners_mirrors_everything(d):
    there, back = round_robin(d), round_robin(-d)
    assert there.pvalue == back.pvalue
    assert there.statistic == -back.statistic
    assert there.confidence_interval(0.9) == -back.confidence_interval(0.9)
    less, greater = (round_robin(d, alternative=side).pvalue for side in ("less", "greater"))
    assert less + greater == pytest.approx(1, abs=1e-14)
    assert round_robin(-d, alternative="less").pvalue == greater


@several
@given(d=varied, seed=st.integers(0, 5))
def test_neither_the_order_of_blocks_nor_of_dealings_matters(d, seed):
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(d.shape[-1]) for _ in d]
    again = np.array([table[np.ix_(order, order)] for table, order in zip(d, orders, strict=True)])
    first, second = round_robin(d), round_robin(rng.permutation(again))
    names = (*PARTS, "df")
    assert [getattr(second, name) for name in names] == pytest.approx([getattr(first, name) for name in names])


@several
@given(d=varied, diagonal=st.sampled_from([np.nan, np.inf, 7.0]))
def test_the_diagonal_is_ignored(d, diagonal):
    other = np.where(np.eye(d.shape[-1], dtype=bool), diagonal, d)
    assert round_robin(other).statistic == round_robin(d).statistic


@several
@given(d=hnp.arrays(float, (2, 3, 2, 4, 4), elements=values))
def test_batched_equals_looped(d):
    batched = quietly(d)
    for place in np.ndindex(2, 3):
        single = quietly(d[place])
        names = (*PARTS, "standard_error", "pvalue", "statistic", "df")
        found, wanted = (
            [float(np.asarray(getattr(r, n))[at]) for n in names] for r, at in [(batched, place), (single, ())]
        )
        assert found == pytest.approx(wanted, rel=1e-12, abs=1e-15, nan_ok=True)


def test_one_dealing_needs_no_axis_of_its_own():
    d = np.random.default_rng(0).normal(size=(5, 5))
    assert round_robin(d).pvalue == round_robin(d[None]).pvalue
    assert np.ndim(round_robin(d).pvalue) == 0


# ---- what it is unbiased for


def test_a_linear_statistic_gives_the_variance_of_its_mean():
    # block c tested adds u[c], a training block k adds x[k] / (g − 2): θ is the mean of u + x over g independent blocks
    rng = np.random.default_rng(1)
    u, x = rng.normal(size=(2, 10))
    trained = (x.sum() - x[:, None] - x) / 8
    result = round_robin(u + trained)
    assert result.estimate == pytest.approx((u + x).mean())
    assert result.interaction == pytest.approx(0, abs=1e-28)
    assert result.jackknife == pytest.approx((u + x).var(ddof=1) / 10)
    assert result.variance == pytest.approx(stats.sem(u + x) ** 2)


def test_noise_in_every_cell_is_counted_by_the_interaction():
    d = np.random.default_rng(2).normal(scale=3, size=(4000, 1, 8, 8))
    result = round_robin(d)
    # of 4000 tables with 41 degrees of freedom each: the mean of s² has the standard error 9·√(2/41/4000)
    assert result.interaction.mean() == pytest.approx(9, abs=4 * 9 * np.sqrt(2 / 41 / 4000))
    # V_J counts (g − 1)/g of it, (g − 1)² times the true variance of the mean
    assert result.jackknife.mean() == pytest.approx(9 * 7 / 8, rel=0.02)


def test_interaction_of_test_and_training_blocks_is_counted_twice_and_mended():
    # d[b, c] has h[c, k] of every training block k: θ is (g − 2)/(g(g − 1)) times the sum of all h
    rng, g = np.random.default_rng(8), 10
    h = rng.normal(size=(4000, g, g)) * (1 - np.eye(g))
    d = h.sum(axis=2)[:, None, :] - np.swapaxes(h, 1, 2)
    result = round_robin(d[:, None])
    truth = (g - 2) ** 2 / (g * (g - 1))
    assert result.estimate.var() == pytest.approx(truth, rel=0.1)
    assert result.jackknife.mean() == pytest.approx(2 * (g - 2) / g, rel=0.03)  # 2.25 times the truth
    assert result.interaction.mean() == pytest.approx(1, rel=0.03)
    # (g − 2)/(g − 1) of s² would mend it exactly; all of it leaves a little less
    mended = result.jackknife - result.interaction * (g - 2) / (g - 1)
    assert mended.mean() == pytest.approx(truth, rel=0.05)


def test_examples_that_hang_on_each_other_vary_at_most_as_is_believed():
    # h[c, k] = h[k, c]: two examples that are each other's nearest neighbour are right or wrong together
    rng, g = np.random.default_rng(18), 6
    h = np.triu(rng.normal(size=(8000, g, g)), 1)
    h += np.swapaxes(h, 1, 2)
    d = h.sum(axis=2)[:, None, :] - np.swapaxes(h, 1, 2)
    result = round_robin(d[:, None])
    truth = 2 * (g - 2) ** 2 / (g * (g - 1))
    assert result.estimate.var() == pytest.approx(truth, rel=0.08)
    assert result.test_blocks.mean() * 2 * (g - 1) / (g - 2) == pytest.approx(truth, rel=0.03)
    np.testing.assert_allclose(result.shared, result.interaction)


def test_noise_of_whole_trainings_is_taken_away_exactly():
    rng, g = np.random.default_rng(19), 6
    e = np.triu(rng.normal(size=(8000, g, g)), 1)
    result = round_robin((e + np.swapaxes(e, 1, 2))[:, None])  # both blocks that a training is tested on have the same
    truth = 2 / (g * (g - 1))
    assert result.estimate.var() == pytest.approx(truth, rel=0.08)
    mended = result.jackknife - result.interaction + (2 * g - 1) / (g * (g - 1)) * result.shared
    assert mended.mean() == pytest.approx(truth, abs=4 * stats.sem(mended))


def test_the_variance_stays_within_its_bounds():
    result = round_robin(np.random.default_rng(20).normal(size=(500, 3, 6, 6)))
    most = np.maximum(2.5 * result.test_blocks, 2 * result.shared)
    assert ((result.variance >= result.test_blocks * (1 - 1e-12)) & (result.variance <= most * (1 + 1e-12))).all()
    assert (result.jackknife - result.interaction > most).any()


def test_the_jackknife_is_never_too_small_on_average():
    # Efron–Stein, on a statistic that is all interaction: a test block times the mean of the training blocks
    rng, g = np.random.default_rng(3), 6
    z = rng.normal(size=(20_000, g))
    trained = (z.sum(axis=1)[:, None, None] - z[:, :, None] - z[:, None, :]) / (g - 2)
    d = z[:, None, :] * trained
    smaller = z[:, : g - 1]  # the cross-validation of g − 1 blocks that one deletion leaves
    rest = (smaller.sum(axis=1)[:, None] - smaller) / (g - 2)
    truth = (g - 1) / g * (smaller * rest).mean(axis=1).var()
    found = round_robin(d[:, None]).jackknife
    assert found.mean() - 4 * stats.sem(found) > truth


def test_it_is_exact_where_only_the_test_blocks_matter():
    u = np.random.default_rng(4).normal(size=(20_000, 1, 1, 10))
    rate = np.mean(round_robin(np.broadcast_to(u, (20_000, 1, 10, 10))).pvalue < 0.05)
    assert rate == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / 20_000))


# ---- without variance, and what is refused


def test_equal_learners_are_no_evidence():
    result = round_robin(np.zeros((2, 5, 5)))
    assert (result.statistic, result.pvalue, result.estimate) == (0, 1, 0)
    assert result.degenerate
    interval = result.confidence_interval()
    assert (interval.low, interval.high) == (-np.inf, np.inf)


@pytest.mark.parametrize("value", [0.1, -1 / 3, 1e-9, 1e9])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_a_constant_difference_can_not_tell(value, alternative):
    with pytest.warns(DegenerateVariance, match="no difference can be shown: p = 1"):
        result = round_robin(np.full((2, 6, 6), value), alternative=alternative)
    assert (result.pvalue, result.standard_error) == (1, 0)
    assert result.estimate == pytest.approx(value)
    assert np.isnan(result.statistic)
    assert 0 in result.confidence_interval()


def test_differences_without_variance_of_blocks_can_not_tell():
    d = np.array(
        [[0, 1, -1, 0], [0, 0, 1, -1], [-1, 0, 0, 1], [1, -1, 0, 0]], dtype=float
    )  # all rows and columns are 0
    with pytest.warns(DegenerateVariance):
        result = round_robin(d)
    assert result.interaction > 0
    assert result.pvalue == 1


def test_experiments_without_variance_do_not_disturb_others():
    d = np.random.default_rng(5).normal(size=(3, 1, 4, 4))
    d[1] = 0.3
    with pytest.warns(DegenerateVariance):
        batched = round_robin(d)
    assert batched.pvalue[1] == 1
    assert batched.pvalue[2] == round_robin(d[2]).pvalue


@pytest.mark.parametrize(("d", "message"), [
    (np.zeros((4, 5)), r"d must have shape \(g, g\) or \(\.\.\., dealings, g, g\), got shape \(4, 5\)"),
    (np.zeros(4), r"d must have shape"),
    (np.zeros((2, 2)), "d must have at least 3 blocks"),
    (np.zeros((0, 4, 4)), "d must have at least one dealing"),
    ([[0, np.nan, 1], [1, 0, 1], [1, 1, 0]], r"d must be finite, but d\[0, 1\] is nan"),
    (np.full((3, 3), 1e200), "d must be at most 1e\\+100 in size"),
    ([["a"] * 3] * 3, "d must be an array of numbers"),
])  # fmt: skip
def test_what_is_no_table_of_blocks_is_refused(d, message):
    with pytest.raises(InvalidInput, match=message):
        round_robin(d)


def test_options_are_checked():
    d = np.random.default_rng(6).normal(size=(4, 4))
    with pytest.raises(InvalidInput, match="df must be a number above 0, got 0"):
        round_robin(d, df=0)
    with pytest.raises(UnknownName, match="alternative"):
        round_robin(d, alternative="both")
    with pytest.raises(InvalidInput, match="pieces must be a whole number of at least 2, got 1"):
        round_robin(d, pieces=1)
    assert round_robin(d, df=18).pvalue == pytest.approx(2 * stats.t.sf(abs(round_robin(d).statistic), 18))
