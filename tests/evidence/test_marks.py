from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.evidence.marks import Marks
from foldwise.evidence.trials import item_marks

NAN = float("nan")
marks = st.integers(0, 20).map(lambda value: value / 20)


@given(st.lists(st.tuples(marks, marks, marks, marks), min_size=1, max_size=12), st.randoms())
@settings(max_examples=25)
def test_rows_of_trials_are_the_same_as_columns_in_any_order(items, random):
    wide = np.array(items)
    rows = [(item, row[k], row[k + 2]) for item, row in enumerate(items) for k in range(2)]
    names, a, b = zip(*random.sample(rows, len(rows)), strict=True)
    by_columns, by_rows = Marks.build(wide[:, :2], wide[:, 2:]), Marks.build(a, b, items=names)
    order = np.argsort(by_rows.items.astype(int))
    assert by_rows.differences[order] == pytest.approx(by_columns.differences)
    assert by_rows.trials.pooled == pytest.approx(by_columns.trials.pooled)
    assert by_rows.design == by_columns.design


@given(st.lists(marks, min_size=1, max_size=12))
@settings(max_examples=25)
def test_one_trial_is_no_trials(values):
    plain, once = Marks.build(values, values[::-1]), Marks.build([[v] for v in values], [[v] for v in values[::-1]])
    assert once.trials is None
    assert once.digest == plain.digest
    assert (
        Marks.build(values, values[::-1], items=range(len(values))).differences.tolist() == plain.differences.tolist()
    )


def test_variances_within_items_are_those_of_numpy():
    rng = np.random.default_rng(2)
    a, b = rng.random((6, 5)), rng.random((6, 3))
    built = Marks.build(a, b)
    assert built.a == pytest.approx(a.mean(axis=1))
    assert built.trials.variances[1] == pytest.approx(b.var(axis=1, ddof=1))
    assert built.trials.pooled == pytest.approx((a.var(axis=1, ddof=1).mean(), b.var(axis=1, ddof=1).mean()))
    # what the trials add to the variance of a difference
    assert built.trials.share == pytest.approx(built.trials.pooled[0] / 5 + built.trials.pooled[1] / 3)
    assert built.design == "6 items, 3 to 5 trials each"


def test_equal_trials_have_no_variance_at_all():
    found = item_marks(np.array([0.1] * 7), np.zeros(7, dtype=np.int64), 1)
    assert found.mean[0] == 0.1
    assert found.variance[0] == 0.0


def test_items_count_once_however_often_they_were_tried():
    built = Marks.build([1, 1, 1, 0], [0, 0, 0, 1], items=["p", "p", "p", "q"])
    assert built.means == (0.5, 0.5)
    assert not built.trials.equal


@pytest.mark.parametrize(("policy", "means", "items"), [("drop", (0.8, 0.6), 1), ("worst", (0.4, 0.3), 0)])
def test_missing_marks_are_dropped_or_the_worst(policy, means, items):
    built = Marks.build([0.8, NAN], [0.6, NAN], missing=policy, metric="accuracy")
    assert built.means == pytest.approx(means)
    assert (built.missing.counts, built.missing.items) == ((1, 1), items)


def test_a_missing_trial_takes_its_item_along():
    built = Marks.build([[1.0, NAN], [0.0, 0.0]], [[1.0, 1.0], [0.5, 0.5]], missing="drop")
    assert built.differences.tolist() == [-0.5]
    assert built.missing.items == 1
    filled = Marks.build([[1.0, NAN], [0.0, 0.0]], [[1.0, 1.0], [0.5, 0.5]], missing="worst", metric="accuracy")
    assert filled.differences.tolist() == [-0.5, -0.5]
    assert Marks.build([1.0, 2.0], [1.0, 2.0], missing="drop").missing is None


def test_mappings_are_paired_by_the_item():
    a, b = {"q": [1, 0], "p": 0.5, "r": 1}, {"p": [1, 0.5, 0], "q": 1}
    built = Marks.build(a, b, missing="drop", groups={"p": "x", "q": "y", "r": "x"})
    assert built.items.tolist() == ["q", "p"]
    assert built.differences.tolist() == [-0.5, 0.0]
    assert [count.tolist() for count in built.trials.counts] == [[2, 1], [1, 3]]
    assert (built.missing.counts[1], built.missing.items) == (1, 1)
    assert Marks.build(a, b, missing="worst", bounds=(0, 1)).differences.tolist() == [-0.5, 0.0, 1.0]


def test_words_and_texts_of_numbers_are_marks():
    built = Marks.build(["right", "wrong", "0.5", None], [True, False, True, True], missing="drop")
    assert built.a.tolist() == [1.0, 0.0, 0.5]


def test_masked_marks_are_missing():
    masked = np.ma.array([0.5, 0.9], mask=[False, True])
    assert Marks.build(masked, [0.1, 0.1], missing="drop").n == 1


def test_what_rounding_tells_apart_is_the_same():
    x = Marks.build([0.9, 0.8, 0.3], [0.8, 0.7, 0.2]).differences
    assert len(set(x.tolist())) == 1
    assert not Marks.build([0.1 + 0.2], [0.3]).differences.any()


def test_columns_and_table_hold_everything():
    built = Marks.build([1, 0, 3, 1], [1, 1, 1, 1], items=list("ppqr"), groups=["x", "x", "y", "x"], metric="rmse")
    columns = built.columns(("a", "b"))
    assert list(columns) == ["item", "a", "b", "difference", "group", "trials of a", "trials of b"]
    assert columns["group"].tolist() == [0, 1, 0]
    assert not built.higher_is_better
    table = built.table(("a", "b"))
    assert table.rows[0] == ("mean", "1.5", "1", "0.5")
    assert "a has the higher on 1, b on 1, and they are equal on 1" in table.caption
    assert built.design == "3 items in 2 clusters, 1 to 2 trials each"


@pytest.mark.parametrize(("a", "b", "options", "message"), [
    ([0.1, NAN], [0.1, 0.2], {}, r"marks_a\[1\] is missing \(in all: marks_a 1, marks_b 0\)"),
    ([[0.1, 0.2]], [[0.1, NAN]], {}, r"marks_b\[0, 1\] is missing"),
    ([0.1, np.inf], [0.1, 0.2], {}, r"marks_a must be finite, but marks_a\[1\] is inf"),
    ([0.1, 0.2], [0.1], {}, r"marks_b must have as many rows as marks_a \(2\), got 1"),
    ([], [], {}, r"marks_a must have shape \(items,\) or \(items, trials\), got \(0,\)"),
    (["good"], ["bad"], {}, r"marks_a must be numbers, or words for right and wrong, but marks_a\[0\] is good"),
    ([[1, 2], [3]], [1, 2], {}, "marks_a must have equally many trials in each row: give unequal ones as a mapping"),
    ({"p": 1}, {"q": 1}, {}, "marks_a and marks_b must have items in common, but no item has a mark of both"),
    ({"p": 1, "q": 1}, {"q": 1, "r": 1}, {}, r"no value may be missing, .* \(in all: marks_a 1, marks_b 1\)"),
    ({"p": 1}, {"q": 1}, {"missing": "drop"}, "must have items in common"),
    ({"p": 1}, [1], {}, "must all be mappings from items, or none of them"),
    ({}, {}, {}, "must hold marks, got empty mappings"),
    ({"p": 1, "q": 0}, {"p": 1, "q": 0}, {"groups": {"p": 1}}, "groups must name the cluster of each item, but 'q'"),
    ({"p": 1, "q": 0}, {"p": 1, "q": 0}, {"groups": [1, 2]}, "groups must be a mapping from items"),
    ({"p": 1}, {"p": 1}, {"items": ["p"]}, "items must not be given where marks are mappings"),
    ([0.1], [0.1], {"items": ["p", "q"]}, r"items must name the item of each row \(1\), got 2"),
    ([0.1, 1], [0.1, 1], {"groups": [1, 2, 3]}, r"groups must name the cluster of each row \(2\), got 3"),
    ([0.1, 1], [0.1, 1], {"groups": [1, 1]}, "groups must name at least two clusters, got one"),
    ([1, 0, 1], [1, 0, 1], {"items": [1, 1, 2], "groups": ["x", "y", "y"]}, "one item is in x and in y"),
    ([0.1, NAN], [NAN, 0.1], {"missing": "drop"}, "must have items in common, but no item has a mark of both"),
])  # fmt: skip
def test_bad_marks_are_refused_in_a_sentence(a, b, options, message):
    with pytest.raises(InvalidInput, match=message):
        Marks.build(a, b, **options)


def test_an_unknown_policy_is_refused():
    with pytest.raises(UnknownName, match="drop"):
        Marks.build([1], [1], missing="dropp")
