"""cv_clt, conservative_z, nested_cv, balanced_5x2_mcnemar and disjoint: against SciPy and formulas written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.inference import balanced_5x2_mcnemar, conservative_z, cv_clt, disjoint, nested_cv

several = settings(max_examples=25)
seeds = st.integers(0, 10**6)


def drawn(seed, *shape):
    return np.random.default_rng(seed).normal(0.05, 0.1, size=shape)


def halves_of(seed):
    return drawn(seed, 15), drawn(seed + 1, 10, 2, 15)


def folds_of(seed, repetitions=3, folds=6):
    inner, outer = drawn(seed, 2, repetitions, folds)
    return inner, outer, drawn(seed + 1, repetitions, folds) ** 2 / 10, np.abs(drawn(seed + 2, repetitions))


STUDENT = {
    "cv_clt": lambda seed, sign=1: cv_clt(sign * drawn(seed, 40)),
    "conservative_z": lambda seed, sign=1: conservative_z(*(sign * part for part in halves_of(seed))),
    "nested_cv": lambda seed, sign=1: nested_cv(*(sign * part for part in folds_of(seed)[:2]), *folds_of(seed)[2:]),
    "disjoint": lambda seed, sign=1: disjoint(sign * drawn(seed, 25)),
}


@pytest.mark.parametrize("test", STUDENT.values(), ids=STUDENT.keys())
@several
@given(seed=seeds)
def test_swapped_learners_mirror_everything_and_the_interval_is_dual(test, seed):
    there, back = test(seed), test(seed, -1)
    assert there.pvalue == back.pvalue
    assert there.statistic == -back.statistic
    interval = there.confidence_interval(0.9)
    assert interval == -back.confidence_interval(0.9)
    if abs(there.pvalue - 0.1) > 1e-9:
        assert (0 not in interval) == (there.pvalue < 0.1)


@several
@given(seed=seeds)
def test_cv_clt_is_the_z_test_of_the_examples(seed):
    d = drawn(seed, 40)
    z = d.mean() / stats.sem(d)
    assert cv_clt(d).statistic == pytest.approx(z)
    assert cv_clt(d).pvalue == pytest.approx(2 * stats.norm.sf(abs(z)))
    assert cv_clt(np.stack([d, -d])).statistic == pytest.approx([z, -z])


@several
@given(seed=seeds)
def test_conservative_z_takes_half_the_squared_distance_of_the_halves(seed):
    x, halves = halves_of(seed)
    variance = sum((one.mean() - other.mean()) ** 2 for one, other in halves) / (2 * len(halves))
    result = conservative_z(x, halves)
    assert [result.estimate, result.standard_error] == pytest.approx([x.mean(), np.sqrt(variance)])
    assert result.pvalue == pytest.approx(2 * stats.norm.sf(abs(x.mean()) / np.sqrt(variance)))
    batched = conservative_z(np.stack([x, x]), np.stack([halves, -halves]))
    assert batched.pvalue == pytest.approx([result.pvalue] * 2)


@several
@given(seed=seeds, scale=st.sampled_from([0.01, 1.0, 100.0]))
def test_nested_cv_is_the_formula_written_out(seed, scale):
    inner, outer, spread, naive = folds_of(seed)
    outer = inner + scale * (outer - inner)  # all three cases: kept from below, from above, or as it is
    parts = [(i - o) ** 2 - b for i, o, b in zip(inner.ravel(), outer.ravel(), spread.ravel(), strict=True)]
    least = np.sqrt(np.mean(naive**2))
    error = np.sqrt(5 / 6 * max(np.mean(parts), 0))
    wanted = min(max(error, least), np.sqrt(6) * least)
    result = nested_cv(inner, outer, spread, naive)
    assert [result.estimate, result.standard_error] == pytest.approx([inner.mean(), wanted])
    assert result.pvalue == pytest.approx(2 * stats.norm.sf(abs(inner.mean()) / wanted))


@several
@given(seed=seeds)
def test_the_balanced_tables_count_twenty_elevenths(seed):
    tables = np.random.default_rng(seed).integers(0, 30, size=(10, 4))
    tables[:, 0] += 1  # none is empty
    cells = tables.mean(axis=0) * 20 / 11
    b, c = cells[1:3]
    result = balanced_5x2_mcnemar(tables)
    statistic = max(abs(b - c) - 1, 0) ** 2 / (b + c)
    assert result.effective == pytest.approx(cells)
    assert [result.statistic, result.pvalue] == pytest.approx([statistic, stats.chi2.sf(statistic, 1)])
    assert result.estimate == pytest.approx((c - b) / cells.sum())
    swapped = balanced_5x2_mcnemar(tables[:, [0, 2, 1, 3]])
    assert [swapped.pvalue, swapped.estimate] == pytest.approx([result.pvalue, -result.estimate])
    interval = result.confidence_interval(0.9)
    if abs(result.pvalue - 0.1) > 1e-9 and interval.low > -1 and interval.high < 1:
        assert (0 not in interval) == (result.pvalue < 0.1)
    assert balanced_5x2_mcnemar(np.stack([tables, tables])).pvalue == pytest.approx([result.pvalue] * 2)


@several
@given(seed=seeds)
def test_disjoint_parts_are_students_sample_and_the_sign_tests(seed):
    x = np.round(drawn(seed, 25), 1)
    result = disjoint(x)
    t = stats.ttest_1samp(x, 0)
    assert [result.statistic, result.pvalue, result.df] == pytest.approx([t.statistic, t.pvalue, 24])
    wins, losses = int((x > 0).sum()), int((x < 0).sum())
    assert result.sign_pvalue == pytest.approx(stats.binomtest(wins, wins + losses).pvalue)


# ---- without variance, and what is refused


@pytest.mark.parametrize("value", [0.0, 0.1])
@pytest.mark.parametrize("test", [
    lambda value: cv_clt(np.full(9, value)),
    lambda value: conservative_z(np.full(3, value), np.full((4, 2, 3), value)),
    lambda value: nested_cv(np.full((1, 4), value), np.full((1, 4), value), np.zeros((1, 4)), np.zeros(1)),
    lambda value: disjoint(np.full(21, value)),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore::foldwise.core.errors.DegenerateVariance")
def test_without_variance_nothing_can_be_told(test, value):
    result = test(value)
    assert (result.pvalue, result.standard_error) == (1, 0)
    assert result.estimate == pytest.approx(value)
    assert 0 in result.confidence_interval()


def test_a_constant_difference_warns():
    with pytest.warns(DegenerateVariance, match="no difference can be shown"):
        cv_clt(np.full(9, 0.1))


def test_classifiers_that_never_disagree_show_nothing():
    result = balanced_5x2_mcnemar([[5, 0, 0, 20]] * 10)
    assert (result.statistic, result.pvalue, result.estimate) == (0, 1, 0)
    assert result.degenerate
    assert 0 in result.confidence_interval()


@pytest.mark.parametrize(("call", "message"), [
    (lambda: cv_clt([0.1]), "at least 2 differences"),
    (lambda: conservative_z([0.1], np.zeros((3, 3, 2))), r"halves must have shape \(\.\.\., halvings, 2, splits\)"),
    (lambda: conservative_z([np.nan], np.zeros((3, 2, 2))), "x must be finite"),
    (lambda: nested_cv(np.zeros((2, 4)), np.zeros((2, 3)), np.zeros((2, 4)), np.zeros(2)), "must have one shape"),
    (lambda: nested_cv(*np.zeros((3, 2, 4)), np.zeros(3)), "naive must have one standard error per repetition"),
    (lambda: balanced_5x2_mcnemar(np.ones((9, 4))), "tables must be ten tables of four counts"),
    (lambda: balanced_5x2_mcnemar(np.zeros((10, 4))), "none empty"),
    (lambda: balanced_5x2_mcnemar(np.full((10, 4), 0.5)), "must be whole numbers"),
    (lambda: disjoint([0.1]), "at least 2 differences"),
])  # fmt: skip
def test_bad_input_is_one_sentence(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
