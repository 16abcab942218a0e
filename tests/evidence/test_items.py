from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.labels import coded
from foldwise.evidence.items import Items
from foldwise.evidence.trials import item_marks

NAN = float("nan")
marks = st.integers(0, 20).map(lambda value: value / 20)
triples = st.lists(st.tuples(*[st.sampled_from("xyz")] * 3), min_size=1, max_size=40)
TRUTH = ["x", "y", "y", "z", "x", "y"]
MODELS = {"a": TRUTH, "b": ["x"] * 6, "c": ["x", "y", "y", "y", "new", "x"]}


def marked(a, b, **options):
    return Items.from_marks({"marks_a": a, "marks_b": b}, called=str, **options)


def predicted(truth, a, b, **options):
    return Items.from_predictions(truth, {"pred_a": a, "pred_b": b}, called=str, **options)


# ---- marks


@given(st.lists(st.tuples(marks, marks, marks, marks), min_size=1, max_size=12), st.randoms())
@settings(max_examples=25)
def test_rows_of_trials_are_the_same_as_columns_in_any_order(items, random):
    wide = np.array(items)
    rows = [(item, row[k], row[k + 2]) for item, row in enumerate(items) for k in range(2)]
    names, a, b = zip(*random.sample(rows, len(rows)), strict=True)
    by_columns, by_rows = marked(wide[:, :2], wide[:, 2:]), marked(a, b, items=names)
    order = np.argsort(by_rows.items.astype(int))
    assert by_rows.differences[order] == pytest.approx(by_columns.differences)
    assert by_rows.trials.pooled == pytest.approx(by_columns.trials.pooled)
    assert by_rows.design == by_columns.design


@given(st.lists(marks, min_size=1, max_size=12))
@settings(max_examples=25)
def test_one_trial_is_no_trials(values):
    plain, once = marked(values, values[::-1]), marked([[v] for v in values], [[v] for v in values[::-1]])
    assert once.trials is None
    assert once.digest == plain.digest
    assert marked(values, values[::-1], items=range(len(values))).differences.tolist() == plain.differences.tolist()


def test_variances_within_items_are_those_of_numpy():
    rng = np.random.default_rng(2)
    a, b = rng.random((6, 5)), rng.random((6, 3))
    built = marked(a, b)
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
    built = marked([1, 1, 1, 0], [0, 0, 0, 1], items=["p", "p", "p", "q"])
    assert built.means.tolist() == [0.5, 0.5]
    assert not built.trials.equal


@pytest.mark.parametrize(("policy", "means", "items"), [("drop", (0.8, 0.6), 1), ("worst", (0.4, 0.3), 0)])
def test_missing_marks_are_dropped_or_the_worst(policy, means, items):
    built = marked([0.8, NAN], [0.6, NAN], missing=policy, metric="accuracy")
    assert built.means == pytest.approx(means)
    assert (built.missing.counts, built.missing.items) == ((1, 1), items)


def test_a_missing_trial_takes_its_item_along():
    built = marked([[1.0, NAN], [0.0, 0.0]], [[1.0, 1.0], [0.5, 0.5]], missing="drop")
    assert built.differences.tolist() == [-0.5]
    assert built.missing.items == 1
    filled = marked([[1.0, NAN], [0.0, 0.0]], [[1.0, 1.0], [0.5, 0.5]], missing="worst", metric="accuracy")
    assert filled.differences.tolist() == [-0.5, -0.5]
    assert marked([1.0, 2.0], [1.0, 2.0], missing="drop").missing is None


def test_mappings_are_paired_by_the_item():
    a, b = {"q": [1, 0], "p": 0.5, "r": 1}, {"p": [1, 0.5, 0], "q": 1}
    built = marked(a, b, missing="drop", groups={"p": "x", "q": "y", "r": "x"})
    assert built.items.tolist() == ["q", "p"]
    assert built.differences.tolist() == [-0.5, 0.0]
    assert [count.tolist() for count in built.trials.counts] == [[2, 1], [1, 3]]
    assert (built.missing.counts[1], built.missing.items) == (1, 1)
    assert marked(a, b, missing="worst", bounds=(0, 1)).differences.tolist() == [-0.5, 0.0, 1.0]


def test_words_and_texts_of_numbers_are_marks():
    built = marked(["right", "wrong", "0.5", None], [True, False, True, True], missing="drop")
    assert built.a.tolist() == [1.0, 0.0, 0.5]


def test_masked_marks_are_missing():
    masked = np.ma.array([0.5, 0.9], mask=[False, True])
    assert marked(masked, [0.1, 0.1], missing="drop").n == 1


def test_what_rounding_tells_apart_is_the_same():
    x = marked([0.9, 0.8, 0.3], [0.8, 0.7, 0.2]).differences
    assert len(set(x.tolist())) == 1
    assert not marked([0.1 + 0.2], [0.3]).differences.any()


def test_columns_and_table_hold_everything():
    built = marked([1, 0, 3, 1], [1, 1, 1, 1], items=list("ppqr"), groups=["x", "x", "y", "x"], metric="rmse")
    built = built.called(("a", "b"))
    columns = built.columns()
    assert list(columns) == ["item", "a", "b", "difference", "group", "trials of a", "trials of b"]
    assert columns["group"].tolist() == [0, 1, 0]
    assert not built.higher_is_better
    table = built.table()
    assert [row[:2] for row in table.rows] == [("a", "1.5"), ("b", "1"), ("difference", "0.5")]
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
        marked(a, b, **options)


def test_an_unknown_policy_is_refused():
    with pytest.raises(UnknownName, match="drop"):
        marked([1], [1], missing="dropp")


# ---- predictions of two


@given(triples)
def test_the_four_counts_partition_the_examples(rows):
    truth, a, b = zip(*rows, strict=True)
    outcomes = predicted(truth, a, b)
    assert sum(outcomes.cells) == outcomes.n == len(rows)
    assert outcomes.differences.sum() == outcomes.cells[2] - outcomes.cells[1]


@given(triples)
def test_swapping_the_classifiers_swaps_the_disagreements(rows):
    truth, a, b = zip(*rows, strict=True)
    outcomes, swapped = predicted(truth, a, b), predicted(truth, b, a)
    assert outcomes.cells[1:3] == swapped.cells[2:0:-1]
    assert (outcomes.differences == -swapped.differences).all()


def test_unseen_labels_count_as_errors():
    outcomes = predicted(["x", "y"], ["x", "q"], ["x", "y"])
    assert (outcomes.cells[1], outcomes.unseen) == (1, (1, 0))


def test_text_never_equals_a_number():
    mixed = np.array([1, 2, "x"], dtype=object)
    with pytest.raises(InvalidInput, match="holds '1' where truth has 1: write them alike"):
        predicted(mixed, np.array(["1", "2", "x"], dtype=object), mixed)


def test_groups_become_indices():
    outcomes = predicted([1, 2, 1], [1, 2, 2], [1, 1, 1], groups=["q", "p", "q"])
    assert outcomes.groups.tolist() == [1, 0, 1]


@pytest.mark.parametrize(("arguments", "message"), [
    (([1, 2], [1], [1, 2]), r"pred_a must be as long as truth \(2\), got 1"),
    (([], [], []), "truth must be a non-empty list of labels"),
    (([1.0, np.nan], [1, 1], [1, 1]), r"truth\[1\] is missing"),
    ((["x", "y"], ["x", None], ["x", "y"]), r"pred_a\[1\] is missing"),
    (([[1]], [[1]], [[1]]), "got shape"),
])  # fmt: skip
def test_bad_predictions_are_named(arguments, message):
    with pytest.raises(InvalidInput, match=message):
        predicted(*arguments)


def test_one_cluster_is_refused():
    with pytest.raises(InvalidInput, match="at least two clusters"):
        predicted([1, 2], [1, 2], [2, 2], groups=["p", "p"])


values = st.sampled_from(["a", "1", 1, 1.0, True, 0, False, "b", 2, 2.5])


@given(st.lists(st.tuples(values, values, values), min_size=1, max_size=20))
def test_coded_labels_are_equal_where_python_says_so(rows):
    columns = [np.array(column, dtype=object) for column in zip(*rows, strict=True)]
    distinct, (truth, a, b) = coded(*columns)
    assert (truth == a).tolist() == [t == p for t, p, _ in rows]
    assert (truth == b).tolist() == [t == p for t, _, p in rows]
    assert [distinct[code] for code in a] == columns[1].tolist()


# ---- predictions and marks of more


def test_who_was_right_on_which_item():
    found = Items.from_predictions(TRUTH, MODELS)
    assert found.values.tolist() == [[1] * 6, [1, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 0]]
    assert found.unseen == (0, 0, 1)
    assert found.majority == 0.5
    assert (found.metric, found.higher_is_better, found.unit, found.design) == (
        "accuracy",
        True,
        "fraction",
        "6 test examples",
    )


def test_labels_and_marks_say_the_same():
    labels = Items.from_predictions(TRUTH, MODELS, groups=[1, 1, 2, 2, 3, 3])
    marks = {"a": [True] * 6, "b": [1, 0, 0, 0, 1, 0], "c": ["right", "right", "right", "wrong", "wrong", "wrong"]}
    found = Items.from_marks(marks, groups=["p", "p", "q", "q", "r", "r"])
    assert found.values.tolist() == labels.values.tolist()
    assert found.digest == labels.digest
    assert found.majority is None
    assert found.design == "6 test examples in 3 clusters"


def test_what_a_person_wants_to_see():
    table = Items.from_predictions(TRUTH, MODELS).table()
    assert table.columns[0] == "model"
    assert table.rows == (("a", "6", "0", "2", "0"), ("b", "2", "4", "0", "2"), ("c", "3", "3", "0", "1"))
    assert "all models are right on 1, none on 0" in table.caption


def test_columns_are_one_row_per_item():
    columns = Items.from_predictions(TRUTH, MODELS, groups=[1, 1, 2, 2, 3, 3]).columns()
    assert list(columns) == ["a", "b", "c", "group"]
    assert columns["group"].tolist() == [0, 0, 1, 1, 2, 2]


def test_the_digest_follows_the_outcomes():
    same = Items.from_predictions(TRUTH, MODELS).digest
    assert Items.from_predictions(np.array(TRUTH), MODELS).digest == same
    assert Items.from_predictions(TRUTH, MODELS | {"c": TRUTH}).digest != same


@pytest.mark.parametrize(("truth", "models", "options", "message"), [
    (TRUTH, [TRUTH, TRUTH], {}, "models must map names to what each of them is"),
    (TRUTH, {"a": TRUTH}, {}, "models must have at least two entries, got 1"),
    (TRUTH, {"a": TRUTH, "": TRUTH}, {}, "must all have a name, but number 2 has none"),
    (TRUTH, {1: TRUTH, "1": TRUTH}, {}, "must have different names, but '1' occurs more than once"),
    (TRUTH, {"a": TRUTH, "b": TRUTH[1:]}, {}, r"outputs\['b'\] must be as long as truth \(6\), got 5"),
    (TRUTH, {"a": TRUTH, "b": [None, *TRUTH[1:]]}, {}, r"outputs\['b'\] must not have missing labels"),
    (TRUTH, {"a": TRUTH, "b": [0.1, 0.7, 0.3, 0.2, 0.9, 0.4]}, {}, r"outputs\['b'\] must be predicted labels"),
    (TRUTH, MODELS, {"groups": [1, 2]}, r"groups must name the cluster of each item \(6\), got 2"),
    (TRUTH, MODELS, {"groups": [1] * 6}, "at least two clusters, got one"),
])  # fmt: skip
def test_what_is_refused(truth, models, options, message):
    with pytest.raises(InvalidInput, match=message):
        Items.from_predictions(truth, models, **options)


def test_marks_of_several_models_of_unequal_length_are_refused():
    with pytest.raises(InvalidInput, match=r"outputs\['b'\] must have as many rows as outputs\['a'\] \(2\), got 3"):
        Items.from_marks({"a": [1, 0], "b": [1, 0, 1]})


def test_a_pair_of_several_is_what_two_are_alone():
    several = Items.from_predictions(TRUTH, MODELS, groups=[1, 1, 2, 2, 3, 3])
    alone = Items.from_predictions(TRUTH, {name: MODELS[name] for name in "ca"}, groups=[1, 1, 2, 2, 3, 3])
    pair = several.pair(2, 0)
    assert (pair.names, pair.unseen, pair.digest) == (alone.names, alone.unseen, alone.digest)
    tried = Items.from_marks({"a": [[1, 0]], "b": [[0, NAN]], "c": [[0.5, 1]]}, missing="worst", metric="accuracy")
    pair = tried.pair(0, 2)
    assert (pair.missing.counts, len(pair.trials.counts), pair.differences.tolist()) == ((0, 0), 2, [-0.25])
