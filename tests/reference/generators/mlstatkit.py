"""DeLong's test of tests/reference/delong.txt by MLstatkit, which people use for it.

    python tests/reference/generators/mlstatkit.py > tests/reference/mlstatkit.txt

in an environment with MLstatkit. Each line is a case, its z and its p.
"""

from importlib.metadata import version
from pathlib import Path

import numpy as np
from MLstatkit import Delong_test

lines = (Path(__file__).parents[1] / "delong.txt").read_text(encoding="utf-8").splitlines()
table = {key: np.array(values, dtype=float) for key, *values in (line.split() for line in lines if line[0] != "#")}
print(f"# MLstatkit {version('MLstatkit')}")
for case in ("plain", "ties", "rare", "reversed"):
    y, a, b = (table[f"{case}.{column}"] for column in "yab")
    z, p = Delong_test(y.astype(int), a, b)[:2]
    print(case, repr(float(z)), repr(float(p)))
