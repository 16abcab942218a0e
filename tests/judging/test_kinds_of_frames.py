"""Frames come out in the kind that went in."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import foldwise as fw
from foldwise.comparison.results import package_of

KINDS = [
    (pd.Series, pd.DataFrame, pd.DataFrame),
    (pl.Series, pl.DataFrame, pl.DataFrame),
    (pa.array, pa.table, pa.Table),
]
RNG = np.random.default_rng(2)
A, B = RNG.random((2, 8)).round(3)
TRUTH, SAID = RNG.integers(0, 2, (2, 30))


@pytest.mark.parametrize(("column", "frame", "kind"), KINDS)
def test_the_same_kind_out(column, frame, kind):
    long = {"model": ["a"] * 8 + ["b"] * 8, "item": [*range(8), *range(8)], "score": [*A, *B]}
    table = {"dataset": [f"d{i}" for i in range(8)], "a": A, "b": B}
    results = {
        "scores": fw.compare_scores({"a": column(A), "b": column(B)}),
        "marks": fw.compare_predictions(None, {"a": column(A), "b": column(B)}),
        "predictions": fw.compare_predictions(column(TRUTH), {"a": column(SAID), "b": column(TRUTH)}),
        "metrics": fw.compare_predictions(
            column(TRUTH),
            {"a": column(SAID), "b": column(TRUTH)},
            metric=["accuracy", "f1"],
            options=fw.Options(positive=1),
        ),
        "models": fw.compare_predictions(column(TRUTH), {"a": column(SAID), "b": column(TRUTH), "c": column(SAID)}),
        "table": fw.compare_table(frame(table)),
        "judge": fw.judge(frame(long)),
        "judged table": fw.judge(frame(table)),
    }
    for name, result in results.items():
        assert isinstance(result.to_frame(), kind), name


def test_what_is_no_frame_gives_the_first_library():
    assert isinstance(fw.compare_scores({"a": A, "b": B}).to_frame(), pd.DataFrame)
    assert package_of(A, [0.5], {"a": A}, None) == ""


def test_a_judgement_has_a_row_per_task_and_pair():
    rng = np.random.default_rng(0)
    rows = [(m, t, i, rng.random()) for m in "abc" for t in ("x", "y") for i in range(9)]
    frame = pl.DataFrame(rows, schema=["model", "task", "item", "score"], orient="row")
    found = fw.judge(frame)
    out = found.to_frame()
    assert out["task"].to_list() == ["x"] * 3 + ["y"] * 3 + ["over tasks"] * 3
    first = out.row(0, named=True)
    pair = found.verdicts["x"].pairs[0]
    assert (first["a"], first["b"], first["pvalue"], first["low"]) == (pair.a, pair.b, pair.pvalue, pair.low)
