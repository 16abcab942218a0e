"""Rows counted and added up as they are recorded, checksums by columns, and stores of the version before."""

from __future__ import annotations

import math
import sqlite3
import struct
import zlib
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_rows import rows
from test_store_contract import key, record

from foldwise.core.errors import StoreError
from foldwise.engine.store import Store, opening
from foldwise.engine.store.schema import Tally, column_sums

SCORES = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)
WHOLE = st.integers(-(2**63), 2**63 - 1)


def damage(path, change):
    with sqlite3.connect(path) as connection:
        connection.execute(change)
    connection.close()


@pytest.fixture
def path(tmp_path):
    """Two series; the second has a score less than fits."""
    with Store(tmp_path / "s.db") as store:
        one, other = store.series(key()), store.series(key(seed=1))
        accuracy, kappa = store.scoring("accuracy", "a", (0.0, 1.0)), store.scoring("kappa", "k")
        store.record([record(one, i, i / 10) for i in range(7)] + [record(other, 2, 0.25)], accuracy)
        store.record([record(one, i, i / 5) for i in range(9)], kappa)
    return tmp_path / "s.db"


@given(st.lists(st.tuples(WHOLE, SCORES, WHOLE), min_size=1, max_size=9), st.integers(0, 2**32 - 1))
def test_checksums_by_columns_are_those_of_the_rows(rows, start):
    split, value, number = zip(*rows, strict=True)
    found = column_sums(start, [np.array(split), np.array(value), np.array(number)])
    assert found.tolist() == [zlib.crc32(struct.pack("<qdq", *row), start) for row in rows]


@given(st.lists(SCORES, min_size=1, max_size=20), st.data())
def test_a_mean_is_exact_whatever_the_order_and_the_parts(scores, data):
    exact = float(sum(map(Fraction, scores)) / len(scores))
    mixed, cut = data.draw(st.permutations(scores)), data.draw(st.integers(1, len(scores)))
    grown = Tally().grown(mixed[:cut])
    grown = grown.grown(mixed[cut:]) if mixed[cut:] else grown
    assert (grown.count, grown.mean, grown.least, grown.most) == (len(scores), exact, min(scores), max(scores))


def test_infinite_scores_have_an_infinite_mean():
    assert Tally().grown([1.0, math.inf]).grown([2.0]).mean == math.inf
    assert math.isnan(Tally().grown([math.inf]).grown([-math.inf]).mean)


def test_a_listing_counts_each_row_once(path):
    with Store(path) as store:
        store.record([record(1, i, 0.9) for i in range(5, 8)], 1)  # two of them are there already
        first, second = store.listing()
        scores = [row[6] for row in rows(store, 1, 1)]
    assert (first.splits, second.splits) == (9, 1)
    assert first.scores == {"accuracy": float(sum(map(Fraction, scores)) / 8), "kappa": pytest.approx(0.8)}
    assert second.scores == {"accuracy": 0.25}


def test_rows_that_are_not_recorded_are_not_counted(path):
    with Store(path) as store:
        before = store.listing()
        with pytest.raises(StoreError, match="must lie from 0 to 1"):
            store.record([record(1, 20, 0.5), record(1, 21, 7.0)], 1)
        assert store.listing() == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE tally SET count = 8 WHERE scoring_id = 0", "the count of series 1 does not match its checksum"),
        ("UPDATE tally SET total = '3/1'", "the count of series 1 does not match its checksum"),
        ("UPDATE tally SET series_id = 3 WHERE series_id = 2", "rows of a series or a scoring that there is not"),
        ("UPDATE tally SET scoring_id = 3 WHERE scoring_id = 2", "rows of a series or a scoring that there is not"),
    ],
)
def test_a_wrong_tally_is_noticed_and_not_continued(path, change, message):
    damage(path, change)
    with Store(path) as store, pytest.raises(StoreError, match=f"is damaged .*{message}"):
        store.listing()
    if "UPDATE tally SET count" in change:
        with Store(path) as store, pytest.raises(StoreError, match=message):
            store.record([record(1, 20)], 1)


@pytest.mark.parametrize(
    ("change", "split"),
    [
        ("UPDATE fit SET n_test = 4 WHERE split = 5", 5),
        ("UPDATE fit SET seconds = 'x' WHERE split = 4", 4),
        ("UPDATE score SET value = x'00' WHERE split = 3", 3),
        ("UPDATE score SET value = 0.0 WHERE split = 6", 6),
        ("DELETE FROM fit WHERE split = 2", 2),
    ],
)
@pytest.mark.parametrize("at_once", [2, 10_000])
def test_the_row_that_is_wrong_is_named(path, change, split, at_once, monkeypatch):
    monkeypatch.setattr("foldwise.engine.store.reading.AT_ONCE", at_once)
    damage(path, change)
    with (
        Store(path) as store,
        pytest.raises(StoreError, match=f"split {split} of series 1 does not match its checksum"),
    ):
        rows(store, 1, 1)


def test_a_listing_of_a_large_file_checks_the_tables_it_is_made_from(path, monkeypatch):
    monkeypatch.setattr(opening, "CHECK_BYTES", 1000)
    monkeypatch.setattr(opening, "_CHECKED", set())
    with sqlite3.connect(path) as connection:
        roots = dict(connection.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage"))
    connection.close()
    whole = path.read_bytes()
    for table in ("fit", "tally", "series"):
        data = bytearray(whole)
        data[(roots[table] - 1) * 4096 + 100 : roots[table] * 4096] = b"\xa5" * 3996
        path.write_bytes(data)
        with Store(path) as store:
            if table == "fit":
                assert [s.splits for s in store.listing()] == [9, 1]
                with pytest.raises(StoreError, match="is damaged"):
                    store.columns(1, 1)
            else:
                with pytest.raises(StoreError, match="is damaged"):
                    store.listing()


def test_rows_come_in_parts(path, monkeypatch):
    with Store(path) as store:
        whole = rows(store, 1, 2)
        monkeypatch.setattr("foldwise.engine.store.reading.AT_ONCE", 4)
        assert [len(part.split) for part in store.columns(1, 2)] == [4, 4, 1]
        assert rows(store, 1, 2) == whole
