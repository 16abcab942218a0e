"""Values of the package confseq (Waudby-Smith, Howard & Ramdas) for betting confidence sequences.

Needs a Python for which confseq 0.0.11 has a wheel (3.9), and NumPy below 2; run from the repository's root:
    python tests/reference/generators/confidence_sequence.py > tests/reference/confidence_sequence.tsv
Each line: name <tab> value, 17 significant digits.
"""

from importlib.metadata import version

import numpy as np
from confseq.betting import betting_cs, betting_mart

N, BREAKS = 300, 20_000
i = np.arange(1, N + 1)
golden = i * 0.6180339887498949 % 1
SEQUENCES = {
    "graded": golden**2,  # marks of any size, mean 1/3
    "right_wrong": np.where(golden < 0.15, 0.0, np.where(golden < 0.4, 1.0, 0.5)),  # differences −1, 0, 1 as 0, ½, 1
    "constant": np.full(N, 0.5),
}


def say(name, value):
    """One line."""
    print(f"{name}\t{value:.17g}")


print(f"# confseq {version('confseq')}, {BREAKS} grid points for the limits")
for name, x in SEQUENCES.items():
    for m in (0.2, 0.5, 0.7):
        mart = betting_mart(x, m)
        for t in (1, 20, 100, 300):
            say(f"{name}.capital[{m}][{t}]", mart[t - 1])
    low, high = betting_cs(x, breaks=BREAKS, running_intersection=True)
    for t in (20, 100, 300):
        say(f"{name}.low[{t}]", low[t - 1])
        say(f"{name}.high[{t}]", high[t - 1])
