"""Metrics on the page: offered, answered as in Python, with the command that does the same."""

from __future__ import annotations

import json
import shlex

import pytest
from cli.test_metrics import BY_CLASS, NB, NEW, OLD, SCORES, THREE, TREE, WORDS

import foldwise as fw
from foldwise.cli.main import main


def test_metrics_are_asked_for_where_two_models_have_a_truth(reader):
    page = reader.post("/predictions", text=SCORES, filename="data.csv", metric="f1 roc_auc")
    assert page.alert is None
    assert {"metric", "positive", "threshold", "unadjusted"} <= set(page.markup.values("name"))
    page = reader.post("/predictions", text=BY_CLASS, filename="data.csv")
    assert page.roles()["nb:cat"] == "classifier"


@pytest.mark.parametrize(("text", "options", "expected"), [
    (SCORES, {"metric": "roc_auc"}, lambda: fw.compare_predictions(WORDS, {"new": NEW, "old": OLD}, metric="roc_auc")),
    (SCORES, {"metric": "f1", "positive": "no", "threshold": "0.3"},
     lambda: fw.compare_predictions(WORDS, {"new": NEW, "old": OLD}, metric="f1",
                                    options=fw.Options(positive="no", threshold=0.3))),
    (BY_CLASS, {"metric": "roc_auc_ovr"},
     lambda: fw.compare_predictions(THREE, {"a": NB, "b": TREE}, metric="roc_auc_ovr")),
], ids=["area", "threshold", "classes"])  # fmt: skip
def test_the_answer_is_that_of_python_and_of_the_command(
    reader, tmp_path, monkeypatch, capsys, text, options, expected
):
    kept = json.loads(reader.post("/predictions/report.json", text=text, filename="data.csv", **options).text)
    answer = expected().to_dict()
    for key in ("test", "estimate", "pvalue", "interval", "better"):
        assert kept[key] == answer[key], key
    command = reader.post("/predictions", text=text, filename="data.csv", step="answer", **options).command
    (tmp_path / "data.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    main([*shlex.split(command)[1:], "--json"])
    assert json.loads(capsys.readouterr().out)["pvalue"] == answer["pvalue"]


def test_several_metrics_are_one_page(reader):
    reply = reader.post("/predictions", text=SCORES, filename="data.csv", metric="f1, brier", unadjusted="yes",
                         step="answer")  # fmt: skip
    assert "--metric=f1 --metric=brier --unadjusted" in reply.command
    assert "not adjusted" in reply.text


def test_bad_input_is_a_sentence(reader):
    page = reader.post("/predictions", text=SCORES, filename="data.csv", metric="rmse", step="answer")
    assert "Truth must be numbers" in page.alert
