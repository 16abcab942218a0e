"""``python benchmarks/measuring``: measure all of it anew, on all processors.

``python benchmarks/measuring metrics [STORE]`` measures only the metrics of predictions, and goes on from a
results file where one is given; ``python benchmarks/measuring algorithms STORE [KEY …]`` does so with the tests
of two algorithms, on all sources or on those of the keys. ``calibrated`` and ``networks`` make what else the package
carries (`stored`).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from foldwise.inference.measured import FILE
from foldwise.lab.gather import Resources

sys.path.insert(0, str(Path(__file__).parents[1]))  # run by its folder; workers get the path too

from measuring.algorithms import GROUNDS, measure_algorithms
from measuring.metrics import measure_metrics
from measuring.stored import calibrated_table, search, write_calibrated
from measuring.table import SEED, make_table, write_table

if __name__ == "__main__":
    match sys.argv[1:]:
        case ["metrics", *store] if len(store) < 2:
            metrics = measure_metrics(seed=SEED, n_jobs=-1, store=store[0] if store else None)
            write_table(FILE, {**json.loads(FILE.read_text(encoding="utf-8")), "metrics": metrics})
        case ["algorithms", store, *keys]:
            grounds = tuple(ground for ground in GROUNDS if not keys or ground.key in keys)
            resources = Resources(n_jobs=-1, store=store, progress=False)
            found = measure_algorithms(seed=SEED, grounds=grounds, resources=resources)
            write_table(FILE, {**json.loads(FILE.read_text(encoding="utf-8")), "algorithms": found})
        case ["calibrated"]:
            write_calibrated(calibrated_table(n_jobs=-1))
        case ["networks"]:
            for number, networks in sorted(search().items()):
                for one in networks:
                    print(f"set {number}: ({one.arrows}, {one.seed})   nb, c45", *(f"{a:.2f}" for a in one.accuracies))
        case []:
            write_table(FILE, make_table(n_jobs=-1))
        case given:
            sys.exit(
                "python benchmarks/measuring takes nothing, calibrated, networks, metrics [FILE] or "
                f"algorithms FILE [KEY …], got {given}"
            )
