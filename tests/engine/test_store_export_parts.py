"""A large export by several processes: the same file as by one, of one moment, whole or not at all."""

from __future__ import annotations

import pytest
from test_store_contract import key, record
from test_store_tally import damage

from foldwise.core.errors import StoreError, UnknownName
from foldwise.engine.store import Store
from foldwise.engine.store import export as exporting
from foldwise.engine.store.export import export


@pytest.fixture
def path(tmp_path):
    """Seven series of nine splits, two scorings."""
    with Store(tmp_path / "s.db") as store:
        accuracy, kappa = store.scoring("accuracy", "a", (0.0, 1.0)), store.scoring("kappa", "k")
        for seed in range(7):
            series = store.series(key(seed=seed))
            store.record([record(series, i, (i + seed) / 20) for i in range(9)], accuracy)
            store.record([record(series, i, -i / 7) for i in range(4)], kappa)
    return tmp_path / "s.db"


@pytest.fixture
def in_parts(monkeypatch):
    monkeypatch.setattr(exporting, "WORTH", 1)
    monkeypatch.setattr(exporting, "AT_ONCE", 15)
    monkeypatch.setattr(exporting, "_processors", lambda: 2)


def written(path, target, **options):
    with Store(path) as store:
        return export(store, target, series=store.listing(), **options)


@pytest.mark.parametrize("scoring", [None, "kappa"])
def test_parts_make_the_same_file_as_one_process(path, tmp_path, request, scoring):
    rows = written(path, tmp_path / "one.csv", scoring=scoring)
    request.getfixturevalue("in_parts")
    (tmp_path / "there").mkdir()
    (tmp_path / "parts.csv").symlink_to(tmp_path / "there" / "parts.csv")
    assert written(path, tmp_path / "parts.csv", scoring=scoring) == rows == (28 if scoring else 91)
    assert (tmp_path / "there" / "parts.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()
    assert [file.name for file in (tmp_path / "there").iterdir()] == ["parts.csv"]


def test_rows_recorded_meanwhile_are_left_out_by_all(path, tmp_path, in_parts, monkeypatch):
    wanted = written(path, tmp_path / "before.csv")
    tasks = exporting.run_tasks

    def meanwhile(*args, **options):
        with Store(path) as other:
            other.record([record(other.series(key(seed=6)), 99, 0.5)], other.scoring("kappa", "k"))
        tasks(*args, **options)

    monkeypatch.setattr(exporting, "run_tasks", meanwhile)
    assert written(path, tmp_path / "during.csv") == wanted
    assert (tmp_path / "during.csv").read_bytes() == (tmp_path / "before.csv").read_bytes()


@pytest.mark.parametrize("change", ["UPDATE score SET value = 0.3 WHERE series_id = 5 AND split = 2",
                                    "UPDATE fit SET n_train = 3 WHERE series_id = 7 AND split = 1"])  # fmt: skip
def test_a_damaged_row_in_any_part_leaves_what_was_there(path, tmp_path, in_parts, change):
    damage(path, change)
    (tmp_path / "out.csv").write_text("of yesterday")
    with pytest.raises(StoreError, match=r"series [57]"):
        written(path, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "of yesterday"
    assert sorted(file.name for file in tmp_path.glob("out*")) == ["out.csv"]


def test_an_unknown_scoring_is_named_by_parts_too(path, tmp_path, in_parts):
    with pytest.raises(UnknownName, match=r"metric"):
        written(path, tmp_path / "out.csv", scoring="kapa")
    assert not (tmp_path / "out.csv").exists()


def test_what_is_no_file_is_written_by_one_process(path, tmp_path, in_parts):
    import os
    import threading

    os.mkfifo(tmp_path / "pipe.csv")
    found = []
    reader = threading.Thread(target=lambda: found.append((tmp_path / "pipe.csv").read_text()))
    reader.start()
    rows = written(path, tmp_path / "pipe.csv")
    reader.join()
    assert len(found[0].splitlines()) == rows + 1


def test_a_store_in_memory_is_written_by_the_process_that_has_it(tmp_path, in_parts):
    with Store(":memory:") as store:
        store.record([record(store.series(key()), i, 0.5) for i in range(40)], store.scoring("accuracy", "a"))
        assert export(store, tmp_path / "out.csv", series=store.listing()) == 40
