"""A clock that is set forth and back by ten years changes no answer, no limit, and nobody's files.

What takes time is measured by the monotonic clock; what is written (rows of a store, looks of a gate) is in the order
in which it was written, whatever the dates beside it.
"""

from __future__ import annotations

import json
import tempfile
import time
from datetime import datetime, timedelta
from itertools import cycle

import numpy as np
import pytest

import foldwise as fw
from foldwise.cli.main import main
from foldwise.comparison import gates
from foldwise.core.files import temporary_folder

YEARS = timedelta(days=3650)
RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(60, 3)), np.arange(60) % 2


@pytest.fixture
def jumping(monkeypatch):
    """Each look at the clock is ten years before or after the last one."""
    now, jumps = time.time, cycle([YEARS.total_seconds(), -YEARS.total_seconds()])
    monkeypatch.setattr(time, "time", lambda: now() + next(jumps))


def test_a_store_goes_on_whatever_its_dates(jumping, tmp_path):
    plain = fw.compare(["nb", "1nn"], X, Y, runs=3, folds=5, test="corrected_repeated_cv_t")
    options = fw.Options(store=tmp_path / "store.sqlite")
    for runs in (1, 2, 3):
        found = fw.compare(["nb", "1nn"], X, Y, runs=runs, folds=5, test="corrected_repeated_cv_t", options=options)
    assert found.to_dict()["pairs"] == plain.to_dict()["pairs"]


def test_limits_of_time_are_kept(jumping):
    began = time.monotonic()
    found = fw.compare(["nb", "1nn"], X, Y, runs=2, folds=5, options=fw.Options(max_seconds=600))
    assert found.pairs
    assert time.monotonic() - began < 600


def test_looks_of_a_gate_are_counted_as_they_come(tmp_path, monkeypatch, capsys):
    class Jumping(datetime):
        jumps = cycle([YEARS, -YEARS])

        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + next(cls.jumps)

    def looks(name):
        found = []
        for right in (0.8, 0.81, 0.82):
            marks = (np.random.default_rng(1).random(200) < right).astype(int)
            (tmp_path / "new.csv").write_text("item,correct\n" + "".join(f"{i},{m}\n" for i, m in enumerate(marks)))
            capsys.readouterr()
            with pytest.raises(SystemExit):
                main(["gate", "--candidate", str(tmp_path / "new.csv"), "--baseline", str(tmp_path / "old.csv"),
                      "--history", str(tmp_path / name), "--fail-if", "not-better", "--json"])  # fmt: skip
            found.append(json.loads(capsys.readouterr().out)["look"])
        return [(look["number"], look["alpha"]) for look in found]

    old = (np.random.default_rng(2).random(200) < 0.8).astype(int)
    (tmp_path / "old.csv").write_text("item,correct\n" + "".join(f"{i},{m}\n" for i, m in enumerate(old)))
    steady = looks("steady.jsonl")
    monkeypatch.setattr(gates, "datetime", Jumping)
    assert looks("jumping.jsonl") == steady
    assert [number for number, _ in steady] == [1, 2, 3]
    dates = [json.loads(line)["time"] for line in (tmp_path / "jumping.jsonl").read_text().splitlines()]
    assert dates != sorted(dates)


def test_a_folder_in_use_is_left_alone(jumping, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with temporary_folder() as first, temporary_folder(), temporary_folder():
        assert first.exists()


def test_following_goes_on_from_look_to_look(jumping, tmp_path, monkeypatch, capsys):
    path, written = tmp_path / "marks.csv", iter(range(60, 601, 60))

    def write(_=None):
        n = next(written)
        rows = "".join(f"{int(i % 10 < 9)},{int(i % 10 < 4)}\n" for i in range(n))
        path.write_text("new,old\n" + rows)

    write()
    monkeypatch.setattr(time, "sleep", write)
    main(["watch", str(path), "--truth", "none", "--follow", "--json"])
    assert json.loads(capsys.readouterr().out)["may_stop"]
