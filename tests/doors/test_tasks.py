"""Several tasks: shared items are the same, units are not mixed, claims are adjusted, disagreement is said first."""

import json

import numpy as np
import pytest

import foldwise as fw
from foldwise.core.errors import InvalidInput


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
    assert str(found).split("\n\n")[1] == found.disagreement
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
    assert found.overall.pair_test.name == "sign"


def test_a_task_that_a_model_lacks_is_missing(tmp_path):
    rng = np.random.default_rng(5)
    path = written(tmp_path / "t.csv", {"all": rng.random((3, 20)), "two": rng.random((2, 20))})
    assert any("two: left out, because only m0 and m1" in note for note in fw.judge(path).understanding.left_out)
    with pytest.raises(InvalidInput, match="'m2' has no values on two"):
        fw.judge(path, missing="refuse")
    assert set(fw.judge(path, missing="worst").verdicts) == {"all", "two"}
