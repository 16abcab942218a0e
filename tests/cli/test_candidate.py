"""Who is compared with whom, on the command line: the order of columns never decides a gate."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

MIRRORED = {"superior": {"inferior"}, "inferior": {"superior"}, "equivalent": {"equivalent"},
            "non-inferior": {"undecided"}, "undecided": {"undecided", "non-inferior"}}  # fmt: skip
ORDERS = [("good", "bad"), ("bad", "good"), ("bad", "third", "good"), ("good", "third", "bad")]


def write(path, columns, first="truth", truth=None):
    names = list(columns)
    rows = list(zip(truth, *columns.values(), strict=True))
    text = "\n".join([",".join([first, *names]), *(",".join(map(str, row)) for row in rows)]) + "\n"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def predictions(tmp_path):
    """A file of predictions whose models stand in this order; bad is 30 points worse than good."""

    def make(order, seed=0):
        rng = np.random.default_rng(seed)
        truth = rng.integers(0, 2, 200)
        said = {name: np.where(rng.random(200) < share, truth, 1 - truth)
                for name, share in {"good": 0.9, "bad": 0.6, "third": 0.75}.items()}  # fmt: skip
        return write(tmp_path / "p.csv", {name: said[name] for name in order}, truth=truth)

    return make


@pytest.fixture
def table(tmp_path):
    def make(order):
        rng = np.random.default_rng(0)
        values = {name: 0.5 + lead + rng.normal(0, 0.01, 14)
                  for name, lead in {"good": 0.3, "bad": 0.0, "third": 0.15}.items()}  # fmt: skip
        return write(tmp_path / "t.csv", {name: values[name] for name in order}, first="data",
                     truth=[f"d{i}" for i in range(14)])  # fmt: skip

    return make


ROLES = ("--candidate", "bad", "--baseline", "good")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("condition", ["worse", "inferior", "not-noninferior", "not-better"])
def test_a_model_30_points_worse_fails_in_whatever_order(run, predictions, order, condition):
    words = ("--margin", "2pt", "--fail-if", condition)
    code, _, err = run("predictions", predictions(order), *ROLES, *words)
    assert code == 1, err
    assert "bad is " in err
    assert run("predictions", predictions(order), "--candidate", "good", "--baseline", "bad", *words)[0] == 0
    assert run("judge", predictions(order), *ROLES, *words)[0] == 1
    assert run("watch", predictions(order), "--complete", *ROLES, *words)[0] == 1


@pytest.mark.parametrize("order", ORDERS)
def test_so_it_does_over_data_sets(run, table, order):
    words = ("--metric", "accuracy", "--bayes", "none", "--margin", "2pt", "--fail-if", "inferior")
    code, _, err = run("table", table(order), *ROLES, *words)
    assert (code, err.startswith("foldwise: bad is inferior to good by more than ")) == (1, True)
    assert run("table", table(order), "--candidate", "good", "--baseline", "bad", *words)[0] == 0


@pytest.mark.parametrize("command", ["predictions", "watch", "judge"])
def test_a_gate_needs_the_roles_where_the_file_alone_has_an_order(run, predictions, command):
    code, _, err = run(command, predictions(("good", "bad")), "--fail-if", "worse")
    assert code == 2
    assert "--fail-if needs --candidate and --baseline" in err
    assert "--candidate good --baseline bad, or the other way round" in err


def test_so_it_does_of_scores_and_tables(run, table, tmp_path):
    code, _, err = run("table", table(("good", "bad")), "--fail-if", "worse")
    assert (code, "--fail-if needs --candidate and --baseline" in err) == (2, True)
    rng = np.random.default_rng(0)
    scores = {"good": 0.8 + rng.normal(0, 0.01, 10), "bad": 0.5 + rng.normal(0, 0.01, 10)}
    words = (write(tmp_path / "s.csv", scores, first="fold", truth=range(10)), "--fail-if", "worse")
    code, _, err = run("scores", *words)
    assert (code, "--fail-if needs --candidate and --baseline" in err) == (2, True)
    assert run("scores", *words, *ROLES)[0] == 1
    assert run("scores", *words, "--a", "good", "--b", "bad")[0] == 0


def test_the_order_that_the_user_gave_is_one(run, predictions):
    file = predictions(("good", "bad"))
    for command, first, second in (("judge", "--model", "--model"), ("predictions", "--a", "--b")):
        assert run(command, file, first, "bad", second, "good", "--fail-if", "worse")[0] == 1
        assert run(command, file, first, "good", second, "bad", "--fail-if", "worse")[0] == 0


@pytest.mark.parametrize("command", ["predictions", "judge", "watch"])
def test_order_in_the_file_changes_nothing_where_roles_are_given(run, predictions, command):
    found = []
    for order in (("good", "bad"), ("bad", "good")):
        words = ("--complete",) if command == "watch" else ()
        code, out, _ = run(command, predictions(order), *ROLES, *words, "--margin", "2pt", "--json")
        assert code == 0
        answer = json.loads(out)
        answer = answer["verdicts"].popitem()[1] if command == "judge" else answer
        found.append(
            {name: answer[name] for name in ("models", "estimate", "interval", "limits", "conclusion", "better")}
        )
    assert found[0] == found[1]
    assert found[0]["models"] == ["bad", "good"]
    assert found[0]["conclusion"] == "inferior"


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**32 - 1), st.sampled_from(["1pt", "5%", "0.2"]))
def test_exchanged_roles_mirror_the_conclusion(run, tmp_path, seed, margin):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 80)
    said = {name: np.where(rng.random(80) < rng.choice([0.6, 0.85, 0.9]), truth, 1 - truth) for name in ("red", "blue")}
    file = write(tmp_path / "m.csv", said, truth=truth)
    found = []
    for candidate, baseline in (("red", "blue"), ("blue", "red")):
        _, out, _ = run(
            "predictions", file, "--candidate", candidate, "--baseline", baseline, "--margin", margin, "--json"
        )
        found.append(json.loads(out))
    assert found[1]["conclusion"] in MIRRORED[found[0]["conclusion"]]
    assert found[0]["better"] == found[1]["better"]


def test_a_margin_of_100_points_is_refused_with_the_spelling_that_was_meant(run, predictions):
    code, out, err = run("predictions", predictions(("good", "bad")), *ROLES, "--margin", "1")
    assert (code, out) == (2, "")
    assert err == (
        "foldwise: margin must be below 1, the whole range of accuracy, got '1': write '1pt' (--margin 1pt) for 1 "
        "point\n"
    )
    assert run("predictions", predictions(("good", "bad")), *ROLES, "--margin", "1pt")[0] == 0


def test_what_is_assumed_of_the_order_is_said_where_a_margin_makes_it_count(run, predictions):
    file = predictions(("good", "bad"))
    words = "Assumed: good is the candidate, bad the baseline (if not: "
    for command in ("predictions", "judge", "watch"):
        assert words in " ".join(run(command, file, "--margin", "2pt")[1].split()), command
        assert "the candidate" not in run(command, file)[1]
        assert words not in " ".join(run(command, file, *ROLES, "--margin", "2pt")[1].split())


def test_a_gate_by_several_metrics_names_the_metric(run, predictions):
    code, _, err = run("predictions", predictions(("good", "bad")), *ROLES, "--metric", "accuracy", "balanced_accuracy",
                       "--margin", "2pt", "--fail-if", "inferior")  # fmt: skip
    assert code == 1
    assert "bad is inferior to good by more than 2 points: by accuracy (" in err
    assert ", by balanced accuracy (" in err


def test_conclusions_by_task_hold_together_and_the_gate_names_the_task(run, tmp_path):
    """Holm's steps go by p-values of no difference; about a margin every task has the same part of the level."""
    rng = np.random.default_rng(0)
    lines = ["model,task,item,score"]
    for task, shares in {"easy": (0.9, 0.7), "hard": (0.5, 0.85), "mid": (0.8, 0.8)}.items():
        lines += [f"{model},{task},{i},{int(rng.random() < share)}"
                  for i in range(120) for model, share in zip(("new", "old"), shares, strict=True)]  # fmt: skip
    path = tmp_path / "long.csv"
    path.write_text("\n".join(lines) + "\n")
    words = ("judge", path, "--candidate", "new", "--margin", "0.05", "--fail-if", "inferior")
    code, out, err = run(*words)
    assert code == 1
    assert "new is inferior to old by more than 5 points: overall (accuracy differs by" in err
    assert ", on hard (accuracy differs by" in err
    assert "on easy" not in err
    assert "conclusions about the margin by task: each at level 0.05/3 (Bonferroni)" in " ".join(out.split())
    verdicts = json.loads(run(*words, "--json")[1])["verdicts"]
    assert {verdict["limits_alpha"] for verdict in verdicts.values()} == {0.05 / 3}
    assert {verdict["alpha"] for verdict in verdicts.values()} == {0.05 / 3, 0.05 / 2, 0.05}
    again = json.loads(run(*words[:4], "--margin", "0.05", "--json", "--alpha", 0.05 / 3, "--task", "mid")[1])
    assert again["verdicts"]["mid"]["limits"] == verdicts["mid"]["limits"]


def test_watch_says_that_it_is_open(run, predictions, tmp_path):
    file = predictions(("good", "bad"))
    short = tmp_path / "short.csv"
    short.write_text("\n".join(file.read_text().splitlines()[:9]) + "\n")
    words = (*ROLES, "--margin", "2pt", "--fail-if", "not-noninferior")
    code, out, err = run("watch", short, *words)
    assert code == 3
    assert out
    assert "bad is not shown to be non-inferior to good with a margin of 2 points (accuracy differs by" in err
