"""Parquet columns are read as the same table in CSV would be, without a detour through text."""

from __future__ import annotations

import contextlib
import csv
import datetime as dt
import io
import random

import numpy as np
import pytest

from foldwise.core.errors import InvalidInput
from foldwise.data import read_predictions
from foldwise.data.formats import read_sheet
from foldwise.data.formats.parquet import parquet_sheet

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

COLUMNS = {
    "whole": pa.array([3, None, -1, None, 2**60], pa.int64()),
    "half": pa.array([0.1, float("nan"), None, None, float("inf")], pa.float64()),
    "short": pa.array([0.1, 0.5, None, None, -0.0], pa.float32()),
    "text": pa.array([" a", "b ", "", None, "a"]),
    "flag": pa.array([True, False, None, None, True]),
    "coded": pa.DictionaryArray.from_arrays(pa.array([1, 0, None, None, 1]), pa.array(["z", " y", "unused"])),
    "day": pa.array([dt.date(2024, 1, 2), None, None, None, dt.date(2024, 1, 3)]),
}


def packed(columns):
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def as_csv(columns):
    table = pa.table(columns)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(table.column_names)
    for row in table.to_pylist():
        writer.writerow([repr(v) if isinstance(v, float) else "" if v is None else str(v) for v in row.values()])
    return out.getvalue()


def test_every_column_is_that_of_the_csv(tmp_path):
    path = tmp_path / "x.parquet"
    path.write_bytes(packed(COLUMNS))
    ours, text = read_sheet(path), read_sheet(as_csv(COLUMNS))
    assert ours.header == text.header
    assert ours.rows == text.rows  # without the fourth, which is empty
    assert list(ours.lines) == list(text.lines) == [2, 3, 4, 6]
    for where, name in enumerate(ours.header):
        assert ours.column(name) == text.column(name)
        assert ours.cells.texts(where, np.array([2, 0])) == text.cells.texts(where, np.array([2, 0]))
        found, expected = ours.categories(name), text.categories(name)
        assert (found.labels, found.codes.tolist()) == (expected.labels, expected.codes.tolist())
    for name in ("whole", "half", "short"):
        there = [i for i, cell in enumerate(text.column(name)) if cell not in ("", "nan", "inf")]
        values, unread = ours.cells.decimals(ours.positions[name])
        assert values[there].tolist() == [float(text.column(name)[i]) for i in there]
        assert sorted({*range(4)} - {*there}) == unread.tolist()


@pytest.mark.parametrize("kind", [pa.list_(pa.int64()), pa.struct([("a", pa.int64())]), pa.binary()])
def test_what_no_cell_can_hold_is_refused(kind):
    with pytest.raises(InvalidInput, match=r"x\.parquet must hold text and numbers, got .* in column 'a'"):
        parquet_sheet(packed({"a": pa.nulls(3, kind)}), "x.parquet", 1 << 30)


@pytest.mark.parametrize("seed", range(60))
def test_damage_is_one_sentence_or_a_table(tmp_path, seed):
    rng = random.Random(seed)
    raw = bytearray(packed({"truth": ["ü", "n"] * 40, "a": ["n", "ü"] * 40, "b": ["n", "n"] * 40}))
    for _ in range(rng.randrange(1, 9)):
        raw[rng.randrange(4, len(raw))] = rng.randrange(256)
    path = tmp_path / "x.parquet"
    path.write_bytes(raw)
    with contextlib.suppress(InvalidInput):
        assert len(read_predictions(path).names) >= 1
