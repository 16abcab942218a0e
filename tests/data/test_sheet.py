from __future__ import annotations

import csv
import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import DataNotFound, InvalidInput
from foldwise.data.formats import read_sheet
from foldwise.data.predictions import read_predictions
from foldwise.data.sheet import parse_number

# csv keeps what stands between quotes; the reader strips cells, so generated cells carry no blanks at their ends
cells = st.text(st.characters(codec="utf-8", exclude_characters="\0\r", exclude_categories=["Cs"]), max_size=8).map(
    str.strip
)
named = st.text("abcxyz", min_size=1, max_size=4)


@given(st.data(), st.lists(named, min_size=2, max_size=4, unique=True), st.sampled_from(",;\t"))
def test_what_the_csv_module_writes_is_read_back(data, header, delimiter):
    row = st.tuples(*[cells] * len(header)).filter(lambda row: any(row))
    rows = data.draw(st.lists(row, min_size=1, max_size=5))
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([header, *rows])
    sheet = read_sheet(out.getvalue())
    assert sheet.header == tuple(header)
    assert list(sheet.rows) == rows


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_separator_and_line_ends_are_recognised(delimiter, newline):
    text = newline.join([delimiter.join(["a", "b"]), delimiter.join(["1", "2"]), ""])
    sheet = read_sheet(text)
    assert sheet.header == ("a", "b")
    assert sheet.rows == (("1", "2"),)


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_decimal_commas_where_the_comma_does_not_separate(delimiter):
    sheet = read_sheet(f"a{delimiter}b\n0,5{delimiter}-1,25e2\n.5{delimiter}3\n")
    assert sheet.numbers("a").tolist() == [0.5, 0.5]
    assert sheet.numbers("b").tolist() == [-125, 3]


def test_a_quoted_decimal_comma_is_text_where_the_comma_separates():
    sheet = read_sheet('a,b\n"0,5",1\n')
    with pytest.raises(InvalidInput, match=r"^the text, line 2: column 'a' must hold numbers, got '0,5'$"):
        sheet.numbers("a")


def test_thousands_and_underscores_are_no_numbers():
    assert parse_number("1.234,5", decimal_comma=True) is None
    assert parse_number("1,234,5", decimal_comma=True) is None
    assert parse_number("1_000") is None


def test_byte_order_mark_and_blank_lines_are_passed_over(tmp_path):
    path = tmp_path / "marked.csv"
    path.write_bytes(b"\xef\xbb\xbf\n a , b \n\n1,2\n\n")
    sheet = read_sheet(path)
    assert sheet.header == ("a", "b")
    assert sheet.lines == (4,)


def test_spreadsheets_that_write_utf16(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_bytes("a\tb\nä\t2\n".encode("utf-16"))
    assert read_sheet(path).rows == (("ä", "2"),)


def test_a_cell_over_two_lines_counts_lines_right():
    sheet = read_sheet('a,b\n"first\nsecond",1\nx,oops\n')
    assert sheet.lines == (2, 4)
    with pytest.raises(InvalidInput, match="line 4: column 'b' must hold numbers, got 'oops'"):
        sheet.numbers("b")


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,b\n1,2\n")))
    sheet = read_sheet("-")
    assert (sheet.source, sheet.rows) == ("standard input", (("1", "2"),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text is empty: a header line and at least one row are needed"),
        ("\n \n", "the text is empty"),
        ("a,b\n", "the text has a header line but no rows"),
        ("a,b\n1,2\n3\n", "the text, line 3 has 1 cells where the header has 2"),
        ("a,b\n1,2,3\n", "the text, line 2 has 3 cells where the header has 2"),
        ("a,b,a\n1,2,3\n", "the text: 2 columns have the name 'a'; names must differ"),
        ("0.5,0.25\n1,2\n", "the first line must name the columns, but holds only numbers: 0.5"),
        ('a,b\n1,"2\n', "the text, line 2 is not well-formed"),
        ('a,b\n1,"2"3\n', "the text, line 2 is not well-formed"),
    ],
)
def test_bad_text_is_refused_in_one_sentence(text, message):
    with pytest.raises(InvalidInput, match=message) as caught:
        read_sheet(text)
    assert "\n" not in str(caught.value)


def test_missing_file(tmp_path):
    with pytest.raises(DataNotFound, match=r"there is no file .*absent\.csv"):
        read_sheet(tmp_path / "absent.csv")


def test_a_path_that_is_no_path():
    with pytest.raises(DataNotFound, match="can't be read"):
        read_sheet("a" * 5000)


def test_folder(tmp_path):
    with pytest.raises(InvalidInput, match="is a folder, not a file"):
        read_sheet(tmp_path)


@pytest.mark.parametrize("raw", [b"a,b\n\x00\x01,2\n", b"\x89PNG\r\n\x1a\n\xff\xfe", b"a,b\n\x81,2\n", b"\xff\xfea"])
def test_binary_file(tmp_path, raw):
    path = tmp_path / "file.csv"
    path.write_bytes(raw)
    with pytest.raises(InvalidInput, match=r"file\.csv is (a binary file, )?not text in UTF-8"):
        read_sheet(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
def test_the_encodings_that_spreadsheets_write(tmp_path, encoding):
    path = tmp_path / "file.csv"
    path.write_bytes("größe;Punkte\nschön;0,5\n".encode(encoding))
    sheet = read_sheet(path)
    assert sheet.header == ("größe", "Punkte")
    assert sheet.column("größe") == ["schön"]


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"\xd0\xcf\x11\xe0", "an old Excel workbook"),
        (b"%PDF-1.7", "a PDF document"),
    ],
)
def test_files_that_people_take_for_tables_are_named(tmp_path, start, kind):
    path = tmp_path / "file.csv"
    path.write_bytes(start + b"\n1,2\n")
    with pytest.raises(InvalidInput, match=f"^file.csv is {kind}, not text: save the table as CSV"):
        read_sheet(path)


def test_a_hundred_thousand_columns_are_read_and_a_name_that_occurs_twice_is_found():
    names = [f"c{i}" for i in range(100_000)]
    text = ",".join(names) + "\n" + ",".join("1" * len(names)) + "\n"
    assert len(read_sheet(text).header) == 100_000
    with pytest.raises(InvalidInput, match="2 columns have the name 'c5'"):
        read_sheet(text.replace("c6,", "c5,", 1))


def test_an_endless_cell_is_refused():
    with pytest.raises(InvalidInput, match="line 1 is not well-formed: field larger than field limit"):
        read_sheet("a" * 200_000 + ",b\n1,2\n")


@pytest.mark.parametrize("cell", ["nan", "inf", "-inf", "NaN", "1e999"])
def test_numbers_must_be_finite(cell):
    with pytest.raises(InvalidInput, match=f"line 3: column 'b' must hold finite numbers, got '{cell}'"):
        read_sheet(f"a,b\n1,2\n3,{cell}\n").numbers("b")


@pytest.mark.parametrize("cell", ["", "NA", "?", "nan", "None"])
def test_missing_numbers_where_they_are_allowed(cell):
    values = read_sheet(f"a,b\n1,2\n3,{cell}\n").numbers("b", allow_missing=True)
    assert values[0] == 2
    assert values[1] != values[1]


def test_infinity_is_never_a_missing_number():
    with pytest.raises(InvalidInput, match="finite numbers, got 'inf'"):
        read_sheet("a,b\n1,inf\n").numbers("b", allow_missing=True)


@pytest.mark.parametrize("cell", ["", "NaN", "-inf"])
def test_labels_must_be_there(cell):
    with pytest.raises(InvalidInput, match=f"line 2: column 'b' must hold a label, got '{cell}'"):
        read_sheet(f"a,b\n1,{cell}\n").labels("b")


def test_messages_name_a_few_of_very_many_columns():
    text = ",".join(f"c{i}" for i in range(5000)) + "\n" + ",".join("1" * 5000) + "\n"
    with pytest.raises(InvalidInput, match=r"no column 'x'; it has c0, c1, .*c11 … and 4,988 more$"):
        read_predictions(text, truth="x")
