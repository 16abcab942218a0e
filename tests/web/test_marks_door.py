"""Marks, trials and seeds on the page: understood, answered as in Python, with the command that does the same."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

import foldwise as fw
from foldwise.cli.main import main

RNG = np.random.default_rng(5)
A, B = (np.round(RNG.random((10, 2)) + gain, 3) for gain in (0.3, 0.0))
TRIALS = "item,red,blue\n" + "".join(f"q{i},{A[i, k]},{B[i, k]}\n" for i in range(10) for k in range(2))
SEEDS = "seed,item,red,blue\n" + "".join(f"{k},q{i},{A[i, k]},{B[i, k]}\n" for k in range(2) for i in range(10))
ITEMS = {"truth": "none", "item": "item"}
SEEDED = {"truth": "none", "seed_column": "seed"}


def test_repeated_items_are_asked_about_and_then_understood(reader):
    page = reader.post("/predictions", text=TRIALS, filename="data.csv", truth="none")
    assert "names 'q0' twice" in page.alert
    page = reader.post("/predictions", text=TRIALS, filename="data.csv", **ITEMS)
    assert page.alert is None
    assert page.roles() == {"item": "item", "red": "classifier", "blue": "classifier"}
    assert page.facts()["items"] == "10"
    assert {"missing", "metric", "direction"} <= set(page.markup.values("name"))


@pytest.mark.parametrize(("text", "options", "expected"), [
    (TRIALS, ITEMS, lambda: fw.compare_predictions(None, {"red": A, "blue": B})),
    (TRIALS, ITEMS | {"metric": "regret", "missing": "drop"},
     lambda: fw.compare_predictions(None, {"red": A, "blue": B}, metric="regret")),
    (SEEDS, SEEDED,
     lambda: fw.compare_predictions(None, {"red": A.T, "blue": B.T}, options=fw.Options(seeds="paired"))),
    (SEEDS, SEEDED | {"unpaired_seeds": "yes", "direction": "lower"},
     lambda: fw.compare_predictions(None, {"red": A.T, "blue": B.T}, higher_is_better=False,
                                    options=fw.Options(seeds="unpaired"))),
], ids=["trials", "losses", "seeds", "unpaired seeds"])  # fmt: skip
def test_the_answer_is_that_of_python_and_of_the_command(
    reader, tmp_path, monkeypatch, capsys, text, options, expected
):
    kept = json.loads(reader.post("/predictions/report.json", text=text, filename="data.csv", **options).text)
    answer = expected().to_dict()
    for key in ("test", "estimate", "pvalue", "interval", "better", "variance", "higher_is_better"):
        assert kept[key] == answer[key], key
    command = reader.post("/predictions", text=text, filename="data.csv", step="answer", **options).command
    (tmp_path / "data.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    main([*shlex.split(command)[1:], "--json"])
    assert json.loads(capsys.readouterr().out)["pvalue"] == answer["pvalue"]


def test_the_page_says_what_the_test_guarantees(reader):
    rows = "\n".join(f"{i % 2},{(i + (i % 7 == 0)) % 2},{(i + (i % 4 == 0)) % 2}" for i in range(60))
    page = reader.post("/predictions", file=("labels.csv", f"truth,a,b\n{rows}".encode()), step="answer")
    assert "Approximate; measured Type I error at most .06 (level .05, 100 to 200 items)." in page.text
    assert "may promise" not in page.text
