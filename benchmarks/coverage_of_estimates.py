"""Coverage of the intervals of `foldwise estimate` on sources where the true error is known (ten minutes).

python benchmarks/coverage_of_estimates.py [TRIALS]
"""

from __future__ import annotations

import sys

from measuring.table import STUDIES, measure_coverage


def main() -> None:
    """One line for each source, learner and size."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("source, learner, n: at full worth; as counted; as counted, for the expected error")
    for population, learner, n in STUDIES:
        found = measure_coverage(population, learner, n, trials=trials, seed=1)
        shares = (found.independent, found.counted, found.counted_expected)
        print(f"{population!r:20} {learner:4} {n:4}   " + "   ".join(f"{share:.3f}" for share in shares), flush=True)


if __name__ == "__main__":
    main()
