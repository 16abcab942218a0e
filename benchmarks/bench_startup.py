"""How long the command line takes to begin, beside the least it could take, and how many of our modules it loads.

Goals: ``import foldwise`` at most 1.5 times ``import numpy, scipy.special``; the help at most 0.4 s;
``foldwise predictions`` loads at most 200 of our modules.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

EXAMPLE = str(Path(__file__).parents[1] / "examples" / "predictions.csv")
BASE = "numpy + scipy.special"
CASES = {
    BASE: ["-c", "import numpy, scipy.special"],
    "foldwise": ["-c", "import foldwise"],
    "foldwise.inference": ["-c", "import foldwise.inference"],
    "foldwise --help": ["-m", "foldwise", "--help"],
    "foldwise predictions": ["-m", "foldwise", "predictions", EXAMPLE],
}
LINE = re.compile(r"import time: +(\d+) \| +\d+ \| +(foldwise[\w.]*)")


def seconds(arguments):
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def own_modules(arguments):
    """How many of our modules are loaded, and the seconds that their own code takes to be imported."""
    command = [sys.executable, "-X", "importtime", *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = LINE.findall(done.stderr)
    return len(found), sum(int(microseconds) for microseconds, _ in found) / 1e6


def main(rounds=9):
    # in rotation, so that a busy moment hits all cases alike; the minimum is the least disturbed
    times = {name: [] for name in CASES}
    own = {name: [] for name in CASES}
    for _ in range(rounds):
        for name, arguments in CASES.items():
            times[name].append(seconds(arguments))
            own[name].append(own_modules(arguments))
    base = min(times[BASE])
    for name, values in times.items():
        modules, spent = min(own[name])
        print(f"{name:<24} {min(values):6.3f} s {min(values) / base:5.2f} × {BASE}", end="")
        print(f"   {modules:3} modules of ours, {spent:5.3f} s {spent / base:4.2f} ×" if modules else "")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
