from __future__ import annotations

import numpy as np

from foldwise.core.table import Table
from foldwise.learners.base import Indicators, fill_missing, indicators

NAN = np.nan
TABLE = Table.build([[1.0, 0, 2], [2.0, 1, NAN], [NAN, NAN, 2], [6.0, 1, 0]], [None, ("n", "y"), ("a", "b", "c")])


def test_two_categories_stay_one_column():
    expected = [[1.0, 0, 0, 0, 1], [2.0, 1, NAN, NAN, NAN], [NAN, NAN, 0, 0, 1], [6.0, 1, 1, 0, 0]]
    np.testing.assert_array_equal(indicators(TABLE), expected)


def stand_ins(table):
    return Indicators.of(table).stand_ins(indicators(table)).tolist()


def test_means_and_modes():
    assert stand_ins(TABLE) == [3.0, 1.0, 0.0, 0.0, 1.0]


def test_first_of_equally_frequent_categories():
    assert stand_ins(Table.build([[1, 2], [0, 1]], [("a", "b"), ("a", "b", "c")])) == [0.0, 0.0, 1.0, 0.0]


def test_columns_without_values():
    table = Table.build([[NAN] * 4], [None, ("a", "b"), (), ("a", "b", "c")])
    assert stand_ins(table) == [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]


def test_mean_is_summed_one_by_one():
    values = np.array([1e16, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, -1e16])
    assert stand_ins(Table.build(values[:, None])) == [0.0]


def test_fill_missing_keeps_the_rest():
    filled = fill_missing(indicators(TABLE), np.array(stand_ins(TABLE)))
    np.testing.assert_array_equal(filled, [[1, 0, 0, 0, 1], [2, 1, 0, 0, 1], [3, 1, 0, 0, 1], [6, 1, 1, 0, 0]])
