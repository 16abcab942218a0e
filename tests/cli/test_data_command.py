from __future__ import annotations

import json
import re
from functools import partial

import numpy as np
import pytest
from sklearn import datasets
from sklearn.utils import Bunch

ARFF = "@relation t\n@attribute x real\n@attribute class {a,b}\n@data\n1,a\n?,b\n"


@pytest.fixture
def run(run, monkeypatch):
    monkeypatch.delenv("FOLDWISE_DATA", raising=False)
    return partial(run, "data")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.arff").write_text(ARFF)
    return tmp_path


def test_list(run, folder):
    code, out, err = run("list", "--data-dir", str(folder))
    lines = {line.split()[0]: line for line in out.splitlines() if line}
    assert (code, err) == (0, "")
    assert lines["mine"].split() == ["mine", "mine.arff"]
    assert "(not here)" in lines["vehicle"]
    assert "openml:54" in lines["vehicle"]
    assert "scikit-learn" in lines["iris"]


def test_list_as_json(run, folder):
    code, out, _ = run("list", "--json", "--data-dir", str(folder))
    rows = {row["name"]: row for row in json.loads(out)["datasets"]}
    assert code == 0
    assert rows["mine"]["source"] == "mine.arff"
    assert rows["iris"] == {
        "name": "iris",
        "source": "scikit-learn",
        "openml": 61,
        "openml_verified": True,
        "papers": ["bouckaertfrank2004", "alpaydin1999"],
    }
    assert rows["vehicle"]["openml_verified"] is False


def test_describe(run, folder):
    code, out, _ = run("describe", "mine", "--data-dir", str(folder))
    assert code == 0
    assert re.match(r"mine +2 examples in 2 classes\n", out)
    assert re.search(r"attributes +1 \(1 numeric, 0 nominal\)", out)
    assert re.search(r"missing values +1\n", out)
    code, out, _ = run("describe", str(folder / "mine.arff"), "--target", "class", "--json")
    assert json.loads(out)["class_counts"] == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["describe", "vehicel"], "unknown data set 'vehicel': did you mean 'vehicle'"),
        (["describe", "vehicle"], "data set 'vehicle' is not here"),
        (["describe", "nowhere.arff"], "there is no file nowhere.arff"),
        (["describe", "iris", "--data-dir", "nowhere"], "data_dir must be a folder"),
        (["fetch", "iris"], "fetch needs a folder to keep the file in: give --data-dir or set FOLDWISE_DATA"),
        (["fetch", "vehicel", "--data-dir", "."], "did you mean 'vehicle'"),
        (["fetch", "contact-lenses", "--data-dir", "."], "no OpenML id is known for 'contact-lenses'"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(run, args, message):
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_fetch_keeps_a_file_that_loads(run, tmp_path, monkeypatch):
    bunch = Bunch(
        data=np.array([[1.5], [np.nan]]),
        target=np.array(["a", "b"], dtype=object),
        feature_names=["x"],
        target_names=["class"],
        categories={"class": ["a", "b"]},
        details={"id": "54", "name": "vehicle", "version": "1"},
    )
    monkeypatch.setattr(datasets, "fetch_openml", lambda **query: bunch)
    code, out, _ = run("fetch", "vehicle", "--data-dir", str(tmp_path))
    assert code == 0
    assert re.search(rf"kept as +{re.escape(str(tmp_path / 'vehicle.arff'))}", out)
    fetched = json.loads(run("fetch", "openml:54", "--json", "--data-dir", str(tmp_path))[1])
    described = json.loads(run("describe", "vehicle", "--json", "--data-dir", str(tmp_path))[1])
    assert fetched["hash"] == described["hash"]
    assert fetched["file"] == str(tmp_path / "vehicle.arff")
