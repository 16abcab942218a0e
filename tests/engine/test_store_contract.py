"""The store's contract (`foldwise.engine.store.contract`); a new backend inherits the class."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_rows import rows

from foldwise.core.errors import InvalidInput
from foldwise.engine.store import Record, SeriesKey, Store
from foldwise.engine.store.schema import pack, unpack

LABELS = {
    "data": "trees", "learner": "nb", "class": "m.NB", "params": "{}", "versions": "{}",
    "examples": 40, "attributes": 3, "classes": 3, "folds": 4,
}  # fmt: skip


def key(**change):
    given_labels = {**LABELS, **change.pop("labels", {})}
    return SeriesKey(
        **{"data": "d", "learner": "l", "plan": '{"plan":"kfold"}', "seed": 0, "labels": given_labels, **change}
    )


def record(series, split, score=0.5, outcomes=(0, 1, 2)):
    codes = np.array(outcomes)
    return Record(series=series, split=split, n_train=30, n_test=len(codes), seconds=0.25, outcomes=codes, score=score)


class StoreContract:
    """Inherit and provide the fixture `reopen`: a function that opens the same store again."""

    @pytest.fixture
    def store(self, reopen):
        with reopen() as opened:
            yield opened

    def test_the_same_key_is_the_same_series(self, store):
        assert store.series(key()) == store.series(key())
        assert store.series(key()) == store.series(key(labels={"learner": "another name", "data": "other"}))

    @pytest.mark.parametrize("change", [{"data": "e"}, {"learner": "m"}, {"plan": '{"plan":"b"}'}, {"seed": 1}])
    def test_any_other_key_is_another_series(self, store, change):
        assert store.series(key()) != store.series(key(**change))

    def test_rows_come_back_as_recorded_and_in_order(self, store):
        series, scoring = store.series(key()), store.scoring("accuracy", "a")
        store.record([record(series, 5, 0.1 + 0.2, (2, 2, 0)), record(series, 3, 1 / 3)], scoring)
        rows = list(store.recall(series, range(10), scoring))
        assert [(r.split, r.score, r.n_train, r.n_test, r.seconds) for r in rows] == [
            (3, 1 / 3, 30, 3, 0.25),
            (5, 0.1 + 0.2, 30, 3, 0.25),
        ]
        assert [r.outcomes.tolist() for r in rows] == [[0, 1, 2], [2, 2, 0]]

    def test_recall_keeps_to_the_range_and_the_series(self, store):
        one, other, scoring = store.series(key()), store.series(key(seed=1)), store.scoring("accuracy", "a")
        store.record([record(one, i) for i in range(8)] + [record(other, 2)], scoring)
        assert [r.split for r in store.recall(one, range(2, 5), scoring)] == [2, 3, 4]

    def test_a_row_never_changes(self, store):
        series, scoring = store.series(key()), store.scoring("accuracy", "a")
        store.record([record(series, 0, 0.5)], scoring)
        store.record([record(series, 0, 0.9, (1, 1, 1)), record(series, 1)], scoring)
        rows = list(store.recall(series, range(2), scoring))
        assert [(r.split, r.score) for r in rows] == [(0, 0.5), (1, 0.5)]
        assert rows[0].outcomes.tolist() == [0, 1, 2]

    def test_outputs_come_back_as_recorded_and_never_change(self, store):
        series, scoring = store.series(key()), store.scoring("roc_auc", "r")
        store.record([replace(record(series, 0), outputs=b"\x00one"), record(series, 1)], scoring)
        store.record([replace(record(series, 0), outputs=b"other"), replace(record(series, 1), outputs=b"")], scoring)
        assert [store.outputs(series, split) for split in range(3)] == [b"\x00one", b"", None]
        assert store.outputs_size(series) == (2, 4)
        assert [r.outputs for r in store.recall(series, range(2), scoring)] == [None, None]

    def test_another_scoring_is_added_to_the_row(self, store):
        series, accuracy, kappa = store.series(key()), store.scoring("accuracy", "a"), store.scoring("kappa", "k")
        store.record([record(series, 0, 0.5)], accuracy)
        assert [r.score for r in store.recall(series, range(1), kappa)] == [None]
        store.record([record(series, 0, 0.2)], kappa)
        assert [r.score for r in store.recall(series, range(1), kappa)] == [0.2]
        assert [r.score for r in store.recall(series, range(1), accuracy)] == [0.5]

    def test_all_rows_or_none(self, store):
        series, scoring = store.series(key()), store.scoring("accuracy", "a")
        with pytest.raises(Exception, match="NOT NULL"):
            store.record([record(series, 0), record(series, 1, None)], scoring)
        assert list(store.recall(series, range(2), scoring)) == []
        store.record([record(series, 0)], scoring)
        assert len(list(store.recall(series, range(2), scoring))) == 1

    def test_an_unknown_series_is_refused(self, store):
        with pytest.raises(InvalidInput, match="series must be in store"):
            list(store.recall(99, range(3), 1))

    def test_large_seeds_and_numbers_for_regression(self, store):
        series = store.series(key(seed=2**200, labels={"classes": 0}, data="r"))
        scoring = store.scoring("r2", "r")
        store.record([record(series, 0, -1.5, (0.1, -1e300, 5e-324))], scoring)
        assert next(iter(store.recall(series, range(1), scoring))).outcomes.tolist() == [0.1, -1e300, 5e-324]
        assert store.listing()[0].seed == 2**200

    def test_listing_tells_splits_and_means(self, store):
        series, scoring = store.series(key()), store.scoring("accuracy", "a")
        store.record([record(series, 0, 0.2), record(series, 1, 0.4)], scoring)
        (row,) = store.listing()
        assert (row.id, row.data, row.learner, row.splits, row.folds) == (series, "trees", "nb", 2, 4)
        assert row.scores == {"accuracy": pytest.approx(0.3)}

    def test_a_negative_zero_stays_one(self, store):
        # the negative error of a perfect regressor; SQLite keeps whole numbers without their sign of zero
        series, scoring = store.series(key()), store.scoring("neg_mean_squared_error", "e")
        store.record([record(series, 0, -0.0), record(series, 1, 0.0)], scoring)
        for found in (
            [r.score for r in store.recall(series, range(2), scoring)],
            [r[6] for r in rows(store, series, scoring)],
        ):
            assert [math.copysign(1.0, score) for score in found] == [-1.0, 1.0]

    def test_rows_can_be_filtered(self, store):
        one, other = store.series(key()), store.series(key(seed=1))
        accuracy, kappa = store.scoring("accuracy", "a"), store.scoring("kappa", "k")
        store.record([record(one, 0), record(other, 0)], accuracy)
        store.record([record(one, 0, 0.1)], kappa)
        assert [(*row[:4], row[6]) for row in rows(store, one, kappa)] == [(0, 30, 3, 0.25, 0.1)]
        assert rows(store, other, kappa) == []
        assert store.scorings() == {"accuracy": [accuracy], "kappa": [kappa]}


class TestMemory(StoreContract):
    @pytest.fixture
    def reopen(self):
        return lambda: Store(":memory:")


class TestFile(StoreContract):
    @pytest.fixture
    def reopen(self, tmp_path):
        return lambda: Store(tmp_path / "results.db")

    def test_a_second_connection_sees_what_the_first_recorded(self, store, reopen):
        series, scoring = store.series(key()), store.scoring("accuracy", "a")
        with reopen() as second:
            assert second.series(key()) == series
            store.record([record(series, 0)], scoring)
            assert [r.split for r in second.recall(series, range(5), scoring)] == [0]
            second.record([record(series, 1)], scoring)
        assert [r.split for r in store.recall(series, range(5), scoring)] == [0, 1]

    def test_rows_survive_closing(self, reopen):
        with reopen() as first:
            series, scoring = first.series(key()), first.scoring("accuracy", "a")
            first.record([record(series, 0)], scoring)
        with reopen() as second:
            assert [r.split for r in second.recall(series, range(5), scoring)] == [0]


@given(st.integers(1, 300), st.data())
def test_codes_survive_packing(n_classes, data):
    codes = data.draw(st.lists(st.integers(0, n_classes - 1), max_size=40))
    packed = pack(np.array(codes, dtype=np.int64), n_classes)
    assert unpack(packed, n_classes, len(codes)).tolist() == codes


@given(st.lists(st.floats(allow_nan=False), max_size=20))
def test_numbers_survive_packing(numbers):
    assert unpack(pack(np.array(numbers), 0), 0, len(numbers)).tolist() == numbers


def test_two_classes_take_one_bit_each():
    assert len(pack(np.ones(80, dtype=np.uint8), 2)) == 10
    assert len(pack(np.ones(80, dtype=np.uint8), 26)) == 50
