"""Write digests of the trees that Weka's J48 prints for the papers' data sets to tests/reference/weka/j48_trees.tsv.

    python tests/reference/generators/weka/trees.py

Columns: data set, number of lines, SHA-256 of the printed tree without its final newline. Needs java, a Weka 3.6 jar
(WEKA_JAR) and the data sets (FOLDWISE_DATA), as generate.py beside this file does.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

TESTS = Path(__file__).parents[3]
DATA = Path(os.environ.get("FOLDWISE_DATA", TESTS.parents[1] / "shared" / "data"))
JAR = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")
LARGEST = 1000


def main():
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for row in csv.DictReader((DATA / "PROVENANCE.csv").open()):
            if int(row["n_instances"]) <= LARGEST:
                path = Path(folder) / f"{row['name']}.arff"
                content = (DATA / row["file"]).read_bytes()
                path.write_bytes(gzip.decompress(content) if row["file"].endswith(".gz") else content)
                text = tree(path, int(row["class_index"]) + 1)
                digest = hashlib.sha256(text.encode()).hexdigest()
                lines.append(f"{row['name']}\t{len(text.splitlines())}\t{digest}\n")
    (TESTS / "reference" / "weka" / "j48_trees.tsv").write_text("".join(lines))


def tree(path, class_number):
    command = ["java", "-Djava.awt.headless=true", "-cp", JAR, "weka.classifiers.trees.J48", "-no-cv"]
    printed = subprocess.run(
        [*command, "-t", path, "-c", str(class_number)], capture_output=True, text=True, check=True
    )
    body = printed.stdout.split("------------------\n\n", 1)[1]
    return body.split("\n\nNumber of Leaves", 1)[0].rstrip()


if __name__ == "__main__":
    main()
