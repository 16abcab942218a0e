from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.inference import difference_of_proportions, mcnemar

cell = st.integers(0, 300)
tables = st.tuples(cell, cell, cell, cell).filter(any)


def test_agrees_with_prop_test_of_r(rates):
    for table, pvalue in rates("difference_of_proportions"):
        assert difference_of_proportions(*table).pvalue == pytest.approx(pvalue, rel=1e-9)


@pytest.mark.parametrize(("table", "mcnemar_p_below"), [((0, 40, 60, 0), 1.0), ((40, 0, 20, 40), 0.001)])
def test_dietterich_section_5_tables(table, mcnemar_p_below):
    # the same difference of proportions, p < 0.005 on both; McNemar is significant on the second only
    result = difference_of_proportions(*table)
    assert result.estimate == pytest.approx(-0.2)
    assert result.pvalue == pytest.approx(0.004677734981, rel=1e-9)
    assert result.corrected_pvalue < mcnemar_p_below
    assert (result.corrected_pvalue > 0.05) == (mcnemar_p_below == 1.0)


@given(tables)
def test_corrected_form_is_the_root_of_mcnemar(table):
    result, reference = difference_of_proportions(*table), mcnemar(table[1], table[2], method="corrected")
    assert result.corrected_statistic**2 == pytest.approx(reference.statistic)
    assert result.corrected_pvalue == pytest.approx(reference.pvalue, rel=1e-9)


@given(tables)
def test_swap_mirrors(table):
    n00, n01, n10, n11 = table
    result, swapped = difference_of_proportions(*table), difference_of_proportions(n00, n10, n01, n11)
    assert (result.estimate, result.statistic) == (-swapped.estimate, -swapped.statistic)
    assert result.pvalue == swapped.pvalue
    assert result.confidence_interval() == -swapped.confidence_interval()


@given(tables, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_interval_excludes_zero_exactly_when_the_test_rejects(table, level):
    result = difference_of_proportions(*table)
    assert (0 not in result.confidence_interval(level)) == (result.pvalue < 1 - level)


@pytest.mark.parametrize("table", [(7, 0, 0, 0), (0, 0, 0, 7), (0, 5, 5, 0)])
def test_equal_rates_never_reject(table):
    result = difference_of_proportions(*table)
    assert (result.statistic, result.pvalue) == (0, 1)


@given(st.lists(tables, min_size=1, max_size=10))
def test_batched_equals_looped(several):
    batched = difference_of_proportions(*np.array(several).T)
    looped = [difference_of_proportions(*table) for table in several]
    assert batched.pvalue.tolist() == [one.pvalue for one in looped]
    assert batched.confidence_interval().low.tolist() == [one.confidence_interval().low for one in looped]


@pytest.mark.parametrize(("table", "message"), [
    ((0, 0, 0, 0), r"n00 \+ n01 \+ n10 \+ n11 must be at least 1, but it is 0"),
    (([1, 0], 0, 0, 0), r"at least 1, but it is 0 at \(1,\)"),
    ((-1, 2, 3, 4), r"n00 must be whole numbers of at least 0, but n00 is -1"),
    ((1, 2.5, 3, 4), r"n01 is 2.5"),
    (([1, 2], [1, 2, 3], 0, 0), r"broadcast to one shape, got n00 \(2,\), n01 \(3,\)"),
])  # fmt: skip
def test_bad_tables_are_named(table, message):
    with pytest.raises(InvalidInput, match=message):
        difference_of_proportions(*table)


def test_level_out_of_range():
    with pytest.raises(InvalidInput, match=r"confidence_level must be strictly between 0 and 1, got 1\.5"):
        difference_of_proportions(1, 2, 3, 4).confidence_interval(1.5)
