"""One rule for direction and unit, whichever door scores come through: Python, the command line, the page."""

from __future__ import annotations

import json

import numpy as np
import pytest
from verb_options import with_options

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
    from foldwise.web.doors.base import Submission
    from foldwise.web.doors.table import DOOR

    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    given = dict(option.removeprefix("--").split("=") for option in options)
    rows = np.array([line.split(",")[1:] for line in text.splitlines()[1:]], dtype=float)
    names = {"models": ["a", "b"], "tasks": [line.split(",")[0] for line in text.splitlines()[1:]]}
    return [
        json.loads(run("table", path, "--json", *options)[1]),
        DOOR.answer(Submission(text=text, filename="t.csv", options=given)).to_dict(),
        fw.compare_table(rows, **names, **with_options(given)).to_dict(),
    ]


def direction_of(found):
    """How it came about which direction is better."""
    return next(one["how"] for one in found["reading"] if one["what"] == "direction")


def test_every_door_for_tables_knows_losses_by_their_names(run, tmp_path):
    for found in answers(run, tmp_path, ERRORS, "--metric=error"):
        assert (found["best"], found["higher_is_better"], direction_of(found)) == ("a", False, "by its name")
    for found in answers(run, tmp_path, TABLE, "--metric=accuracy"):
        assert (found["best"], found["higher_is_better"]) == ("a", True)
    for found in answers(run, tmp_path, TABLE, "--metric=neg_rmse"):
        assert (found["best"], found["higher_is_better"]) == ("a", True)
    for found in answers(run, tmp_path, TABLE, "--metric=zeal"):
        assert direction_of(found) == "assumed"
        assert {"how": "assumed", "what": "direction", "value": "higher zeal is better"}.items() <= found["reading"][
            0
        ].items()


def test_every_door_for_tables_takes_percentages_as_fractions(run, tmp_path):
    percent = "data,a,b\n" + "".join(f"set {i},{100 * a:.2f},{100 * b:.2f}\n" for i, (a, b) in enumerate(ACCURACY))
    fractions = answers(run, tmp_path, TABLE, "--metric=accuracy")
    for found, other in zip(answers(run, tmp_path, percent, "--metric=accuracy"), fractions, strict=True):
        assert (found["unit"], found["rope"], other["rope"]) == ("percent", 1, 0.01)
        assert found["pairs"][0]["rope_probabilities"] == pytest.approx(other["pairs"][0]["rope_probabilities"])
    assert {found["unit"] for found in answers(run, tmp_path, percent, "--metric=score")} == {"own"}


@pytest.mark.parametrize(("metric", "better"), [("accuracy", "a"), ("rmse", "b"), ("neg_rmse", "a"), ("score", "a")])
def test_every_door_for_scores_knows_the_direction(run, tmp_path, metric, better):
    from foldwise.web.doors.base import Submission
    from foldwise.web.doors.scores import DOOR

    path = tmp_path / "s.csv"
    path.write_text(SCORES, encoding="utf-8")
    command = json.loads(run("scores", path, "--json", f"--metric={metric}", "--n-train=110", "--n-test=10")[1])
    options = {"metric": metric, "n_train": "110", "n_test": "10"}
    page = DOOR.answer(Submission(text=SCORES, filename="s.csv", options=options)).to_dict()
    python = fw.compare_scores(list(ACCURACY.round(4).T), **SIZES, metric=metric).to_dict()
    assert {found["better"] for found in (command, page, python)} == {better}


def test_percentages_read_as_the_fractions_do():
    fractions = fw.compare_scores(list(ACCURACY.T), **SIZES, metric="accuracy")
    percent = fw.compare_scores(list(100 * ACCURACY.T), **SIZES, metric="accuracy")
    assert str(percent) == str(fractions)
    assert percent.rope == 1


def test_a_direction_against_the_name_is_obeyed_and_said():
    c = fw.compare_scores(list(ACCURACY.T), **SIZES, metric="rmse", higher_is_better=True)
    assert c.better == "a"
    assert "rmse is a loss by its name, but as asked for, higher RMSE is better" in c.caveats
    m = fw.compare_table(ACCURACY, metric="accuracy", higher_is_better=False)
    assert m.best == "learner 2"
    assert "accuracy is a gain by its name, but as asked for, lower accuracy is better" in m.caveats


@pytest.mark.usefixtures("without_pictures")
def test_the_direction_is_shown_in_every_answer():
    c = fw.compare_scores(list(ACCURACY.T), **SIZES, metric="log loss")
    m = fw.compare_table(ACCURACY, metric="log loss")
    for shown in (str(c), str(m), c.to_html(), m.to_html(), c._repr_html_(), m._repr_html_()):
        assert "lower log loss is better" in shown
    assert "higher score is better (assumed)" in fw.compare_table(ACCURACY).details()
    assert "higher score is better\n" in fw.compare_table(ACCURACY, higher_is_better=True).details()
    assert (
        "higher accuracy is better"
        in fw.compare_predictions([1, 0] * 20, {"a": [1, 0] * 20, "b": [1, 1] * 20}).details()
    )


GRADES = "model,item,score\n" + "".join(f"{m},i{i},{1 + (i * 7 + (m == 'b')) % 5}\n" for i in range(40) for m in "ab")


def judged(run, tmp_path, text, *options, **given):
    """The answer of the command and of Python to a table."""
    path = tmp_path / "given.csv"
    path.write_text(text, encoding="utf-8")
    code, out, err = run("judge", path, "--json", *options)
    assert code == 0, err
    return json.loads(out), fw.judge(path, **with_options(given)).to_dict()


def test_grades_are_never_shown_as_percent(run, tmp_path):
    for found in judged(run, tmp_path, GRADES):
        verdict = found["verdicts"][""]
        assert (verdict["unit"], verdict["rope"]) == ("own", 0.01)
        assert max(verdict["pairs"][0]["means"]) > 1
    assert "%" not in run("judge", tmp_path / "given.csv")[1].split("CI")[0].removesuffix("(95 % ")
    assert "score 3 (a) vs 3 (b)" in str(fw.judge(tmp_path / "given.csv"))


@pytest.mark.parametrize("name", ["failure_rate", "miss_rate", "bits_per_byte", "rae", "rrse", "lpips", "nlpd"])
def test_losses_are_losses_by_their_names_at_the_door(run, tmp_path, name):
    text = GRADES.replace("score", name)
    for found in judged(run, tmp_path, text):
        assert not found["understood"]["higher_is_better"]
        assert found["understood"]["direction_from"] == "by its name"


def test_columns_without_a_metric_have_an_assumed_direction(run, tmp_path):
    text = "item,nb,tree\n" + "".join(f"q{i},{10 + i % 3},{14 + i % 5}\n" for i in range(40))
    for found in judged(run, tmp_path, text):
        direction = next(one for one in found["reading"] if one["what"] == "direction")
        assert (direction["value"], direction["how"]) == ("higher score is better", "assumed")
        assert found["verdicts"][""]["better"] == "tree"
    for found in judged(run, tmp_path, text, "--lower-is-better", higher_is_better=False):
        direction = next(one for one in found["reading"] if one["what"] == "direction")
        assert (direction["how"], found["verdicts"][""]["better"]) == ("declared", "nb")
    out = run("judge", tmp_path / "given.csv")[1]
    answer = out[out.index("tree is better") :].split("\n\n")[0]
    assert "Assumed: higher score is better" in answer
    assert "Assumed: higher score is better" in fw.judge(tmp_path / "given.csv").to_markdown().replace("\\_", "_")


def test_percent_signs_and_a_declared_unit_make_percentages(run, tmp_path):
    rows = [(70 + i % 7, 72 + i % 5) for i in range(12)]
    signs = "dataset,a,b\n" + "".join(f"d{i},{a}.5%,{b}.5%\n" for i, (a, b) in enumerate(rows))
    plain = signs.replace("%", "")
    for found in judged(run, tmp_path, signs):
        assert found["verdicts"][""]["unit"] == "percent"
    for found in judged(run, tmp_path, plain):
        assert found["verdicts"][""]["unit"] == "own"
    for found in judged(run, tmp_path, plain, "--unit", "percent", unit="percent"):
        assert (found["verdicts"][""]["unit"], found["verdicts"][""]["rope"]) == ("percent", 1)
    code, _, err = run("judge", tmp_path / "given.csv", "--unit", "points")
    assert code == 2
    assert "percent" in err
    with pytest.raises(fw.InvalidInput, match="unknown unit"):
        fw.judge(tmp_path / "given.csv", options=fw.Options(unit="points"))
    for command in ("table", "scores"):
        path = tmp_path / "given.csv"
        path.write_text(signs if command == "table" else signs.replace("dataset", "fold"), encoding="utf-8")
        assert json.loads(run(command, path, "--json", *SIZE[command])[1])["unit"] == "percent"


SIZE = {"table": (), "scores": ("--n-train=110", "--n-test=10")}


def test_what_files_leave_open_is_kept_with_the_answer_at_every_door(run, tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("kind,nb,tree\n" + "x,x,y\ny,y,y\n" * 20, encoding="utf-8")
    code, out, _ = run("predictions", path, "--json")
    assert code == 0
    truth = next(one for one in json.loads(out)["reading"] if one["what"] == "truth")
    assert truth["how"] == "assumed"
    assert "Assumed: " in run("predictions", path)[1]
