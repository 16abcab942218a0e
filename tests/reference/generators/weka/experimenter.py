"""Writes tests/reference/experimenter with Weka's own Experimenter, version 3.6.14.

    python tests/reference/generators/weka/experimenter.py

Three learners on eight data sets, two runs of five folds, as CSV and as ARFF, both packed. Needs java, javac, the jar
and the data sets, as ``generate.py`` says. What Weka measures of time is another number every time.
"""

import gzip
import subprocess
import tempfile
from pathlib import Path

from generate import DATA, JAR, TESTS

OUT = TESTS / "reference" / "experimenter"
SETS = ("ecoli", "glass", "heart-statlog", "hepatitis", "iris", "labor", "lymph", "sonar")
SCHEMES = (
    "weka.classifiers.trees.J48 -C 0.25 -M 2",
    "weka.classifiers.bayes.NaiveBayes",
    "weka.classifiers.lazy.IBk -K 3",
)


def main():
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["javac", "-nowarn", "-cp", JAR, "-d", folder, Path(__file__).with_name("Experimenter.java")], check=True
        )
        for ending in ("csv", "arff"):
            out = Path(folder, f"experiment.{ending}")
            sets = [str(DATA / f"{name}.arff") for name in SETS]
            java = ["java", "-Djava.awt.headless=true", "-cp", f"{JAR}:{folder}", "Experimenter"]
            subprocess.run([*java, str(out), "2", "5", ";".join(SCHEMES), *sets], check=True, capture_output=True)
            (OUT / f"{out.name}.gz").write_bytes(gzip.compress(out.read_bytes(), mtime=0))


if __name__ == "__main__":
    main()
