"""Seeds × items: against lme4 and closed forms, as identities, and by simulation where the truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.inference import crossed, paired_t, unpaired_seeds

cells = st.integers(-20, 20).map(lambda value: value / 10)


@st.composite
def tables(draw, seeds=None, items=None):
    shape = seeds or draw(st.integers(2, 5)), items or draw(st.integers(2, 7))
    rows = draw(st.lists(cells, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
    return np.array(rows).reshape(shape) + np.outer(np.arange(shape[0]) == 0, np.arange(shape[1]) == 0)


def test_mean_squares_components_and_standard_error_are_those_of_r(marks):
    result = crossed(np.reshape(marks["crossed.x"], (4, 9)))
    squares = result.squares
    assert (squares.of_seeds, squares.of_items, squares.rest) == pytest.approx(marks["crossed.squares"], rel=1e-12)
    estimate, error, seeds, items, rest = marks["crossed.lme4"]  # REML of balanced data: the same up to its iterations
    assert (result.student.estimate, result.student.standard_error) == pytest.approx((estimate, error), rel=1e-6)
    assert (squares.seed_variance, squares.item_variance, squares.rest) == pytest.approx((seeds, items, rest), rel=1e-6)


def test_the_formulas_written_out():
    x = np.array([[0.9, 0.1, 0.4, 0.6], [0.5, -0.3, 0.1, 0.5], [1.2, 0.2, 0.9, 0.7]])
    mean, rows, columns = x.mean(), x.mean(axis=1), x.mean(axis=0)
    a, b = 4 * ((rows - mean) ** 2).sum() / 2, 3 * ((columns - mean) ** 2).sum() / 3
    e = ((x - rows[:, None] - columns + mean) ** 2).sum() / 6
    assert a > e
    assert b > e
    result = crossed(x)
    assert result.student.standard_error == pytest.approx(np.sqrt((a + b - e) / 12))
    largest = [(a * 2 / stats.chi2.ppf(0.05, 2), b), (a, b * 3 / stats.chi2.ppf(0.05, 3))]
    df = min((p + q - e) ** 2 / (p**2 / 2 + q**2 / 3 + e**2 / 6) for p, q in [(a, b), *largest])
    assert result.student.df == pytest.approx(df)
    interval = result.student.confidence_interval(0.9)
    reach = stats.t.ppf(0.95, df) * np.sqrt((a + b - e) / 12)
    assert (interval.low, interval.high) == pytest.approx((mean - reach, mean + reach))
    m = 12 * mean**2
    over, under = (m + e) ** 2 / (m**2 + e**2 / 6), (a + b) ** 2 / (a**2 / 2 + b**2 / 3)
    assert (result.quasi_f, *result.quasi_f_df) == pytest.approx(((m + e) / (a + b), over, under))
    assert result.quasi_f_pvalue == pytest.approx(stats.f.sf((m + e) / (a + b), over, under))


@given(tables())
@settings(max_examples=25)
def test_never_more_certain_than_items_or_seeds_alone(x):
    found = crossed(x).student.standard_error
    assert found >= paired_t(x.mean(axis=0)).standard_error - 1e-12
    assert found >= paired_t(x.mean(axis=1)).standard_error - 1e-12


@given(tables(), st.randoms())
@settings(max_examples=25)
def test_swap_mirrors_and_order_does_not_matter(x, random):
    rows, columns = random.sample(range(len(x)), len(x)), random.sample(range(x.shape[1]), x.shape[1])
    result, swapped, shuffled = crossed(x).student, crossed(-x).student, crossed(x[rows][:, columns]).student
    assert swapped.statistic == pytest.approx(-result.statistic, abs=1e-9)
    for other in (swapped, shuffled):
        assert (other.pvalue, other.df) == pytest.approx((result.pvalue, result.df), rel=1e-6)


@given(tables(seeds=3, items=5), tables(seeds=2, items=5), st.floats(0.02, 0.5))
@settings(max_examples=25)
def test_intervals_are_dual_to_their_tests(a, b, alpha):
    for result in (crossed(a).student, unpaired_seeds(a, b).student):
        if abs(result.pvalue - alpha) > 1e-9:
            assert (0 in result.confidence_interval(1 - alpha)) == (result.pvalue > alpha)


def test_unpaired_seeds_written_out():
    a = np.array([[0.9, 0.7, 0.8, 0.6], [0.8, 0.7, 0.9, 0.7]])
    b = np.array([[0.6, 0.5, 0.8, 0.5], [0.7, 0.4, 0.7, 0.5], [0.5, 0.5, 0.8, 0.6]])
    seeds = [part.mean(axis=1).var(ddof=1) / len(part) for part in (a, b)]
    terms = np.array([(a.mean(axis=0) - b.mean(axis=0)).var(ddof=1) / 4, *seeds])
    result = unpaired_seeds(a, b).student
    assert result.standard_error == pytest.approx(np.sqrt(terms.sum()))
    df = np.array([3, 1, 2])
    largest = np.where(np.eye(3), df / stats.chi2.ppf(0.05, df), 1) * terms  # one at a time at its upper 95 % limit
    found = [part.sum() ** 2 / (part**2 / df).sum() for part in (terms, *largest)]
    assert result.df == pytest.approx(max(min(found), 1))
    assert unpaired_seeds(b, a).student.statistic == pytest.approx(-result.statistic)


def test_batched_equals_looped():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(3, 4, 6)), rng.normal(size=(3, 2, 6))
    batched, unpaired = crossed(a), unpaired_seeds(a, b)
    for i in range(3):
        one = crossed(a[i])
        assert (batched.student.pvalue[i], batched.quasi_f_pvalue[i]) == pytest.approx(
            (one.student.pvalue, one.quasi_f_pvalue)
        )
        assert unpaired.student.pvalue[i] == pytest.approx(unpaired_seeds(a[i], b[i]).student.pvalue)


def test_equal_models_show_nothing_and_constant_differences_no_certainty():
    same = crossed(np.zeros((3, 4)))
    assert (same.student.pvalue, same.quasi_f_pvalue) == (1, 1)
    with pytest.warns(DegenerateVariance):
        constant = crossed(np.full((3, 4), 0.1))
    assert constant.student.degenerate
    marks = np.array([[0.1, 0.4, 0.3], [0.2, 0.3, 0.3]])
    assert unpaired_seeds(marks, marks).student.pvalue == 1


def level(rng, seeds, items, spread, trials=3000):
    """Type I error of the crossed t, of the quasi-F and of a test over items alone, without a difference."""
    of_seeds, of_items, rest = spread
    x = of_seeds * rng.normal(size=(trials, seeds, 1)) + of_items * rng.normal(size=(trials, 1, items))
    x = x + rest * rng.normal(size=(trials, seeds, items))
    result, alone = crossed(x), paired_t(x.mean(axis=1))
    return [float((p < 0.05).mean()) for p in (result.student.pvalue, result.quasi_f_pvalue, alone.pvalue)]


@pytest.mark.parametrize(("seeds", "items", "spread"), [
    (2, 50, (0.3, 0.3, 1)), (3, 100, (0.3, 0.3, 1)), (5, 50, (0.1, 1, 1)), (5, 50, (0, 1, 1)), (3, 50, (0, 0, 1)),
])  # fmt: skip
def test_keeps_its_level_where_seeds_and_items_vary(seeds, items, spread):
    mine, quasi_f, alone = level(np.random.default_rng(7), seeds, items, spread)
    assert mine < 0.05 + 3 * 0.004  # Monte-Carlo error 0.004
    if spread == (0.3, 0.3, 1):
        assert alone > 0.3  # items alone take the luck of the seeds for a difference
        assert quasi_f > mine


def test_interval_covers_the_truth_and_unpaired_seeds_too():
    rng = np.random.default_rng(8)
    items = rng.normal(size=(3000, 1, 40))
    a, b = (
        items
        + 0.3 * rng.normal(size=(3000, seeds, 1))
        + rng.normal(size=(3000, 1, 40))
        + rng.normal(size=(3000, seeds, 40))
        for seeds in (5, 4)
    )
    for result in (crossed(a[:, :4] - b).student, unpaired_seeds(a, b).student):
        limits = result.confidence_interval()
        covered = float(((limits.low <= 0) & (limits.high >= 0)).mean())
        assert 0.935 < covered < 0.985


@pytest.mark.parametrize(("a", "b", "message"), [
    ([[1, 2, 3]], None, r"x must have at least 2 seeds and 2 items, shape .*, got \(1, 3\)"),
    ([1, 2, 3], None, "x must have at least 2 axes"),
    ([[1, np.nan], [1, 2]], None, r"x must be finite, but x\[0, 1\] is nan"),
    ([[1, 2], [1, 2]], [[1, 2, 3], [1, 2, 3]], "a and b must have the same items"),
    ([[1, 2], [1, 2]], [[1, 2]], "b must have at least 2 seeds"),
])  # fmt: skip
def test_bad_tables_are_named(a, b, message):
    with pytest.raises(InvalidInput, match=message):
        crossed(a) if b is None else unpaired_seeds(a, b)
