"""Logs written by the real lm-evaluation-harness (tests/reference/generators/harnesses/lm_eval_logs.py)."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.reading import ItemRows, find_sources, read_sources

LOGS = Path(__file__).parents[1] / "reference" / "harnesses" / "lm_eval"


@pytest.fixture
def logs(tmp_path):
    return Path(shutil.copytree(LOGS, tmp_path / "logs"))


def read(folder):
    return read_sources(find_sources([folder]))


def test_every_metric_and_filter_is_a_series():
    reading = read(LOGS)
    assert reading.formats == {"lm-evaluation-harness": 6}
    measures = {(one.model, one.task, one.measure) for one in reading.series}
    expected = {("ferry_choice", "acc"), ("ferry_choice", "acc_norm")}
    expected |= {("sums_free", f"exact_match,{name}") for name in ("strict-match", "flexible-extract")}
    assert measures == {(model, *rest) for model in ("acme/alpha-7b", "acme/beta-7b") for rest in expected}


def test_means_of_the_items_are_what_the_harness_reports():
    aggregates = {}
    for path in LOGS.rglob("results_*.json"):
        content = json.loads(path.read_text())
        for task, values in content["results"].items():
            for key, value in values.items():
                aggregates[content["model_name"], task, key.removesuffix(",none")] = value
    for one in read(LOGS).series:
        assert np.mean(one.values) == pytest.approx(aggregates[one.model, one.task, one.measure], abs=1e-12)
        assert one.higher_is_better is True


def test_clusters_and_targets_come_along():
    one = next(s for s in read(LOGS).series if s.task == "ferry_choice")
    assert isinstance(one.rows, ItemRows)
    assert set(one.rows.clusters) == {"passage"}
    assert len(set(one.rows.clusters["passage"])) == 10
    assert len(set(one.rows.keys)) == 40


def test_results_without_samples_are_aggregates(logs):
    for path in logs.rglob("samples_*"):
        path.unlink()
    reading = read(logs)
    assert {one.rows.count for one in reading.series} == {1}
    assert {one.measure for one in reading.series} == {
        "acc", "acc_norm", "exact_match,strict-match", "exact_match,flexible-extract"
    }  # fmt: skip


def test_a_line_that_is_cut_off_is_named(logs):
    path = next(logs.rglob("samples_sums_free_*"))
    path.write_text(path.read_text()[:-100])
    with pytest.raises(InvalidInput, match=r"samples_sums_free_.*line 60 must be whole JSON"):
        read(logs)


def test_a_metric_of_the_whole_set_is_left_out_and_said(logs):
    for path in logs.rglob("samples_sums_free_*"):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        for line in lines:
            line["metrics"].append("f1")
            line["f1"] = [1, 0]
        path.write_text("\n".join(map(json.dumps, lines)))
    reading = read(logs)
    assert "f1" not in {one.metric for one in reading.series}
    assert any("f1 (no value per item" in text for text in reading.left_out)


def test_a_document_that_stands_twice_has_two_keys(logs):
    path = next(logs.rglob("samples_ferry_choice_*"))
    first = path.read_text().splitlines()[0]
    path.write_text(path.read_text() + first + "\n")
    one = next(s for s in read(logs).series if s.rows.count == 41)
    assert len(set(one.rows.keys)) == 41


def flat(folder, tmp_path, pattern="*"):
    """The files of both models in one folder, as people drop them on a page."""
    place = tmp_path / "flat"
    place.mkdir()
    for path in folder.rglob(pattern):
        if path.is_file():
            shutil.copy(path, place)
    return place


def test_models_in_one_folder_are_told_apart_by_their_results(tmp_path):
    place = flat(LOGS, tmp_path)
    for path in place.glob("samples_ferry*21.236066*"):
        path.rename(place / f"{path.stem} (1).jsonl")  # as a browser calls a second download
    expected = {(one.model, one.task, one.measure, one.values.sum()) for one in read(LOGS).series}
    assert {(one.model, one.task, one.measure, one.values.sum()) for one in read(place).series} == expected


def test_models_in_one_folder_without_results_are_told_apart_by_the_moment_of_their_runs(tmp_path):
    reading = read(flat(LOGS, tmp_path, "samples_*"))
    assert {one.model for one in reading.series} == {"run of 2026-11-16 01:44:21", "run of 2026-11-16 01:44:25"}
    assert any("no results_*.json says which model it is" in text for text in reading.left_out)


def test_results_of_one_model_do_not_name_the_other(tmp_path):
    place = flat(LOGS, tmp_path)
    next(place.glob("results_*43101.json")).unlink()
    assert {one.model for one in read(place).series} == {"acme/alpha-7b", "run of 2026-11-16 01:44:25"}


def test_files_that_people_called_like_their_models_are_refused_with_what_to_do(tmp_path):
    place = flat(LOGS, tmp_path, "samples_sums_free_*")
    for name, path in zip(("alpha", "beta"), sorted(place.iterdir()), strict=True):
        path.rename(place / f"samples_sums_free_{name}.jsonl")
    with pytest.raises(InvalidInput, match=r"ask the same questions.*into a folder that is called like it"):
        read(place)


def test_results_before_0_4_are_known_by_their_content_and_named_by_their_model(tmp_path):
    """Anybody chose the file's name then, metrics had no filter, and no model_name stood in it."""
    for size, acc in (("70m", 0.3), ("1b", 0.5)):
        content = {
            "results": {
                f"task {i}": {"acc": acc + i / 100, "acc_stderr": 0.03, "acc_norm": acc, "acc_norm_stderr": 0.03}
                for i in range(8)
            },
            "versions": {f"task {i}": 0 for i in range(8)},
            "config": {"model": "hf-causal", "model_args": f"pretrained=acme/{size},revision=step9,dtype=float16"},
        }
        (tmp_path / f"{size}_step9.json").write_text(json.dumps(content, indent=2))
    reading = read(tmp_path)
    assert reading.formats == {"lm-evaluation-harness": 2}
    assert {(one.model, one.measure) for one in reading.series} == {
        (f"acme/{size} step9", measure) for size in ("70m", "1b") for measure in ("acc", "acc_norm")
    }
    assert fw.leaderboard(tmp_path, metric="acc").places[0].mean == pytest.approx(0.535)
