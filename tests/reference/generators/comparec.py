"""C-indices and the variance of their difference by the C code of R's compareC 1.3.2, on the cases of survival.txt.

    git clone https://github.com/cran/compareC
    python tests/reference/generators/comparec.py compareC/src/survivalC.c >> tests/reference/survival.txt

R's headers are replaced by the one function of theirs that the code calls. The combination of its numbers is that of
``vardiffC`` in compareC's ``R/preload.R``.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np


def compiled(source: Path, folder: Path) -> ctypes.CDLL:
    """The library, without R."""
    for name in ("R", "Rmath", "Rinternals"):
        (folder / f"{name}.h").write_text("")
    (folder / "Rmath.h").write_text("static double sign(double x) { return (x > 0) - (x < 0); }\n")
    made = folder / "comparec.so"
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", f"-I{folder}", "-o", made, source], check=True)
    return ctypes.CDLL(str(made))


def main(source: str) -> None:
    """One line for each case: both indices, and the variance of their difference."""
    lines = (Path(__file__).parents[1] / "survival.txt").read_text(encoding="utf-8").splitlines()
    data = {key: np.array(values, float) for key, *values in map(str.split, lines) if not key.startswith("#")}
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(Path(source), Path(folder))

        def tau(name: str, time: np.ndarray, event: np.ndarray, *scores: np.ndarray) -> float:
            count, found = ctypes.c_int(len(time)), ctypes.c_double()
            numbers = [(ctypes.c_double * len(time))(*column) for column in (time, *scores)]
            happened = (ctypes.c_int * len(time))(*event.astype(int))
            getattr(library, name)(numbers[0], happened, *numbers[1:], ctypes.byref(count), ctypes.byref(found))
            return found.value

        for case in ("plain", "ties", "heavy", "none"):
            time, event = data[f"{case}.time"], data[f"{case}.event"]
            y, z = -data[f"{case}.a"], -data[f"{case}.b"]  # compareC's scores are long times, ours high risks
            whole, own = tau("TauXX", time, event), [tau("TauXY", time, event, score) for score in (y, z)]
            variance, spread = tau("VarTauXX", time, event), [tau("VarTauXY", time, event, s) for s in (y, z)]
            shared = [tau("CovTauXXXY", time, event, score) for score in (y, z)]
            both = tau("CovTauXYXZ", time, event, y, z)
            slopes = [np.array([1 / whole, -one / whole**2]) / 2 for one in own]
            first, second = (
                slope @ np.array([[v, c], [c, variance]]) @ slope
                for slope, v, c in zip(slopes, spread, shared, strict=True)
            )
            joint = slopes[0] @ np.array([[both, shared[1]], [shared[0], variance]]) @ slopes[1]
            indices = [(one / whole + 1) / 2 for one in own]
            print(f"{case}.comparec", *(f"{value:.17g}" for value in (*indices, first + second - 2 * joint)), "")


if __name__ == "__main__":
    main(sys.argv[1])
