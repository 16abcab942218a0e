"""Lines that occur again and again are taken apart once, with the same result as record by record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.data import read_predictions
from foldwise.data.formats import delimited, read_sheet, repeated

cells = st.sampled_from(
    ["cat", " dog ", "", "1.0", '"a,b"', '"x""y"', '"two\nlines"', '"open', 'in"side', "\x0bv", "é"]
)
ends = st.sampled_from(["\n", "\r\n", "\r"])
blank = st.sampled_from(["", " ", " , ", ",,"])


@st.composite
def texts(draw):
    delimiter = draw(st.sampled_from([",", ";", "\t"]))
    row = st.lists(cells, min_size=1, max_size=3).map(delimiter.join)
    lines = draw(st.lists(row | blank, max_size=12))
    return "".join(line + draw(ends) for line in ["truth,a", *lines]) + draw(row | st.just("")), delimiter


@given(texts())
def test_the_same_records_as_one_by_one(given_text):
    text, delimiter = given_text
    fast = repeated.read_repeated(text, delimiter)
    try:
        careful = delimited._read_records(text, delimiter, "the text")
    except InvalidInput:
        careful = None
    if fast is None:
        return
    assert careful is not None, "what the careful reader refuses is left to it"
    assert (tuple(fast[0]), tuple(fast[1])) == careful


@given(texts())
def test_the_same_sheet_and_the_same_messages(given_text):
    with pytest.MonkeyPatch.context() as patch:
        both = []
        for reader in (repeated.read_repeated, lambda text, delimiter: None):
            patch.setattr(delimited, "read_repeated", reader)
            try:
                sheet = read_sheet(given_text[0])
                both.append((sheet.header, sheet.rows, tuple(sheet.lines)))
            except InvalidInput as error:
                both.append(str(error))
        assert both[0] == both[1]


def test_pieces_end_between_lines(monkeypatch):
    text = "truth,a,b\r\n" + "yes,no,yes\r\nno,no,no\r\n\r\n" * 50
    whole = repeated.read_repeated(text, ",")
    for piece in (1, 7, 12, 100):
        monkeypatch.setattr(repeated, "PIECE", piece)
        assert repeated.read_repeated(text, ",") == whole


def test_lines_that_all_differ_are_not_remembered():
    text = "id,a\n" + "".join(f"{i},x\n" for i in range(5000))
    assert repeated.read_repeated(text, ",") is None
    assert read_sheet(text).rows[-1] == ("4999", "x")


def test_a_bad_label_among_many_is_named_with_its_line():
    text = "truth,a,b\n" + "yes,no,yes\n" * 5000 + "\n" + "yes,,yes\n"
    with pytest.raises(InvalidInput, match="line 5003: column 'a' must hold a label, got ''"):
        read_predictions(text)


def test_a_row_of_another_length_among_many_is_named_with_its_line():
    text = "truth,a,b\n" + "yes,no,yes\n" * 5000 + "yes,no\n"
    with pytest.raises(InvalidInput, match="line 5002 has 2 cells where the header has 3"):
        read_predictions(text)
