from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from foldwise.core.errors import DegenerateVariance, InvalidInput, UnknownName
from foldwise.inference import clustered_difference

outcomes = st.sampled_from([-1, 0, 1])


@pytest.mark.parametrize(("case", "method", "field"), [
    ("clustered_cr0", "CR0", "standard_error"),
    ("clustered_cr2", "CR2", "standard_error"),
    ("clustered_df", "CR2", "df"),
])  # fmt: skip
def test_agrees_with_the_general_matrix_formulas_in_r(rates, case, method, field):
    for arguments, value in rates(case):
        half = len(arguments) // 2
        result = clustered_difference(arguments[:half], arguments[half:], method=method)
        assert getattr(result, field) == pytest.approx(value, rel=1e-12)


def test_cr0_agrees_with_statsmodels():
    rng = np.random.default_rng(3)
    differences, groups = rng.integers(-1, 2, 60), rng.integers(0, 9, 60)
    options = {"groups": groups, "use_correction": False}
    reference = sm.OLS(differences, np.ones(60)).fit(cov_type="cluster", cov_kwds=options)
    result = clustered_difference(differences, groups, method="CR0")
    assert result.estimate == pytest.approx(reference.params[0])
    assert result.standard_error == pytest.approx(reference.bse[0], rel=1e-12)


@given(st.lists(outcomes, min_size=3, max_size=40).filter(lambda values: len(set(values)) > 1))
def test_one_item_per_group_is_the_paired_t_test(differences):
    result = clustered_difference(differences, range(len(differences)))
    reference = stats.ttest_1samp(differences, 0)
    assert result.df == pytest.approx(len(differences) - 1)
    assert result.pvalue == pytest.approx(reference.pvalue, rel=1e-9)
    low, high = reference.confidence_interval(0.9)
    assert result.confidence_interval(0.9).low == pytest.approx(low)
    assert result.confidence_interval(0.9).high == pytest.approx(high)


@given(st.lists(st.tuples(outcomes, st.integers(0, 4)), min_size=6, max_size=40), st.randoms())
def test_order_of_items_and_names_of_groups_do_not_matter(items, random):
    items = [*items, (0, 7), (1, 8), (-1, 9)]
    shuffled = random.sample(items, len(items))
    result = clustered_difference(*zip(*items, strict=True))
    renamed = clustered_difference([e for e, _ in shuffled], [f"text {g}" for _, g in shuffled])
    assert renamed.pvalue == pytest.approx(result.pvalue)
    assert renamed.df == pytest.approx(result.df)


@given(st.lists(st.tuples(outcomes, st.integers(0, 4)), min_size=6, max_size=40), st.sampled_from(["CR0", "CR2"]))
def test_swap_mirrors(items, method):
    differences, groups = map(np.array, zip(*items, (0, 7), (1, 8), strict=True))
    result = clustered_difference(differences, groups, method=method)
    swapped = clustered_difference(-differences, groups, method=method)
    assert result.statistic == pytest.approx(-swapped.statistic)
    assert result.pvalue == pytest.approx(swapped.pvalue)


def test_batched_equals_looped():
    rng = np.random.default_rng(5)
    differences, groups = rng.integers(-1, 2, (4, 3, 30)), rng.integers(0, 6, 30)
    batched = clustered_difference(differences, groups)
    for where in np.ndindex(4, 3):
        assert batched.pvalue[where] == pytest.approx(clustered_difference(differences[where], groups).pvalue)


def test_duplicated_items_do_not_look_like_more_evidence():
    differences = np.array([1, 0, 1, 1, -1, 0, 1, 0])
    single = clustered_difference(differences, range(8))
    copied = clustered_difference(np.repeat(differences, 10), np.repeat(range(8), 10))
    assert copied.pvalue == pytest.approx(single.pvalue)


def test_no_difference_and_constant_difference_have_defined_answers():
    assert clustered_difference([0, 0, 0, 0], [1, 1, 2, 2]).pvalue == 1
    with pytest.warns(DegenerateVariance, match="variance estimate is 0"):
        assert clustered_difference([0.1] * 7, [1, 1, 2, 2, 3, 3, 3]).pvalue == 0


@pytest.mark.parametrize(("differences", "groups", "message"), [
    ([1, 0, 1], [1, 1], r"groups must name one group per item, shape \(3,\), got shape \(2,\)"),
    ([1, 0, 1], [1, 1, 1], "groups must hold at least 2 different groups, got 1"),
    ([1, np.nan], [1, 2], r"differences must be finite, but differences\[1\] is nan"),
    (3.0, [1], "differences must have at least 1 axes"),
])  # fmt: skip
def test_bad_input_is_named(differences, groups, message):
    with pytest.raises(InvalidInput, match=message):
        clustered_difference(differences, groups)


def test_unknown_method():
    with pytest.raises(UnknownName, match=r"unknown method 'CR1'\. Known: CR0, CR2"):
        clustered_difference([1, 0], [1, 2], method="CR1")
