from __future__ import annotations

import numpy as np
import pytest

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.engine import prepare

ROWS = [f"{i},{i % 4},{'ab'[i % 2]}{i // 4},{'yes' if i % 3 else 'no'}" for i in range(24)]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "patients.csv"
    path.write_text("\n".join(["key,x,who,class", *ROWS]))
    return path


def test_columns_are_left_out_and_group_the_rows(file):
    data = fw.load(file, drop=["key"], groups="who")
    assert data.feature_names == ("x",)
    assert data.groups.tolist() == [row.split(",")[2] for row in ROWS]
    assert "without key, grouped by who" in data.provenance
    assert prepare({"nb": "nb"}, data).groups.tolist() == data.groups.tolist()


def test_the_hash_follows_what_is_chosen(file):
    hashes = {
        fw.load(file, keep=["key"]).hash,
        fw.load(file).hash,
        fw.load(file, drop=["key", "who"]).hash,
        fw.load(file, drop=["key"], groups="who").hash,
        fw.load(file, groups="key", drop=["who"]).hash,
    }
    assert len(hashes) == 5


def test_a_group_is_never_trained_on_and_tested(file):
    data = fw.load(file, drop=["key"], groups="who")
    c = fw.compare(["majority", "dummy"], data, runs=1, folds=3)
    same = fw.compare(["majority", "dummy"], fw.load(file, drop=["key", "who"]), groups=data.groups, runs=1, folds=3)
    assert np.array_equal(c.evidence.a, same.evidence.a)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drop": ["kee"]}, r"drop must be a column of 'patients' \(key, x, who\), got 'kee'"),
        ({"groups": "class"}, "groups can't be 'class', which is the target"),
        ({"drop": "key"}, "drop must be names of columns in a list"),
        ({"drop": ["key", "x", "who"]}, "must leave an attribute"),
    ],
)
def test_bad_choices_are_one_sentence(file, options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.load(file, **options)


def test_rows_without_a_group_are_refused(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("x,who,class\n1,a,yes\n2,,no\n3,b,yes\n")
    with pytest.raises(InvalidInput, match="groups must be known for every row, but column 'who' is empty in 1 rows"):
        fw.load(path, groups="who")
