from __future__ import annotations

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from foldwise import engine
from foldwise.engine.store import Record, SeriesKey, Store
from foldwise.engine.store.export import write_csv
from foldwise.resampling import RepeatedKFold


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "results.db"
    X, y = load_iris(return_X_y=True)
    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    return path, engine.run(learners, X, y, RepeatedKFold(2, 5), store=path, data_name="iris")


def test_ls_lists_the_series(run, study):
    path, result = study
    code, out, _ = run("store", "ls", path)
    assert code == 0
    lines = out.splitlines()
    header = ["series", "data", "learner", "plan", "seed", "splits", "mean", "scores"]
    [start] = [place for place, line in enumerate(lines) if line.split() == header]
    assert "iris" in lines[start + 1]
    assert f"accuracy {result.scores_of('nb').mean():.4f}" in lines[start + 1]


def test_ls_as_json(run, study):
    path, result = study
    listed = json.loads(run("store", "ls", path, "--json")[1])["series"]
    assert [(s["learner"], s["splits"]) for s in listed] == [("nb", 10), ("tree", 10)]
    assert listed[1]["params"]["max_depth"] == 2
    assert listed[0]["scores"]["accuracy"] == pytest.approx(result.scores_of("nb").mean())


def test_show_tells_all_about_one_series(run, study):
    code, out, _ = run("store", "show", study[0], 2)
    assert code == 0
    assert "sklearn.tree" in out
    assert '"max_depth": 2' in out
    assert json.loads(run("store", "show", study[0], 2, "--json")[1])["plan"]["folds"] == 5


def test_export_writes_every_split(run, study):
    path, result = study
    code, out, _ = run("store", "export", path, "--learner", "tree")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [float(row["score"]) for row in rows] == result.scores_of("tree").ravel().tolist()
    assert [(row["run"], row["fold"]) for row in rows] == [(str(r), str(f)) for r in range(2) for f in range(5)]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_export_to_a_file(run, study, tmp_path, suffix):
    path, result = study
    target = tmp_path / f"scores.{suffix}"
    code, _, err = run("store", "export", path, "--out", target, "--metric", "accuracy", "--data", "iris")
    assert (code, err) == (0, f"20 rows written to {target}\n")
    table = pd.read_csv(target) if suffix == "csv" else pd.read_parquet(target)
    assert table.score.tolist() == result.scores.ravel().tolist()
    assert set(table.n_test) == {30}


def test_exported_scores_are_those_recorded_bit_for_bit():
    scores = [0.0, -0.0, 1 / 3, 0.1 + 0.2, 1 / 3, -1e-300, -0.0, 0.0]
    labels = {"data": "d", "learner": "l", "class": "C", "params": "{}", "versions": "{}"}
    labels |= {"examples": 3, "attributes": 1, "classes": 2, "folds": 2}
    with Store(":memory:") as store:
        series, scoring = (
            store.series(SeriesKey(data="d", learner="l", plan="{}", seed=0, labels=labels)),
            store.scoring("s", "s"),
        )
        rest = {"series": series, "n_train": 2, "n_test": 1, "seconds": 0.5, "outcomes": np.zeros(1, dtype=np.uint8)}
        store.record([Record(split=i, score=score, **rest) for i, score in enumerate(scores)], scoring)
        text = io.StringIO()
        assert write_csv(store, text, series=store.listing()) == len(scores)
    rows = list(csv.DictReader(io.StringIO(text.getvalue())))
    assert [row["score"] for row in rows] == [repr(score) for score in scores]
    assert [(row["run"], row["fold"]) for row in rows] == [(str(i // 2), str(i % 2)) for i in range(len(scores))]


def test_an_export_can_be_compared(run, study, tmp_path):
    target = tmp_path / "scores.csv"
    run("store", "export", study[0], "--out", target)
    code, out, _ = run("scores", target, "--json")
    assert code == 0
    assert json.loads(out)["models"] == ["nb", "tree"]


@pytest.mark.parametrize(("args", "message"), [
    (("ls", "nowhere.db"), "store 'nowhere.db' does not exist"),
    (("show", None, "9"), "series must be a number that `foldwise store ls` prints, got 9"),
    (("export", None, "--learner", "tre"), "unknown learner 'tre': did you mean 'tree'?"),
    (("export", None, "--metric", "acuracy"), "unknown metric 'acuracy': did you mean 'accuracy'?"),
    (("export", None, "--out", "x.xlsx"), "the export's name must end in .csv or .parquet, got 'x.xlsx'"),
    (("export", None, "--out", "/nowhere/x.csv"), "Invalid value for '--out': the folder '/nowhere' of 'x.csv'"),
])  # fmt: skip
def test_bad_input_is_one_sentence(run, study, args, message):
    code, _, err = run("store", *(study[0] if arg is None else arg for arg in args))
    assert code == 2
    assert err.startswith(f"foldwise: {message}")
    assert len(err.strip().splitlines()) == 1


def test_an_empty_store_says_so(run, tmp_path):
    engine.Store(tmp_path / "new.db").close()
    assert run("store", "ls", tmp_path / "new.db")[1].endswith("nothing stored yet\n")
