"""How long the first answer takes on a machine that has compiled nothing yet, and later ones.

Every call is a process of its own; the first calls begin with an empty folder for compiled code. Goals, on two idle
cores: 12 s for a first answer with c45, 2 s for one with learners that need no kernels, 1.5 s for all later ones. What
nobody can do without is timed beside them: NumPy and SciPy's functions for our own learners; for scikit-learn's
learners its import, which loads scipy.stats and pandas where that is installed, and the same two hundred fits by it
alone, so that the goals can't be reached with them.
For learners whose kernels must be compiled it also shows how long after the start of the process the notice of that
stands on stderr, a pipe here (goal 1 s); these processes are ended then. CPU time is read where the system tells it.
"""

from __future__ import annotations

import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CASES = {
    "nb c45": (["nb", "c45"], 12.0),
    "nb 1nn": (["nb", "1nn"], 2.0),
    "logreg tree": (["logreg", "tree"], 2.0),
}
FITS = """
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
for learner in (make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)), DecisionTreeClassifier()):
    cross_val_score(learner, *load_iris(return_X_y=True), cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=10))
"""
FLOORS = {
    "import numpy, scipy.special": "import numpy, scipy.special",
    "import sklearn.linear_model, sklearn.tree": "import sklearn.linear_model, sklearn.tree",
    "logreg tree by cross_val_score": FITS,
}
LATER, ROUNDS = 1.5, 3
NOTICED = (["tan", "majority"], ["mlp", "majority"], ["votedperceptron", "1nn"])
NOTICE = 1.0


def environment(folder: str) -> dict[str, str]:
    """Compiled code in a folder of its own, and one thread, as the engine has it."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"NUMBA_CACHE_DIR": folder, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def seconds(arguments: list[str], folder: str) -> tuple[float, float]:
    """Wall and CPU time of one process."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment(folder))
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def until_notice(arguments: list[str]) -> tuple[float, float]:
    """Wall and CPU time of a process until it says that kernels are being compiled, with nothing compiled before."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(folder)
        )
        assert process.stderr is not None
        said, wall = process.stderr.readline(), time.perf_counter() - start
        cpu = cpu_so_far(process.pid)
        process.kill()
        process.communicate()
    if b"compiling" not in said:
        raise SystemExit(f"{' '.join(arguments)} said {said!r} instead of what it compiles")
    return wall, cpu


def cpu_so_far(pid: int) -> float:
    """CPU time of a running process, NaN where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return math.nan
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def line(name: str, times: list[tuple[float, float]], goal: float | None) -> None:
    wall, cpu = map(min, zip(*times, strict=True))
    aim = "" if goal is None else f"   goal {goal:4.1f} s"
    print(f"{name:<42} wall {wall:6.2f} s   CPU {cpu:6.2f} s{aim}", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, program in FLOORS.items():
            line(name, [seconds(["-c", program], folder) for _ in range(ROUNDS)], None)
    for name, (learners, goal) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            call = ["-m", "foldwise", "compare", *learners, "--data", "iris"]
            line(f"{name}, first", [seconds(call, folder)], goal)
            line(f"{name}, later", [seconds(call, folder) for _ in range(ROUNDS)], LATER)
    for learners in NOTICED:
        call = ["-m", "foldwise", "compare", *learners, "--data", "iris"]
        line(f"{' '.join(learners)}, until the notice", [until_notice(call) for _ in range(ROUNDS)], NOTICE)


if __name__ == "__main__":
    main()
