"""Several tasks and missing values on the page: fields, the command that says the same, and what the answer shows."""

import json
import shlex

import numpy as np
import pytest
from web.test_first_door import packed

from foldwise.cli.main import main


def long_table(marks, lost=(), metric="accuracy"):
    rows = ["model,task,item," + metric]
    for task, values in marks.items():
        rows += [
            f"m{m},{task},q{i}," + ("" if (m, task, i) in lost else f"{v:.4f}")
            for m, row in enumerate(values)
            for i, v in enumerate(row)
        ]
    return "\n".join(rows) + "\n"


def answered(visitor, text, **fields):
    """The answer once the file was seen and the fields were filled in."""
    seen = visitor.post("/judge", file=("t.csv", text), step="look")
    return visitor.post("/judge", files=packed(seen), step="answer", **fields)


def marks(seed=0, large=60, small=20):
    rng = np.random.default_rng(seed)
    return {"large": rng.random((2, large)), "small": rng.random((2, small))}


@pytest.mark.parametrize(("fields", "words"), [
    ({}, ""),
    ({"missing": "drop"}, " --missing=drop"),
    ({"missing": "worst"}, " --missing=worst"),
    ({"missing": "worst", "lowest": "0", "highest": "2"}, " --missing=worst --bounds 0 2"),
    ({"over": "items"}, " --over=items"),
])  # fmt: skip
def test_the_page_answers_as_the_command_that_it_echoes(visitor, tmp_path, monkeypatch, capsys, fields, words):
    text = long_table(marks(), lost={(0, "large", 3), (1, "small", 4)})
    page = answered(visitor, text, **fields)
    assert page.status == 200
    assert page.command == "foldwise judge t.csv" + words
    (tmp_path / "t.csv").write_text(text)
    monkeypatch.chdir(tmp_path)
    main([*shlex.split(page.command)[1:], "--json"])
    told = json.loads(capsys.readouterr().out)
    kept = json.loads(visitor.post("/judge/report.json", files=packed(page), **fields).text)
    assert {**kept, "repeat": None} == {**told, "repeat": None}
    assert ("Assumed: missing values: 2 items left out" in page.text) == ("missing" not in fields)
    assert ("each task counts once" in told["overall"]["reading"][-1]["value"]) == ("over" not in fields)


def test_what_the_page_can_not_do_is_said(reader):
    text = long_table(marks(), lost={(0, "large", 3)})
    page = answered(reader, text, missing="refuse")
    assert "item 'q3' of 'm0' on large is missing" in page.alert
    rating = long_table(marks(), lost={(0, "large", 3)}, metric="rating")
    assert "rating has no lower limit" in answered(reader, rating, missing="worst").alert
    half = answered(reader, rating, missing="worst", lowest="1")
    assert "must be given together" in half.alert
    assert '<option value="worst"' in half.text


def test_tasks_that_disagree_are_in_the_verdict_and_each_has_its_line(reader):
    given = marks()
    given["large"][0] += 0.8
    given["small"][1] += 0.8
    page = reader.post("/judge", file=("t.csv", long_table(given, metric="rating")), step="answer")
    assert page.verdict.startswith("Tasks disagree: m0 is better on large; m1 is better on small.")
    by_task = page.text[page.text.index("By task") :]
    assert "m0 is better." in by_task
    assert "m1 is better." in by_task
    assert "their levels are adjusted for 2 tasks (Holm)" in page.text
