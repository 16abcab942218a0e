"""One rule for direction and unit, whichever door scores come through: Python, the command line, the page."""

from __future__ import annotations

import json

import numpy as np
import pytest

import foldwise as fw

RNG = np.random.default_rng(7)
# a is better than b on every data set by 2 to 4 points of accuracy, by all tests
ACCURACY = np.column_stack([0.80 + RNG.uniform(0, 0.1, 12), 0.70 + RNG.uniform(0, 0.02, 12)])
TABLE = "data,a,b\n" + "".join(f"set {i},{a:.4f},{b:.4f}\n" for i, (a, b) in enumerate(ACCURACY))
ERRORS = "data,a,b\n" + "".join(f"set {i},{1 - a:.4f},{1 - b:.4f}\n" for i, (a, b) in enumerate(ACCURACY))
SCORES = "fold,a,b\n" + "".join(f"{i},{a:.4f},{b:.4f}\n" for i, (a, b) in enumerate(ACCURACY))
SIZES = {"n_train": 110, "n_test": 10}


def answers(run, tmp_path, text, *options):
    """What the command line, the page and Python say of one table."""
    from foldwise.web.doors.base import Entry
    from foldwise.web.doors.table import DOOR

    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    given = dict(option.removeprefix("--").split("=") for option in options)
    rows = np.array([line.split(",")[1:] for line in text.splitlines()[1:]], dtype=float)
    names = {"learners": ["a", "b"], "datasets": [line.split(",")[0] for line in text.splitlines()[1:]]}
    return [
        json.loads(run("table", path, "--json", *options)[1]),
        DOOR.answer(Entry(text=text, filename="t.csv", options=given)).to_dict(),
        fw.compare_many(rows, **names, **given).to_dict(),
    ]


def test_every_door_for_tables_knows_losses_by_their_names(run, tmp_path):
    for found in answers(run, tmp_path, ERRORS, "--metric=error"):
        assert (found["best"], found["higher_is_better"], found["direction_assumed"]) == ("a", False, False)
    for found in answers(run, tmp_path, TABLE, "--metric=accuracy"):
        assert (found["best"], found["higher_is_better"]) == ("a", True)
    for found in answers(run, tmp_path, TABLE, "--metric=neg_rmse"):
        assert (found["best"], found["higher_is_better"]) == ("a", True)
    for found in answers(run, tmp_path, TABLE, "--metric=zeal"):
        assert found["direction_assumed"]
        assert {"how": "assumed", "what": "direction", "value": "higher zeal is better"}.items() <= found["reading"][
            0
        ].items()


def test_every_door_for_tables_takes_percentages_as_fractions(run, tmp_path):
    percent = "data,a,b\n" + "".join(f"set {i},{100 * a:.2f},{100 * b:.2f}\n" for i, (a, b) in enumerate(ACCURACY))
    fractions = answers(run, tmp_path, TABLE, "--metric=accuracy")
    for found, other in zip(answers(run, tmp_path, percent, "--metric=accuracy"), fractions, strict=True):
        assert (found["unit"], found["rope"], other["rope"]) == ("percent", 1, 0.01)
        assert found["pairs"][0]["probabilities"] == pytest.approx(other["pairs"][0]["probabilities"])
    assert {found["unit"] for found in answers(run, tmp_path, percent, "--metric=score")} == {"own"}


@pytest.mark.parametrize(("metric", "better"), [("accuracy", "a"), ("rmse", "b"), ("neg_rmse", "a"), ("score", "a")])
def test_every_door_for_scores_knows_the_direction(run, tmp_path, metric, better):
    from foldwise.web.doors.base import Entry
    from foldwise.web.doors.scores import DOOR

    path = tmp_path / "s.csv"
    path.write_text(SCORES, encoding="utf-8")
    command = json.loads(run("scores", path, "--json", f"--metric={metric}", "--n-train=110", "--n-test=10")[1])
    options = {"metric": metric, "n_train": "110", "n_test": "10"}
    page = DOOR.answer(Entry(text=SCORES, filename="s.csv", options=options)).to_dict()
    python = fw.compare_scores(*ACCURACY.round(4).T, **SIZES, metric=metric).to_dict()
    assert {found["better"] for found in (command, page, python)} == {better}


def test_percentages_read_as_the_fractions_do():
    fractions = fw.compare_scores(*ACCURACY.T, **SIZES, metric="accuracy")
    percent = fw.compare_scores(*(100 * ACCURACY.T), **SIZES, metric="accuracy")
    assert str(percent) == str(fractions)
    assert percent.rope == 1


def test_a_direction_against_the_name_is_obeyed_and_said():
    c = fw.compare_scores(*ACCURACY.T, **SIZES, metric="rmse", higher_is_better=True)
    assert c.better == "a"
    assert "rmse is a loss by its name, but as asked for, higher RMSE is better" in c.caveats
    m = fw.compare_many(ACCURACY, metric="accuracy", higher_is_better=False)
    assert m.best == "learner 2"
    assert "accuracy is a gain by its name, but as asked for, lower accuracy is better" in m.caveats


@pytest.mark.usefixtures("without_pictures")
def test_the_direction_is_shown_in_every_answer():
    c = fw.compare_scores(*ACCURACY.T, **SIZES, metric="log loss")
    m = fw.compare_many(ACCURACY, metric="log loss")
    for shown in (str(c), str(m), c.to_html(), m.to_html(), c._repr_html_(), m._repr_html_()):
        assert "lower log loss is better" in shown
    assert "higher score is better (assumed)" in str(fw.compare_many(ACCURACY))
    assert "higher score is better\n" in str(fw.compare_many(ACCURACY, higher_is_better=True))
    assert "higher accuracy is better" in str(fw.compare_predictions([1, 0] * 20, [1, 0] * 20, [1, 1] * 20))
