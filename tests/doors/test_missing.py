"""An absent row, an empty cell, NaN and a failed trial are the same thing: same policy, same answer, at every door."""

import json
import math

import numpy as np
import pytest

import foldwise as fw
from foldwise.comparison import judge
from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result

NAN = float("nan")
KINDS = ("absent", "empty", "NaN")
ITEMS, TRIALS = 40, 3


def values(models, trials, seed=0):
    """Right and wrong of every model on every item and trial, and which of them are missing: the first model's."""
    rng = np.random.default_rng(seed)
    right = (rng.random((models, ITEMS, trials)) < 0.7).astype(float)
    lost = {(0, 3, trials - 1), (0, 17, 0)}
    return right, lost


def long_table(path, right, lost, kind, metric="accuracy"):
    models, items, trials = right.shape
    rows = []
    for m, i, t in np.ndindex(models, items, trials):
        cell = f"{right[m, i, t]:g}"
        if (m, i, t) in lost:
            if kind == "absent":
                continue
            cell = "" if kind == "empty" else "NaN"
        rows.append(f"m{m},q{i}" + (f",{t}" if trials > 1 else "") + f",{cell}")
    header = "model,item" + (",trial" if trials > 1 else "") + f",{metric}"
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def said(judgement):
    main = judgement.main
    numbers = (
        [(p.estimate, p.low, p.high, p.pvalue) for p in main.pairs]
        if hasattr(main, "pairs")
        else [main.estimate, main.interval, main.pvalue]
    )
    return numbers, judgement.understanding.left_out


@pytest.mark.parametrize("models", [2, 3])
@pytest.mark.parametrize("trials", [1, TRIALS])
@pytest.mark.parametrize("policy", ["drop", "worst"])
def test_every_kind_of_missing_value_gives_the_same_answer(tmp_path, policy, trials, models):
    right, lost = values(models, trials)
    answers = []
    for kind in KINDS:
        (tmp_path / kind).mkdir()
        path = long_table(tmp_path / kind / "items.csv", right, lost, kind)
        answers.append(said(judge(path, missing=policy)))
    assert answers[0] == answers[1] == answers[2]
    counts = ", ".join([f"m0 {len(lost)}", *(f"m{m} 0" for m in range(1, models))])
    assert any(f"missing values: {counts};" in note for note in answers[0][1])
    expected = right.copy()
    for place in lost:
        expected[place] = 0.0 if policy == "worst" else NAN
    by_item = expected.mean(axis=2)  # NaN where a trial of the item is missing
    kept = ~np.isnan(by_item).any(axis=0)
    main = judge(path, missing=policy).main
    means = list(main.means.values()) if isinstance(main.means, dict) else list(main.means)
    assert means == pytest.approx(by_item[:, kept].mean(axis=1).tolist())


@pytest.mark.parametrize("models", [2, 3])
@pytest.mark.parametrize("trials", [1, TRIALS])
@pytest.mark.parametrize("kind", KINDS)
def test_refuse_sees_every_kind(tmp_path, kind, trials, models):
    right, lost = values(models, trials)
    with pytest.raises(InvalidInput, match=r"item 'q3' of 'm0' is missing \(in all: m0 2, m1 0"):
        judge(long_table(tmp_path / "items.csv", right, lost, kind), missing="refuse")


@pytest.mark.parametrize("policy", ["drop", "worst"])
def test_python_and_the_commands_agree_with_judge(run, tmp_path, policy):
    right, lost = values(2, TRIALS)
    path = long_table(tmp_path / "items.csv", right, lost, "NaN")
    judged = json.loads(run("judge", path, "--missing", policy, "--json")[1])["verdicts"][""]
    holed = right.copy()
    for place in lost:
        holed[place] = NAN
    direct = fw.compare_predictions(None, {"a": holed[0], "b": holed[1]}, metric="accuracy", missing=policy)
    several = fw.compare_predictions(None, {"a": holed[0], "b": holed[1]}, metric="accuracy", missing=policy)
    rows = ["item,a,b"]
    rows += [
        f"q{i}," + ",".join("" if math.isnan(holed[m, i, t]) else f"{holed[m, i, t]:g}" for m in (0, 1))
        for i in range(ITEMS) for t in range(TRIALS)
    ]  # fmt: skip
    wide = tmp_path / "wide.csv"
    wide.write_text("\n".join(rows) + "\n")
    words = ("predictions", wide, "--truth", "none", "--item", "item", "--metric", "accuracy", "--missing", policy)
    told = json.loads(run(*words, "--json")[1])
    for estimate in (direct.estimate, several.pairs[0].estimate, told["estimate"]):
        assert estimate == pytest.approx(judged["estimate"])
    for pvalue in (direct.pvalue, several.pairs[0].pvalue, told["pvalue"]):
        assert pvalue == pytest.approx(judged["pvalue"])


def test_a_crash_never_wins_by_a_loss(tmp_path):
    rng = np.random.default_rng(1)
    a, b = rng.random(30), rng.random(30) + 0.1
    rows = [f"q{i},{'' if i % 12 == 0 else f'{a[i]:.3f}'},{b[i]:.3f}" for i in range(30)]
    (tmp_path / "losses.csv").write_text("item,a,b\n" + "\n".join(rows) + "\n")
    with pytest.raises(InvalidInput, match="log loss has no upper limit that its name tells: give bounds"):
        fw.compare_predictions(None, {"a": [NAN, 0.3], "b": [0.2, 0.1]}, metric="log_loss", missing="worst")
    error = fw.compare_predictions(None, {"a": [None, 0, 0, 1], "b": [0, 0, 0, 1]}, metric="error", missing="worst")
    assert error.pairs[0].means == (0.5, 0.25)
    percent = fw.compare_predictions(
        None, {"a": [None, 10, 20, 30.5], "b": [10, 10, 20, 30.5]}, metric="error_rate", missing="worst"
    )
    assert percent.pairs[0].means[0] == pytest.approx(160.5 / 4)
    grades = fw.compare_predictions(
        None,
        {"a": [None, 4, 2, 3], "b": [1, 4, 2, 3]},
        metric="grade",
        missing="worst",
        options=fw.Options(bounds=(1, 5)),
    )
    assert grades.pairs[0].means[0] == 2.5


def test_a_model_that_fails_does_not_gain_by_its_failures(tmp_path):
    """A fails on every second trial of the hard items: its failures must not be left out of its mean."""
    rows = []
    for i in range(40):
        hard = i % 20 == 0
        for t in (0, 1):
            rows.append(f"a,q{i},{t},{'' if hard and t else 1}")
            rows.append(f"b,q{i},{t},1")
    (tmp_path / "t.csv").write_text("model,item,trial,accuracy\n" + "\n".join(rows) + "\n")
    worst = judge(tmp_path / "t.csv", missing="worst").main
    assert worst.pairs[0].means[0] < worst.pairs[0].means[1]
    assert judge(tmp_path / "t.csv", missing="drop").main.evidence.n == 38


def test_the_command_knows_the_policies(run, tmp_path):
    right, lost = values(2, 1)
    path = long_table(tmp_path / "items.csv", right, lost, "absent")
    code, _, err = run("judge", path, "--missing", "wrong")
    assert code == 2
    assert "worst" in err
    code, out, _ = run("judge", path, "--missing", "worst")
    assert code == 0
    assert "missing values: m0 2, m1 0; each counts as the worst possible value, 0" in out


def test_what_was_dropped_unasked_is_said_under_the_answer(run, tmp_path):
    right, lost = values(2, 1)
    path = long_table(tmp_path / "items.csv", right, lost, "absent")
    told = "Assumed: missing values: 2 items left out for all models (m0 2, m1 0) (if not: "
    assert told + "--missing" in " ".join(run("judge", path)[1].split())
    assert told + "missing=" in fw.judge(path).to_markdown().replace("\\_", "_")
    declared = run("judge", path, "--missing", "drop")[1]
    assert "Assumed: missing" not in declared
    assert "missing values: m0 2, m1 0; 2 items left out for all models" in declared
    reading = json.loads(run("judge", path, "--missing", "drop", "--json")[1])["reading"]
    assert [one["how"] for one in reading if one["what"] == "missing"] == ["declared"]
    kept = Result.from_dict(fw.judge(path).to_dict())
    assert [one.how for one in kept.reading if one.what == "missing"] == ["assumed"]
    whole = long_table(tmp_path / "whole.csv", right, set(), "absent")
    assert all(one.what != "missing" for one in fw.judge(whole).reading)


def one_value_per_task(path, lost=((1, 2),)):
    rng = np.random.default_rng(2)
    scores = 0.6 + 0.3 * rng.random((12, 3))
    rows = ["task,m0,m1,m2"]
    for t, row in enumerate(scores):
        cells = ("" if (m, t) in lost else f"{value:.4f}" for m, value in enumerate(row))
        rows.append(f"t{t}," + ",".join(cells))
    path.write_text("\n".join(rows) + "\n")
    return path


def test_one_value_per_task_knows_the_policies(run, tmp_path):
    path = one_value_per_task(tmp_path / "t.csv")
    code, _, err = run("judge", path, "--rows", "tasks", "--missing", "refuse")
    assert code == 2
    assert "the value of 'm1' on t2 is missing (in all: m0 0, m1 1, m2 0)" in err
    out = " ".join(run("judge", path, "--rows", "tasks")[1].split())
    assert "missing values: m0 0, m1 1, m2 0; 1 task left out for all models" in out
    assert "missing values: 1 task left out for all models (m0 0, m1 1, m2 0)" in out
    worst = fw.judge(path, rows="tasks", missing="worst", options=fw.Options(bounds=(0, 1)))
    assert worst.main.table.values[2, 1] == 0.0
    assert fw.judge(path, rows="tasks").main.table.n_datasets == 11


def test_the_worst_value_is_in_the_declared_unit():
    marks = ([None, 0.5, 0.7, 0.2], [0.1, 0.5, 0.9, 0.2])
    declared = fw.compare_predictions(
        None,
        dict(zip("ab", marks, strict=True)),
        metric="error_rate",
        missing="worst",
        options=fw.Options(unit="percent"),
    )
    assert declared.pairs[0].means[0] == pytest.approx((100 + 0.5 + 0.7 + 0.2) / 4)
    assert fw.compare_predictions(
        None, dict(zip("ab", marks, strict=True)), metric="error_rate", missing="worst"
    ).pairs[0].means[0] == pytest.approx(2.4 / 4)
