from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.inference import mcnemar, paired_difference
from foldwise.inference.paired_tables import tango_statistic

METHODS = ["tango", "newcombe", "bonett_price", "wald"]
cell = st.integers(0, 300)
tables = st.tuples(cell, cell, cell, cell).filter(any)
methods = st.sampled_from(METHODS)


@pytest.mark.parametrize("method", ["tango", "newcombe"])
def test_agrees_with_r(rates, method):
    # the score equation solved by uniroot with a numerical likelihood; Newcombe on prop.test's Wilson limits
    for side in ("low", "high"):
        for table, limit in rates(f"{method}_{side}"):
            interval = paired_difference(*table, method=method).confidence_interval(0.95)
            assert getattr(interval, side) == pytest.approx(limit, abs=2e-11)


@pytest.mark.parametrize(("method", "low", "high"), [
    ("tango", -0.1240, -0.0054),
    ("newcombe", -0.1186, -0.0046),
    ("bonett_price", -0.1195, -0.0032),
    ("wald", -0.1184, -0.0058),
])  # fmt: skip
def test_published_example(method, low, high):
    # complete response before and after therapy (Cavo et al. 2012), as worked in Fagerland, Lydersen & Laake,
    # Statistical Analysis of Contingency Tables, chapter 8 (output of their R package contingencytables)
    result = paired_difference(59, 6, 16, 80, method=method)
    interval = result.confidence_interval(0.95)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)
    assert result.estimate == pytest.approx(-0.0621, abs=5e-5)


@given(tables, methods)
def test_swap_mirrors(table, method):
    n00, n01, n10, n11 = table
    result = paired_difference(*table, method=method).confidence_interval(0.9)
    swapped = paired_difference(n00, n10, n01, n11, method=method).confidence_interval(0.9)
    assert result.low == pytest.approx(-swapped.high, abs=1e-15)
    assert result.high == pytest.approx(-swapped.low, abs=1e-15)


@given(tables, methods)
def test_limits_are_differences_of_rates_and_hold_the_estimate(table, method):
    result = paired_difference(*table, method=method)
    interval = result.confidence_interval(0.95)
    assert -1 <= interval.low <= interval.high <= 1
    # Bonett and Price shrink towards 0 and may miss an estimate of ±1
    if method != "bonett_price":
        assert interval.low - 1e-12 <= result.estimate <= interval.high + 1e-12


@given(tables, methods)
def test_intervals_nest_with_the_level(table, method):
    result = paired_difference(*table, method=method)
    inner, outer = result.confidence_interval(0.8), result.confidence_interval(0.95)
    assert outer.low <= inner.low + 1e-12
    assert inner.high <= outer.high + 1e-12


@given(tables, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_tango_is_dual_to_the_uncorrected_mcnemar(table, level):
    pvalue = mcnemar(table[1], table[2], method="uncorrected").pvalue
    assume(abs(pvalue - (1 - level)) > 1e-9)
    interval = paired_difference(*table).confidence_interval(level)
    # without disagreements the interval holds 0 well inside; elsewhere 0 is a limit only where p = 1 − level
    assert (0 not in interval) == (pvalue < 1 - level)


@given(tables, st.floats(-0.99, 0.99))
def test_tango_holds_exactly_the_differences_its_score_test_accepts(table, difference):
    n01, n10, n = (np.array(float(count)) for count in (table[1], table[2], sum(table)))
    statistic = abs(float(tango_statistic(n01, n10, n, np.array(difference))))
    assume(abs(statistic - 1.959963984540054) > 1e-6)
    interval = paired_difference(*table).confidence_interval(0.95)
    assert (difference in interval) == (statistic < 1.959963984540054)


@pytest.mark.parametrize("n", [1, 5, 1000, 10**9])
def test_tango_without_disagreements_has_a_closed_form(n):
    # with b = c = 0 the score equation reduces to NΔ² = z²|Δ|(1 − |Δ|)
    z2 = 1.959963984540054**2
    interval = paired_difference(0, 0, 0, n).confidence_interval(0.95)
    assert interval.high == pytest.approx(z2 / (n + z2), rel=1e-6, abs=1e-15)
    assert interval.low == -interval.high


def test_every_example_a_disagreement_of_one_kind():
    interval = paired_difference(0, 12, 0, 0).confidence_interval(0.95)
    assert interval.high == 1
    # the score equation at b = N is the one for b = c = 0, reflected: N(1 − Δ)(1 − Δ) = z²(1 − Δ)(1 + Δ)…
    assert tango_statistic(np.array(12.0), np.array(0.0), np.array(12.0), np.array(interval.low)) == pytest.approx(
        1.959963984540054, rel=1e-9
    )


@given(st.lists(tables, min_size=1, max_size=8), methods)
def test_batched_equals_looped(several, method):
    batched = paired_difference(*np.array(several).T, method=method).confidence_interval(0.95)
    looped = [paired_difference(*table, method=method).confidence_interval(0.95) for table in several]
    assert batched.low.tolist() == [one.low for one in looped]
    assert batched.high.tolist() == [one.high for one in looped]


@given(cell, cell, st.integers(1, 300), methods)
def test_a_classifier_against_itself_is_not_different(wrong, right, more, method):
    result = paired_difference(wrong, 0, 0, right + more, method=method)
    assert result.estimate == 0
    assert 0 in result.confidence_interval(0.95)


def test_unknown_method_suggests_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'tango'"):
        paired_difference(1, 2, 3, 4, method="tanga")


def test_bad_counts_and_levels():
    with pytest.raises(InvalidInput, match=r"n10 must be whole numbers of at least 0, but n10 is -3"):
        paired_difference(1, 2, -3, 4)
    with pytest.raises(InvalidInput, match="confidence_level must be strictly between 0 and 1, got 0"):
        paired_difference(1, 2, 3, 4).confidence_interval(0)
