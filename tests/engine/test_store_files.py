"""Files that are no store, damaged, newer, locked or on a full disk."""

from __future__ import annotations

import sqlite3
import struct

import pytest
from test_store_contract import key, record

from foldwise.core.errors import StoreError
from foldwise.engine.store import Store
from foldwise.engine.store.schema import VERSION


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "results.db"
    with Store(file) as store:
        series, scoring = store.series(key()), store.scoring("accuracy", "a")
        store.record([record(series, i) for i in range(2000)], scoring)
    return file


def refused(path, message):
    before, folder = path.read_bytes(), sorted(path.parent.iterdir())
    with pytest.raises(StoreError, match=message):
        Store(path)
    assert path.read_bytes() == before
    assert sorted(path.parent.iterdir()) == folder


def test_a_text_file_is_refused(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("learner,score\nnb,0.9\n" * 20)
    refused(file, r"is not a results store \(no SQLite file\); it was left as it is")


def test_an_sqlite_file_of_another_program_is_refused(tmp_path):
    file = tmp_path / "other.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE mine (a)")
    connection.close()
    refused(file, "is an SQLite file of another program")


def test_a_store_of_a_newer_version_is_refused(path):
    data = bytearray(path.read_bytes())
    data[60:64] = struct.pack(">I", VERSION + 1)
    path.write_bytes(data)
    refused(path, rf"has schema {VERSION + 1}, but this version of foldwise knows up to {VERSION}: upgrade foldwise")


def test_a_store_of_an_earlier_version_is_refused(path):
    data = bytearray(path.read_bytes())
    data[60:64] = struct.pack(">I", VERSION - 1)
    path.write_bytes(data)
    refused(path, rf"has schema {VERSION - 1} of an earlier foldwise: name a new file; it was left as it is")


def test_a_truncated_store_is_refused(path):
    path.write_bytes(path.read_bytes()[:-5000])
    refused(path, r"is damaged \(database disk image is malformed\); it was left as it is")


def test_a_store_with_overwritten_pages_is_refused(path):
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = b"\xa5" * 4096
    path.write_bytes(data)
    refused(path, r"is damaged \(.+\); it was left as it is")


def test_an_empty_file_becomes_a_store(tmp_path):
    file = tmp_path / "new.db"
    file.touch()
    with Store(file) as store:
        assert store.listing() == []


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(StoreError, match=r"can't be created: there is no folder '.*nowhere'"):
        Store(tmp_path / "nowhere" / "results.db")


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(StoreError, match="must be a file, but it is a folder"):
        Store(tmp_path)


def test_a_file_that_can_not_be_written_is_named(path):
    # the rights of a file do not stop the superuser, a connection that may only read does
    with Store(path) as store:
        store._connection.execute("PRAGMA query_only=1")
        with pytest.raises(StoreError, match="can't be written: check the permissions of the file and its folder"):
            store.series(key(seed=9))


def test_a_full_disk_is_named_and_loses_nothing(path):
    with Store(path) as store:
        series, scoring = store.series(key()), store.scoring("accuracy", "a")
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count={pages + 1}")
        with pytest.raises(StoreError, match="can't grow: the disk is full; what was stored before is safe"):
            store.record([record(series, i) for i in range(2000, 9000)], scoring)
        assert len(list(store.recall(series, range(10_000), scoring))) == 2000
    with Store(path) as again:
        assert len(list(again.recall(series, range(10_000), scoring))) == 2000


def test_a_lock_that_stays_is_named(path, monkeypatch):
    monkeypatch.setattr("foldwise.engine.store.opening.BUSY_SECONDS", 0.05)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with Store(path) as store, pytest.raises(StoreError, match="is locked by another process"):
        store.series(key(seed=9))
    holder.close()
