"""C-indices at every door: one answer, whatever the columns are called, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import foldwise as fw


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(1)
    x = rng.normal(size=90)
    t, c = rng.exponential(np.exp(-x)), rng.exponential(1.5, 90)
    return {
        "time": np.minimum(t, c).round(4), "event": (t <= c).astype(int),
        "cox": (x + rng.normal(0, 0.5, 90)).round(4), "old": (x + rng.normal(0, 2, 90)).round(4),
    }  # fmt: skip


def write(path, data, **names):
    header = [names.get(name, name) for name in data]
    rows = zip(*data.values(), strict=True)
    path.write_text("\n".join([",".join(header), *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path


def told(one):
    pair = one["pairs"][0]
    return [one["models"], pair["estimate"], pair["pvalue"], pair["interval"], one["test"], one["reading"]]


@pytest.mark.parametrize("metric", ["c_index", "c_index_uno", "c_index_uno@0.8"])
def test_all_doors_say_the_same(run, on_page, tmp_path, data, metric):
    path = write(tmp_path / "surv.csv", data)
    python = fw.compare_predictions(
        {name: data[name] for name in ("time", "event")}, {name: data[name] for name in ("cox", "old")}, metric=metric
    ).to_dict()
    found = [
        json.loads(run("predictions", path, "--metric", metric, "--json")[1]),
        json.loads(run("judge", path, "--metric", metric, "--json")[1])["verdicts"][""],
        fw.judge(path, metric=metric).main.to_dict(),
    ]
    for one in found:
        assert told(one)[:5] == told(python)[:5]
        assert one["design"] == "90 test examples, 48 with an event"
    numbers = f"{python['pairs'][0]['means'][0]:.4g}"
    for door in ("predictions", "judge"):
        assert numbers in on_page(door, path, metric=metric).text


def test_other_names_and_one_file_per_model(run, tmp_path, data):
    path = write(tmp_path / "a.csv", data, time="futime", event="status")
    plain = json.loads(run("judge", write(tmp_path / "b.csv", data), "--json")[1])["verdicts"][""]
    assert told(json.loads(run("judge", path, "--json")[1])["verdicts"][""])[:5] == told(plain)[:5]
    strange = write(tmp_path / "c.csv", data, time="weeks_seen", event="relapse")
    declared = ["--column", "event=relapse", "--column", "duration=weeks_seen"]
    for command in ("predictions", "judge"):
        found = json.loads(run(command, strange, *declared, "--json")[1])
        assert told(found["verdicts"][""] if "verdicts" in found else found)[:5] == told(plain)[:5]
    files = []
    for name in ("cox", "old"):
        one = {
            "id": [f"p{i}" for i in range(90)],
            **{role: data[role] for role in ("time", "event")},
            "risk": data[name],
        }
        files.append(write(tmp_path / f"{name}.csv", one))
    assert told(json.loads(run("judge", *files, "--json")[1])["verdicts"][""])[:5] == told(plain)[:5]


def test_it_is_said_that_the_metric_is_assumed_unless_it_was_asked_for(run, tmp_path, data):
    path = write(tmp_path / "surv.csv", data)
    for command in ("predictions", "judge"):
        assert "Assumed: what is compared is Harrell's C-index" in run(command, path)[1]
        assert "Assumed" not in run(command, path, "--metric", "c_index")[1]


def test_one_model_has_an_interval_and_a_bar(run, tmp_path, data):
    path = write(tmp_path / "one.csv", {name: data[name] for name in ("time", "event", "cox")})
    code, out, _ = run("predictions", path, "--metric", "c_index", "--bar", "0.5")
    assert code == 0
    assert "Gate passed: C-index" in out
    python = fw.estimate_predictions({name: data[name] for name in ("time", "event")}, data["cox"], metric="c_index")
    assert f"{python.estimate:.4g}" in out


def test_tasks_slices_clusters_and_missing_scores(run, tmp_path, data):
    path = write(tmp_path / "tasks.csv", {**data, "site": ["a", "b", "c"] * 30, "patient": np.arange(90) // 3})
    sliced = run("predictions", path, "--metric", "c_index", "--slice", "site", "--a", "cox", "--b", "old")[1]
    assert "same in all 3 slices?" in sliced
    judged = run("judge", path, "--column", "task=site", "--column", "patient=none", "--metric", "c_index")
    assert judged[0] == 2  # patient is no role
    judged = run("judge", path, "--column", "task=site", "--metric", "c_index")[1]
    assert "each task is one value, its c_index of its own items" in judged
    clustered = run("judge", path, "--groups", "patient", "--metric", "c_index")[1]
    assert "48 with an event in 30 clusters" in clustered
    gap = {**data, "cox": ["", *data["cox"][1:]]}
    path = write(tmp_path / "gap.csv", gap)
    assert run("predictions", path, "--metric", "c_index")[0] == 2
    for command, options in (("predictions", ["--missing", "drop"]), ("judge", [])):
        assert "89 test examples" in run(command, path, "--metric", "c_index", *options)[1]


def test_what_can_not_be_is_one_sentence(run, tmp_path, data):
    for change, message in (
        ({"event": [0] * 90}, "without an event nothing can be ordered"),
        ({"event": [1, 3] * 45}, "event must be 1"),
        ({"time": -data["time"] - 1}, "time must not be negative"),
    ):
        path = write(tmp_path / "bad.csv", {**data, **change})
        code, out, err = run("predictions", path, "--metric", "c_index")
        assert (code, out) == (2, "")
        assert message in err
    path = write(tmp_path / "none.csv", {"truth": data["event"], "cox": data["cox"], "old": data["old"]})
    code, _, err = run("predictions", path, "--metric", "c_index")
    assert code == 2
    assert "--column duration=" in err
    path = write(tmp_path / "surv.csv", data)
    code, _, err = run("predictions", path, "--metric", "c_index", "--metric", "mae")
    assert code == 2
    assert "which mae does not" in err


def test_predicted_times_are_noticed(run, tmp_path, data):
    path = write(tmp_path / "times.csv", {**data, "cox": -data["cox"]})
    assert "perhaps its numbers are predicted times, not risks" in run("predictions", path, "--metric", "c_index")[1]


def test_any_column_of_a_table_may_be_the_groups_at_judge(run, tmp_path, data):
    """It said `unknown groups 'hospital': Known:` and nothing more."""
    path = write(tmp_path / "s.csv", {**data, "hospital": [f"h{row % 9}" for row in range(90)]})
    for door in ("judge", "predictions"):
        assert "in 9 clusters" in run(door, path, "--metric", "c_index", "--groups", "hospital")[1]
    refused = run("judge", path, "--metric", "c_index", "--groups", "ward")[2]
    assert "groups must be a column of the files, or clusters that they name, got 'ward'" in refused


def test_what_is_noted_of_one_model_is_noted_once(run, tmp_path, data):
    """`judge` noted the same of its copy: cox (again) ranks worse than chance."""
    rng = np.random.default_rng(2)
    rows = "".join(f"{i + 1},{i % 2},{i / 60 + rng.normal(0, 0.1):.3f}\n" for i in range(60))  # long times, not risks
    (tmp_path / "one.csv").write_text("time,event,cox\n" + rows)
    for command in ("predictions", "judge"):
        out = " ".join(run(command, tmp_path / "one.csv")[1].split())
        assert out.count("ranks worse than chance") == 1
        assert "again" not in out
