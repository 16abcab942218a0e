"""Missing values at the doors of the page: the same three policies as everywhere, and the command that says so."""

from __future__ import annotations

import json
import shlex

import pytest

from foldwise.cli.main import main

ROWS = [(0.8 + i % 3 / 50, 0.7 + i % 4 / 50) for i in range(10)]
GAP = [(f"{a:.3f}", "" if i == 3 else f"{b:.3f}") for i, (a, b) in enumerate(ROWS)]
SCORES = "fold,a,b\n" + "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(GAP))
TABLE = "data,a,b\n" + "".join(f"set {i},{a},{b}\n" for i, (a, b) in enumerate(GAP))
LABELS = "truth,a,b\n" + "x,x,y\ny,y,y\n" * 20 + "x,x,\ny,y,y\n"
DOORS = {
    "scores": (SCORES, {"metric": "accuracy", "n_train": "90", "n_test": "10"}),
    "table": (TABLE, {"metric": "accuracy"}),
    "predictions": (LABELS, {}),
}


@pytest.mark.parametrize("policy", ["drop", "worst"])
@pytest.mark.parametrize("door", DOORS)
def test_the_page_settles_missing_values_as_its_command_does(reader, tmp_path, monkeypatch, capsys, door, policy):
    text, options = DOORS[door]
    page = reader.post(f"/{door}", text=text, filename="data.csv", step="answer", missing=policy, **options)
    assert page.alert is None
    assert f"--missing={policy}" in page.command
    (tmp_path / "data.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    main([*shlex.split(page.command)[1:], "--json"])
    said = json.loads(capsys.readouterr().out)
    options = {"missing": policy, "filename": "data.csv", **options}
    kept = json.loads(reader.post(f"/{door}/report.json", text=text, **options).text)
    assert [kept[key] for key in ("alpha", "reading")] == [said[key] for key in ("alpha", "reading")]
    assert any(one["what"] == "missing" for one in said["reading"])
    assert kept.get("pvalue") == said.get("pvalue")
    assert kept.get("pairs") == said.get("pairs")


@pytest.mark.parametrize("door", ["scores", "predictions"])
def test_missing_values_are_refused_unless_somebody_says_what_becomes_of_them(reader, door):
    text, options = DOORS[door]
    assert reader.post(f"/{door}", text=text, filename="data.csv", step="answer", **options).alert
