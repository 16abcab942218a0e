"""How long ``import foldwise`` and ``foldwise --help`` take, beside the least they could take.

Goals: the import at most 1.5 times ``import numpy, scipy.special``; the help at most 0.4 s.
"""

from __future__ import annotations

import subprocess
import sys
import time

CASES = {
    "numpy + scipy.special": ["-c", "import numpy, scipy.special"],
    "foldwise": ["-c", "import foldwise"],
    "foldwise.inference": ["-c", "import foldwise.inference"],
    "foldwise --help": ["-m", "foldwise", "--help"],
}


def seconds(arguments):
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main(rounds=9):
    # in rotation, so that a busy moment hits all cases alike; the minimum is the least disturbed
    times = {name: [] for name in CASES}
    for _ in range(rounds):
        for name, arguments in CASES.items():
            times[name].append(seconds(arguments))
    base = min(times["numpy + scipy.special"])
    for name, values in times.items():
        print(f"{name:<24} {min(values):6.3f} s   {min(values) / base:5.2f} × numpy + scipy.special")


if __name__ == "__main__":
    main()
