"""Make the table of calibrated degrees of freedom that the package carries.

``python -m foldwise.lab.calibrated_table`` writes `foldwise/inference/calibrated_df.json`. Its stamp says how it was
made, so that the same command makes the same file again.
"""

from __future__ import annotations

import json
from pathlib import Path

from foldwise import __version__
from foldwise.core.types import Json
from foldwise.inference import calibrated
from foldwise.lab.calibration import CalibrationTable, calibrate
from foldwise.lab.gather import Resources

__all__ = ["make_table", "write_table"]

RUNS = range(2, 101)
FOLDS = (5, 10, 20)
LEVELS = (0.01, 0.05, 0.1)
TRIALS = 2000
N = 300
SEED = 2003
POPULATION = "independent-binary"
LEARNERS = ("nb", "c45")


def make_table(
    *, trials: int = TRIALS, folds: tuple[int, ...] = FOLDS, runs: range = RUNS, n_jobs: int | None = None
) -> dict[str, Json]:
    """Calibrate the six calibratable tests for every scheme.

    Parameters
    ----------
    trials
        Data sets without a difference.
    folds, runs
        The schemes of cross-validation.
    n_jobs
        Processes; the table does not depend on it.

    Returns
    -------
    dict
        ``stamp``: how it was made; ``runs``: the first and the last number of runs; ``df``: per number of folds, alpha
        and test the degrees of freedom for each number of runs, 0 where none gives the test its level.
    """
    tables = {k: _calibrated(k, runs, trials, n_jobs) for k in folds}
    first = tables[folds[0]]
    return {
        "stamp": {
            "made by": "python -m foldwise.lab.calibrated_table",
            "version": __version__,
            "population": first.population,
            "learners": list(first.learners),
            "n": N,
            "trials": trials,
            "seed": SEED,
            "df tried": list(first.df_range),
        },
        "runs": [runs[0], runs[-1]],
        "df": {str(k): _by_level(table) for k, table in tables.items()},
    }


def _calibrated(folds: int, runs: range, trials: int, n_jobs: int | None) -> CalibrationTable:
    return calibrate(
        calibrated.CALIBRATABLE,
        POPULATION,
        learners=LEARNERS,
        runs=list(runs),
        folds=folds,
        alpha=LEVELS,
        trials=trials,
        seed=SEED,
        resources=Resources(n_jobs=n_jobs),
        n=N,
    )


def _by_level(table: CalibrationTable) -> dict[str, dict[str, str]]:
    """Per alpha and test the values in the order of runs, as text: a list of numbers would take a line for each."""
    levels: dict[str, dict[str, str]] = {}
    for row in table.rows:
        tests = levels.setdefault(f"{row.alpha:g}", {})
        tests[row.test] = f"{tests[row.test]} {row.df}" if row.test in tests else str(row.df)
    return levels


def write_table(path: Path, table: dict[str, Json]) -> None:
    """Write the table as the package carries it."""
    path.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_table(Path(calibrated.__file__).with_name(calibrated.FILE), make_table(n_jobs=-1))
