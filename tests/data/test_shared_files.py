"""The papers' data sets, where they are at hand, against the counts that came with them."""

from __future__ import annotations

import csv
import gzip
import hashlib
from pathlib import Path

import numpy as np
import pytest
from reference.papers_data import AT_HAND, at_hand, data_folder

from foldwise.data import KNOWN, load
from foldwise.data.formats.arff import parse_arff

FOLDER = data_folder()
PROVENANCE = FOLDER / "PROVENANCE.csv"
ROWS = list(csv.DictReader(PROVENANCE.read_text("utf-8").splitlines())) if PROVENANCE.is_file() else []

# digests of what Weka's own loader reads; see generators/weka/ArffDigests.java
REFERENCE = Path(__file__).parents[1] / "reference" / "weka" / "arff_digests.tsv"
LINES = [line for line in REFERENCE.read_text().splitlines() if not line.startswith("#")][1:]
WEKA = {line.partition(".arff")[0]: line for line in LINES}

all_there = pytest.mark.skipif(not AT_HAND, reason="the papers' data sets are not on this machine")


def sha256(content):
    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_counts(row):
    seen = load(row["name"], data_dir=FOLDER).describe()
    assert seen.class_counts is not None
    assert {
        "n_instances": seen.examples,
        "n_attributes": seen.attributes,
        "n_classes": sum(count > 0 for count in seen.class_counts.values()),
        "missing_values": seen.missing,
        "numeric_attributes": seen.numeric,
        "nominal_attributes": seen.nominal,
    } == {name: int(row[name]) for name in row if name.startswith(("n_", "missing", "numeric", "nominal"))}
    assert seen.target == row["class_attribute"]


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_registry_knows_the_file_by_its_paper_name(row):
    known = KNOWN[row["name"]]
    assert known.target == row["class_attribute"]
    initials = {
        "BF04": "bouckaertfrank2004",
        "A99": "alpaydin1999",
        "D98": "dietterich1998",
        "MH96": "martinhirschberg1996",
    }
    assert set(known.papers) == {initials[key] for key in row["papers"].split(";")}


@pytest.mark.parametrize("name", at_hand(*WEKA))
def test_every_value_and_name_is_as_weka_reads_it(name):
    file, rows, width, values, names = WEKA[name].split("\t")
    raw = (FOLDER / file).read_bytes()
    text = (gzip.decompress(raw) if file.endswith(".gz") else raw).decode("latin-1")
    columns = parse_arff(text, file)[1]
    table = np.column_stack([column.values for column in columns])
    assert table.shape == (int(rows), int(width))
    assert sha256(table.astype(">f8").tobytes()) == values
    words = [word for column in columns for word in (column.name, *(column.categories or ()))]
    assert sha256("".join(f"{word}\n" for word in words).encode()) == names


@all_there
def test_every_file_of_the_folder_is_described():
    names = {path.name for path in FOLDER.iterdir() if ".arff" in path.name}
    assert names == {row["file"] for row in ROWS}
    assert len(ROWS) == 34


@all_there
def test_values_are_read_and_not_only_counted():
    wine, iris = load("wine", data_dir=FOLDER), load("iris", data_dir=FOLDER)
    reference = load("sklearn:wine")
    np.testing.assert_allclose(wine.X.values, reference.X.values, rtol=1e-12)
    assert [label[-1] for label in reference.y] == [str(int(label) - 1) for label in wine.y]
    # scikit-learn has Fisher's values; UCI's file differs in two rows
    differs = (iris.X.values != load("sklearn:iris").X.values).any(axis=1)
    assert np.flatnonzero(differs).tolist() == [34, 37]


@all_there
def test_optdigits_ends_with_the_digits_of_scikit_learn():
    optdigits, digits = load("optdigits", data_dir=FOLDER), load("sklearn:digits")
    np.testing.assert_array_equal(optdigits.X.values[-1797:], digits.X.values)
    np.testing.assert_array_equal(optdigits.y[-1797:], digits.y)


@all_there
def test_files_are_the_ones_that_were_described():
    assert {row["file"]: sha256((FOLDER / row["file"]).read_bytes()) for row in ROWS} == {
        row["file"]: row["sha256"] for row in ROWS
    }
