"""Who is compared with whom, on the page: the fields, the answer, and the command that says the same."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

from foldwise.cli.main import main

NAMES = ("old", "new", "third")


def as_csv(first, keys, columns):
    rows = zip(keys, *columns.values(), strict=True)
    return "\n".join([",".join([first, *columns]), *(",".join(map(str, row)) for row in rows), ""])


def predictions(names=NAMES[:2]):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 150)
    shares = {"old": 0.6, "new": 0.9, "third": 0.75}
    said = {name: np.where(rng.random(150) < shares[name], truth, 1 - truth) for name in NAMES}
    return as_csv("truth", truth, {name: said[name] for name in names})


def scores(first, keys):
    rng = np.random.default_rng(0)
    leads = {"old": 0.6, "new": 0.8}
    values = {name: (lead + rng.normal(0, 0.01, len(keys))).round(4) for name, lead in leads.items()}
    return as_csv(first, keys, values)


TEXTS = {
    "predictions": predictions(),
    "watch": predictions(),
    "scores": scores("fold", range(10)),
    "table": scores("data", [f"d{i}" for i in range(12)]),
}


MORE = {"scores": {"metric": "accuracy", "n_train": "90", "n_test": "10"}, "table": {"metric": "accuracy"}}


@pytest.mark.parametrize("door", TEXTS)
@pytest.mark.parametrize("roles", [{"candidate": "new"}, {"baseline": "new"}, {"candidate": "old", "baseline": "new"}])
def test_the_candidate_is_chosen_and_the_command_says_the_same(visitor, tmp_path, monkeypatch, capsys, door, roles):
    text = TEXTS[door]
    given = {**roles, "margin": "2pt", **MORE.get(door, {})}
    page = visitor.post(f"/{door}", text=text, filename="d.csv", step="answer", **given)
    assert page.alert is None
    for role, name in roles.items():
        assert page.chosen(role) == name
        assert f"--{role}={name}" in page.command
    candidate = "new" if roles.get("candidate") == "new" else "old"
    words = "is superior to old" if candidate == "new" else "is inferior to new"
    row = "new vs old superior" if candidate == "new" else "old vs new inferior"
    assert f"{candidate} {words}" in page.text or row in " ".join(page.markup.text.split())
    (tmp_path / "d.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main([*shlex.split(page.command)[1:], "--json"])
    told = json.loads(capsys.readouterr().out)
    kept = json.loads(visitor.post(f"/{door}/report.json", text=text, filename="d.csv", **given).text)
    assert {**told, "repeat": None} == {**kept, "repeat": None}
    conclusion = told["pairs"][0]["conclusion"] if door == "table" else told["conclusion"]
    assert conclusion == ("superior" if candidate == "new" else "inferior")
    assert [one["how"] for one in told["reading"] if one["what"] == "candidate"] == ["declared"]


def test_without_a_choice_the_order_is_said_to_be_assumed(reader):
    page = reader.post("/predictions", text=TEXTS["predictions"], step="answer", margin="2pt")
    assert "old is the candidate, new the baseline" in page.text
    assert "Assumed" in page.text
    assert page.chosen("candidate") == ""


def test_of_three_models_a_baseline_is_the_control(reader):
    page = reader.post("/predictions", text=predictions(NAMES), filename="d.csv", step="answer", baseline="old")
    assert page.command == "foldwise predictions d.csv --baseline=old"
    assert page.verdict.startswith("new and third are better than old")
    two = {"candidate": "third", "baseline": "new"}
    page = reader.post("/predictions", text=predictions(NAMES), filename="d.csv", step="answer", **two)
    assert page.command == "foldwise predictions d.csv --candidate=third --baseline=new"
    assert page.verdict == "new is better."


def test_roles_that_can_not_be_are_said(reader):
    page = reader.post("/predictions", text=TEXTS["predictions"], step="answer", candidate="old", baseline="old")
    assert page.alert == "Candidate and baseline must be different models, but both are 'old'."


def test_a_margin_of_the_whole_range_is_refused(reader):
    page = reader.post("/predictions", text=TEXTS["predictions"], step="answer", margin="1")
    assert "write '1pt'" in page.alert
