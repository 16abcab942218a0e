"""Write transcripts of Weka's per-fold counts of correct predictions.

    python tests/reference/generators/weka/generate.py NAME CLASSIFIER [OPTIONS] [--only SET ...]

e.g. ``generate.py ibk3 weka.classifiers.lazy.IBk "-K 3"`` writes ``tests/reference/weka/ibk3.json``. Needs java,
javac, a Weka 3.6 jar (environment variable WEKA_JAR; Debian's package ``weka`` puts it in /usr/share/java/weka.jar)
and the data sets (FOLDWISE_DATA, or the folder ``shared/data`` beside the repository). Data sets that the classifier
refuses are left out and named on stderr. A single option needs a leading blank: ``" -K"``.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parents[3]
DATA = Path(os.environ.get("FOLDWISE_DATA", TESTS.parents[1] / "shared" / "data"))
JAR = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")


def main():
    sys.path.insert(0, str(TESTS))
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("classifier")
    parser.add_argument("options", nargs="?", default="")
    parser.add_argument("--only", nargs="*", help="names of data sets; default all")
    arguments = parser.parse_args()
    arguments.options = arguments.options.strip()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["javac", "-nowarn", "-cp", JAR, "-d", folder, Path(__file__).with_name("FoldCounts.java")], check=True
        )
        sets = {**binary_sets(Path(folder)), **real_sets(Path(folder))}
        counts = {}
        for key, job in sets.items():
            if arguments.only and key not in arguments.only:
                continue
            answer = run_job(folder, [*job, arguments.classifier, arguments.options])
            if answer is not None:
                counts[key] = answer
    write(arguments, counts)


def binary_sets(folder):
    """Jobs for the random binary data sets."""
    from reference.weka_folds import BINARY_SETS, binary_data, fixed_folds

    jobs = {}
    for index in range(BINARY_SETS):
        X, y = binary_data(index)
        header = [f"@relation b{index}", *(f"@attribute x{j} {{0,1}}" for j in range(X.shape[1])), "@attribute y {0,1}"]
        rows = [",".join(map(str, [*map(int, x), int(c)])) for x, c in zip(X, y, strict=True)]
        path = folder / f"binary{index}.arff"
        path.write_text("\n".join([*header, "@data", *rows, ""]))
        jobs[f"binary{index}"] = [str(path), str(X.shape[1]), "0", fold_file(folder, len(X), fixed_folds)]
    return jobs


def real_sets(folder):
    """Jobs for the data sets of the papers."""
    from reference.weka_folds import ROWS, fixed_folds

    jobs = {}
    for row in csv.DictReader((DATA / "PROVENANCE.csv").open()):
        path = folder / f"{row['name']}.arff"
        content = (DATA / row["file"]).read_bytes()
        path.write_bytes(gzip.decompress(content) if row["file"].endswith(".gz") else content)
        n = min(ROWS, int(row["n_instances"]))
        jobs[row["name"]] = [str(path), row["class_index"], str(n), fold_file(folder, n, fixed_folds)]
    return jobs


def fold_file(folder, n, fixed_folds):
    path = folder / f"folds{n}.txt"
    if not path.exists():
        path.write_text("\n".join(" ".join(map(str, ids)) for ids in fixed_folds(n)) + "\n")
    return str(path)


def run_job(folder, job):
    """Counts of one data set, or None if Weka refuses it."""
    done = subprocess.run(
        ["java", "-Djava.awt.headless=true", "-Xmx1g", "-cp", f"{folder}:{JAR}", "FoldCounts"],
        input="\t".join(job) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.stderr.write(f"{Path(job[0]).stem}: {done.stderr.strip().splitlines()[0]}\n")
        return None
    return [list(map(int, run.split())) for run in done.stdout.strip().split(",")]


def write(arguments, counts):
    version = subprocess.run(["java", "-cp", JAR, "weka.core.Version"], capture_output=True, text=True, check=True)
    head = {"weka": version.stdout.split()[0], "classifier": arguments.classifier, "options": arguments.options}
    lines = [f'    "{key}": {json.dumps(rows, separators=(",", ":"))}' for key, rows in counts.items()]
    body = json.dumps(head)[:-1] + ',\n  "counts": {\n' + ",\n".join(lines) + "\n  }\n}\n"
    (TESTS / "reference" / "weka" / f"{arguments.name}.json").write_text(body)


if __name__ == "__main__":
    main()
