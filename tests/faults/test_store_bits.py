"""No single flipped bit of a store changes an answer silently."""

from __future__ import annotations

import io
import random
import sqlite3

import numpy as np
import pytest

from foldwise.core.errors import StoreError
from foldwise.engine.store import Record, SeriesKey, Store
from foldwise.engine.store.export import write_csv

LABELS = {"data": "trees", "learner": "nb", "class": "m.NB", "params": "{}", "versions": "{}", "examples": 40, "attributes": 3, "classes": 3, "folds": 4}  # fmt: skip # noqa: E501
SPLITS = 60


def fill(path):
    rng = np.random.default_rng(0)
    with Store(path) as store:
        scorings = [store.scoring(name, name, (0.0, 1.0)) for name in ("accuracy", "f1")]
        for number in range(3):
            key = SeriesKey(data="d", learner=f"l{number}", plan='{"plan":"kfold"}', seed=number, labels=LABELS)
            series = store.series(key)
            rows = [
                Record(
                    series=series, split=i, n_train=30, n_test=10, seconds=float(rng.random()),
                    outcomes=rng.integers(0, 3, 10), score=float(rng.random()),
                )
                for i in range(SPLITS)
            ]  # fmt: skip
            for scoring in scorings:
                store.record(rows, scoring)
        for block in range(5):
            store.keep_block("study", block, rng.bytes(100))
    return path


def answers(path):
    """All that a store says."""
    with Store(path) as store:
        listing = store.listing()
        text = io.StringIO()
        write_csv(store, text, series=listing)
        recalled = [
            (r.series, r.split, r.n_train, r.n_test, r.seconds, r.score, r.made, r.origin, r.outcomes.tolist())
            for series in listing
            for numbers in store.scorings().values()
            for scoring in numbers
            for r in store.recall(series.id, range(SPLITS), scoring)
        ]
        found = store.find_blocks("study", range(10))
        keys = [store.series(SeriesKey(data="d", learner=f"l{n}", plan='{"plan":"kfold"}', seed=n, labels=LABELS)) for n in range(3)]  # fmt: skip # noqa: E501
        return listing, text.getvalue(), recalled, found, keys


def test_a_flipped_bit_is_refused_or_changes_nothing(tmp_path, rounds):
    path = fill(tmp_path / "s.db")
    good, right, rng = path.read_bytes(), answers(path), random.Random(1)
    path.unlink()
    refused = 0
    for number in range(rounds(100)):
        place, bit = rng.randrange(len(good)), rng.randrange(8)
        bad = bytearray(good)
        bad[place] ^= 1 << bit
        file = tmp_path / f"{number}.db"
        file.write_bytes(bad)
        try:
            assert answers(file) == right, (place, bit)
        except StoreError:
            refused += 1
        finally:
            for left in tmp_path.glob(f"{number}.db*"):
                left.unlink()
    assert refused


@pytest.mark.parametrize("change", ["value = 7", "value = 0.25"])
def test_a_value_changed_by_hand_is_refused(tmp_path, change):
    path = fill(tmp_path / "s.db")
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE score SET {change} WHERE split = 7")
    connection.close()
    with Store(path) as store, pytest.raises(StoreError, match="split 7 of series 1 does not match its checksum"):
        list(store.recall(1, range(SPLITS), 1))


def test_an_impossible_value_is_refused_on_the_way_in(tmp_path):
    with Store(tmp_path / "s.db") as store:
        scoring = store.scoring("accuracy", "a", (0.0, 1.0))
        series = store.series(SeriesKey(data="d", learner="l", plan="{}", seed=0, labels=LABELS))
        row = {"series": series, "split": 0, "n_train": 3, "n_test": 3, "seconds": 0.0, "outcomes": np.arange(3)}
        with pytest.raises(StoreError, match="the score of split 0 of series 1 must lie from 0 to 1, but it is 7"):
            store.record([Record(score=7.0, **row)], scoring)
        assert list(store.recall(series, range(5), scoring)) == []


def test_an_impossible_value_with_a_right_checksum_is_refused_on_the_way_out(tmp_path):
    path = fill(tmp_path / "s.db")
    with Store(path) as store:
        store._bounds[1] = (None, None)  # a version that knew no bounds
        store.record(
            [Record(series=1, split=99, n_train=3, n_test=3, seconds=0.0, outcomes=np.arange(3), score=7.0)], 1
        )
    with Store(path) as store:
        message = "must lie from 0 to 1, but it is 7"
        with pytest.raises(StoreError, match=message):
            list(store.recall(1, range(100), 1))
        with pytest.raises(StoreError, match=message):
            store.listing()
        with pytest.raises(StoreError, match=message):
            list(store.columns(1, 1))
