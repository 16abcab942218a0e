"""The page for results that are coming in."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

from foldwise.cli.main import main

RNG = np.random.default_rng(0)
MARKS = np.round(1 + 4 * RNG.beta(5, 2, (60, 2)), 2)
TEXT = "new,old,group\n" + "".join(f"{a},{b},g{i // 4}\n" for i, (a, b) in enumerate(MARKS))


@pytest.mark.parametrize("fields", [
    {"truth": "none", "low": "1", "high": "5"},
    {"truth": "none", "low": "1", "high": "5", "complete": "yes", "margin": "0,5", "alpha": "0.1"},
    {"truth": "none", "low": "1", "high": "5", "largest_cluster": "4"},
    {"truth": "none", "low": "-1", "high": "5", "groups": "none"},
])  # fmt: skip
def test_the_answer_is_that_of_the_command_which_is_shown(reader, tmp_path, monkeypatch, capsys, fields):
    reply = reader.post("/watch/report.json", text=TEXT, filename="data.csv", **fields)
    found = json.loads(reply.text)
    page = reader.post("/watch", text=TEXT, filename="data.csv", step="answer", **fields)
    assert page.status == 200
    assert "anytime-valid p" in page.text
    assert "You may look as often as you like" in page.text
    (tmp_path / "data.csv").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main([*shlex.split(page.command)[1:], "--json"])
    assert json.loads(capsys.readouterr().out) | {"repeat": None} == found | {"repeat": None}


def test_clusters_of_unequal_size_are_judged_by_items(reader):
    text = "a,b,group\n" + "1,0,g0\n" * 4 + "".join(f"0,1,g{i}\n" + f"1,0,h{i}\n" * 5 for i in range(40))
    fields = {"truth": "none", "complete": "yes", "largest_cluster": "5"}
    found = json.loads(reader.post("/watch/report.json", text=text, filename="d.csv", **fields).text)
    at_once = json.loads(reader.post("/predictions/report.json", text=text, filename="d.csv", truth="none").text)
    assert found["estimate"] == pytest.approx(at_once["estimate"])
    assert (found["better"], at_once["better"]) == ("a", "a")


def test_the_example_is_understood(reader):
    page = reader.get("/watch?example=1")
    assert page.status == 200
    assert page.roles() == {"truth": "truth", "naive bayes": "classifier", "tree": "classifier"}
    assert "may we stop" in page.text


@pytest.mark.parametrize(("text", "fields", "alert"), [
    (TEXT, {"truth": "none"}, "must lie within the bounds 0 and 1"),
    (TEXT, {"truth": "none", "low": "5", "high": "1"}, "least mark must be below the largest, got 5 and 1"),
    ("truth,a,b,c\n" + "x,x,x,x\n" * 9, {}, "3 classifier column"),
])  # fmt: skip
def test_what_can_not_be_judged_is_said(reader, text, fields, alert):
    assert alert in reader.post("/watch", text=text, filename="data.csv", step="answer", **fields).alert
