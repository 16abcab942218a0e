from __future__ import annotations

import json

import pytest
from measuring import stored
from measuring.stored import calibrated_table, write_calibrated

from foldwise import lab
from foldwise.inference import repeated_cv


@pytest.fixture
def small(monkeypatch, tmp_path):
    made = calibrated_table(trials=50, folds=(5,), runs=range(2, 5))
    write_calibrated(made, tmp_path / repeated_cv.FILE)
    return json.loads((tmp_path / repeated_cv.FILE).read_text())


def test_the_generator_writes_what_the_look_up_reads(small, monkeypatch):
    monkeypatch.setattr(repeated_cv, "_table", lambda: small)
    for runs in (2, 3, 4):
        own = lab.calibrate(["use_all_data"], runs=runs, folds=5, alpha=0.1, trials=50, seed=stored.SEED, n=stored.N)
        assert repeated_cv.calibrated_df("use_all_data", runs=runs, folds=5, alpha=0.1) == own.rows[0].df


def test_the_stamp_says_how_the_table_was_made(small):
    assert small["stamp"]["population"].startswith("IndependentBinary")
    assert small["stamp"]["trials"] == 50
    assert set(small["df"]["5"]["0.05"]) == set(repeated_cv.CALIBRATABLE)
    assert small["runs"] == [2, 4]


def test_the_packages_table_has_the_generators_schemes():
    kept = repeated_cv._table()
    assert tuple(map(int, kept["df"])) == stored.SCHEMES
    assert tuple(map(float, kept["df"]["10"])) == stored.LEVELS
    assert kept["stamp"]["seed"] == stored.SEED
    assert all(
        len(values.split()) == len(stored.RUNS)
        for levels in kept["df"].values()
        for tests in levels.values()
        for values in tests.values()
    )
