"""Tables that are not text: packed, Parquet, workbooks; at every door the same as their CSV."""

import gzip
import io
import json
import zipfile

import pytest

from foldwise.core.errors import InvalidInput, LimitExceeded, MissingDependency
from foldwise.data import read_predictions, read_scores
from foldwise.data.formats import read_sheet
from foldwise.data.packed import table_text

ROWS = [("truth", "nb", "tree"), *(("x", "x", "y") if i % 3 else ("y", "x", "y") for i in range(12))]
CSV = "\n".join(",".join(row) for row in ROWS) + "\n"


def workbook(*sheets):
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


BOOK = workbook(ROWS)


def parquet(rows):
    import pyarrow as pa
    from pyarrow import parquet as pq

    columns = zip(*rows[1:], strict=True)
    out = io.BytesIO()
    pq.write_table(pa.table(dict(zip(rows[0], map(list, columns), strict=True))), out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("p.csv.gz", gzip.compress(CSV.encode(), mtime=0)),
        ("p.parquet", parquet(ROWS)),
        ("p.parquet.gz", gzip.compress(parquet(ROWS), mtime=0)),
        ("p.xlsx", workbook(ROWS)),
        ("p.json", json.dumps([dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]).encode()),
        ("p.json", json.dumps({"columns": ROWS[0], "data": ROWS[1:]}).encode()),
    ],
    ids=["gzip", "parquet", "gzip of parquet", "workbook", "records", "columns"],  # a workbook has its time
)
def test_every_wrapping_gives_the_same_table(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    (tmp_path / "p.csv").write_text(CSV)
    plain, found = read_predictions(tmp_path / "p.csv"), read_predictions(tmp_path / name)
    assert list(found.truth) == list(plain.truth)
    assert {key: list(value) for key, value in found.predictions.items()} == {
        key: list(value) for key, value in plain.predictions.items()
    }


def test_numbers_keep_every_digit(tmp_path):
    (tmp_path / "s.parquet").write_bytes(parquet([("a", "b"), (0.1 + 0.2, 1 / 3), (2.0, float("1e-17"))]))
    scores = read_scores(tmp_path / "s.parquet").scores
    assert scores["a"].tolist() == [0.1 + 0.2, 2.0]
    assert scores["b"].tolist() == [1 / 3, 1e-17]


def test_empty_rows_and_columns_around_a_sheet_do_not_matter():
    text = table_text(workbook([(None, None, None), (None, "a", "b"), (None, 1, 2.5)], []), "book.xlsx")
    assert text == "a,b\n1,2.5\n"


def test_two_filled_sheets_are_ambiguous():
    with pytest.raises(InvalidInput, match="one sheet with a table, got 2"):
        table_text(workbook([("a",), (1,)], [("b",), (2,)]), "book.xlsx")


def test_a_small_file_that_unpacks_to_much_is_refused():
    bomb = gzip.compress(b"0" * 2_000_000)
    with pytest.raises(LimitExceeded, match="unpacks to more than 1,000 bytes"):
        table_text(bomb, "bomb.gz", most=1000)
    with pytest.raises(LimitExceeded, match="unpacks to more than"):
        table_text(workbook([("a",), *((i,) for i in range(3000))]), "book.xlsx", most=1000)


@pytest.mark.parametrize(
    "content",
    [parquet(ROWS)[:-20], b"PAR1 and no more", gzip.compress(CSV.encode(), mtime=0)[:-9]],
    ids=["parquet cut", "parquet without content", "gzip cut"],
)
def test_damage_is_one_sentence(content):
    with pytest.raises(InvalidInput, match="damaged"):
        table_text(content, "file")


def test_an_archive_that_is_no_workbook_is_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(InvalidInput, match="zip archive without a workbook"):
        table_text(out.getvalue(), "a.zip")


def test_without_the_package_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(MissingDependency, match=r"foldwise\[excel\]"):
        table_text(BOOK, "b.xlsx")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ('[{"a": 1}, 2]', "record 2 must be an object"),
        ('{"columns": ["a"], "data": [[1, 2]]}', "row 1 must have 1 cells"),
        ('{"columns": ["a", "a"], "data": [[1, 2]]}', "different names"),
        ('[{"a": 1}', "must be whole JSON"),
    ],
)
def test_bad_json_is_one_sentence(text, match):
    with pytest.raises(InvalidInput, match=match):
        read_sheet(text)


def test_a_quoted_minus_is_a_minus(tmp_path):
    (tmp_path / "m.csv").write_text('"a","b"\n"\'-0.41","0.5"\n"\'-0.37","\'+0.5"\n')
    assert read_sheet(tmp_path / "m.csv").numbers("a").tolist() == [-0.41, -0.37]
