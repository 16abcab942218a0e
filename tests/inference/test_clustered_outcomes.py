from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.inference import clustered_difference, clustered_outcomes, mcnemar, paired_difference
from foldwise.inference.clusters import find_clusters, variance_quality, working_correlation

items = st.lists(st.tuples(st.sampled_from([-1, 0, 0, 1]), st.integers(0, 6)), min_size=2, max_size=60).filter(
    lambda rows: len({group for _, group in rows}) > 1
)


def cells(differences):
    """n00, n01, n10, n11 with these differences of right and wrong."""
    values = np.asarray(differences)
    return 0, int((values == -1).sum()), int((values == 1).sum()), int((values == 0).sum())


@pytest.mark.slow
@settings(max_examples=40)
@given(items)
def test_never_more_certain_than_independent_items(rows):
    differences, groups = zip(*rows, strict=True)
    result = clustered_outcomes(differences, groups)
    n00, n01, n10, n11 = cells(differences)
    assert result.pvalue >= mcnemar(n01, n10, method="midp").pvalue
    for level in (0.5, 0.95):
        inside = -paired_difference(n00, n01, n10, n11, method="tango").confidence_interval(level)
        around = result.confidence_interval(level)
        assert around.low <= inside.low + 1e-9
        assert around.high >= inside.high - 1e-9


@given(items)
def test_never_more_certain_than_the_t_test_of_clusters(rows):
    differences, groups = zip(*rows, strict=True)
    result = clustered_outcomes(differences, groups)
    if result.between > 0:
        assert result.pvalue >= clustered_difference(differences, groups).pvalue - 1e-12
    assert result.pvalue >= 0.5 ** len(set(groups))


@settings(max_examples=40)
@given(items, st.sampled_from([0.01, 0.05, 0.2, 0.5]))
def test_test_interval_and_probabilities_agree(rows, alpha):
    differences, groups = zip(*rows, strict=True)
    result = clustered_outcomes(differences, groups)
    interval = result.confidence_interval(1 - alpha)
    assert (0 in interval) == (not result.pvalue < alpha)
    assert -1 <= interval.low <= result.estimate <= interval.high <= 1
    # half of alpha lies beyond each limit that is inside the scale (and not 0 for McNemar's sake)
    if interval.low > -1 and result.pvalue > result.independent:
        assert result.cdf(interval.low) == pytest.approx(alpha / 2, abs=1e-9)
    chances = result.probabilities(0.01)
    assert sum(chances.as_tuple()) == pytest.approx(1)
    assert result.cdf(-0.01) == pytest.approx(chances.b_better, abs=1e-12)
    if chances.equivalent > 1 - alpha:
        assert interval.low > -0.01 - 1e-9 or interval.high < 0.01 + 1e-9


@pytest.mark.slow
@settings(max_examples=40)
@given(items)
def test_swap_mirrors(rows):
    differences, groups = map(np.array, zip(*rows, strict=True))
    result, swapped = clustered_outcomes(differences, groups), clustered_outcomes(-differences, groups)
    assert (swapped.pvalue, swapped.statistic) == (result.pvalue, -result.statistic)
    one, other = result.confidence_interval(0.9), swapped.confidence_interval(0.9)
    assert (one.low, one.high) == (-other.high, -other.low)
    assert swapped.probabilities().a_better == result.probabilities().b_better


@given(items)
def test_the_confidence_grows_with_the_difference(rows):
    result = clustered_outcomes(*zip(*rows, strict=True))
    heights = result.cdf(np.linspace(-1.2, 1.2, 201))
    assert (np.diff(heights) >= -1e-12).all()
    assert (heights[0], heights[-1]) == (0, 1)


def test_batched_equals_looped():
    rng = np.random.default_rng(5)
    differences, groups = rng.integers(-1, 2, (4, 3, 30)), rng.integers(0, 6, 30)
    batched = clustered_outcomes(differences, groups)
    interval, chances = batched.confidence_interval(), batched.probabilities(0.02)
    for where in np.ndindex(4, 3):
        one = clustered_outcomes(differences[where], groups)
        assert batched.pvalue[where] == pytest.approx(one.pvalue)
        assert interval.low[where] == pytest.approx(one.confidence_interval().low)
        assert chances.a_better[where] == pytest.approx(one.probabilities(0.02).a_better)


def test_many_equal_clusters_are_the_t_test_of_clusters():
    rng = np.random.default_rng(2)
    groups = np.repeat(np.arange(50), 6)
    lean = rng.normal(0.1, 0.5, 50)[groups]
    differences = np.where(rng.random(300) < 0.5, np.sign(lean), 0).astype(int)
    result, plain = clustered_outcomes(differences, groups), clustered_difference(differences, groups)
    assert (result.between, result.df) == (pytest.approx(plain.standard_error), pytest.approx(49))
    assert result.pvalue == pytest.approx(plain.pvalue, abs=1e-12)
    assert result.probabilities(0).a_better == pytest.approx(stats.t.sf(-plain.statistic, 49))
    assert result.confidence_interval().low == pytest.approx(plain.confidence_interval().low)


def test_clusters_with_equal_sums_are_no_certainty():
    result = clustered_outcomes([1, 0, 0, 0, 0] * 4, np.repeat(range(4), 5))
    assert result.between == 0
    assert result.pvalue >= mcnemar(0, 4, method="midp").pvalue == 0.0625
    interval = result.confidence_interval()
    assert interval.low < 0
    assert interval.high - interval.low > 0.4


def test_two_clusters_whose_sums_are_equal_up_to_rounding():
    differences = [1, 0, 1, 0, 0, 1, 0] * 2
    with pytest.warns(DegenerateVariance):
        assert clustered_difference(np.multiply(differences, 0.1), np.repeat([0, 1], 7)).standard_error == 0
    assert clustered_outcomes(differences, np.repeat([0, 1], 7)).pvalue > 0.25


def test_a_hundred_copies_of_four_items_are_four_pieces_of_evidence():
    result = clustered_outcomes(np.ones(400), np.repeat(range(4), 100))
    assert result.pvalue >= 0.0625
    assert 0 in result.confidence_interval()
    assert result.probabilities(0.01).a_better < 0.97


@pytest.mark.parametrize("clusters", [2, 3, 4])
def test_the_same_outcomes_in_few_clusters_do_not_show_equivalence(clusters):
    result = clustered_outcomes(np.zeros(1000 * clusters), np.repeat(range(clusters), 1000))
    assert result.pvalue == 1
    assert result.probabilities(0.01).equivalent < 0.95
    assert result.confidence_interval().width > 0


def test_the_same_outcomes_in_many_clusters_do():
    result = clustered_outcomes(np.zeros(2000), np.repeat(range(100), 20))
    assert result.probabilities(0.01).equivalent > 0.99
    assert 0 < result.confidence_interval().high < 0.01


@given(
    st.lists(st.integers(1, 40), min_size=2, max_size=9),
    st.sampled_from([0.0, 0.03, 0.5, 1.0]),
)
def test_the_quality_of_the_variance_agrees_with_matrices(sizes, correlation):
    sizes = np.array(sizes, dtype=float)
    p = sizes / sizes.sum()
    residual = np.eye(len(sizes)) - np.outer(p, np.ones(len(sizes)))
    omega = np.diag(sizes * (1 - correlation) + sizes**2 * correlation)
    form = residual.T @ np.diag(1 / (1 - p)) @ residual @ omega
    share, df = variance_quality(sizes, np.array(correlation))
    assert share == pytest.approx(np.trace(form) / np.trace(omega))
    assert df == pytest.approx(np.trace(form) ** 2 / np.trace(form @ form))


def test_the_intraclass_correlation_of_known_cases():
    groups = find_clusters(np.repeat(range(3), 2), 6)
    assert working_correlation(np.array([1.0, 1, 0, 0, -1, -1]), groups) == 1
    assert working_correlation(np.array([1.0, -1, 1, -1, 1, -1]), groups) == 0
    assert working_correlation(np.zeros(6), groups) == 1
    values = np.array([3.0, 2, 1, 0, 1, 0])
    between, within = 2 * np.var([2.5, 0.5, 0.5], ddof=1), 1.5 / 3
    assert working_correlation(values, groups) == pytest.approx((between - within) / (between + within))


def test_bad_input_is_named():
    with pytest.raises(InvalidInput, match="differences must be −1, 0 or 1"):
        clustered_outcomes([0.5, 1], [1, 2])
    with pytest.raises(InvalidInput, match="at least 2 different groups, got 1"):
        clustered_outcomes([0, 1], [1, 1])
