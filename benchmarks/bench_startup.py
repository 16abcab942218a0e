"""How long the command line takes to begin, beside the least it could take, and how many of our modules it loads.

Compiled files are kept, as an installation has them, in a folder of its own: without them every start compiles all
sources again, which takes as long as all the rest.

Goals: ``import foldwise`` at most 1.5 times ``import numpy, scipy.special``; the help at most 0.4 s;
``foldwise predictions`` loads at most 200 of our modules.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLE = str(Path(__file__).parents[1] / "examples" / "predictions.csv")
BASE = "numpy + scipy.special"
CASES = {
    BASE: ["-c", "import numpy, scipy.special"],
    "foldwise": ["-c", "import foldwise"],
    "foldwise.inference": ["-c", "import foldwise.inference"],
    "foldwise --help": ["-m", "foldwise", "--help"],
    "foldwise predictions": ["-m", "foldwise", "predictions", EXAMPLE],
    "foldwise judge": ["-m", "foldwise", "judge", EXAMPLE.replace("predictions", "scores")],
    "foldwise table": ["-m", "foldwise", "table", EXAMPLE.replace("predictions", "table")],
}
LINE = re.compile(r"import time: +(\d+) \| +\d+ \| +(foldwise[\w.]*)")


def seconds(arguments, env):
    """Processor time, which a busy machine changes least."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def own_modules(arguments, env):
    """How many of our modules are loaded, and the seconds that their own code takes to be imported."""
    command = [sys.executable, "-X", "importtime", *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=env)
    found = LINE.findall(done.stderr)
    return len(found), sum(int(microseconds) for microseconds, _ in found) / 1e6


def main(rounds=9):
    with tempfile.TemporaryDirectory() as folder:
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        measure(rounds, env | {"PYTHONPYCACHEPREFIX": folder})


def measure(rounds, env):
    for arguments in CASES.values():  # compile
        seconds(arguments, env)
    # in rotation, so that a busy moment hits all cases alike; the minimum is the least disturbed
    times = {name: [] for name in CASES}
    own = {name: [] for name in CASES}
    for _ in range(rounds):
        for name, arguments in CASES.items():
            times[name].append(seconds(arguments, env))
            own[name].append(own_modules(arguments, env))
    base = min(times[BASE])
    for name, values in times.items():
        modules, spent = min(own[name])
        print(f"{name:<24} {min(values):6.3f} s {min(values) / base:5.2f} × {BASE}", end="")
        print(f"   {modules:3} modules of ours, {spent:5.3f} s {spent / base:4.2f} ×" if modules else "")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
