"""Runs, folds, seeds and items are not data sets: every door for tables says where they belong."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.core.replicates import refuse_replicate_column, refuse_replicate_labels
from foldwise.data import read_table

RNG = np.random.default_rng(3)
A, B = 0.8 + RNG.uniform(0, 0.1, 12), 0.7 + RNG.uniform(0, 0.1, 12)
DATA, SEEDS = np.repeat(["iris", "wine", "zoo"], 4), np.tile(np.arange(4), 3)
SPLITS = r"one row per .*compare_scores \(foldwise scores\).*average them within each"


@pytest.mark.parametrize("frame", [
    pd.DataFrame({"a": A, "b": B}, index=pd.MultiIndex.from_arrays([DATA, SEEDS], names=["dataset", "seed"])),
    pd.DataFrame({"a": A, "b": B}, index=pd.MultiIndex.from_arrays([DATA, SEEDS])),
    pd.DataFrame({"a": A, "b": B}, index=DATA),
    pd.DataFrame({"a": A, "b": B}, index=np.repeat([61, 187, 62], 4)),
    pd.DataFrame({"a": A, "b": B}, index=pd.Index(range(12), name="fold")),
    pd.DataFrame({"data": DATA, "a": A, "b": B}),
    pd.DataFrame({"data": DATA, "seed": SEEDS, "a": A, "b": B}),
    pd.DataFrame({"fold": range(12), "a": A, "b": B}),
    pl.DataFrame({"data": DATA, "a": A, "b": B}),
    pl.DataFrame({"run": range(12), "a": A, "b": B}),
    {"Seed": range(12), "a": A, "b": B},
])  # fmt: skip
def test_frames_of_splits_are_refused(frame):
    with pytest.raises(InvalidInput, match=SPLITS):
        fw.compare_table(frame)


def test_what_a_frame_of_splits_becomes_when_it_is_averaged_is_taken():
    frame = pd.DataFrame({"data": DATA, "seed": SEEDS, "a": A, "b": B})
    assert fw.compare_table(frame.groupby("data")[["a", "b"]].mean()).table.datasets == ("iris", "wine", "zoo")
    index = pd.MultiIndex.from_arrays([["iris", "wine"], ["v1", "v2"]], names=["dataset", "version"])
    assert fw.compare_table(pd.DataFrame({"a": A[:2], "b": B[:2]}, index=index)).table.datasets == (
        "iris v1",
        "wine v2",
    )


@pytest.mark.parametrize("labels", [
    [f"fold {i}" for i in range(12)], [f"iris_seed{i}" for i in range(12)], [f"Run-{i}" for i in range(12)],
])  # fmt: skip
def test_labels_of_splits_are_refused(labels):
    with pytest.raises(InvalidInput, match=SPLITS):
        fw.compare_table(np.column_stack([A, B]), tasks=labels)


def test_names_of_data_sets_are_no_splits():
    refuse_replicate_labels(["monks-1", "monks-2", "set 1", "set 2", "iris fold 1", "wine fold 1", "grep1", "grep2"])
    for name in ("data", "data set", "dataset", "", "name", "id", "problem", "instance", "seeds data"):
        refuse_replicate_column(name)


@pytest.mark.parametrize(("first", "message"), [
    ("fold", SPLITS), ("Seed", SPLITS), ("runs", SPLITS), ("question", "compare_predictions"), ("item", "predictions"),
])  # fmt: skip
def test_files_of_splits_and_items_are_refused(first, message):
    text = f"{first},a,b\n" + "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(zip(A, B, strict=True)))
    with pytest.raises(InvalidInput, match=message):
        read_table(text)


def test_the_page_says_where_folds_belong():
    from foldwise.web.doors.base import Submission
    from foldwise.web.doors.table import DOOR

    looked = DOOR.look(Submission(text="fold,a,b\n1,0.5,0.6\n2,0.7,0.8\n", filename="t.csv"))
    assert "foldwise scores" in looked.problem
    seeds = DOOR.look(Submission(text="data,seed,a,b\niris,1,0.5,0.6\nwine,2,0.7,0.8\n", filename="t.csv"))
    assert "'seed' tells of splits" in seeds.problem


def test_items_and_copies_are_pointed_out():
    marks = fw.compare_table(RNG.integers(0, 2, size=(40, 2)).astype(float), options=fw.Options(bayes="none"))
    assert any("all scores are 0 or 1" in caveat for caveat in marks.caveats)
    twice = fw.compare_table(np.tile(np.column_stack([A, B]), (2, 1)), options=fw.Options(bayes="none"))
    assert any("if they are one data set, it counts twice" in caveat for caveat in twice.caveats)
    plain = fw.compare_table(np.column_stack([A, B]), options=fw.Options(bayes="none"))
    assert not any("counts twice" in caveat or "0 or 1" in caveat for caveat in plain.caveats)
