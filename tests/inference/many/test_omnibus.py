from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import stats

from foldwise.core.errors import InvalidInput
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.mean_ranks import friedman, friedman_aligned, iman_davenport, quade

OMNIBUS = [friedman, iman_davenport, friedman_aligned, quade]
tables = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=7),
    elements=st.integers(0, 8).map(lambda i: i / 8),
)


def test_demsar_c45_example(demsar_unrounded):
    # section 3.2.2 prints 3.143, 2.000, 2.893, 1.964, χ²F = 9.28 and FF = 3.69
    result = friedman(demsar_unrounded, tie_correction=False)
    assert result.ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    assert round(float(result.statistic), 2) == 9.28
    f = iman_davenport(demsar_unrounded, tie_correction=False)
    assert round(float(f.statistic), 2) == 3.69
    assert (f.df, f.df_error) == (3, 39)


@pytest.mark.parametrize("name", ["demsar", "tied"])
def test_agrees_with_r(name, r_values, request):
    table = request.getfixturevalue(name)
    for test in (friedman, iman_davenport):
        result = test(table)
        assert result.statistic == pytest.approx(r_values[f"{name}.{test.__name__}.statistic"], rel=1e-10)
        assert result.pvalue == pytest.approx(r_values[f"{name}.{test.__name__}.pvalue"], rel=1e-9)
        assert result.ranks == pytest.approx([r_values[f"{name}.ranks[{j}]"] for j in range(table.shape[1])])


@pytest.mark.parametrize(("fixture", "name"), [("demsar", "thousandths"), ("tied", "tied")])
def test_quade_and_aligned_ranks_agree_with_r_although_demsar_has_decimals(fixture, name, r_values, request):
    table = request.getfixturevalue(fixture)
    result = quade(table)
    assert result.statistic == pytest.approx(r_values[f"{name}.quade.statistic"], rel=1e-10)
    assert result.pvalue == pytest.approx(r_values[f"{name}.quade.pvalue"], rel=1e-9)
    aligned = friedman_aligned(table)
    assert aligned.statistic == pytest.approx(r_values[f"{name}.friedman_aligned.statistic"], rel=1e-10)
    assert aligned.pvalue == pytest.approx(stats.chi2.sf(aligned.statistic, table.shape[1] - 1), rel=1e-10)


def test_friedman_agrees_with_scipy(tied):
    reference = stats.friedmanchisquare(*tied.T)
    assert friedman(tied).statistic == pytest.approx(reference.statistic, rel=1e-12)
    assert friedman(tied).pvalue == pytest.approx(reference.pvalue, rel=1e-10)


def test_friedman_statistic_orders_tables_as_the_permutation_distribution_does():
    # 3 learners on 3 data sets: all 216 tables, enumerated; 12/(Nk(k+1)) ΣR² − 3N(k+1) by hand
    tables = np.array(list(product(permutations([0.1, 0.2, 0.3]), repeat=3)))
    statistic = friedman(tables).statistic
    sums = (np.argsort(np.argsort(-tables, axis=-1), axis=-1) + 1).sum(axis=-2)
    assert statistic == pytest.approx(12 / (3 * 3 * 4) * (sums**2).sum(axis=-1) - 3 * 3 * 4)
    assert np.mean(statistic >= 6 - 1e-9) == pytest.approx(1 / 36)  # (1/3!)^(N−1): complete agreement


@pytest.mark.parametrize("test", OMNIBUS)
@settings(max_examples=40)
@given(table=tables, order=st.randoms(use_true_random=False))
def test_order_of_data_sets_and_learners_changes_nothing(test, table, order):
    rows, columns = list(range(table.shape[0])), list(range(table.shape[1]))
    order.shuffle(rows)
    order.shuffle(columns)
    result, shuffled = test(table), test(table[rows][:, columns])
    assert shuffled.pvalue == pytest.approx(result.pvalue, rel=1e-9)
    assert shuffled.ranks == pytest.approx(result.ranks[columns])


@pytest.mark.parametrize("test", OMNIBUS)
@settings(max_examples=40)
@given(table=tables)
def test_lower_is_better_mirrors_the_ranks_only(test, table):
    result = test(ScoreTable.of(table, higher_is_better=False))
    mirrored = test(-table)
    assert result.pvalue == mirrored.pvalue
    assert result.ranks.tolist() == mirrored.ranks.tolist()
    assert 0 <= result.pvalue <= 1
    assert test(table).pvalue == pytest.approx(result.pvalue, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("test", OMNIBUS)
@settings(max_examples=40)
@given(stack=arrays(np.float64, (3, 5, 4), elements=st.integers(0, 8).map(lambda i: i / 8)))
def test_batched_equals_looped(test, stack):
    batched = test(stack)
    looped = [test(table) for table in stack]
    assert batched.pvalue.tolist() == [one.pvalue for one in looped]
    assert batched.ranks.tolist() == [one.ranks.tolist() for one in looped]


@pytest.mark.parametrize("test", OMNIBUS)
def test_identical_learners_are_no_evidence(test):
    result = test(np.tile([[0.8], [0.9], [0.7]], 4))
    assert result.statistic == 0
    assert result.pvalue == 1


@pytest.mark.parametrize("test", OMNIBUS)
def test_means_equal_up_to_rounding_noise_are_ties(test):
    a, b = np.mean([0.3, 0.2, 0.1]), np.mean([0.1, 0.2, 0.3])
    assert a != b
    noisy = test(np.tile([a, b, 0.5], (8, 1)) + np.arange(8)[:, None] / 8)
    clean = test(np.tile([0.2, 0.2, 0.5], (8, 1)) + np.arange(8)[:, None] / 8)
    assert (noisy.statistic, noisy.pvalue) == (clean.statistic, clean.pvalue)
    assert test(np.tile([a, b], (8, 1))).pvalue == 1


@pytest.mark.parametrize("test", [iman_davenport, quade])
def test_complete_agreement_has_the_probability_of_that_order(test):
    result = test(np.tile([0.9, 0.8, 0.7], (4, 1)) + np.arange(4)[:, None] / 100)
    assert result.statistic == np.inf
    assert result.pvalue == pytest.approx((1 / 6) ** 3)


@pytest.mark.parametrize("test", [iman_davenport, quade])
@pytest.mark.parametrize(
    "row", [(0.8, 0.8, 0.7), (0.8, 0.7, 0.7), (0.9, 0.8, 0.7), (0.9, 0.8, 0.8, 0.7), (0.9, 0.9, 0.8, 0.8), (0.9, 0.8)]
)
def test_complete_agreement_with_ties_by_enumeration_of_all_orders(test, row):
    # the null hypothesis lets each row come in any order: count those that are as extreme, infinite that is
    observed = test([row] * 3)
    orders = np.array(list(permutations(row)))
    every = orders[np.array(list(product(range(len(orders)), repeat=3)))]
    assert observed.statistic == np.inf
    assert observed.pvalue == pytest.approx(np.mean(np.isinf(test(every).statistic)))


def test_quade_of_two_learners_orders_data_as_the_signed_rank_test_does(rng):
    from foldwise.inference.many.wilcoxon import wilcoxon_signed_rank

    stack = rng.normal(size=(200, 9, 2))
    f = quade(stack).statistic
    t = np.abs(wilcoxon_signed_rank(stack[..., 0], stack[..., 1]).excess)
    assert np.all(np.diff(f[np.argsort(t, kind="stable")]) >= -1e-9)


@pytest.mark.parametrize("test", OMNIBUS)
@pytest.mark.parametrize(("table", "message"), [
    ([[0.9, 0.8]], "at least 2 data sets"),
    ([[0.9], [0.8]], "at least two learners"),
    ([[0.9, np.nan], [0.8, 0.7]], r"table\[0, 1\] is nan"),
    ([0.9, 0.8], "at least 2 axes"),
    ([["high", 0.8], [0.8, 0.7]], "array of numbers"),
])  # fmt: skip
def test_bad_tables_are_refused(test, table, message):
    with pytest.raises(InvalidInput, match=message):
        test(table)


def test_missing_cells_are_named():
    table = ScoreTable.of([[0.9, np.nan], [0.8, 0.7]], learners=["nb", "c45"], datasets=["iris", "wine"])
    with pytest.raises(InvalidInput, match=r"none for c45 on iris; .* Skillings–Mack"):
        friedman(table)
