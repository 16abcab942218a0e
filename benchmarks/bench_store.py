"""A store with 1,000,000 split scores: written, opened, filtered, exported.

100 series of 10,000 splits, each with the predictions for 57 test examples of two classes (10-fold cross-validation of
breast_cancer), recorded 100 rows at a time as the engine does. Goals: opened, filtered and exported in seconds, at most
200 MB.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from foldwise.engine.store import Record, SeriesKey, Store
from foldwise.engine.store.export import export

SERIES, SPLITS, CHUNK, N_TEST = 100, 10_000, 100, 57
LABELS = {
    "class": "m.C",
    "params": "{}",
    "versions": "{}",
    "examples": 569,
    "attributes": 30,
    "classes": 2,
    "folds": 10,
}


@contextmanager
def timed(what: str):
    start = time.perf_counter()
    yield
    print(f"  {what:40} {time.perf_counter() - start:7.2f} s")


def fill(path: Path) -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (CHUNK, N_TEST)).astype(np.uint8)
    with Store(path) as store:
        scoring = store.scoring("accuracy", "accuracy")
        for number in range(SERIES):
            labels = {**LABELS, "data": f"data{number % 20}", "learner": f"learner{number // 20}"}
            key = SeriesKey(data=f"d{number % 20}", learner=f"l{number // 20}", plan="{}", seed=0, labels=labels)
            series = store.series(key)
            for first in range(0, SPLITS, CHUNK):
                store.record(
                    [
                        Record(
                            series=series, split=first + i, n_train=512, n_test=N_TEST, seconds=0.001 * i,
                            outcomes=codes[i], score=float(codes[i].mean()),
                        )
                        for i in range(CHUNK)
                    ],
                    scoring,
                )  # fmt: skip


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.db"
        print(f"store with {SERIES * SPLITS:,} split scores")
        with timed(f"recorded, {CHUNK} rows per commit"):
            fill(path)
        print(f"  {'size':40} {path.stat().st_size / 1e6:7.1f} MB   (goal ≤ 200 MB)")
        with timed("opened"):
            store = Store(path)
        with timed("listed with mean scores"):
            listing = store.listing()
        chosen = [s for s in listing if s.data == "data7"]
        with timed("filtered: one data set, 50,000 rows"):
            rows = sum(len(part.split) for s in chosen for part in store.columns(s.id, 1))
        assert rows == 50_000
        with timed("recalled: one series with predictions"):
            rows = sum(1 for _ in store.recall(7, range(SPLITS), 1))
        assert rows == SPLITS
        for name in ("all.csv", "all.parquet"):
            with timed(f"exported to {name}"):
                rows = export(store, Path(folder) / name, series=listing)
            assert rows == SERIES * SPLITS
        store.close()


if __name__ == "__main__":
    main()
