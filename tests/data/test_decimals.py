"""Numbers that are read many at a time are those that Python reads one by one, to the bit, or are left to it."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from foldwise.data.formats import plain
from foldwise.data.formats.plain import DIGITS, read_decimals

written = st.lists(
    st.from_regex(r"-?[0-9]{0,9}(\.[0-9]{0,9})?", fullmatch=True)
    | st.text("0123456789.-+eE ", max_size=20)
    | st.floats(-1e6, 1e6).map(repr),
    min_size=1,
    max_size=30,
)


def places(cells):
    """The text of cells with a separator after each, and where they start and stop."""
    stop = np.cumsum([len(cell) + 1 for cell in cells]) - 1
    raw = np.frombuffer((";".join(cells) + ";").encode(), np.uint8)
    return raw, stop - [len(cell) for cell in cells], stop


def readable(cell):
    return re.fullmatch(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)", cell) is not None and sum(map(str.isdigit, cell)) <= DIGITS


@given(written)
@example(["-", ".", "-.", "", "1.", ".5", "-0", "0.1.2", "9" * 15, "1" * 16, "-123456789012.345"])
def test_what_is_read_is_what_python_reads(cells):
    values, read = read_decimals(*places(cells))
    assert read.tolist() == [readable(cell) for cell in cells]
    for value, ok, cell in zip(values.tolist(), read, cells, strict=True):
        assert not ok or np.float64(value).tobytes() == np.float64(float(cell)).tobytes()


def test_numbers_of_several_pieces(monkeypatch):
    monkeypatch.setattr(plain, "PIECE", 7)
    cells = [f"{number / 8 - 5:.4f}" for number in range(100)] + ["", "x", "1e5"]
    values, read = read_decimals(*places(cells))
    assert read.tolist() == [True] * 100 + [False] * 3
    assert values[:100].tolist() == [float(cell) for cell in cells[:100]]
