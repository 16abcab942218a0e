"""Where a first attempt used to end, the page goes on as the command line and Python do, and shows the command."""

from __future__ import annotations

import json
import random
import shlex

import numpy as np
import pytest
from web.test_roles import packed

import foldwise as fw
from foldwise.cli.main import main
from foldwise.core.errors import InvalidInput

DRAW = random.Random(12)


def table(header, rows):
    return "\n".join([",".join(map(str, header)), *(",".join(map(str, row)) for row in rows), ""])


@pytest.fixture
def same(reader, tmp_path, monkeypatch, capsys):
    """The page's answer, which its command, and Python, give too."""

    def call(files, door="judge", **fields):
        if door == "judge":  # files are brought first, and then something is chosen
            page = reader.post(f"/{door}", dropped=files, step="answer")
            page = reader.post(f"/{door}", files=packed(page), step="answer", **fields) if fields else page
        else:
            page = reader.post(f"/{door}", text=files[0][1], filename=files[0][0], step="answer", **fields)
        assert page.alert is None, page.alert
        for name, text in files:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        main([*shlex.split(page.command)[1:], "--json"])
        return page, json.loads(capsys.readouterr().out)

    return call


RATED = [
    (f"q{i}", model, rater, min(5, DRAW.randint(1, 4) + (model == "a")))
    for i in range(30)
    for model in "ab"
    for rater in ("gpt", "claude", "gemini")
]


@pytest.mark.parametrize(
    ("role", "design"), [("trial", "30 items, 3 trials each"), ("group", "90 items in 3 clusters")]
)
def test_several_judges_are_offered_as_trials_or_clusters(reader, same, role, design):
    text = table(("item", "model", "judge", "rating"), RATED)
    first = reader.post("/judge", file=("t.csv", text), step="answer")
    assert "names 3 raters" in first.alert
    assert "“Column: trial”" in first.alert
    assert "--column" not in first.alert
    page, answer = same([("t.csv", text)], **{f"column_{role}": "judge"})
    assert f"--column={role}=judge" in page.command
    assert answer["verdicts"][""]["design"] == design


def test_one_missing_fold_does_not_discard_a_data_set(same):
    rows = [
        (name, model, fold, round(0.7 + 0.1 * DRAW.random(), 3))
        for name in ("iris", "wine", "glass")
        for model in "ab"
        for fold in range(10)
        if (name, model, fold) != ("iris", "b", 3)
    ]
    page, answer = same([("t.csv", table(("dataset", "model", "fold", "accuracy"), rows))])
    assert page.facts()["tasks"] == "iris, wine, glass"
    assert answer["verdicts"]["iris"]["design"] == "9-fold cross-validation"
    assert "1 split left out" in page.text


def test_percentages_and_spreads_are_numbers(same, tmp_path):
    plain = [(f"d{i}", 80 + i, 81 + i + i % 3) for i in range(8)]
    written = {
        "percent.csv": [(name, f"{a}.1%", f"{b}.1 %") for name, a, b in plain],
        "spread.csv": [(name, f"{a}.1 ± 1.3", f"{b}.1 (0.4)") for name, a, b in plain],
    }
    expected = fw.compare_table(
        {"nb": [a + 0.1 for _, a, _ in plain], "rf": [b + 0.1 for _, _, b in plain]}, options=fw.Options(bayes="none")
    )
    for name, rows in written.items():
        page, answer = same([(name, table(("dataset", "nb", "rf"), rows))])
        assert answer["verdicts"][""]["pairs"][0]["pvalue"] == expected.pairs[0].pvalue
        assert answer["verdicts"][""]["unit"] == ("percent" if name == "percent.csv" else "own")
        found = fw.judge(tmp_path / name)
        assert found.main.pairs[0].pvalue == expected.pairs[0].pvalue
        assert found.main.to_dict()["unit"] == answer["verdicts"][""]["unit"]
        assert ("is left out" in page.text) == (name == "spread.csv")


def test_the_results_of_a_search_are_read(same):
    rows = [
        (i, f"\"{{'C': {c}}}\"", *(round(0.8 - i / 50 + DRAW.random() / 20, 3) for _ in range(5)), 1.0 + i)
        for i, c in enumerate((1, 10))
    ]
    header = ("", "params", *(f"split{i}_test_score" for i in range(5)), "mean_fit_time")
    page, answer = same([("search.csv", table(header, rows))])
    assert page.facts()["models"] == "C=1, C=10"
    results = {"params": [{"C": 1}, {"C": 10}]} | {
        name: [row[place] for row in rows] for place, name in enumerate(header) if name.startswith("split")
    }
    assert fw.judge(results).main.pvalue == answer["verdicts"][""]["pvalue"]


@pytest.mark.parametrize("door", ["judge", "predictions"])
def test_the_truth_is_found_by_its_name_before_its_place(same, tmp_path, door):
    rows = [(i, DRAW.choice("xy"), true, DRAW.choice("xy")) for i, true in enumerate("xy" * 30)]
    _, answer = same([("t.csv", table(("Unnamed: 0", "nb", "True Label", "rf"), rows))], door)
    names = answer["understood"]["models"] if door == "judge" else answer["models"]
    assert names == ["nb", "rf"]
    found = fw.judge(tmp_path / "t.csv").main
    expected = fw.compare_predictions(
        [row[2] for row in rows], {"a": [row[1] for row in rows], "b": [row[3] for row in rows]}
    )
    pvalue = answer["verdicts"][""]["pvalue"] if door == "judge" else answer["pvalue"]
    assert found.pvalue == expected.pvalue == pvalue


def log(model, scores):
    samples = [
        {"id": i, "epoch": 1, "target": "x", "scores": {"match": {"value": "C" if one else "I"}}}
        if one is not None
        else {"id": i, "epoch": 1, "target": "x", "error": {"message": "timeout"}, "scores": None}
        for i, one in enumerate(scores)
    ]
    return json.dumps({"version": 2, "status": "success", "eval": {"task": "t", "model": model}, "samples": samples})


def test_logs_that_all_failed_are_said_to_have_failed(reader, tmp_path):
    files = [(f"{model}.json", log(model, [None] * 5)) for model in "ab"]
    page = reader.post("/judge", dropped=files, step="answer")
    assert "nothing to compare" in page.alert.lower()
    assert "no value" in page.alert
    for name, text in files:
        (tmp_path / name).write_text(text)
    with pytest.raises(InvalidInput, match="nothing to compare"):
        fw.judge(tmp_path)


def test_two_logs_of_one_model_are_called_after_their_files(same, tmp_path):
    rng = np.random.default_rng(2)
    files = [
        (f"{name}.json", log("gpt", (rng.random(60) < share).tolist())) for name, share in (("new", 0.9), ("old", 0.4))
    ]
    page, answer = same(files)
    models = ["gpt (new)", "gpt (old)"]
    assert answer["understood"]["models"] == models
    found = fw.judge([tmp_path / name for name, _ in files])
    assert found.understanding.models == tuple(models)
    assert found.main.better == "gpt (new)"
    assert page.verdict.startswith("gpt (new) is better")


def test_clusters_that_are_offered_can_be_taken(same):
    rows = [(i, f"p{i // 4}", m, int((i + k) % 3 > 0)) for i in range(60) for k, m in enumerate("ab")]
    text = table(("question_id", "passage", "model", "correct"), rows)
    page, answer = same([("t.csv", text)])
    assert "clusters" not in answer["verdicts"][""]["design"]
    assert page.chosen("groups") is not None
    page, answer = same([("t.csv", text)], groups="passage")
    assert answer["verdicts"][""]["design"].endswith("15 clusters")
    assert "--groups=passage" in page.command


@pytest.mark.parametrize("roles", [{"candidate": "a", "baseline": "b"}, {"candidate": "b"}, {"baseline": "a"}])
def test_candidate_and_baseline_at_the_door_of_results(same, roles):
    rng = np.random.default_rng(3)
    rows = [(i, m, int(rng.random() < share)) for i in range(100) for m, share in (("a", 0.9), ("b", 0.5))]
    page, answer = same([("t.csv", table(("item", "model", "correct"), rows))], margin="5pt", **roles)
    candidate = roles.get("candidate") or "b"
    verdict = answer["verdicts"][""]
    assert verdict["models"] == [candidate, "b" if candidate == "a" else "a"]
    assert verdict["conclusion"] == ("superior" if candidate == "a" else "inferior")
    for role, name in roles.items():
        assert page.chosen(role) == name
        assert f"--{role}={name}" in page.command


@pytest.mark.parametrize("control", ["m0", "m1", "m2"])
def test_ranks_and_best_set_are_coherent_on_the_page(reader, control):
    """With a control too: who may be best has rank 1 among the possible ones, and nobody else has."""
    rng = np.random.default_rng(4)
    shares = (0.85, 0.7, 0.55)
    rows = [tuple(int(rng.random() < share) for share in shares) for _ in range(150)]
    rows = [("x", *("x" if right else "y" for right in row)) for row in rows] + [("y", "y", "y", "y")] * 5
    text = table(("truth", "m0", "m1", "m2"), rows)
    kept = reader.post("/predictions/report.json", text=text, filename="t.csv", baseline=control)
    answer = json.loads(kept.text)
    assert {name for name, (low, _) in answer["ranks"].items() if low == 1} == set(answer["best_set"])
    expected = fw.compare_predictions(
        [row[0] for row in rows], {f"m{i}": [row[i + 1] for row in rows] for i in range(3)}, baseline=control
    )
    assert answer["best_set"] == list(expected.best_set)


@pytest.mark.parametrize("metric", ["recall", "average_precision", "roc_auc"])
def test_metrics_without_a_positive_are_refused_with_the_reason(reader, tmp_path, capsys, metric):
    rows = [("no", *(f"{DRAW.random():.3f}" for _ in range(2))) for _ in range(30)]
    if metric == "recall":
        rows = [("no", "no", "yes" if i % 7 == 0 else "no") for i in range(30)]
    text = table(("truth", "a", "b"), rows)
    page = reader.post("/predictions", text=text, filename="t.csv", step="answer", metric=metric, positive="yes")
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(SystemExit, match="2"):
        main(["predictions", str(tmp_path / "t.csv"), "--metric", metric, "--positive", "yes"])
    said = capsys.readouterr().err
    assert page.alert is not None
    assert "yes" in said
    assert "nan" not in (said + page.alert).lower()
