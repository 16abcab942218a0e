"""How long the first answer takes on a machine that has compiled nothing yet, and later ones.

Every call is a process of its own; the first calls begin with an empty folder for compiled code. Goals, on two idle
cores: 12 s for a first answer with c45, 2 s for one with learners that need no kernels, 1.5 s for all later ones. What
nobody can do without is timed beside them: NumPy and SciPy's functions for our own learners, scikit-learn for its
learners. CPU time includes that of the process which helps to compile.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time

CASES = {
    "nb c45": (["nb", "c45"], 12.0),
    "nb 1nn": (["nb", "1nn"], 2.0),
    "logreg tree": (["logreg", "tree"], 2.0),
}
FLOORS = ("numpy, scipy.special", "sklearn.linear_model, sklearn.tree")
LATER, ROUNDS = 1.5, 3


def seconds(arguments: list[str], folder: str) -> tuple[float, float]:
    """Wall and CPU time of one process."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def line(name: str, times: list[tuple[float, float]], goal: float | None) -> None:
    wall, cpu = map(min, zip(*times, strict=True))
    aim = "" if goal is None else f"   goal {goal:4.1f} s"
    print(f"{name:<42} wall {wall:6.2f} s   CPU {cpu:6.2f} s{aim}", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for modules in FLOORS:
            line(f"import {modules}", [seconds(["-c", f"import {modules}"], folder) for _ in range(ROUNDS)], None)
    for name, (learners, goal) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            call = ["-m", "foldwise", "compare", *learners, "--data", "iris"]
            line(f"{name}, first", [seconds(call, folder)], goal)
            line(f"{name}, later", [seconds(call, folder) for _ in range(ROUNDS)], LATER)


if __name__ == "__main__":
    main()
