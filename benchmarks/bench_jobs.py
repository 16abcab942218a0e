"""What processes gain: the engine with n_jobs=2 beside itself alone, and scikit-learn's with joblib's loky.

Every figure is of a process of its own, so that each pays for its workers. Goals: never slower than alone by more than
a tenth, and 1.6 times as fast where a fit takes 2 ms or more and there are some seconds of work (with two cores that
are idle; the ratio of loky in the same run says what the machine gives).
"""

from __future__ import annotations

import json
import subprocess
import sys

SIZES = {"0.2 ms a fit": ("nb", 1), "2 ms a fit": ("tree", 20), "10 ms a fit": ("logreg", 20)}
PROGRAM = """
import json, sys, time
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from foldwise.engine import run
from foldwise.learners import create
from foldwise.resampling import RepeatedKFold
who, name, runs, jobs = json.loads(sys.argv[1])
X, y = load_breast_cancer(return_X_y=True)
start = time.perf_counter()
if who == "foldwise":
    run({name: name}, X, y, RepeatedKFold(runs, 10), n_jobs=jobs, progress=False)
else:
    cross_validate(create(name), X, y, cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=runs), n_jobs=jobs)
print(time.perf_counter() - start)
"""


def seconds(who: str, name: str, runs: int, jobs: int) -> float:
    given = json.dumps((who, name, runs, jobs))
    found = subprocess.run([sys.executable, "-c", PROGRAM, given], capture_output=True, text=True, check=True)
    return float(found.stdout.split()[-1])


def main() -> None:
    for title, (name, runs) in SIZES.items():
        for who in ("foldwise", "scikit-learn, loky"):
            alone, shared = (min(seconds(who, name, runs, jobs) for _ in range(2)) for jobs in (1, 2))
            what = f"{title:14} {10 * runs:4} fits of {name:7} {who:18}"
            print(f"{what}: alone {alone:6.2f} s, n_jobs=2 {shared:6.2f} s, {alone / shared:.2f} times as fast")


if __name__ == "__main__":
    main()
