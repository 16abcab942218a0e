from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from foldwise.core.errors import InvalidInput
from foldwise.core.table import as_table, is_frame
from foldwise.data import dataset_from_frame
from foldwise.data.frames import to_pandas

pandas = pytest.importorskip("pandas", reason="frames are made with pandas")
polars = pytest.importorskip("polars", reason="frames are made with polars")
pyarrow = pytest.importorskip("pyarrow", reason="frames are made with pyarrow")

COLUMNS = {
    "size": [1.5, None, -2.0],
    "count": [1, 2, 3],
    "colour": ["red", None, "blue"],
    "flag": [True, False, True],
}
MAKERS = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "pyarrow": pyarrow.table}


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_every_kind_of_frame_gives_the_same_table(maker):
    table = as_table(maker(COLUMNS))
    assert table.names == ("size", "count", "colour", "flag")
    assert table.categories == (None, None, ("blue", "red"), ("False", "True"))
    np.testing.assert_array_equal(table.values, [[1.5, 1, 1, 1], [np.nan, 2, np.nan, 0], [-2, 3, 0, 1]])


def test_declared_categories_keep_their_order_and_the_unused():
    levels = ["low", "middle", "high"]
    frames = [
        pandas.DataFrame({"c": pandas.Categorical(["high", "low"], categories=levels)}),
        polars.DataFrame({"c": polars.Series(["high", "low"], dtype=polars.Enum(levels))}),
    ]
    for frame in frames:
        table = as_table(frame)
        assert table.categories == (tuple(levels),)
        assert table.values.ravel().tolist() == [2, 0]


def test_polars_categories_do_not_depend_on_other_frames():
    polars.Series(["zebra", "yak"], dtype=polars.Categorical)
    table = as_table(polars.DataFrame({"c": polars.Series(["b", "a"], dtype=polars.Categorical)}))
    assert table.categories == (("a", "b"),)


def test_pandas_nan_among_text_and_nullable_types():
    frame = pandas.DataFrame({
        "c": pandas.Series(["a", np.nan], dtype=object),
        "i": pandas.Series([1, None], dtype="Int64"),
        "b": pandas.Series([True, None], dtype="boolean"),
    })  # fmt: skip
    table = as_table(frame)
    assert table.categories == (("a",), None, ("False", "True"))
    np.testing.assert_array_equal(table.values, [[0, 1, 1], [np.nan, np.nan, np.nan]])


def test_data_set_with_its_target():
    data = dataset_from_frame(pandas.DataFrame(COLUMNS), target="colour", name="shop")
    assert (data.name, data.target, data.y.tolist()) == ("shop", "colour", ["red", "blue"])
    assert data.provenance == "a pandas frame of 3 rows; 1 rows without a target left out"
    assert dataset_from_frame(pandas.DataFrame(COLUMNS), target="count").classes == ("1", "2", "3")
    assert dataset_from_frame(pandas.DataFrame(COLUMNS), target="count", task="regression").y.tolist() == [1, 2, 3]


def test_what_is_a_frame():
    assert all(is_frame(maker(COLUMNS)) for maker in MAKERS.values())
    assert not any(is_frame(value) for value in (np.zeros((2, 2)), [1], "text", None))


def test_refusals():
    with pytest.raises(InvalidInput, match="frame must be a pandas, polars or pyarrow data frame, got list"):
        dataset_from_frame([1, 2])
    with pytest.raises(InvalidInput, match="frame must have rows and columns, got shape"):
        dataset_from_frame(pandas.DataFrame({"x": []}))
    with pytest.raises(InvalidInput, match="X must have numbers, booleans or text, but column 'day' is Date"):
        as_table(polars.DataFrame({"day": [dt.date(2024, 1, 1)]}))
    with pytest.raises(InvalidInput, match="values must not be infinite, but row 1 of column 'x' is"):
        as_table(pandas.DataFrame({"x": [1, np.inf]}))


def test_numbers_typed_as_objects_are_numbers_at_every_door():
    frame = pandas.DataFrame({"n": pandas.Series([1, 2.5, None], dtype=object), "y": ["a", "b", "a"]})
    assert as_table(frame).categories == (None, ("a", "b"))
    assert dataset_from_frame(frame).X.categories == (None,)
    assert as_table(frame.to_numpy()).categories == (None, ("a", "b"))


def test_there_and_back_again():
    table = as_table(pandas.DataFrame(COLUMNS))
    frame = to_pandas(table)
    assert list(frame.columns) == list(table.names)
    assert [str(kind) for kind in frame.dtypes] == ["float64", "float64", "category", "category"]
    again = as_table(frame)
    assert again.categories == table.categories
    np.testing.assert_array_equal(again.values, table.values)
