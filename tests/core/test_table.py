from __future__ import annotations

import numpy as np
import pytest

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table


@pytest.fixture
def mixed():
    return Table.build([[1.5, 0], [np.nan, 1], [3.0, np.nan]], [None, ("no", "yes")], ["size", "ripe"])


def test_rows_are_indexed_like_an_array(mixed):
    assert len(mixed[[0, 2]]) == 2
    assert mixed[np.array([False, True, False])].values[0, 1] == 1
    assert mixed[1:].names == ("size", "ripe")


def test_numeric_tables_become_float_arrays():
    table = Table.build(np.arange(6).reshape(3, 2))
    assert np.asarray(table).dtype == np.float64
    assert table.kinds == ("numeric", "numeric")


def test_nominal_tables_never_pass_as_numbers(mixed):
    decoded = np.asarray(mixed)
    assert decoded.dtype == object
    assert decoded[:, 1].tolist() == ["no", "yes", None]
    with pytest.raises(ValueError, match="could not convert"):
        np.asarray(mixed, dtype=float)


@pytest.mark.parametrize(("values", "categories", "message"), [
    ([1, 2], None, r"two axes .* got shape \(2,\)"),
    ([[np.inf]], None, "row 0 of column 'x0'"),
    ([[2]], [("a", "b")], "has 2 categories, but row 0 has code 2"),
    ([[0.5]], [("a", "b")], "code 0.5"),
    ([[1, 2]], [None], "2 columns, but 1 categories"),
])  # fmt: skip
def test_bad_tables_are_refused(values, categories, message):
    with pytest.raises(InvalidInput, match=message):
        Table.build(values, categories)
