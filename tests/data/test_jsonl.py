from __future__ import annotations

import json
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.data import read_predictions, read_table
from foldwise.data.formats import first_names, json_tables, read_sheet
from foldwise.data.text import NO_TEXT, Content

texts = (
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(str.strip).filter(lambda t: not NO_TEXT.search(t))
)
values = st.one_of(texts, st.booleans(), st.none(), st.integers(), st.floats())
keys = st.lists(st.text("abcä é", min_size=1, max_size=4).map(str.strip), min_size=1, max_size=4, unique=True)


def cell(value):
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


@given(st.data(), keys, st.booleans())
def test_what_the_json_module_writes_is_read_back(data, header, ascii_only):
    rows = data.draw(st.lists(st.tuples(*[values] * len(header)), min_size=1, max_size=5))
    lines = [json.dumps(dict(zip(header, row, strict=True)), ensure_ascii=ascii_only) for row in rows]
    sheet = read_sheet("\n".join(lines) + "\n")
    assert sheet.header == tuple(header)
    assert list(sheet.rows) == [tuple(cell(value) for value in row) for row in rows]


@given(st.permutations(["a", "b", "c"]))
def test_keys_may_come_in_any_order(order):
    row = {"a": "1", "b": "2", "c": "3"}
    text = json.dumps(row) + "\n" + json.dumps({key: row[key] for key in order}) + "\n"
    assert read_sheet(text).rows == (("1", "2", "3"),) * 2


def test_line_numbers_count_blank_lines_and_separators_inside_texts_end_no_line():
    sheet = read_sheet('\n{"a": "x\u2028y", "b": 1}\r\n\r\n{"a": "z", "b": "q"}\n')
    assert sheet.lines == (2, 4)
    assert sheet.rows[0] == ("x\u2028y", "1")
    with pytest.raises(InvalidInput, match=r"the text, line 4: column 'b' must hold numbers, got 'q'"):
        sheet.numbers("b")


def test_numbers_keep_their_digits_and_what_is_no_number_is_missing():
    sheet = read_sheet('{"a": 12345678901234567890, "b": NaN}\n{"a": 0.10, "b": null}\n')
    assert sheet.column("a") == ["12345678901234567890", "0.10"]
    assert all(math.isnan(value) for value in sheet.numbers("b", allow_missing=True))
    with pytest.raises(InvalidInput, match=r"line 1: column 'b' must hold a label, got 'NaN'"):
        sheet.labels("b")
    with pytest.raises(InvalidInput, match=r"must hold finite numbers, got '-Infinity'"):
        read_sheet('{"a": -Infinity}\n').numbers("a", allow_missing=True)


def test_true_and_false_are_marks():
    file = read_predictions('{"a": true, "b": false}\n{"a": false, "b": false}\n', truth="none")
    assert {name: list(column) for name, column in file.predictions.items()} == {
        "a": ["true", "false"],
        "b": ["false", "false"],
    }


def test_null_is_a_score_that_is_missing():
    assert read_table('{"data": "x", "nb": 0.5, "c45": null}\n').missing == (("x", "c45"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": [1]}\n', r"line 1: key 'a' must hold a text, a number, true, false or null, got a list$"),
        ('{"a": 1}\n{"a": {"b": 1}}\n', r"line 2: key 'a' must hold a text, .* or null, got an object$"),
        ('{"a": 1, "b": 2, "a": 3}\n', r"line 1 has the key 'a' 2 times; keys must differ$"),
        ('{"a": 1, " a": 3}\n', r"line 1 has the key 'a' 2 times"),
        ('{"a": 1}\n{"a": 1, "b": 2}\n', r"line 2 has the key 'b', which the first line has not; write null"),
        ('{"a": 1, "b": 2}\n{"a": 1}\n', r"line 2 lacks the key 'b', which the first line has; write null"),
        ('{"a": 1}\n[1, 2]\n', r"line 2 must be a JSON object with the columns' names as keys, got '\[1, 2\]'$"),
        ('{\n  "a": 1\n}\n', r"line 1 must be one JSON object, complete on its line, got '{': Expecting property"),
        ('{"a": 1}\n{"a": 1', r"line 2 must be one JSON object, complete on its line, got '{\"a\": 1': Expecting ','"),
        ('{"a": 1} {"a": 2}\n', r"line 1 must be one JSON object.*: Extra data$"),
        ('{"a": 1}\n{"a": ' + "[" * 100_000 + "\n", r"line 2 must be one JSON object.*…': "),
        ("{}\n", r"line 1 must have at least one key, got {}$"),
        ('{"a": "\\u0000"}\n', r"line 1 must hold text, but an escape in it stands for a character that is none$"),
        ('{"a": "\\ud800"}\n', r"line 1 must hold text, but an escape"),
    ],
)  # fmt: skip
def test_what_is_no_table_is_one_sentence(text, message):
    with pytest.raises(InvalidInput, match=message) as refused:
        read_sheet(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


def test_a_file_with_the_ending_is_refused_as_json_lines(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text("truth,nb\nyes,no\n")
    with pytest.raises(InvalidInput, match=r"^x.jsonl, line 1 must be one JSON object.*got 'truth,nb'"):
        read_sheet(path)


def test_the_first_names_of_bad_text_are_none():
    assert first_names(Content(text='{"a": \n')) == []


def test_what_pandas_writes_is_read(tmp_path):
    pd = pytest.importorskip("pandas")
    path = tmp_path / "x.jsonl"
    pd.DataFrame({"truth": ["a", "b"], "m": ["a", None], "score": [0.5, math.nan]}).to_json(
        path, orient="records", lines=True
    )
    assert read_sheet(path).rows == (("a", "a", "0.5"), ("b", "", ""))


VALUES = (
    "0", "1", "-1", "1.5", "-0.25", "1e-05", "1E+3", "01", "1.", "-", ".5", "+1", "true", "false", "null", "True",
    "NaN", "Infinity", "-Infinity", "nan", '"a"', '"a b"', '" x "', '""', '"null"', '"1"', '"é"', '"a,b"', '"}"', '"{"',
    "[1]",
    '{"q":1}', '"a\\nb"', '"\\u00e9"', "1 ", " 1", '"a" ', "123456789012345678901", "0.1234567890123456789", "", '"\t"',
    "1\xa0", '"","b":"',
)  # fmt: skip
USUAL = tuple(
    v for v in VALUES if v in {"0", "1", "1.5", "-0.25", "1e-05", "true", "null", '"a"', '"é"', '"null"', '""'}
)


def test_lines_that_are_alike_are_read_as_each_line_would_be():
    """Lines as delimited text give what the JSON decoder gives, or nothing: thousands of good and damaged files."""
    draw, quickly = random.Random(3), 0
    for _ in range(2000):
        keys, blank = draw.sample(["a", "b", "c d", "item"], draw.randint(1, 4)), draw.choice(["", " "])
        lines = []
        for _ in range(draw.randint(1, 5)):
            values = [draw.choice(VALUES if draw.random() < 0.06 else USUAL) for _ in keys]
            order = draw.sample(keys, len(keys)) if draw.random() < 0.03 else keys
            pairs = (f'"{k}":{blank}{v}' for k, v in zip(order, values, strict=True))
            lines.append("{" + f",{blank}".join(pairs) + "}" + "\n" * (draw.random() < 0.03))
        text = "\n".join(lines) + draw.choice(["\n", ""])
        if draw.random() < 0.1:
            place = draw.randrange(len(text))
            text = text[:place] + draw.choice('",}{\x1f\x01 1:\n') + text[place + draw.randint(0, 1) :]
        found = json_tables._read_alike(Content(text=text))
        if found is not None:
            each, quickly = json_tables._read_each(Content(text=text)), quickly + 1
            assert (found.header, list(found.lines), found.rows) == (each.header, list(each.lines), each.rows), text
            assert [list(found.categories(key)) for key in keys] == [each.column(key) for key in keys], text
    assert quickly > 500
