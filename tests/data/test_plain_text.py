"""Plain text is cut into cells all at once, with the same result as record by record; columns come out as numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.data import read_predictions
from foldwise.data.formats import delimited, plain, read_sheet
from foldwise.data.sheet import parse_number

cells = st.sampled_from(
    [
        "cat",
        " dog ",
        "",
        "1.0",
        '"a,b"',
        '"cat"',
        '""',
        '" x "',
        '"x""y"',
        '"two\nlines"',
        '"open',
        'in"side',
        "\x0bv",
        "é",
    ]
)
ends = st.sampled_from(["\n", "\r\n", "\r"])
blank = st.sampled_from(["", " ", " , ", ",,", '"",""', "\xa0, ", "\t"])


@st.composite
def texts(draw):
    delimiter = draw(st.sampled_from([",", ";", "\t"]))
    width = draw(st.integers(1, 3))
    row = st.lists(cells, min_size=width, max_size=width).map(delimiter.join)
    odd = st.lists(cells, min_size=1, max_size=3).map(delimiter.join)
    lines = draw(st.lists(row | row | blank | odd, max_size=8))
    head = delimiter.join(["truth", "a", "b"][:width])
    return "".join(line + draw(ends) for line in [head, *lines]) + draw(row | st.just("")), delimiter


@given(texts())
def test_the_same_records_as_one_by_one(given_text):
    text, delimiter = given_text
    fast = plain.read_plain(text, delimiter)
    if fast is None:
        return
    header, lines, careful = delimited._read_records(text, delimiter, "the text")  # which must not refuse it
    assert (fast.header, tuple(fast.lines), fast.cells.rows(len(text))) == (header, lines, careful.rows(len(text)))
    for where in range(len(header)):
        assert fast.cells.texts(where) == careful.texts(where)
        one, other = fast.cells.categories(where), careful.categories(where)
        assert (one.labels, one.codes.tolist()) == (other.labels, other.codes.tolist())


@given(texts())
def test_the_same_sheet_and_the_same_messages(given_text):
    with pytest.MonkeyPatch.context() as patch:
        both = []
        for reader in (plain.read_plain, lambda text, delimiter: None):
            patch.setattr(delimited, "read_plain", reader)
            try:
                sheet = read_sheet(given_text[0])
                both.append((sheet.header, sheet.rows, tuple(sheet.lines)))
            except InvalidInput as error:
                both.append(str(error))
        assert both[0] == both[1]


@given(st.lists(st.text("ab\u00e9", max_size=20), min_size=1, max_size=30), st.sampled_from([1, 3, 1000]))
def test_cells_of_every_length_are_told_apart(column, block):
    """Eight bytes at a time, and what is known from earlier blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain, "BLOCK", block)
        found = read_sheet("id,x\n" + "".join(f"{i},{cell}\n" for i, cell in enumerate(column))).categories("x")
    assert list(found) == column
    assert found.labels == tuple(dict.fromkeys(column))


def test_cells_longer_than_can_be_compared_are_told_apart():
    long = ["x" * 70 + end for end in "aba"]
    assert read_sheet("a,b\n" + "".join(f"{cell},1\n" for cell in long)).categories("a").codes.tolist() == [0, 1, 0]


@pytest.mark.parametrize("piece", [1, 7, 12, 100])
def test_pieces_may_end_anywhere(monkeypatch, piece):
    text = "truth,a,b\r\n" + 'yes,no,"yes"\r\nno,no,no\r\n\r\n' * 50
    whole = read_sheet(text)
    monkeypatch.setattr(plain, "PIECE", piece)
    assert isinstance(read_sheet(text).cells, plain.MarkedCells)
    assert read_sheet(text).rows == whole.rows
    assert tuple(whole.lines[:3]) == (2, 3, 5)


written = st.one_of(
    st.from_regex(r"-?[0-9]{0,17}\.?[0-9]{0,17}", fullmatch=True),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(["", "NA", "-", ".", "-.", "1e5", "+1", " 7 ", "1_0", "--1", "1.2.3", "0x1", "é", "٣"]),
)


@given(st.lists(written, min_size=1, max_size=20))
def test_numbers_are_those_that_python_reads(column):
    """To the bit, the sign of zero too; and what is none is refused, with its line."""
    sheet = read_sheet("id,x\n" + "".join(f"{i},{cell}\n" for i, cell in enumerate(column)))
    cells = [cell.strip() for cell in column]
    values = [math.nan if cell in ("", "NA", "-", "--") else parse_number(cell) for cell in cells]
    if None in values:
        line = values.index(None) + 2
        with pytest.raises(InvalidInput, match=f"line {line}: column 'x' must hold numbers"):
            sheet.numbers("x", allow_missing=True)
    else:
        assert sheet.numbers("x", allow_missing=True).tobytes() == np.array(values).tobytes()


def test_a_bad_label_among_many_is_named_with_its_line():
    text = "truth,a,b\n" + "yes,no,yes\n" * 5000 + "\n" + "yes,,yes\n"
    with pytest.raises(InvalidInput, match="line 5003: column 'a' must hold a label, got ''"):
        read_predictions(text)


def test_a_row_of_another_length_among_many_is_named_with_its_line():
    text = "truth,a,b\n" + "yes,no,yes\n" * 5000 + "yes,no\n"
    with pytest.raises(InvalidInput, match="line 5002 has 2 cells where the header has 3"):
        read_predictions(text)
