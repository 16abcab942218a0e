"""Several tasks: shared items are the same, units are not mixed, claims are adjusted, disagreement is said first."""

import json
import random

import numpy as np
import pytest

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result


def written(path, marks, metric="accuracy"):
    """Marks by task, of shape (models, items); items of all tasks have the same keys unless the task says otherwise."""
    rows = ["model,task,item," + metric]
    for task, values in marks.items():
        rows += [f"m{m},{task},q{i},{v:.6g}" for m, row in enumerate(values) for i, v in enumerate(row)]
    path.write_text("\n".join(rows) + "\n")
    return path


def test_a_question_under_five_prompts_is_one_question(tmp_path):
    rng = np.random.default_rng(0)
    claimed = 0
    for _ in range(60):
        base = rng.normal(size=(2, 40))
        path = written(tmp_path / "t.csv", {f"p{t}": base + rng.normal(size=(2, 40)) / 4 for t in range(5)}, "rating")
        claimed += fw.judge(path).main.pvalue < 0.05
    assert claimed <= 8  # 60 × .05 is 3; as independent items it would be 25


def test_each_task_counts_once_unless_items_are_asked_for(run, tmp_path):
    rng = np.random.default_rng(1)
    marks = {"large": rng.random((2, 300)), "small": rng.random((2, 20))}
    path = written(tmp_path / "t.csv", marks)
    gaps = [m[0].mean() - m[1].mean() for m in marks.values()]
    answer = json.loads(run("judge", path, "--json")[1])
    assert answer["overall"]["estimate"] == pytest.approx(np.mean(gaps), abs=1e-5)
    items = json.loads(run("judge", path, "--over", "items", "--json")[1])
    assert items["overall"]["estimate"] == pytest.approx((300 * gaps[0] + 20 * gaps[1]) / 320, abs=1e-5)
    assert "adjusted for 2 tasks (Holm)" in run("judge", path)[1]


def test_twenty_tasks_without_a_difference_rarely_have_a_winner(tmp_path):
    rng = np.random.default_rng(2)
    studies = 0
    for _ in range(20):
        path = written(tmp_path / "t.csv", {f"t{t}": rng.normal(size=(2, 30)) for t in range(20)}, "rating")
        found = fw.judge(path)
        studies += any(verdict.better is not None for verdict in found.verdicts.values())
    assert studies <= 4


def test_tasks_that_disagree_are_said_first_and_stop_a_gate(run, tmp_path):
    rng = np.random.default_rng(3)
    good, bad = rng.random((2, 60)) * 0.2, rng.random((2, 60)) * 0.2
    good[0] += 0.7
    bad[1] += 0.5
    path = written(tmp_path / "t.csv", {"fine": good, "broken": bad})
    found = fw.judge(path)
    assert found.disagreement == "Tasks disagree: m0 is better on fine; m1 is better on broken."
    assert " ".join(str(found).split("\n\n")[1].split()).startswith(found.disagreement)
    claims = [claim for claim in found.claims() if claim.better == claim.baseline]
    assert [claim.task for claim in claims] == ["broken"]
    code, _, err = run("judge", path, "--candidate", "m0", "--baseline", "m1", "--fail-if", "worse")
    assert code == 1
    assert "broken" in err


def test_units_are_not_mixed(tmp_path):
    rng = np.random.default_rng(4)
    rows = ["model,task,item,metric,score"]
    for m in range(2):
        rows += [f"m{m},qa,q{i},accuracy,{rng.random():.3f}" for i in range(20)]
        rows += [f"m{m},mt,s{i},bleu,{100 * rng.random():.3f}" for i in range(20)]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    found = fw.judge(tmp_path / "t.csv")
    assert any("different units" in note for note in found.understanding.left_out)
    assert found.overall.procedure.name == "sign"


def test_a_task_that_a_model_lacks_is_missing(tmp_path):
    rng = np.random.default_rng(5)
    path = written(tmp_path / "t.csv", {"all": rng.random((3, 20)), "two": rng.random((2, 20))})
    assert any("two: left out, because only m0 and m1" in note for note in fw.judge(path).understanding.left_out)
    with pytest.raises(InvalidInput, match="'m2' has no values on two"):
        fw.judge(path, missing="refuse")
    assert set(fw.judge(path, missing="worst").verdicts) == {"all", "two"}


def test_a_task_that_one_of_two_models_lacks_is_missing_too(run, tmp_path):
    rng = np.random.default_rng(6)
    path = written(tmp_path / "t.csv", {"one": (rng.random((1, 20)) < 0.5).astype(float)})
    both = written(tmp_path / "u.csv", {"both": (rng.random((2, 20)) < 0.5).astype(float)})
    path.write_text(path.read_text() + both.read_text().partition("\n")[2])
    dropped = fw.judge(path)
    assert set(dropped.verdicts) == {"both"}
    assert any("one: left out, because only m0 has values there" in note for note in dropped.understanding.left_out)
    assert dropped.understanding.models == ("m0", "m1")
    code, _, err = run("judge", path, "--missing", "refuse")
    assert code == 2
    assert "'m1' has no values on one" in err
    worst = fw.judge(path, missing="worst")
    assert set(worst.verdicts) == {"both", "one"}
    assert worst.verdicts["one"].pairs[0].means[1] == 0.0


def test_a_task_without_a_common_metric_is_refused_too(tmp_path):
    rows = ["model,task,item,metric,score"]
    rows += [f"m{m},both,q{i},accuracy,{(i + m) % 2}" for m in range(2) for i in range(9)]
    rows += [f"m0,one,q{i},bleu,{i}" for i in range(9)]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    assert any("task one: fewer than two" in note for note in fw.judge(tmp_path / "t.csv").understanding.left_out)
    with pytest.raises(InvalidInput, match="'m1' has no values on one"):
        fw.judge(tmp_path / "t.csv", missing="refuse")


def test_three_models_disagree_by_pairs(tmp_path):
    rng = np.random.default_rng(7)
    good, bad = rng.random((3, 60)) * 0.2, rng.random((3, 60)) * 0.2
    good[0] += 0.7
    bad[1] += 0.5
    found = fw.judge(written(tmp_path / "t.csv", {"fine": good, "broken": bad}))
    told = "Tasks disagree: m0 is better than m1 on fine; m1 is better than m0 on broken."
    assert found.disagreement == told
    assert " ".join(str(found).split("\n\n")[1].split()).startswith(told)
    assert found.to_dict()["disagreement"] == told
    assert fw.judge(written(tmp_path / "u.csv", {"fine": good, "again": good})).disagreement == ""


def test_what_the_mean_over_tasks_weighs_is_a_decision(run, tmp_path):
    rng = np.random.default_rng(8)
    path = written(tmp_path / "t.csv", {"large": rng.random((2, 90)), "small": rng.random((2, 20))})
    assert "Assumed: each task counts once (if not: --over items)." in " ".join(run("judge", path)[1].split())
    told = {over: json.loads(run("judge", path, "--over", over, "--json")[1])["reading"] for over in ("tasks", "items")}
    found = {over: next(one for one in reading if one["what"] == "tasks") for over, reading in told.items()}
    assert {one["how"] for one in found.values()} == {"declared"}
    assert found["items"]["value"] == "every item counts once, whatever its task"
    equal = fw.judge(written(tmp_path / "u.csv", {"p": rng.random((2, 20)), "q": rng.random((2, 20))}))
    assert all(one.what != "tasks" for one in equal.reading)
    kept = Result.from_dict(fw.judge(path).to_dict())
    assert [one.how for one in kept.reading if one.what == "tasks"] == ["assumed"]


def test_the_unit_that_was_declared_is_the_unit_of_every_task(tmp_path):
    rng = np.random.default_rng(9)
    marks = {"p": rng.random((2, 30)) * 90, "q": rng.random((2, 30))}  # by its values q would be a share of one
    path = written(tmp_path / "t.csv", marks)
    assert any("different units" in note for note in fw.judge(path).understanding.left_out)
    declared = fw.judge(path, options=fw.Options(unit="percent"))
    assert not any("different units" in note for note in declared.understanding.left_out)
    assert declared.overall.estimate == pytest.approx(np.mean([m[0].mean() - m[1].mean() for m in marks.values()]))


def test_right_and_wrong_beside_grades_of_the_same_metric_has_a_mean(tmp_path):
    rng = np.random.default_rng(10)
    marks = {"p": (rng.random((2, 30)) < 0.5).astype(float), "q": rng.random((2, 30))}
    found = fw.judge(written(tmp_path / "t.csv", marks))
    assert any("the mean of tasks" in note for note in found.understanding.left_out)


def splits(path, tasks, folds=10, models=2, seed=11, gap=0.0):
    rng = np.random.default_rng(seed)
    rows = ["model,task,fold,accuracy"]
    for task in range(tasks):
        scores = rng.normal(0.8, 0.02, (models, folds))
        scores[0] += gap
        rows += [f"m{m},t{task},{f},{scores[m, f]:.4f}" for m in range(models) for f in range(folds)]
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize(("models", "how"), [(2, "Holm"), (3, "Bonferroni")])
def test_claims_by_data_set_are_adjusted(run, tmp_path, models, how):
    path = splits(tmp_path / "s.csv", 6, models=models)
    assert f"adjusted for 6 tasks ({how})" in run("judge", path)[1]
    levels = {verdict.alpha for verdict in fw.judge(path).verdicts.values()}
    assert max(levels) < 0.05
    one = splits(tmp_path / "one.csv", 1, models=models)
    assert "claims by task" not in run("judge", one)[1]


def test_data_sets_without_a_difference_rarely_have_a_winner(tmp_path):
    studies = 0
    for seed in range(20):
        found = fw.judge(splits(tmp_path / "s.csv", 20, folds=5, seed=seed))
        studies += any(verdict.better is not None for verdict in found.verdicts.values())
    assert studies <= 4


def test_tasks_of_a_wide_table_are_tasks_as_those_of_a_long_one(run, tmp_path):
    draw = random.Random(3)
    cells = [
        (task, f"q{i}", int(draw.random() < a), int(draw.random() < b))
        for task, n, a, b in (("big", 200, 0.6, 0.8), ("one", 20, 0.9, 0.3), ("two", 20, 0.9, 0.3))
        for i in range(n)
    ]
    wide, long = tmp_path / "wide.csv", tmp_path / "long.csv"
    wide.write_text("task,item,a,b\n" + "".join(f"{t},{i},{a},{b}\n" for t, i, a, b in cells))
    long.write_text(
        "model,task,item,score\n"
        + "".join(f"{m},{t},{i},{mark}\n" for k, m in enumerate("ab") for t, i, *marks in cells for mark in [marks[k]])
    )
    said = [json.loads(run("judge", path, "--json")[1]) for path in (wide, long)]
    assert said[0]["overall"]["pvalue"] == said[1]["overall"]["pvalue"]
    assert [list(one["verdicts"]) for one in said] == [["big", "one", "two"]] * 2
    python = [fw.judge(path).overall.estimate for path in (wide, long)]
    assert python[0] == python[1] > 0  # the mean of tasks; over items the large one would outvote the others


GLUE = (
    ("CoLA", "mcc"),
    ("SST", "accuracy"),
    ("MNLI", "accuracy"),
    ("STS", "spearman"),
    ("QQP", "f1"),
    ("RTE", "accuracy"),
)


@pytest.mark.parametrize("label", ["task", "bench"])
def test_a_column_of_metrics_in_a_wide_table_tells_the_metric_of_each_task(run, tmp_path, label):
    """It was passed over, the direction assumed, and means taken over accuracy and perplexity."""
    scores = {task: (0.5 + i / 50, 0.6 + i / 40) for i, (task, _) in enumerate(GLUE)}
    wide, long = tmp_path / "wide.csv", tmp_path / "long.csv"
    wide.write_text(f"{label},metric,A,B\n" + "".join(f"{t},{m},{scores[t][0]},{scores[t][1]}\n" for t, m in GLUE))
    long.write_text(
        "model,task,metric,score\n"
        + "".join(f"{n},{t},{m},{scores[t][k]}\n" for k, n in enumerate("AB") for t, m in GLUE)
    )
    found = [fw.judge(path) for path in (wide, long)]
    assert [one.main.pairs[0].pvalue for one in found] == [0.03125] * 2
    assert found[0].main.procedure.name == "sign"
    assert found[0].understanding.measures == found[1].understanding.measures == dict(GLUE)
    text = run("judge", wide, "--details")[1]
    assert "mean score" not in text, "scores of different metrics have no mean"
    assert "B − A" not in text
    mixed = wide.read_text() + "LM,perplexity,12,14\n"
    wide.write_text(mixed)
    assert "measured in one direction" in run("judge", wide)[2]


def test_a_metric_that_every_row_names_tells_the_direction(run, tmp_path):
    rng = np.random.default_rng(2)
    rows = "".join(f"q{i},{10 + rng.random()},{9 + rng.random()},perplexity\n" for i in range(40))
    (tmp_path / "out.csv").write_text("item,base,tuned,metric\n" + rows)
    found = fw.judge(tmp_path / "out.csv").main
    assert (found.better, found.metric, found.direction) == ("tuned", "perplexity", "by its name")
