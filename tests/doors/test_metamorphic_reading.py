"""One question however it is written: missing values, tasks, units, codings, order, candidates, copies.

Every test asks at the command line or by `fw.judge` and `fw.compare_predictions`, and compares the answers of two files
that say the same, or differ in a way whose effect is known.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from doors.test_roles import write

import foldwise as fw

POLICIES = ("drop", "worst")
KINDS = ("absent", "", "NaN", "n/a", "timeout")
ITEMS = 40


def drawn(models, trials, seed=0):
    """Right and wrong by model, item and trial; the first model lacks some."""
    rng = np.random.default_rng([seed, models, trials])
    right = (rng.random((models, ITEMS, trials)) < np.linspace(0.85, 0.6, models)[:, None, None]).astype(int)
    return right, {(0, 4, 0), (0, 11, trials - 1), (0, 12, 0)}


def in_rows(right, lost=(), kind="absent", coding=(0, 1), order=None, names="abcd", task=None):
    """A long table; what is lost is absent or a cell of its kind."""
    models, items, trials = right.shape
    rows = []
    for m, i, t in np.ndindex(models, items, trials):
        if (m, i, t) in lost and kind == "absent":
            continue
        cell = kind if (m, i, t) in lost else coding[right[m, i, t]]
        rows.append((*(() if task is None else (task(i),)), f"q{i}", names[m], t, cell))
    return rows if order is None else [rows[place] for place in order.permutation(len(rows))]


HEADER = ("item", "model", "trial", "correct")


def judged(run, path, *options):
    code, out, err = run("judge", path, "--json", *options)
    assert code == 0, err
    return json.loads(out)


def numbers(answer):
    """The difference, p and winner of every pair by the models' names, whoever is first."""
    found = {}
    for pair in answer["pairs"]:
        sign = 1 if pair["a"] < pair["b"] else -1
        found[tuple(sorted((pair["a"], pair["b"])))] = (sign * pair["estimate"], pair["pvalue"], pair["better"])
    return found


def alike(before, after):
    assert before.keys() == after.keys()
    for pair, (estimate, pvalue, better) in before.items():
        assert after[pair] == (pytest.approx(estimate, abs=1e-9), pytest.approx(pvalue, rel=1e-6), better)


@pytest.mark.parametrize("models", [2, 3])
@pytest.mark.parametrize("trials", [1, 3])
@pytest.mark.parametrize("policy", POLICIES)
def test_missing_kind_by_policy_by_trials_by_models(run, tmp_path, policy, trials, models):
    right, lost = drawn(models, trials)
    answers = []
    for kind in KINDS:
        path = write(tmp_path / f"k{KINDS.index(kind)}.csv", HEADER, in_rows(right, lost, kind))
        answers.append(judged(run, path, "--missing", policy)["verdicts"][""])
        direct = fw.judge(path, missing=policy).main.to_dict()
        assert direct["pairs"] == answers[-1]["pairs"]
    assert all(one["pairs"] == answers[0]["pairs"] for one in answers)
    filled = right.astype(float)
    for place in lost:
        filled[place] = 0 if policy == "worst" else np.nan
    kept = ~np.isnan(filled).any(axis=(0, 2))
    means = filled.mean(axis=2)[:, kept].mean(axis=1)
    assert list(answers[0]["means"].values()) == pytest.approx(means.tolist())


@pytest.mark.parametrize("models", [2, 3])
@pytest.mark.parametrize("coding", [(0, 100), ("wrong", "right"), ("False", "True"), ("0%", "100%"), ("✗", "✓")])
def test_coding(run, tmp_path, coding, models):
    right, _ = drawn(models, 1)
    plain = judged(run, write(tmp_path / "plain.csv", HEADER, in_rows(right)))["verdicts"][""]
    other = judged(run, write(tmp_path / "other.csv", HEADER, in_rows(right, coding=coding)))["verdicts"][""]
    scale = 100 if other["unit"] == "percent" else 1
    for before, after in zip(plain["pairs"], other["pairs"], strict=True):
        assert after["estimate"] / scale == pytest.approx(before["estimate"])
        assert (after["pvalue"], after["better"]) == (pytest.approx(before["pvalue"]), before["better"])


@pytest.mark.parametrize("models", [2, 3])
@pytest.mark.parametrize("name", ["error", "is_wrong"])
def test_errors_are_the_same_answers(run, tmp_path, name, models):
    right, _ = drawn(models, 1)
    plain = judged(run, write(tmp_path / "plain.csv", HEADER, in_rows(right)))["verdicts"][""]
    other = judged(run, write(tmp_path / "o.csv", (*HEADER[:3], name), in_rows(1 - right)))["verdicts"][""]
    for before, after in zip(plain["pairs"], other["pairs"], strict=True):
        assert after["estimate"] == pytest.approx(-before["estimate"])
        assert (after["pvalue"], after["better"]) == (pytest.approx(before["pvalue"]), before["better"])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("models", [2, 3])
@pytest.mark.parametrize("trials", [1, 3])
def test_order_of_rows(run, tmp_path, trials, models, seed):
    right, lost = drawn(models, trials)
    rng = np.random.default_rng(seed)
    plain = write(tmp_path / "plain.csv", HEADER, in_rows(right, lost))
    mixed = write(tmp_path / "mixed.csv", HEADER, in_rows(right, lost, order=rng))
    answers = [judged(run, path, "--missing", "drop")["verdicts"][""] for path in (plain, mixed)]
    alike(numbers(answers[0]), numbers(answers[1]))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("losses", [False, True])
def test_order_of_rows_in_time(run, tmp_path, losses, seed):
    """Rows are sorted by their time, however they stand; marks that are moved in time are another series."""
    rng = np.random.default_rng(seed)
    slow = np.cumsum(rng.normal(size=(2, 120)), axis=1) * 0.05 + rng.normal(size=(2, 120))
    values = slow if losses else (slow > -0.3).astype(int)
    name = "loss" if losses else "correct"
    rows = [
        (f"2024-{1 + t // 28:02d}-{1 + t % 28:02d}", *(f"{v:.4f}" if losses else v for v in values[:, t]))
        for t in range(120)
    ]
    header = ("date", f"a_{name}", f"b_{name}")
    answers = []
    for k, order in enumerate((np.arange(120), rng.permutation(120), np.arange(120)[::-1])):
        path = write(tmp_path / f"t{k}.csv", header, [rows[place] for place in order])
        answers.append(judged(run, path)["verdicts"][""])
    for other in answers[1:]:
        alike(numbers(answers[0]), numbers(other))
    assert answers[0]["test"] == "diebold_mariano"
    dates = [row[0] for row in rows]
    moved = write(
        tmp_path / "moved.csv", header, [(dates[p], *rows[q][1:]) for p, q in enumerate(rng.permutation(120))]
    )
    other = judged(run, moved)["verdicts"][""]
    assert other["estimate"] == pytest.approx(answers[0]["estimate"])
    assert not losses or other["pvalue"] != answers[0]["pvalue"]  # of answers p is often McNemar's, the least it can be


def test_items_shared_by_tasks_are_clusters(run, tmp_path):
    """The same questions under more prompts are no more evidence than the same questions asked once, as clusters."""
    right, _ = drawn(2, 1)
    twice = [(task, *row) for task in ("p", "q") for row in in_rows(right)]
    shared = judged(run, write(tmp_path / "shared.csv", ("task", *HEADER), twice))["overall"]
    apart = [(task, f"{task}{item}", *row) for task, item, *row in twice]
    own = judged(run, write(tmp_path / "own.csv", ("task", *HEADER), apart))["overall"]
    assert shared["estimate"] == pytest.approx(own["estimate"])
    width = [one["interval"]["high"] - one["interval"]["low"] for one in (shared, own)]
    assert width[0] > 1.25 * width[1]
    assert "clusters" in shared["design"]
    assert "clusters" not in own["design"]


@pytest.mark.parametrize("models", [2, 3])
def test_tasks_in_another_order_and_by_other_names(run, tmp_path, models):
    right, _ = drawn(models, 1)
    plain = in_rows(right, task=lambda i: ("p", "q", "r")[i % 3])
    other = in_rows(right, task=lambda i: ("r", "p", "q")[i % 3], order=np.random.default_rng(1))
    answers = [
        judged(run, write(tmp_path / f"{k}.csv", ("task", *HEADER), rows)) for k, rows in enumerate((plain, other))
    ]
    alike(numbers(answers[0]["overall"]), numbers(answers[1]["overall"]))
    renamed = {"p": "r", "q": "p", "r": "q"}
    for task, verdict in answers[0]["verdicts"].items():
        alike(numbers(verdict), numbers(answers[1]["verdicts"][renamed[task]]))


@pytest.mark.parametrize("metric", ["accuracy", "profit"])
def test_unit(run, tmp_path, metric):
    """Fractions and percentages are one answer; a factor on a metric without range changes sizes, not the verdict."""
    rng = np.random.default_rng(3)
    values = np.round(np.clip(rng.normal([0.75, 0.7], 0.08, (60, 2)), 0.2, 1), 4)
    answers = []
    for k, factor in enumerate((1, 100)):
        rows = [
            (f"q{i}", m, f"{factor * v:.6g}") for i, row in enumerate(values) for m, v in zip("ab", row, strict=True)
        ]
        path = write(tmp_path / f"{k}.csv", ("item", "model", metric), rows)
        answers.append(judged(run, path)["verdicts"][""])
    before, after = answers
    assert after["estimate"] == pytest.approx(100 * before["estimate"])
    assert (after["pvalue"], after["better"]) == (pytest.approx(before["pvalue"]), before["better"])
    assert after["unit"] == ("percent" if metric == "accuracy" else "own")
    if metric == "accuracy":
        assert list(after["rope_probabilities"].values()) == pytest.approx(list(before["rope_probabilities"].values()))


@pytest.mark.parametrize("door", ["judge", "predictions"])
@pytest.mark.parametrize("roles", [("a", "b"), ("b", "a")])
def test_candidate_order(run, tmp_path, roles, door):
    """Who is candidate follows the option, not the order of columns; exchanged roles mirror the conclusion."""
    right, _ = drawn(2, 1)
    candidate, baseline = roles
    answers = []
    for names in ("ab", "ba"):
        by_name = dict(zip("ab", right[:, :, 0].tolist(), strict=True))
        rows = [(f"q{i}", *(by_name[name][i] for name in names)) for i in range(ITEMS)]
        path = write(tmp_path / f"{names}.csv", ("item", *names), rows)
        words = ["--truth", "none"] if door == "predictions" else []
        code, out, _ = run(
            door, path, *words, "--candidate", candidate, "--baseline", baseline, "--margin", "2pt", "--json"
        )
        assert code == 0
        answer = json.loads(out)
        answers.append(answer["verdicts"][""] if door == "judge" else answer)
    assert answers[0]["models"] == answers[1]["models"] == [candidate, baseline]
    assert answers[0]["conclusion"] == answers[1]["conclusion"]
    assert answers[0]["pairs"] == answers[1]["pairs"]
    assert answers[0]["conclusion"] == {"a": "superior", "b": "inferior"}[candidate]


@pytest.mark.parametrize("trials", [1, 3])
def test_two_models_and_a_copy_of_one(run, tmp_path, trials):
    """A copy changes no estimate and no unadjusted p of the others, is equal to its original, and hides no winner."""
    right, _ = drawn(2, trials)
    two = judged(run, write(tmp_path / "two.csv", HEADER, in_rows(right)))["verdicts"][""]
    copied = np.concatenate([right, right[1:]])
    three = judged(run, write(tmp_path / "three.csv", HEADER, in_rows(copied)))["verdicts"][""]
    pairs = {(pair["a"], pair["b"]): pair for pair in three["pairs"]}
    own = two["pairs"][0]
    for other in "bc":
        pair = pairs["a", other]
        assert pair["estimate"] == pytest.approx(own["estimate"])
        assert pair["pvalue"] == pytest.approx(own["pvalue"], rel=1e-6)
        assert pair["adjusted"] >= own["pvalue"] - 1e-12
    same = pairs["b", "c"]
    assert (same["estimate"], same["pvalue"], same["better"]) == (0, 1, None)
    assert ("b" in three["best_set"]) == ("c" in three["best_set"])
    assert three["ranks"]["b"] == three["ranks"]["c"]
