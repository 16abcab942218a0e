from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.contingency_tables import cochrans_q

from foldwise.core.errors import InvalidInput
from foldwise.inference import cochran_q, mcnemar

outcomes = st.integers(2, 5).flatmap(lambda k: arrays(np.int8, (k, 12), elements=st.integers(0, 1)))


@given(outcomes.filter(lambda right: (right != right[0]).any()))
@settings(max_examples=25)
def test_agrees_with_statsmodels(right):
    result = cochran_q(right)
    reference = cochrans_q(right.T)
    assert result.statistic == pytest.approx(reference.statistic)
    assert result.pvalue == pytest.approx(reference.pvalue)
    assert result.df == reference.df


@given(arrays(np.int8, (2, 15), elements=st.integers(0, 1)))
@settings(max_examples=25)
def test_two_models_are_mcnemars_uncorrected_test(right):
    only_a, only_b = ((right[0] < right[1]).sum(), (right[0] > right[1]).sum())
    reference = mcnemar(only_a, only_b, method="uncorrected")
    assert cochran_q(right).statistic == pytest.approx(reference.statistic)
    assert cochran_q(right).pvalue == pytest.approx(reference.pvalue)


@given(outcomes, st.randoms())
@settings(max_examples=25)
def test_neither_order_nor_right_for_wrong_matters(right, random):
    rows, columns = (random.sample(range(size), size) for size in right.shape)
    for other in (right[rows][:, columns], 1 - right):
        assert cochran_q(other).statistic == pytest.approx(cochran_q(right).statistic)


def test_a_batch_is_its_parts():
    batch = np.random.default_rng(0).integers(0, 2, (3, 2, 4, 9))
    together = cochran_q(batch)
    for place in product(range(3), range(2)):
        assert together.statistic[place] == cochran_q(batch[place]).statistic
        assert together.pvalue[place] == cochran_q(batch[place]).pvalue


def test_the_statistic_has_its_mean_over_all_exchanges_within_items():
    right = np.array([[1, 1, 0, 1], [1, 0, 0, 1], [0, 0, 1, 1]])
    turns = [np.stack(columns, axis=1) for columns in product(*(_arrangements(column) for column in right.T))]
    assert np.mean(cochran_q(np.array(turns)).statistic) == pytest.approx(2)


def _arrangements(column):
    return [np.array(order) for order in permutations(column)]


@pytest.mark.parametrize("right", [np.ones((3, 5)), np.zeros((4, 2)), [[1, 0], [1, 0], [1, 0]]])
def test_models_that_no_item_tells_apart(right):
    assert (cochran_q(right).statistic, cochran_q(right).pvalue) == (0, 1)


@pytest.mark.parametrize(("right", "message"), [
    ([[1, 0, 2], [1, 0, 0]], "must be 1 or 0"),
    ([[1, 0, 1]], "at least 2 × 1"),
    ([1, 0], "at least 2 axes"),
    ([[], []], "at least 2 × 1"),
    ([[1, float("nan")], [0, 1]], "must be finite"),
])  # fmt: skip
def test_what_is_refused(right, message):
    with pytest.raises(InvalidInput, match=message):
        cochran_q(right)
