from __future__ import annotations

import json

import pytest

from foldwise import lab
from foldwise.inference import calibrated
from foldwise.lab import calibrated_table
from foldwise.lab.calibrated_table import make_table, write_table


@pytest.fixture
def small(monkeypatch, tmp_path):
    made = make_table(trials=50, folds=(5,), runs=range(2, 5))
    write_table(tmp_path / calibrated.FILE, made)
    return json.loads((tmp_path / calibrated.FILE).read_text())


def test_the_generator_writes_what_the_look_up_reads(small, monkeypatch):
    monkeypatch.setattr(calibrated, "_table", lambda: small)
    for runs in (2, 3, 4):
        own = lab.calibrate(
            ["use_all_data"], runs=runs, folds=5, alpha=0.1, trials=50, seed=calibrated_table.SEED, n=calibrated_table.N
        )
        assert calibrated.calibrated_df("use_all_data", runs=runs, folds=5, alpha=0.1) == own.rows[0].df


def test_the_stamp_says_how_the_table_was_made(small):
    assert small["stamp"]["population"].startswith("IndependentBinary")
    assert small["stamp"]["trials"] == 50
    assert set(small["df"]["5"]["0.05"]) == set(calibrated.CALIBRATABLE)
    assert small["runs"] == [2, 4]


def test_the_packages_table_has_the_generators_schemes():
    kept = calibrated._table()
    assert tuple(map(int, kept["df"])) == calibrated_table.FOLDS
    assert tuple(map(float, kept["df"]["10"])) == calibrated_table.LEVELS
    assert kept["stamp"]["seed"] == calibrated_table.SEED
    assert all(
        len(values.split()) == len(calibrated_table.RUNS)
        for levels in kept["df"].values()
        for tests in levels.values()
        for values in tests.values()
    )
