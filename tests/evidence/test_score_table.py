from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.evidence.score_table import ScoreTable

SCORES = [[0.95, 0.94, 0.90], [0.97, 0.90, 0.90]]


def test_names_sizes_and_means():
    table = ScoreTable.of(SCORES, learners=["nb", "c45", "majority"], n_train=90, n_test=10)
    assert table.learners == ("nb", "c45", "majority")
    assert table.datasets == ("data set 1", "data set 2")
    assert (table.n_datasets, table.n_learners, table.n_splits) == (2, 3, 1)
    assert table.means.tolist() == SCORES
    assert table.test_train_ratio.tolist() == [1 / 9, 1 / 9]
    assert table.constant_learners == ("majority",)
    assert table.missing == ()


def test_splits_are_averaged():
    values = np.arange(24.0).reshape(2, 3, 4)
    table = ScoreTable.of(values)
    assert table.n_splits == 4
    assert table.means.tolist() == values.mean(axis=2).tolist()
    assert table.test_train_ratio is None


def test_lower_is_better_turns_the_sign_and_nothing_else():
    table = ScoreTable.of(SCORES, higher_is_better=False)
    assert table.oriented.tolist() == (-np.array(SCORES)).tolist()
    assert table.means.tolist() == SCORES


def test_a_mapping_gives_learners_by_name():
    table = ScoreTable.of({"nb": [0.9, 0.8], "c45": [0.7, 0.6]}, datasets=["iris", "wine"])
    assert table.learners == ("nb", "c45")
    assert table.means.tolist() == [[0.9, 0.7], [0.8, 0.6]]


@given(st.integers(2, 5), st.integers(2, 5), st.data())
def test_missing_cells_are_found_where_they_are(n, k, data):
    holes = data.draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, k - 1)), min_size=1))
    values = np.ones((n, k))
    for hole in holes:
        values[hole] = np.nan
    table = ScoreTable.of(values)
    assert set(table.missing) == {(table.datasets[i], table.learners[j]) for i, j in holes}
    with pytest.raises(InvalidInput, match="there is none for"):
        table.require_complete()


def test_many_missing_cells_are_counted_not_listed():
    values = np.ones((10, 2))
    values[:8, 1] = np.nan
    with pytest.raises(InvalidInput, match=r"learner 2 on data set 5 and 3 more"):
        ScoreTable.of(values).require_complete()


def test_the_table_can_not_be_changed():
    given_array = np.array(SCORES)
    table = ScoreTable.of(given_array)
    given_array[0, 0] = 0.0
    assert table.means[0, 0] == 0.95
    with pytest.raises(ValueError, match="read-only"):
        table.values[0, 0] = 1.0
    with pytest.raises(AttributeError):
        table.learners = ("x", "y", "z")


@pytest.mark.parametrize(("scores", "options", "message"), [
    ([[0.9, 0.8]], {}, r"at least two data sets \(rows\), got 1; for one data set .* compare_scores"),
    ([[0.9], [0.8]], {}, r"at least two learners \(columns\), got 1"),
    ([0.9, 0.8], {}, r"data sets × learners \(× splits\), got shape \(2,\)"),
    (np.empty((2, 2, 0)), {}, r"got shape \(2, 2, 0\)"),
    ([["x", "y"], ["z", "w"]], {}, "must be numbers"),
    ([[np.inf, 1], [1, 2]], {}, "finite, but learner 1 on data set 1 is infinite"),
    (SCORES, {"learners": ["a", "a", "b"]}, "learners must have different names, but 'a' occurs more than once"),
    (SCORES, {"datasets": ["a", "a"]}, "one row per data set, but 'a' has 2: .* compare_scores"),
    (SCORES, {"learners": ["a", "b"]}, "learners must name each of the 3, got 2 names"),
    (SCORES, {"n_train": -1}, "n_train must be a number above 0"),
    (SCORES, {"n_test": [1, 2, 3]}, "n_test must be a number above 0, or one per data set"),
    (SCORES, {"higher_is_better": [True, False, True]}, "True or False for the whole table.*negate the columns"),
    ({"a": [1, 2], "b": [1, 2, 3]}, {}, "same data sets for every learner, got a: 2, b: 3"),
    ({}, {}, "at least two learners, got 0"),
])  # fmt: skip
def test_bad_tables_are_refused_in_one_sentence(scores, options, message):
    with pytest.raises(InvalidInput, match=message) as caught:
        ScoreTable.of(scores, **options)
    assert "\n" not in str(caught.value)
