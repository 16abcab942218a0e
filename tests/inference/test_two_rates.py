from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportions_ztest

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.inference import outside_interval, standard_error_rule, two_rates

METHODS = ["textbook", "exact"]
samples = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))

# martinhirschberg1996 Table 5: decision accuracy at 90, 95, 99 % and conspicuous errors, in per cent, by N
PRINTED = {
    10: (94, 94, 90, 4.1),
    20: (97, 93, 96, 1.8),
    30: (97, 94, 96, 1.2),
    50: (98, 96, 98, 0.8),
    100: (98, 97, 99, 0.5),
}
PRINTED_COUNTS = [[66, 2, 0, 0], [0, 0, 0, 0], [4, 1, 12, 0], [1, 1, 10, 24]]


@pytest.mark.parametrize("method", METHODS)
def test_agrees_with_r(rates, method):
    # prop.test without correction; the double sum over both binomial distributions
    for table, pvalue in rates(f"two_rates_{method}"):
        assert two_rates(*table, method=method).pvalue == pytest.approx(pvalue, rel=1e-10)


def test_textbook_agrees_with_statsmodels():
    z, pvalue = proportions_ztest([13, 29], [100, 120])
    result = two_rates(13, 100, 29, 120)
    assert result.statistic == pytest.approx(abs(z))
    assert result.pvalue == pytest.approx(pvalue)


def classes(n):
    """Class of the normal and of the exact level (<90, [90,95), [95,99), ≥99 %) for all (m1, m2), row by row."""
    m1, m2 = np.divmod(np.arange((n + 1) ** 2), n + 1)
    normal, exact = (two_rates(m1, n, m2, n, method=method).level for method in METHODS)
    return np.digitize(normal, [0.9, 0.95, 0.99]), np.digitize(exact, [0.9, 0.95, 0.99])


def cross_table(rows, columns):
    table = np.zeros((4, 4), dtype=int)
    np.add.at(table, (rows, columns), 1)
    return table


def stale(rows):
    """The slip of the print: a level in [90, 95) keeps the class of the cell visited before it."""
    kept = rows.copy()
    for i in range(1, len(kept)):
        kept[i] = kept[i - 1] if kept[i] == 1 else kept[i]
    return kept


def summary(table):
    """Decision accuracy at 90, 95, 99 % and conspicuous errors of both types, in per cent."""
    wrong = [table[:k, k:].sum() + table[k:, :k].sum() for k in (1, 2, 3)]
    accuracy = [100 * (1 - count / table.sum()) for count in wrong]
    return accuracy, 100 * table[2:, 0].sum() / table.sum(), 100 * table[0, 2:].sum() / table.sum()


def test_table_5_for_ten_examples_is_symmetric_and_has_no_conspicuous_error():
    assert cross_table(*classes(10)).tolist() == [[61, 0, 0, 0], [10, 4, 0, 0], [0, 0, 12, 0], [0, 0, 10, 24]]


def test_table_5_as_printed_for_ten_examples_comes_from_a_stale_variable():
    rows, columns = classes(10)
    assert cross_table(stale(rows), columns).tolist() == PRINTED_COUNTS


@pytest.mark.parametrize("n", PRINTED)
def test_table_5_as_printed_for_every_size(n):
    rows, columns = classes(n)
    accuracy, type_1, type_2 = summary(cross_table(stale(rows), columns))
    assert tuple(np.round(accuracy).astype(int)) == PRINTED[n][:3]
    assert (round(type_1, 1), type_2) == (PRINTED[n][3], 0)


@pytest.mark.parametrize(("n", "accuracy"), [
    (10, (91.7, 100, 91.7)), (20, (96.4, 96.4, 96.4)), (30, (97.5, 97.3, 96.5)), (50, (98.3, 97.9, 98.0)),
    (100, (99.0, 98.9, 99.1)),
])  # fmt: skip
def test_table_5_computed_correctly_has_no_conspicuous_errors(n, accuracy):
    ours, type_1, type_2 = summary(cross_table(*classes(n)))
    assert (type_1, type_2) == (0, 0)
    assert tuple(np.round(ours, 1)) == accuracy


@given(samples, samples, st.sampled_from(METHODS))
def test_swap_mirrors(first, second, method):
    result, swapped = two_rates(*first, *second, method=method), two_rates(*second, *first, method=method)
    assert result.estimate == -swapped.estimate
    assert result.pvalue == pytest.approx(swapped.pvalue, rel=1e-9)


@given(samples, samples, st.sampled_from(METHODS))
def test_counting_right_answers_instead_changes_nothing(first, second, method):
    result = two_rates(*first, *second, method=method)
    (m1, size1), (m2, size2) = first, second
    mirrored = two_rates(size1 - m1, size1, size2 - m2, size2, method=method)
    assert result.pvalue == pytest.approx(mirrored.pvalue, rel=1e-9)


@given(samples, st.integers(1, 5), st.sampled_from(METHODS))
def test_equal_rates_never_reject(sample, factor, method):
    errors, n = sample
    assert two_rates(errors, n, factor * errors, factor * n, method=method).pvalue == 1


@given(samples, samples, st.sampled_from([0.9, 0.95, 0.99]))
def test_interval_is_dual_to_the_textbook_test(first, second, level):
    result = two_rates(*first, *second)
    assume(abs(result.pvalue - (1 - level)) > 1e-12)
    assert (0 not in result.confidence_interval(level)) == (result.pvalue < 1 - level)


@given(st.lists(st.tuples(samples, samples), min_size=1, max_size=8), st.sampled_from(METHODS))
def test_batched_equals_looped(pairs, method):
    m1, M1, m2, M2 = np.array([(*first, *second) for first, second in pairs]).T
    batched = two_rates(m1, M1, m2, M2, method=method).pvalue
    assert batched == pytest.approx([two_rates(*first, *second, method=method).pvalue for first, second in pairs])


def test_batch_larger_than_one_slice(monkeypatch):
    # the package exports the function under the module's name
    module = import_module("foldwise.inference.independent_samples")
    m1 = np.arange(41)[:, None]
    whole = two_rates(m1, 40, np.arange(26), 25, method="exact").pvalue
    monkeypatch.setattr(module, "ENTRIES", 1000)
    assert two_rates(m1, 40, np.arange(26), 25, method="exact").pvalue == pytest.approx(whole, rel=1e-12)


def test_small_probabilities_keep_their_digits():
    # all wrong against all right: only the two extreme outcomes are as far apart
    assert two_rates(30, 30, 0, 30, method="exact").pvalue == pytest.approx(2 * 0.25**30, rel=1e-10)


@pytest.mark.parametrize(("table", "message"), [
    ((11, 10, 1, 10), "m1 must be at most M1, got 11 errors in 10"),
    ((1, 10, 1, 0), "M2 must be at least 1, got 0"),
    ((1, 10, 0.5, 10), r"m2 must be whole numbers of at least 0, but m2 is 0\.5"),
    (([1, 2], 10, [1, 2, 3], 10), r"must broadcast to one shape, got \(2,\) and \(3,\)"),
])  # fmt: skip
def test_bad_counts_are_named(table, message):
    with pytest.raises(InvalidInput, match=message):
        two_rates(*table)


def test_unknown_method():
    with pytest.raises(UnknownName, match="did you mean 'exact'"):
        two_rates(1, 10, 2, 10, method="exakt")


def test_common_mistakes_reject_where_the_test_does_not_and_say_why():
    table = (4, 100, 9, 100)
    assert two_rates(*table).pvalue > 0.1
    for mistake in (outside_interval, standard_error_rule):
        result = mistake(*table)
        assert result.reject
        assert result.estimate == pytest.approx(-0.05)
        assert "not" in result.warning


@given(samples, samples)
def test_common_mistakes_are_symmetric_and_silent_on_equal_rates(first, second):
    for mistake in (outside_interval, standard_error_rule):
        assert mistake(*first, *second).reject == mistake(*second, *first).reject
        assert not mistake(*first, *first).reject


def test_report_example_of_the_common_mistake():
    # section 3.1: 58.1 ± 0.7 against 57.3 ± 0.7 %: outside the interval, yet not significant even at 90 %
    n = 19_100  # the size at which the interval's half-width is 0.7 points
    m1, m2 = round(0.581 * n), round(0.573 * n)
    assert outside_interval(m1, n, m2, n).reject
    assert two_rates(m1, n, m2, n).level < 0.9


def test_bad_width_of_the_rule():
    with pytest.raises(InvalidInput, match="k must be a number above 0, got 0"):
        standard_error_rule(1, 10, 2, 10, k=0)
