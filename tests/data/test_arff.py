from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.papers_data import made_arff

from foldwise.core.errors import InvalidInput
from foldwise.data.dataset import DataColumn
from foldwise.data.formats.arff import parse_arff, quote, to_arff

# any text but lone surrogates; NUL is what tells a binary file
words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)
finite = st.floats(allow_nan=False, allow_infinity=False)


def parse(body, header="@relation t\n@attribute x real\n@attribute c {a,b}\n@data\n"):
    return parse_arff(header + body, "t.arff")[1]


@st.composite
def columns(draw):
    names = draw(st.lists(words, min_size=1, max_size=4, unique=True))
    rows = draw(st.integers(1, 5))
    return [draw(column(name, rows)) for name in names]


@st.composite
def column(draw, name, rows):
    if draw(st.booleans()):
        values = draw(st.lists(finite | st.just(np.nan), min_size=rows, max_size=rows))
        return DataColumn(name=name, values=np.array(values))
    categories = draw(st.lists(words, min_size=1, max_size=4, unique=True))
    cells = draw(st.lists(st.sampled_from([*categories, None]), min_size=rows, max_size=rows))
    return DataColumn.nominal(name, cells, categories)


@given(columns(), words)
def test_what_is_written_is_read_back(written, relation):
    name, read = parse_arff(to_arff(relation, written), "t.arff")
    assert name == relation
    assert [c.name for c in read] == [c.name for c in written]
    assert [c.categories for c in read] == [c.categories for c in written]
    for before, after in zip(written, read, strict=True):
        np.testing.assert_array_equal(after.values, before.values)


@given(words)
def test_quoting_hides_nothing(word):
    read = parse_arff(f"@relation t\n@attribute {quote(word)} {{{quote(word)}}}\n@data\n{quote(word)}\n", "t")[1][0]
    assert (read.name, read.categories, read.values.tolist()) == (word, (word,), [0])


@pytest.mark.parametrize(
    ("declaration", "name", "categories"),
    [
        ("@ATTRIBUTE size REAL", "size", None),
        ("@attribute 'my size' integer [1,10]", "my size", None),
        ('@attribute "double" numeric', "double", None),
        ("@attribute\ttabbed\tNumeric", "tabbed", None),
        ("@attribute c { f, t}", "c", ("f", "t")),
        ("@attribute c{f,t}", "c", ("f", "t")),
        ("@attribute c {f t}", "c", ("f", "t")),
        ("@attribute c {'a b', \"c,d\", 'it\\'s', 'q?'}", "c", ("a b", "c,d", "it's", "q?")),
        ("@attribute c {'?', x} % the question mark is a value", "c", ("?", "x")),
        ("@attribute 'p%' {'5%', x}", "p%", ("5%", "x")),
    ],
)
def test_declarations_of_wekas_dialect(declaration, name, categories):
    column = parse_arff(f"@relation r\n{declaration}\n@data\n?\n", "t.arff")[1][0]
    assert (column.name, column.categories) == (name, categories)
    assert np.isnan(column.values).all()


@pytest.mark.parametrize(
    "row",
    ["1.5,b", " 1.5 ,  b ", "1.5\tb", "1.5 b", "1.5,'b'", '1.5, "b"', "1.5 'b'", "1.5,b % note", "1.5,b\r", "+1.5e0,b"],
)
def test_rows_of_wekas_dialect(row):
    x, c = parse(f"% comment with 'an odd quote\n\n{row}\n")
    assert (x.values.tolist(), c.values.tolist()) == ([1.5], [1])


def test_a_quoted_question_mark_is_a_value_and_an_unquoted_one_is_missing():
    column = parse_arff("@relation r\n@attribute c {'?',x}\n@data\n'?'\n?\nx\n", "t")[1][0]
    np.testing.assert_array_equal(column.values, [0, np.nan, 1])


def test_string_attributes_become_nominal():
    column = parse_arff("@relation r\n@attribute c string\n@data\n'b c'\na\n?\n", "t")[1][0]
    assert column.categories == ("a", "b c")
    np.testing.assert_array_equal(column.values, [1, 0, np.nan])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("1,a\n{0 1, 1 a}\n", r"t\.arff, line 6: sparse rows .* are not supported"),
        ("1,a,{2}\n", r"line 5: instance weights \(\{2\}\) are not supported"),
        ("1\n", "line 5 has 1 values where 2 attributes are declared"),
        ("1,a,b\n", "line 5 has 3 values where 2 attributes are declared"),
        (",a\n", "line 5: attribute 'x' must hold finite numbers, got ''"),
        ("\n1,a\nx,a\n", "line 7: attribute 'x' must hold finite numbers, got 'x'"),
        ("1e999,a\n", "must hold finite numbers, got '1e999'"),
        ("NaN,a\n", "must hold finite numbers, got 'NaN'"),
        ("1_0,a\n", "must hold finite numbers, got '1_0'"),
        ("'?',a\n", r"must hold finite numbers, got '\?'"),
        ("1,c\n", "line 5: 'c' is not a declared value of attribute 'c'"),
        ("1,'?'\n", r"line 5: '\?' is not a declared value of attribute 'c'"),
        ("", "t.arff has no rows after @data"),
    ],
)
def test_bad_rows(body, message):
    with pytest.raises(InvalidInput, match=message):
        parse(body)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.arff is not an ARFF file: it has no @data line"),
        ("@relation r\n@attribute x real\n", "it has no @data line"),
        ("@relation r\n@data\n1\n", "t.arff declares no attributes"),
        ("a,b\n1,2\n", "line 1: expected @relation, @attribute or @data, got 'a,b'"),
        ("@attribute x\n", "line 1: an attribute needs a name and a type"),
        ("@attribute x date 'qqq'\n", "attribute 'x' has dates in a form that is not known, \"date 'qqq'\""),
        ("@attribute x date yyyy\n@data\nsoon\n", "line 3: 'soon' is no date in the form of attribute 'x'"),
        ("@attribute x relational\n", "attribute 'x' must be numeric, nominal, string or date, got type 'relational'"),
        ("@attribute x {a,b\n", "attribute 'x': the list of values must end with '}' on the same line"),
        ("@attribute x {a,b,a}\n", "attribute 'x': value 'a' is declared twice"),
        ("@attribute x real\n@attribute x real\n@data\n1,2\n", "declares attribute 'x' twice"),
    ],
)
def test_bad_headers(text, message):
    with pytest.raises(InvalidInput, match=message):
        parse_arff(text, "t.arff")


@pytest.mark.parametrize(
    ("kind", "cells", "dates"),
    [
        ("date", ["2024-01-31T12:30:00", "?"], ["2024-01-31T12:30:00"]),
        ("DATE 'yyyy-MM-dd HH:mm:ss.SSS'", ["'2024-01-31 12:30:05.250'"], ["2024-01-31T12:30:05.250000"]),
        ('date "dd.MM.yy"', ["31.01.24"], ["2024-01-31T00:00:00"]),
        ("date 'd MMM yyyy, h a'", ["'31 Jan 2024, 1 PM'"], ["2024-01-31T13:00:00"]),
        ("date \"yyyy'W'MM\"", ["2024W02"], ["2024-02-01T00:00:00"]),
    ],
)
def test_dates_are_read_in_the_form_that_the_file_declares(kind, cells, dates):
    rows = "\n".join(cells)
    (column,) = parse_arff(f"@relation r\n@attribute when {kind}\n@data\n{rows}\n", "t.arff")[1]
    assert column.categories == tuple(dates)
    assert np.isnan(column.values[1:]).all()


@pytest.mark.parametrize("name", ["balance-scale", "contact-lenses"])
def test_what_anybody_can_write_down_is_what_weka_reads(name):
    """Two of the papers' files can be made; their content is that of the files, by the digests of Weka's loader."""
    digests = Path(__file__).parents[1] / "reference" / "weka" / "arff_digests.tsv"
    line = next(line for line in digests.read_text().splitlines() if line.startswith(f"{name}.arff"))
    columns = parse_arff(made_arff(name), name)[1]
    table = np.column_stack([column.values for column in columns])
    assert hashlib.sha256(table.astype(">f8").tobytes()).hexdigest() == line.split("\t")[3]
    words = [word for column in columns for word in (column.name, *(column.categories or ()))]
    assert hashlib.sha256("".join(f"{word}\n" for word in words).encode()).hexdigest() == line.split("\t")[4]
