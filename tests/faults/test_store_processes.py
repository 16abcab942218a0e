"""Stores whose processes are killed, that many create at once, that vanish, or that can't be written."""

from __future__ import annotations

import random
import shutil
import sqlite3
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import pytest
import warm
from store_rows import rows
from studies import Centroid, Coin, Gated, blobs

from foldwise.core.errors import StoreError
from foldwise.engine import run
from foldwise.engine.store import Store, opening
from foldwise.resampling import RepeatedKFold

X, Y = blobs()

OPEN = """
    import sys, time
    from foldwise.engine.store import Store
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(sys.argv[2])):
        with Store(f"{sys.argv[1]}{number}") as store:
            store.scoring("accuracy", "a")
            time.sleep(float(sys.argv[3]))
"""


def start(*args, code=OPEN):
    """A process that has imported everything and waits for a line."""
    process = warm.start("-c", textwrap.dedent(code), *args)
    assert process.stdout.readline() == "ready\n", process.communicate()[1]
    return process


def go(process):
    process.stdin.write("\n")
    process.stdin.flush()


def test_processes_that_create_a_store_at_once_all_get_it(tmp_path, rounds):
    stores = rounds(10)
    processes = [start(tmp_path / "s", stores, 0) for _ in range(8)]
    for process in processes:
        go(process)
    assert [process.communicate()[1] for process in processes] == [""] * 8
    for number in range(stores):
        with Store(tmp_path / f"s{number}") as store:
            assert store.scorings() == {"accuracy": [1]}


def test_a_kill_while_a_store_is_created_leaves_one_that_opens(tmp_path, rounds):
    rng = random.Random(0)
    for number in range(rounds(4)):
        folder = tmp_path / str(number)
        folder.mkdir()
        process = start(folder / "s", 50, 0)
        go(process)
        time.sleep(rng.uniform(0, 0.1))
        process.kill()
        process.communicate()
        for file in folder.glob("s*[0-9]"):
            with Store(file) as store:
                store.scoring("accuracy", "a")
                assert store.scorings() == {"accuracy": [1]}


def test_a_hot_journal_of_the_creation_is_rolled_back(tmp_path):
    # the state after a kill between SQLite's write of the pages and its deletion of the journal
    path = tmp_path / "s.db"
    script = """
        import os, sqlite3, sys
        from foldwise.engine.store.schema import TABLES
        print("ready", flush=True)
        sys.stdin.readline()
        connection = sqlite3.connect(sys.argv[1], isolation_level=None)
        connection.execute("PRAGMA cache_size=1")
        connection.execute("PRAGMA cache_spill=1")
        connection.execute("BEGIN IMMEDIATE")
        for statement in TABLES.split(";"):
            connection.execute(statement)
        connection.execute("CREATE TABLE filler (a)")
        connection.executemany("INSERT INTO filler VALUES (?)", [("x" * 3000,) for _ in range(50)])
        os.kill(os.getpid(), 9)
    """
    process = start(path, code=script)
    go(process)
    process.communicate()
    assert (tmp_path / "s.db-journal").exists()
    assert path.stat().st_size > 4096
    with Store(path) as store:
        assert store.listing() == []


FREE = 10
"""Fits of the gated learner that a study makes at once, of fifty."""

STUDY = """
    import sys
    sys.path.insert(0, sys.argv[2])
    from studies import Coin, Gated, blobs
    from foldwise.core.errors import StoreError
    from foldwise.engine import driver, run
    from foldwise.resampling import RepeatedKFold
    driver.CHUNK_SECONDS = 0  # every split is reported by itself
    X, y = blobs()
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        run({"a": Gated(sys.argv[3], int(sys.argv[4])), "b": Coin()}, X, y, RepeatedKFold(10, 5), store=sys.argv[1])
    except StoreError as error:
        sys.exit(str(error))
"""


@pytest.fixture
def study(tmp_path):
    """Starts a study that waits, when its store has some rows, for the folder's file 'open'; ends it in any case."""
    processes = []

    def begin(path):
        here = next(folder for folder in sys.path if folder.endswith("tests/engine"))
        processes.append(start(path, here, path.parent, FREE, code=STUDY))
        go(processes[-1])
        deadline = time.monotonic() + 120
        while _rows(path) < FREE:
            assert processes[-1].poll() is None, processes[-1].communicate()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return processes[-1]

    yield begin
    for process in processes:
        process.kill()
        process.communicate()


def _rows(path):
    if not path.exists():
        return 0
    try:
        with sqlite3.connect(path, timeout=5) as connection:
            return connection.execute("SELECT COUNT(*) FROM fit").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        if "connection" in locals():
            connection.close()


def test_a_study_killed_with_its_store_behind_a_link_continues(tmp_path, study, rounds):
    (tmp_path / "there").mkdir()
    for number in range(rounds(2)):
        folder = tmp_path / str(number)
        folder.mkdir()
        real, link = tmp_path / "there" / f"{number}.db", folder / "s.db"
        link.symlink_to(real)
        process = study(link)
        process.kill()
        process.communicate()
        assert real.with_name(f"{number}.db-wal").exists()
        (folder / "open").touch()
        result = run({"a": Gated(str(folder), FREE), "b": Coin()}, X, Y, RepeatedKFold(10, 5), store=link)
        assert FREE <= result.found <= 2 * FREE
        assert result.scores.tolist() == run({"a": Centroid(), "b": Coin()}, X, Y, RepeatedKFold(10, 5)).scores.tolist()


RECORD = """
    import sys
    sys.path.insert(0, sys.argv[2])
    from test_store_contract import key, record
    from foldwise.engine.store import Store
    with Store(sys.argv[1]) as store:
        series, scorings = store.series(key()), [store.scoring(name, name) for name in ("accuracy", "kappa")]
        print("ready", flush=True)
        sys.stdin.readline()
        for first in range(0, 10**6, 50):
            for place, scoring in enumerate(scorings):
                store.record([record(series, i, i / 7 - place) for i in range(first, first + 50)], scoring)
"""


def test_a_kill_between_rows_and_their_count_leaves_both_or_neither(tmp_path, rounds):
    here, rng = next(folder for folder in sys.path if folder.endswith("tests/engine")), random.Random(1)
    for number in range(rounds(3)):
        path = tmp_path / f"{number}.db"
        process = start(path, here, code=RECORD)
        go(process)
        deadline = time.monotonic() + 120
        while _rows(path) < 100:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
        time.sleep(rng.uniform(0, 0.05))
        process.kill()
        process.communicate()
        with Store(path) as store:
            (listed,) = store.listing()
            kept = {name: rows(store, listed.id, number) for name, (number,) in store.scorings().items()}
        assert listed.splits == len(kept["accuracy"]) >= 100
        assert {name: len(found) % 50 for name, found in kept.items()} == {"accuracy": 0, "kappa": 0}
        for name, found in kept.items():
            assert listed.scores[name] == pytest.approx(sum(row[6] for row in found) / len(found), rel=1e-12)


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (lambda path: path.unlink(), "was deleted or renamed while it was in use"),
        (lambda path: path.rename(path.with_name("other.db")), "was deleted or renamed while it was in use"),
        (lambda path: path.write_bytes(b""), "was cut off while it was in use|is damaged"),
        (lambda path: path.with_name(path.name + "-wal").unlink(), "lost its journal 's.db-wal' while it was in use"),
        (lambda path: (shutil.copy(path, path.with_name("c")), path.with_name("c").rename(path)), "was replaced"),
    ],
    ids=["deleted", "renamed", "truncated", "journal deleted", "replaced"],
)
def test_a_store_that_vanishes_during_a_run_is_noticed(tmp_path, study, harm, message):
    process = study(tmp_path / "s.db")
    harm(tmp_path / "s.db")
    (tmp_path / "open").touch()
    _, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert len(err.strip().splitlines()) == 1
    assert any(part in err for part in message.split("|")), err


READ = """
    import os, shutil, sys
    from click.testing import CliRunner
    from foldwise.cli.store import command
    path, copy = sys.argv[1:]
    def read(path):
        calls = ["ls", path], ["show", path, "1", "--json"], ["export", path]
        return [CliRunner().invoke(command, call, catch_exceptions=False).output for call in calls]
    # as the superuser first, whom rights do not bind: the other may not be allowed to read Python's own files later
    first = read(copy)
    print("ready", flush=True)
    sys.stdin.readline()
    if os.getuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    assert not (os.access(path, os.W_OK) and os.access(os.path.dirname(path), os.W_OK))
    second = read(path)
    # the title stands at the right, after as many blanks as its path leaves
    words = [[text.replace(path, copy).split() for text in texts] for texts in (first, second)]
    assert words[0] == words[1], (first, second)
    print("read", len(second[2].splitlines()))
"""


@pytest.fixture
def open_path():
    """A folder that others may enter, which pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize(("what", "journal"), [("file", False), ("folder", False), ("both", True)])
def test_a_store_that_can_not_be_written_can_be_read(open_path, study, what, journal):
    folder = open_path / "store"
    folder.mkdir()
    path = folder / "s.db"
    if journal:
        process = study(path)
        process.kill()
        process.communicate()
    else:
        run({"a": Centroid(), "b": Coin()}, X, Y, RepeatedKFold(2, 5), store=path)
    shutil.copytree(folder, open_path / "copy")
    for file in folder.iterdir():
        file.chmod(0o666 if what == "folder" else 0o444)
    folder.chmod(0o777 if what == "file" else 0o555)
    process = start(path, open_path / "copy" / "s.db", code=READ)
    out, err = process.communicate("\n")
    folder.chmod(0o755)
    assert process.returncode == 0, err
    assert int(out.split()[1]) > 10


def test_large_files_are_checked_too(tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "CHECK_BYTES", 1000)
    path = tmp_path / "s.db"
    run({"a": Centroid(), "b": Coin()}, X, Y, RepeatedKFold(20, 5), store=path)
    monkeypatch.setattr(opening, "_CHECKED", set())
    data = bytearray(path.read_bytes())
    data[-4096:] = b"\xa5" * 4096
    path.write_bytes(data)
    # in the background, but no row is handed on or written before it is through
    for use in (
        Store.scorings,
        Store.origins,
        lambda store: store.recall(1, range(1), 1),
        lambda store: store.columns(1, 1),
        lambda store: store.find_blocks("", range(1)),
        lambda store: store.scoring("accuracy", "a"),
    ):
        with Store(path) as store, pytest.raises(StoreError, match="is damaged"):
            use(store)
    Store(path).close()  # a check that nobody waits for ends
    assert set() == opening._CHECKED
