"""Readers of agents' and code benchmarks: fields, runs, and the published p-values of SWE-bench's leaderboard."""

from __future__ import annotations

import json

import numpy as np
import pytest

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.reading.catalogue import read_sources
from foldwise.reading.source import find_sources


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def read(folder):
    return read_sources(find_sources([folder]))


def test_tau_bench_counts_failed_runs(tmp_path):
    run = {"task_id": 0, "reward": 1.0, "info": {"user_cost": 0.5}, "traj": [], "trial": 0}
    failed = run | {"trial": 1, "reward": 0.0, "info": {"error": "timeout"}}
    write(tmp_path / "gpt-4.1.json", [run, failed])
    found = {one.metric: one for one in read(tmp_path).series}
    assert found["reward"].model == "gpt-4.1"
    assert found["reward"].values.tolist() == [1.0, 0.0]
    assert list(found["reward"].rows.trials) == ["0", "1"]
    assert found["user_cost"].values[0] == 0.5


def test_terminal_bench_has_trials_and_tokens(tmp_path):
    rows = [
        {"task_id": "hello", "is_resolved": True, "trial_name": "a", "total_input_tokens": 3, "total_output_tokens": 4},
        {"task_id": "hello", "is_resolved": None, "trial_name": "b"},
    ]
    write(tmp_path / "my agent" / "results.json", {"results": rows, "accuracy": 1.0})
    found = {one.metric: one for one in read(tmp_path).series}
    assert found["resolved"].model == "my agent"
    np.testing.assert_equal(found["resolved"].values, [1.0, np.nan])
    assert found["tokens"].values.tolist() == [7.0]


def test_terminal_benchs_leaderboard_has_submissions_of_several_runs(tmp_path):
    """Laid out as terminal-bench-leaderboard: results/<data set>/<submission>/<run>/results.json, or files of runs."""
    core = tmp_path / "results" / "terminal-bench-core@0.1.1"
    for name, solved in (("20250829_goose_opus", 9), ("20250924_droid", 6)):
        for place in range(3):
            rows = [
                {"task_id": f"task-{i}", "trial_name": f"task-{i}.1-of-1.run{place}", "failure_mode": "unset",
                 "is_resolved": i < solved} for i in range(12)
            ]  # fmt: skip
            rows[11] |= {"is_resolved": None, "failure_mode": "parse_error"}
            folder = core / name / f"run_{place}"
            write(folder / "results.json", {"id": "x", "results": rows, "accuracy": solved / 12, "resolved_ids": []})
            write(
                folder / "run_metadata.json", {"run_id": "r", "dataset_name": "terminal-bench-core", "agent_name": "a"}
            )
            write(folder / "task-0" / "results.json", rows[0])
    board = fw.leaderboard(tmp_path / "results")
    assert [(place.model, place.mean) for place in board.places] == [
        ("20250829_goose_opus", 0.75), ("20250924_droid", 0.5)
    ]  # fmt: skip
    assert (board.unit, board.design) == ("fraction", "12 items, 3 trials each")
    assert any("6 trials ended before their test (parse_error 6)" in text for _, text in board.understood)
    alone = {"results": rows}
    write(tmp_path / "mine" / "2026-01-02" / "results.json", alone)
    write(tmp_path / "mine" / "2026-01-02" / "run_metadata.json",
          {"dataset_name": "d", "agent_name": "codex", "model_name": "gpt-9"})  # fmt: skip
    assert {one.model for one in read(tmp_path / "mine").series} == {"codex gpt-9"}


def test_swe_benchs_details_of_instances_have_costs(tmp_path):
    rng = np.random.default_rng(0)
    for name, rate, price in (("mini_large", 0.8, 0.9), ("mini_small", 0.4, 0.1)):
        details = {
            f"django__django-{i}": {
                "cost": float(rng.gamma(4, price / 4)),
                "api_calls": 9,
                "resolved": bool(rng.random() < rate),
            }
            for i in range(500)
        }
        write(tmp_path / "bash-only" / name / "per_instance_details.json", details)
    found = {(one.model, one.metric): one for one in read(tmp_path).series}
    measured = ("resolved", "cost", "api_calls")
    assert set(found) == {(name, metric) for name in ("mini_large", "mini_small") for metric in measured}
    assert fw.frontier(tmp_path, groups="none").on_it == ("mini_small", "mini_large")
    whole = {path.parent.name: json.loads(path.read_text()) for path in tmp_path.rglob("*.json")}
    write(tmp_path / "page" / "info_for_leaderboard.json", whole)  # as the leaderboard's page keeps them
    page = {(one.model, one.metric): one for one in read(tmp_path / "page").series}
    assert set(page) == set(found)
    for key, one in found.items():
        assert page[key].values.tolist() == one.values.tolist()


def test_code_benchmarks_have_samples_as_trials(tmp_path):
    question = {"question_id": "abc", "graded_list": [True, False], "pass@1": 0.5, "platform": "atcoder"}
    write(tmp_path / "alpha" / "Scenario.codegeneration_2_0.2_eval_all.json", [question])
    (one,) = read(tmp_path).series
    assert (one.model, one.metric, one.values.tolist()) == ("alpha", "passed", [1.0, 0.0])
    write(tmp_path / "other" / "gamma" / "Scenario.codegeneration_8_0.6_eval_all_v5_no_cot.json", [question])
    assert [one.model for one in read(tmp_path / "other").series] == ["gamma"]
    tasks = {"BigCodeBench/0": [{"status": "pass"}, {"status": "timeout"}]}
    write(tmp_path / "code" / "beta_eval_results.json", {"date": "d", "eval": tasks})
    (one,) = read(tmp_path / "code").series
    assert (one.model, one.values.tolist()) == ("beta", [1.0, 0.0])


PUBLISHED = [(18, 18, 1.0), (33, 31, 0.901), (37, 31, 0.545), (26, 25, 1.0), (31, 28, 0.795)]
"""Discordant pairs and exact McNemar p-values of SWE-bench/experiments issue 466."""


@pytest.mark.parametrize(("only_a", "only_b", "p"), PUBLISHED)
def test_submissions_have_the_published_discordance_and_exact_p(tmp_path, only_a, only_b, p):
    ids = [f"django__django-{i}" for i in range(400)]
    both, a, b = ids[:300], ids[300 : 300 + only_a], ids[-only_b:]
    for name, resolved in (("20250101_a", both + a), ("20250202_b", both + b)):
        write(tmp_path / "verified" / name / "results" / "results.json", {"resolved": resolved, "no_logs": []})
    c = fw.judge(tmp_path, groups="none", test="mcnemar_exact").main
    evidence = c.parts[0].evidence
    n00, n01, n10, n11 = evidence.cells
    assert (n10, n01, n00 + n01 + n10 + n11) == (only_a, only_b, 500)
    assert round(c.pvalue, 3) == p
    assert c.means["20250101_a"] == pytest.approx((300 + only_a) / 500)


def test_swe_bench_without_a_split_says_so_and_reports_of_instances_are_joined(tmp_path):
    for name, resolved in (("alpha", True), ("beta", False)):
        for i in range(3):
            key = f"sympy__sympy-{i}"
            write(tmp_path / "logs" / name / key / "report.json", {key: {"resolved": resolved and i < 2}})
    found = read(tmp_path)
    assert {one.model: one.values.tolist() for one in found.series} == {"alpha": [1, 1, 0], "beta": [0, 0, 0]}
    assert any("the split is unknown" in text for text in found.left_out)


def test_the_harness_counts_errors_as_not_resolved(tmp_path):
    report = {"total_instances": 4, "submitted_ids": ["x-1", "x-2", "x-3"], "resolved_ids": ["x-1"],
              "unresolved_ids": ["x-2"], "error_ids": ["x-3"], "empty_patch_ids": []}  # fmt: skip
    write(tmp_path / "alpha.run1.json", report)
    (one,) = read(tmp_path).series
    assert (one.model, one.values.tolist()) == ("alpha", [1, 0, 0, 0])


def test_runs_of_the_harness_are_trials_and_models_have_dots(tmp_path):
    """<model>.<run>.json of two runs, and of models whose names differ behind a dot only."""
    for run, solved in (("r1", 3), ("r2", 1)):
        for model, more in (("gpt-4.1", 0), ("gpt-4.5", 1)):
            ids = [f"x__y-{i}" for i in range(6)]
            report = {
                "total_instances": 6,
                "resolved_ids": ids[: solved + more],
                "unresolved_ids": ids[solved + more :],
            }
            write(tmp_path / "files" / f"{model}.{run}.json", report)
            for i, key in enumerate(ids):
                write(tmp_path / "logs" / "run_evaluation" / run / model / key / "report.json",
                      {key: {"patch_exists": True, "resolved": i < solved + more}})  # fmt: skip
    for folder in ("files", "logs"):
        found = {one.model: one for one in read(tmp_path / folder).series}
        assert set(found) == {"gpt-4.1", "gpt-4.5"}
        assert (found["gpt-4.1"].values.sum(), found["gpt-4.5"].values.sum()) == (4, 6)
        assert set(found["gpt-4.1"].rows.trials) == {"r1", "r2"}


def test_folders_of_experiments_hold_more_than_results(tmp_path):
    """What lies beside results.json in SWE-bench/experiments is passed over; details that differ are counted."""
    ids = [f"django__django-{i}" for i in range(40)]
    for name, resolved in (("20250101_a", ids[:20]), ("20250202_b.v2", ids[:12])):
        place = tmp_path / "evaluation" / "verified" / name
        write(place / "results" / "results.json", {"no_generation": [], "no_logs": [], "resolved": resolved})
        write(place / "results" / "resolved_by_repo.json", {"django/django": {"resolved": len(resolved), "total": 231}})
        write(place / "results" / "resolved_by_time.json", {"2022": {"resolved": 3, "total": 20}})
        (place / "all_preds.jsonl").write_text(json.dumps({"instance_id": ids[0], "model_patch": "diff"}))
        (place / "README.md").write_text("| a | b |\n| - | - |\n| 1 | 2 |\n")
        for key in ids[:3]:
            write(place / "logs" / key / "report.json", {key: {"resolved": key != ids[1]}})
    board = fw.leaderboard(tmp_path, groups="none")
    assert {place.model: place.mean for place in board.places} == {"20250101_a": 20 / 500, "20250202_b.v2": 12 / 500}
    told = [text for _, text in board.understood if "disagree" in text]
    assert len(told) == 2
    assert all("results.json and the reports of instances disagree on 1 of 3" in text for text in told)


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("a.json", [{"reward": 1, "task_id": None, "info": {}}], "must have a task_id"),
        ("q_eval_all.json", [{"question_id": "x"}], "must have a graded_list"),
        ("results.json", {"resolved": [3]}, "resolved must be a list of instances"),
        ("b_eval_results.json", {"eval": ["BigCodeBench/0"]}, "must have an object eval"),
    ],
)
def test_bad_content_is_named(tmp_path, name, content, match):
    write(tmp_path / name, content)
    with pytest.raises(InvalidInput, match=match):
        read(tmp_path)
