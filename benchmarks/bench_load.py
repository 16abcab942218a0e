"""Large input through the doors that people use: seconds and memory of whole commands, beside their goals.

Every case is a command in a fresh process (with whatever processes it starts). Wall and processor seconds come from the
operating system when it ends; memory is the greatest sum of the resident sets of all its processes, looked at every
20 ms. On a busy machine judge by the processor seconds. Without ``--full`` inputs are a tenth of those of the goals,
and the goals that are printed are those of the full size: seconds then leave out nothing, but grow with the input.
The first comparison after a change of the sources compiles kernels, which takes longer than all the rest: run it twice.

    python benchmarks/bench_load.py --full predictions table
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil

from foldwise.engine.store import Record, SeriesKey, Store

TICK = 0.02


class Case(NamedTuple):
    """A command, how its input is made (with so many rows), and the goals at full size."""

    make: Callable[[Path, int], None]
    file: str
    arguments: tuple[str, ...]
    rows: int
    seconds: float
    megabytes: float | None = None


class Cost(NamedTuple):
    wall: float
    processor: float
    megabytes: float


def write_data(path: Path, rows: int) -> None:
    """20 numbers and a class of two."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, rows)
    columns = {f"x{i}": (rng.normal(size=rows) + 0.3 * y).round(4) for i in range(20)}
    table = pa.table(columns | {"class": np.where(y == 1, "yes", "no")})
    (pa.csv.write_csv if path.suffix == ".csv" else pa.parquet.write_table)(table, path)


def write_predictions(path: Path, rows: int) -> None:
    """The truth and two classifiers, three classes."""
    rng = np.random.default_rng(0)
    names = np.array(["cat", "dog", "bird"])
    with path.open("w") as file:
        file.write("truth,a,b\n")
        for first in range(0, rows, 100_000):
            n = min(100_000, rows - first)
            truth = rng.integers(0, 3, n)
            a, b = (np.where(rng.random(n) < right, truth, rng.integers(0, 3, n)) for right in (0.9, 0.899))
            file.writelines(map("{},{},{}\n".format, names[truth], names[a], names[b]))


def write_table(path: Path, rows: int) -> None:
    """Data sets × 500 learners."""
    values = np.random.default_rng(0).random((rows, 500))
    with path.open("w") as file:
        file.write("data," + ",".join(f"learner{i}" for i in range(500)) + "\n")
        file.writelines(f"data{i}," + ",".join(f"{v:.4f}" for v in row) + "\n" for i, row in enumerate(values))


def write_store(path: Path, rows: int) -> None:
    """Series of 10,000 splits, each with predictions for 57 test examples of two classes."""
    splits, codes = 10_000, np.random.default_rng(0).integers(0, 2, (10_000, 57)).astype(np.uint8)
    labels = {"class": "m.C", "params": "{}", "versions": "{}", "examples": 569, "attributes": 30, "classes": 2}
    with Store(path) as store:
        scoring = store.scoring("accuracy", "accuracy", (0.0, 1.0))
        for number in range(rows // splits):
            names = {"data": f"data{number}", "learner": "nb", "folds": 10}
            key = SeriesKey(data=f"d{number}", learner="l", plan='{"plan":"kfold"}', seed=0, labels=labels | names)
            series = store.series(key)
            records = (
                Record(
                    series=series, split=i, n_train=512, n_test=57, seconds=0.001 * i, outcomes=codes[i],
                    score=float(codes[i].mean()),
                )
                for i in range(splits)
            )  # fmt: skip
            store.record(records, scoring)


COMPARE = ("compare", "nb", "c45", "--runs", "1", "--folds", "2", "--data", "{input}")
CASES = {
    "compare": Case(write_data, "data.parquet", COMPARE, 1_000_000, 20, 1200),
    "compare-csv": Case(write_data, "data.csv", COMPARE, 1_000_000, 20, 1200),
    "table": Case(write_table, "table.csv", ("table", "{input}"), 2000, 5),
    "predictions": Case(write_predictions, "predictions.csv", ("predictions", "{input}"), 10_000_000, 10, 1500),
    "store-ls": Case(write_store, "store.db", ("store", "ls", "{input}"), 5_000_000, 3),
    "store-export": Case(write_store, "store.db", ("store", "export", "{input}", "--out", "{output}"), 5_000_000, 15),
}


def measure(arguments: list[str]) -> Cost:
    """Run a command to its end."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "foldwise", *arguments], stdout=subprocess.DEVNULL)
    peak, watched = 0, psutil.Process(process.pid)
    while process.poll() is None:
        peak = max(peak, resident(watched))
        time.sleep(TICK)
    if process.returncode not in (0, 1):
        raise SystemExit(f"foldwise {' '.join(arguments)} ended with {process.returncode}")
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(wall, processor, peak / 1e6)


def resident(process: psutil.Process) -> int:
    """Bytes of a process and those it started; what they share is counted for each."""
    total = 0
    try:
        for one in (process, *process.children(recursive=True)):
            total += one.memory_info().rss
    except psutil.NoSuchProcess:
        pass
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}; without any, all")
    parser.add_argument("--full", action="store_true", help="inputs of the goals' size (minutes, 2 GB of disk)")
    parser.add_argument("--rows", type=int, help="so many rows instead")
    options = parser.parse_args()
    if unknown := set(options.cases) - set(CASES):
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    print(f"{'case':14}{'rows':>12}{'wall s':>9}{'cpu s':>9}{'goal s':>9}{'MB':>9}{'goal MB':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.cases or CASES:
            case = CASES[name]
            rows = options.rows or (case.rows if options.full else case.rows // 10)
            path = Path(folder) / case.file
            if not path.exists():
                case.make(path, rows)
            places = {"input": path, "output": Path(folder) / "out.csv"}
            cost = measure([argument.format(**places) for argument in case.arguments])
            most = "" if case.megabytes is None else f"{case.megabytes:.0f}"
            print(
                f"{name:14}{rows:12,}{cost.wall:9.1f}{cost.processor:9.1f}{case.seconds:9.0f}"
                f"{cost.megabytes:9.0f}{most:>9}",
                flush=True,
            )


if __name__ == "__main__":
    main()
