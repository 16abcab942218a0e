"""A harness folder of 100,000 items × 5 models, and tables of 2,000,000 rows, through the verbs: seconds and memory.

Lines are those of a real lm-evaluation-harness log (some 550 bytes each) with other documents; for comparison, what
parsing the same lines with json.loads alone takes. Tables are Parquet, CSV and, of a quarter of the rows, JSON Lines;
beside the verdicts stand pandas, which only reads the same file (peer), and importing foldwise.cli.judge (floor). Run
it with ``python benchmarks/bench_readers.py [items] [models] [rows]``.
"""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REAL = Path(__file__).parents[1] / "tests" / "reference" / "harnesses" / "lm_eval"
GOAL_SECONDS, GOAL_MEGABYTES = 5.0, 500.0


def write_logs(folder: Path, items: int, models: int) -> int:
    """Logs of the harness with many documents; returns their size in bytes."""
    template = json.loads(next(REAL.rglob("samples_sums_free_*")).open().readline())
    hashes = [hashlib.sha256(str(i).encode()).hexdigest() for i in range(items)]
    total = 0
    for model in range(models):
        draws = random.Random(model)
        path = folder / f"acme__model-{model}" / "samples_sums_free_2026-11-16T01-43-13.320102.jsonl"
        path.parent.mkdir()
        with path.open("w") as file:
            for i in draws.sample(range(items), items):  # in another order for every model
                line = template | {
                    "doc_id": i,
                    "doc_hash": hashes[i],
                    "exact_match": float(draws.random() < 0.5 + model / 20),
                }
                file.write(json.dumps(line) + "\n")
        total += path.stat().st_size
    return total


def measured(code: str, folder: Path) -> tuple[float, float, float]:
    """Wall and CPU seconds, and megabytes, of a process of its own."""
    start = time.perf_counter()
    report = (
        "import resource; u = resource.getrusage(resource.RUSAGE_SELF); "
        "print(u.ru_utime + u.ru_stime, u.ru_maxrss / 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}", str(folder)], check=True, capture_output=True, text=True
    )
    cpu, megabytes = map(float, done.stdout.split()[-2:])
    return time.perf_counter() - start, cpu, megabytes


JUDGE = "import sys, foldwise as fw; found = fw.judge(sys.argv[1]); found.main.to_dict()"
PARSE = """
import sys, json, pathlib
for path in pathlib.Path(sys.argv[1]).rglob("*.jsonl"):
    for line in path.open():
        json.loads(line)
"""


PANDAS = {
    "parquet": "import sys, pandas; pandas.read_parquet(sys.argv[1])",
    "csv": "import sys, pandas; pandas.read_csv(sys.argv[1])",
    "jsonl": "import sys, pandas; pandas.read_json(sys.argv[1], lines=True)",
}
VERBS = {
    "predictions": "import sys; from foldwise.cli.main import main; main(['predictions', sys.argv[1]])",
    "judge": "import sys; from foldwise.cli.main import main; main(['judge', sys.argv[1]])",
}


def write_tables(folder: Path, rows: int) -> list[tuple[str, Path]]:
    """A table with the truth and two models' answers, and a long one, in three formats; with the verb for each."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(0)
    truth = (rng.random(rows) < 0.3).astype(int)
    said = {name: np.where(rng.random(rows) < skill, truth, 1 - truth) for name, skill in (("a", 0.85), ("b", 0.84))}
    wide = pd.DataFrame({"item": np.arange(rows), "y_true": truth, **said})
    half = rows // 2
    long = pd.concat(
        [pd.DataFrame({"model": m, "item": np.arange(half), "score": (said[m] == truth)[:half] * 1.0}) for m in said]
    )
    found = []
    for verb, name, table in (("predictions", "wide", wide), ("judge", "wide", wide), ("judge", "long", long)):
        for kind in PANDAS:
            path = folder / f"{name}.{kind}"
            if kind == "parquet":
                table.to_parquet(path)
            elif kind == "csv":
                table.to_csv(path, index=False)
            else:
                few = pd.concat([table[: rows // 8], table[half : half + rows // 8]])
                few.to_json(path, orient="records", lines=True)
            found.append((verb, path))
    return found


def tables(rows: int) -> None:
    floor = measured("import foldwise.cli.judge", Path())[1]
    print(f"\n{rows:,} rows (a quarter of them in JSON Lines); CPU s of whole processes; imports alone {floor:.2f}")
    with tempfile.TemporaryDirectory() as place:
        for verb, path in write_tables(Path(place), rows):
            ours, theirs = measured(VERBS[verb], path), measured(PANDAS[path.suffix[1:]], path)
            print(
                f"{verb:12} {path.name:14} {ours[1]:6.2f} s {ours[2]:6.0f} MB   pandas reads it in {theirs[1]:5.2f} s"
            )


def main() -> None:
    if len(sys.argv) > 3:
        tables(int(sys.argv[3]))
        return
    items, models = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        size = write_logs(folder, items, models)
        print(f"{items:,} items × {models} models, {size / 1e6:.0f} MB of logs")
        for name, code in (("json.loads alone", PARSE), ("foldwise judge", JUDGE)):
            wall, cpu, megabytes = measured(code, folder)
            print(f"{name:18} {wall:6.1f} s wall  {cpu:6.1f} s CPU  {megabytes:7.0f} MB")
        print(f"goal: {GOAL_SECONDS:g} s and {GOAL_MEGABYTES:g} MB")
    tables(2_000_000)


if __name__ == "__main__":
    main()
