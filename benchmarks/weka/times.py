"""How long Weka takes for whole cross-validations of binary data sets, if Java and Weka are at hand."""

from __future__ import annotations

import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

import numpy as np

CLASSIFIERS = {"nb": "weka.classifiers.bayes.NaiveBayes", "c45": "weka.classifiers.trees.J48"}


def why_not(jar: str | None) -> str | None:
    """What is missing, in words; None if nothing is."""
    if not jar:
        return "name Weka 3.6's jar by --weka-jar or the environment variable WEKA_JAR"
    if not Path(jar).is_file():
        return f"there is no file {jar}"
    missing = [program for program in ("java", "javac") if shutil.which(program) is None]
    return f"{' and '.join(missing)} not found" if missing else None


def weka_milliseconds(
    jar: str, X: np.ndarray, y: np.ndarray, folds: np.ndarray, warm: int
) -> dict[str, tuple[float, int]]:
    """Per learner, CPU milliseconds per data set, and the number of correct predictions.

    Parameters
    ----------
    jar
        Weka 3.6.
    X, y
        Binary data sets as `foldwise.learners.binary.cross_validate` takes them.
    folds
        The fold of each example: (data sets, runs, examples).
    warm
        So many of the data sets come first, without being timed, while Java compiles.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(__file__).with_name("CrossValidations.java")
        subprocess.run(["javac", "-nowarn", "-cp", jar, "-d", folder, source], check=True, stderr=subprocess.DEVNULL)
        _write(Path(folder) / "data", X, y, folds)
        jobs = "".join(f"{name} 0 {warm}\n{name} {warm} {len(X)}\n" for name in CLASSIFIERS.values())
        command = ["java", "-Djava.awt.headless=true", "-cp", f"{folder}:{jar}", "CrossValidations", f"{folder}/data"]
        done = subprocess.run(
            command, input=jobs, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
        )
    answers = [tuple(map(int, line.split())) for line in done.stdout.splitlines()][1::2]
    return {
        name: (nanoseconds * 1e-6 / (len(X) - warm), correct)
        for name, (nanoseconds, correct) in zip(CLASSIFIERS, answers, strict=True)
    }


def _write(path: Path, X: np.ndarray, y: np.ndarray, folds: np.ndarray) -> None:
    with path.open("wb") as file:
        file.write(struct.pack(">5i", *X.shape, folds.shape[1], folds.max() + 1))
        for examples, classes, fold_of in zip(X, y, folds, strict=True):
            file.write(np.column_stack([examples, classes]).astype(np.int8).tobytes())
            file.write(fold_of.astype(np.int8).tobytes())
