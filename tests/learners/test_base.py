"""The behaviour that every learner inherits, shown on Majority."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table, as_table
from foldwise.learners import (
    Majority,
    NaiveBayes,
    NearestNeighbours,
    create,
    naive_bayes_cv,
    nearest_neighbours_kernels,
)


@parametrize_with_checks([Majority()])
def test_majority_passes_scikit_learns_checks(estimator, check):
    check(estimator)


def test_ties_go_to_the_first_class():
    assert Majority().fit([[0], [1]], ["yes", "no"]).predict([[0]]).tolist() == ["no"]


def test_ties_go_to_the_first_declared_class():
    assert Majority().fit([[0], [1]], ["yes", "no"], classes=["yes", "no"]).predict([[0]]).tolist() == ["yes"]


def test_a_single_class_is_predicted():
    model = Majority().fit([[0.0], [1.0]], [7, 7])
    assert model.predict([[3.0]]).tolist() == [7]
    assert model.predict_proba([[3.0]]).tolist() == [[1.0]]


def test_declared_classes_without_examples_have_a_column():
    model = Majority().fit([[0.0]], ["b"], classes=["c", "b", "a"])
    assert model.predict_proba([[1.0]]).tolist() == [[0.0, 1.0, 0.0]]


def test_undeclared_class_is_refused():
    with pytest.raises(InvalidInput, match="y must have declared classes only, got 'z'"):
        Majority().fit([[0.0]], ["z"], classes=["a", "b"])


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (["a", None, "b"], r"classes must have no missing labels, but classes\[1\] is None"),
        (np.array(["a", 1], dtype=object), "classes must have labels of one kind, but some are text"),
    ],
)
def test_declared_classes_that_are_no_labels_are_refused(classes, message):
    with pytest.raises(InvalidInput, match=message):
        Majority().fit([[0.0]], ["a"], classes=classes)


def test_repeated_declared_class_is_refused():
    with pytest.raises(InvalidInput, match="classes must be a list of distinct labels"):
        Majority().fit([[0.0]], ["a"], classes=["a", "a"])


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values_are_refused(value):
    with pytest.raises(InvalidInput, match="must not be infinite, but row 1 of column 'x0'"):
        Majority().fit([[0.0], [value]], [0, 1])


def test_length_of_y_must_match():
    with pytest.raises(InvalidInput, match="inconsistent numbers of samples"):
        Majority().fit(Table.build([[0.0], [1.0]]), [0, 1, 1])


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "the target y is None"),
        (["a", None, "b"], r"y must have no missing labels, but y\[1\] is None"),
        (pd.Series(["a", "b", None], dtype="string"), r"y must have no missing labels, but y\[2\] is <NA>"),
        (pl.Series([None, "a", "b"]), r"y must have no missing labels, but y\[0\] is None"),
        (np.array(["a", 1, 2], dtype=object), "y must have labels of one kind, but some are text"),
        ([0.0, np.nan, 1.0], "y contains NaN"),
        ([0.0, np.inf, 1.0], "y contains infinity"),
        ([0.5, 1.5, 1.7], "Unknown label type: continuous"),
        ([["a"] * 2] * 3, "y should be a 1d array"),
    ],
)
def test_labels_that_are_none_are_refused(y, message):
    with pytest.raises(InvalidInput, match=message):
        Majority().fit([[0.0], [1.0], [2.0]], y)


COLUMNS = {"a": [0.0, 1.0, 2.0], "b": [5.0, 3.0, 4.0]}


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("labels", [list, np.array, pd.Series, pl.Series])
class TestColumnNames:
    """The names of a frame's columns are kept, however the labels are given."""

    def fitted(self, frame, labels):
        return NearestNeighbours().fit(frame(COLUMNS), labels(["x", "y", "y"]))

    def test_the_same_frame_is_taken_without_a_warning(self, frame, labels):
        model = self.fitted(frame, labels)
        assert model.feature_names_in_.tolist() == ["a", "b"]
        assert model.predict(frame(COLUMNS)).tolist() == ["x", "y", "y"]

    def test_columns_in_another_order_are_refused(self, frame, labels):
        with pytest.raises(InvalidInput, match="feature names should match"):
            self.fitted(frame, labels).predict(frame({"b": [5.0], "a": [0.0]}))


def test_no_examples_are_refused():
    with pytest.raises(InvalidInput, match=r"at least one example and one attribute, got shape \(0, 2\)"):
        Majority().fit(Table.build(np.empty((0, 2))), np.empty(0, dtype=int))


class TestAsTable:
    def test_frames_arrays_and_lists_agree(self):
        rows = [[1.5, "no", True], [None, "yes", False], [2.0, None, None]]
        expected = [[1.5, 0.0, 1.0], [np.nan, 1.0, 0.0], [2.0, np.nan, np.nan]]
        columns = {name: [row[j] for row in rows] for j, name in enumerate("abc")}
        for given in (rows, np.array(rows, dtype=object), pd.DataFrame(columns), pl.DataFrame(columns)):
            table = as_table(given)
            assert table.kinds == ("numeric", "nominal", "nominal")
            np.testing.assert_array_equal(table.values, expected)

    def test_frame_gives_the_names(self):
        assert as_table(pl.DataFrame({"age": [1], "sex": ["f"]})).names == ("age", "sex")

    def test_nullable_integers(self):
        frame = pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64")})
        np.testing.assert_array_equal(as_table(frame).values, [[1.0], [np.nan], [3.0]])

    def test_text_array_is_nominal_even_when_it_looks_like_numbers(self):
        assert as_table(np.array([["10"], ["9"]])).categories == (("10", "9"),)

    @pytest.mark.parametrize("ordered", [False, True])
    def test_declared_categories_are_kept(self, ordered):
        column = pd.Categorical(["v", None, "u"], categories=["v", "w", "u"], ordered=ordered)
        table = as_table(pd.DataFrame({"c": column}))
        assert table.categories == (("v", "w", "u"),)
        np.testing.assert_array_equal(table.values, [[0.0], [np.nan], [2.0]])
        enum = pl.Series("c", ["v", None, "u"], dtype=pl.Enum(["v", "w", "u"]))
        np.testing.assert_array_equal(as_table(pl.DataFrame({"c": enum})).values, table.values)

    def test_categories_that_are_numbers_are_nominal(self):
        table = as_table(pd.DataFrame({"zip": pd.Categorical([8001, 3000, None])}))
        assert table.categories == (("3000", "8001"),)
        np.testing.assert_array_equal(table.values, [[1.0], [0.0], [np.nan]])

    def test_polars_categories_are_those_that_occur(self):
        other = pl.Series(["of another frame"], dtype=pl.Categorical)
        table = as_table(pl.DataFrame({"c": pl.Series(["v", None, "u"], dtype=pl.Categorical)}))
        assert len(other) == 1
        assert table.categories == (("u", "v"),)

    @pytest.mark.parametrize(
        "column",
        [
            pd.Series([None, None], dtype="string"),
            pd.Series([None, None], dtype=object),
            pl.Series([None, None], dtype=pl.String),
            pl.Series([None, None]),
        ],
        ids=str,
    )
    @pytest.mark.parametrize("value", ["x", 3.5])
    def test_a_column_that_had_no_value_takes_any_as_missing(self, column, value):
        frame = pd.DataFrame if isinstance(column, pd.Series) else pl.DataFrame
        schema = as_table(frame({"c": column}))
        assert schema.categories == ((),)
        assert np.isnan(as_table(frame({"c": [value]}), schema).values).all()

    def test_booleans_that_are_all_missing_stay_booleans(self):
        frame = pl.DataFrame({"b": pl.Series([None, None], dtype=pl.Boolean)})
        assert as_table(frame).categories == (("False", "True"),)

    def test_dates_are_refused(self):
        with pytest.raises(InvalidInput, match="column 'when' is Datetime"):
            as_table(pd.DataFrame({"when": pd.to_datetime(["2020-01-01"])}))

    def test_complex_numbers_are_refused(self):
        with pytest.raises(InvalidInput, match="must have numbers, booleans or text"):
            as_table(np.array([[1j]]))

    def test_one_axis_is_refused(self):
        with pytest.raises(InvalidInput, match=r"two axes \(examples, attributes\), got shape \(3,\)"):
            as_table([1, 2, 3])

    def test_unseen_category_becomes_missing(self):
        schema = as_table([["a"], ["b"]])
        np.testing.assert_array_equal(as_table([["b"], ["z"], [None]], schema).values, [[1.0], [np.nan], [np.nan]])

    def test_table_with_other_categories_is_recoded_by_name(self):
        schema = Table.build([[0.0]], [("a", "b")])
        other = Table.build([[0.0], [1.0], [np.nan]], [("b", "c")])
        np.testing.assert_array_equal(as_table(other, schema).values, [[1.0], [np.nan], [np.nan]])

    def test_another_kind_is_refused(self):
        with pytest.raises(
            InvalidInput, match="column 'x0' was nominal when the learner was fitted, but is numeric now"
        ):
            as_table([[1.0]], as_table([["a"]]))

    def test_an_all_missing_column_fits_any_schema(self):
        assert np.isnan(as_table([[None]], as_table([["a"]])).values).all()

    def test_another_width_is_refused(self):
        with pytest.raises(InvalidInput, match="X has 2 features, but the learner was fitted on 1"):
            as_table([[1.0, 2.0]], as_table([[1.0]]))


class TestCrossPredict:
    X = np.arange(6.0)[:, None]
    y = np.array(["a", "a", "b", "b", "b", "a"])

    def test_each_fold_is_predicted_by_the_others(self):
        predicted = Majority().cross_predict(self.X, self.y, [[0, 0, 1, 1, 1, 1]])
        assert predicted.tolist() == [["b", "b", "a", "a", "a", "a"]]

    def test_minus_one_is_trained_on_and_never_tested(self):
        predicted = Majority().cross_predict(self.X, self.y, [[0, 0, -1, -1, -1, -1]])
        assert predicted[0, :2].tolist() == ["b", "b"]

    def test_takes_tables_and_frames(self):
        folds = [[0, 1, 2, 0, 1, 2]]
        expected = Majority().cross_predict(self.X, self.y, folds)
        for given in (Table.build(self.X), pd.DataFrame(self.X)):
            np.testing.assert_array_equal(Majority().cross_predict(given, self.y, folds), expected)

    @pytest.mark.parametrize("name", ["c45", "nb", "1nn", "tan", "votedperceptron", "lp(epochs=5)", "mlp3(epochs=5)"])
    def test_declared_categories_are_known_to_every_fold(self, name):
        rng = np.random.default_rng(3)
        text = rng.choice(list("abcdefgh"), 60, p=[0.4, 0.3, 0.1, 0.1, 0.04, 0.02, 0.02, 0.02])
        X = pd.DataFrame({"n": rng.normal(size=60), "t": pd.Categorical(text)})
        y, folds = rng.integers(0, 3, 60), np.arange(60) % 4
        table, learner = as_table(X), create(name)
        predicted = learner.cross_predict(X, y, [folds])[0]
        for fold in range(4):
            train, test = folds != fold, folds == fold
            for given in (X, table):
                model = learner.fit(given[train], y[train], classes=[0, 1, 2])
                np.testing.assert_array_equal(model.predict(given[test]), predicted[test])
        as_text = learner.cross_predict(X.astype({"t": str}), y, [folds])[0]
        np.testing.assert_array_equal(as_text, predicted)

    @pytest.mark.parametrize(("learner", "kernel"), [
        (NaiveBayes(), naive_bayes_cv._cross_predict), (NearestNeighbours(), nearest_neighbours_kernels._predict_runs),
    ], ids=["nb", "1nn"])  # fmt: skip
    def test_folds_in_any_order_of_memory_take_the_same_kernels(self, learner, kernel):
        folds = np.array([[0, 1, 2, 0, 1, 2], [0, 0, 1, 1, 2, 2]])
        expected = learner.cross_predict(self.X, self.y, folds)
        np.testing.assert_array_equal(learner.cross_predict(self.X, self.y, np.asfortranarray(folds)), expected)
        assert len(kernel.signatures) == 1  # to compile it again takes ten seconds

    def test_more_folds_than_examples_leave_some_folds_empty(self):
        predicted = Majority().cross_predict(self.X, self.y, [[0, 3, 7, 11, 20, 99]])
        assert predicted.shape == (1, 6)

    def test_folds_may_have_any_numbers(self):
        names = np.array([10**12, 7, 10**12, -1, 7, 8])
        plain = np.array([2, 0, 2, -1, 0, 1])
        for learner in (Majority(), NaiveBayes(), NearestNeighbours()):
            predicted = learner.cross_predict(self.X, self.y, [names])
            np.testing.assert_array_equal(predicted, learner.cross_predict(self.X, self.y, [plain]))

    def test_one_fold_leaves_nothing_to_train_on(self):
        with pytest.raises(InvalidInput, match="must leave examples to train on, but run 1 has one fold only"):
            Majority().cross_predict(self.X, self.y, [[0, 0, 0, 1, 1, 1], [4] * 6])

    def test_shape_of_fold_ids(self):
        with pytest.raises(InvalidInput, match=r"whole numbers of shape \(runs, 6\), got int64 of shape \(6,\)"):
            Majority().cross_predict(self.X, self.y, [0, 0, 0, 1, 1, 1])

    def test_runs_of_different_length(self):
        with pytest.raises(InvalidInput, match=r"whole numbers of shape \(runs, 6\): setting an array element"):
            Majority().cross_predict(self.X, self.y, [[0, 1], [0]])

    def test_no_runs(self):
        with pytest.raises(InvalidInput, match=r"shape \(runs, 6\), got int64 of shape \(0, 6\)"):
            Majority().cross_predict(self.X, self.y, np.empty((0, 6), dtype=int))

    def test_fold_ids_below_minus_one(self):
        with pytest.raises(InvalidInput, match="at least −1, got -2"):
            Majority().cross_predict(self.X, self.y, [[0, 0, 0, 1, 1, -2]])
