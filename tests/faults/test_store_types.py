"""A store whose columns hold values of other types than they should: one sentence, whatever is asked of it."""

from __future__ import annotations

import contextlib
import random
import shutil
import sqlite3

from click.testing import CliRunner
from studies import Centroid, blobs

from foldwise.cli.store import command
from foldwise.core.errors import FoldwiseError
from foldwise.engine import run
from foldwise.resampling import RepeatedKFold

X, Y = blobs()
VALUES = ("'abc'", "x'00ff'", "1e300", "NULL", "-5", "99999999999999")


def columns(path):
    connection = sqlite3.connect(path)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = [(table, row[1]) for table in tables for row in connection.execute(f"PRAGMA table_info({table})")]
    connection.close()
    return found


def change(path, table, column, value):
    """Whether SQLite let the value in."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA foreign_keys=0")
        changed = connection.execute(f"UPDATE {table} SET {column} = {value}").rowcount
        connection.commit()
    except sqlite3.Error:
        changed = 0
    connection.close()
    return changed > 0


def ask(path):
    """Everything that a store is asked; only errors of ours may come."""
    for words in (["ls", str(path)], ["show", str(path), "1"], ["export", str(path)]):
        error = CliRunner().invoke(command, words).exception
        if error is not None and not isinstance(error, (FoldwiseError, SystemExit)):
            raise error
    with contextlib.suppress(FoldwiseError):
        run({"a": Centroid()}, X, Y, RepeatedKFold(2, 4), store=path)


def test_values_of_other_types_are_one_sentence(tmp_path, rounds):
    good, bad = tmp_path / "good.db", tmp_path / "bad.db"
    run({"a": Centroid()}, X, Y, RepeatedKFold(2, 4), store=good)
    cases = [("origin", "id", "-5"), *((*place, value) for place in columns(good) for value in VALUES)]
    random.Random(0).shuffle(cases)
    cases.sort(key=lambda case: case != ("origin", "id", "-5"))  # ended in a KeyError
    for table, column, value in cases[: rounds(40)]:
        for left in tmp_path.glob("bad.db*"):
            left.unlink()
        shutil.copy(good, bad)
        if change(bad, table, column, value):
            ask(bad)
