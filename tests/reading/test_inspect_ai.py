"""Logs written by the real inspect_ai with its mock model (tests/reference/generators/harnesses/inspect_logs.py)."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import foldwise as fw
from foldwise.core.errors import InvalidInput, MissingDependency
from foldwise.reading import ItemRows, find_sources, read_sources
from foldwise.reading.reader import json_items

LOGS = Path(__file__).parents[1] / "reference" / "harnesses" / "inspect"


def read(folder):
    return read_sources(find_sources([folder]))


SPENT = ("cost", "tokens", "total_time")


def by_measure(reading):
    return {(one.model, one.measure): one for one in reading.series if one.metric not in SPENT}


@pytest.mark.parametrize("form", ["eval", "json"])
def test_tokens_and_seconds_are_read_beside_scores_and_never_taken_for_them(form):
    found = {(one.model, one.metric): one for one in read(LOGS / form).series if one.metric in SPENT}
    assert set(found) == {(f"mockllm/{model}", metric) for model in ("alpha", "beta") for metric in SPENT[1:]}
    assert all((one.values[np.isfinite(one.values)] >= 0).all() for one in found.values())
    log = json.loads(gzip.decompress(next(iter(sorted((LOGS / "json").glob("*.gz")))).read_bytes()))
    used = [sum(use["total_tokens"] for use in sample["model_usage"].values()) for sample in log["samples"]]
    one = found[log["eval"]["model"], "tokens"]
    if form == "json":
        assert one.values[np.isfinite(one.values)].sum() == pytest.approx(
            sum(use for use, sample in zip(used, log["samples"], strict=True) if sample.get("error") is None)
        )
    assert fw.judge(LOGS / form, options=fw.Options(inner=True)).main.metric not in SPENT
    assert fw.frontier(LOGS / form, metric="letter", missing="drop").cost == "tokens"


@pytest.mark.parametrize("form", ["eval", "json"])
def test_epochs_are_trials_and_nan_is_unscored(form):
    found = by_measure(read(LOGS / form))
    assert set(found) == {
        (f"mockllm/{model}", measure)
        for model in ("alpha", "beta")
        for measure in ("letter", "tone,style", "length,style")
    }
    one = found["mockllm/beta", "letter"]
    assert isinstance(one.rows, ItemRows)
    assert one.rows.count == 36
    assert set(one.rows.trials) == {"1", "2", "3"}
    assert set(one.rows.clusters["passage"]) == {f"passage{i}" for i in range(4)}
    assert one.missing == {"not scored": int(np.isnan(one.values).sum())} != {}


def test_archive_and_json_say_the_same_of_equal_runs():
    archived, plain = (by_measure(read(LOGS / form)) for form in ("eval", "json"))
    for key, one in archived.items():
        place = {(k, t): v for k, t, v in zip(one.rows.keys, one.rows.trials or [], one.values, strict=True)}
        other = plain[key]
        for k, t, v in zip(other.rows.keys, other.rows.trials or [], other.values, strict=True):
            np.testing.assert_equal(place[k, t], v)


def test_means_are_what_inspect_reports():
    for path in (LOGS / "json").glob("*.gz"):
        log = json.loads(gzip.decompress(path.read_bytes()))
        reported = {score["name"]: next(iter(score["metrics"].values()))["value"] for score in log["results"]["scores"]}
        for one in by_measure(read(path)).values():
            keys = sorted(set(one.rows.keys))
            within = [np.nanmean(one.values[[k == key for k in one.rows.keys]]) for key in keys]
            assert np.mean(within) == pytest.approx(reported[one.metric])


def test_a_killed_run_gives_what_its_journal_has_and_says_so():
    reading = read(LOGS / "killed")
    assert {one.rows.count for one in reading.series} == {20}
    assert any("ended as 'started'" in text for text in reading.left_out)


def test_without_the_package_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    with pytest.raises(MissingDependency, match=r"foldwise\[logs\]"):
        read(LOGS / "eval")


def test_a_damaged_archive_is_one_sentence(tmp_path):
    whole = next((LOGS / "eval").glob("*.eval")).read_bytes()
    (tmp_path / "cut.eval").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InvalidInput, match=r"cut\.eval must be a whole archive"):
        read(tmp_path)


def test_a_word_that_is_no_score_is_refused(tmp_path):
    path = next((LOGS / "json").glob("*.gz"))
    log = json.loads(gzip.decompress(path.read_bytes()))
    log["samples"][0]["scores"]["letter"]["value"] = "maybe"
    (tmp_path / "log.json").write_text(json.dumps(log))
    with pytest.raises(InvalidInput, match="got 'maybe'"):
        read(tmp_path)


def test_an_error_is_missing_not_wrong(tmp_path):
    path = next((LOGS / "json").glob("*.gz"))
    log = json.loads(gzip.decompress(path.read_bytes()))
    log["samples"][0]["error"] = {"message": "no answer", "traceback": ""}
    whole = len(log["samples"])
    for scores in (log["samples"][0]["scores"], {}, None):  # before or after it was scored
        log["samples"][0]["scores"] = scores
        (tmp_path / "log.json").write_text(json.dumps(log))
        one = by_measure(read(tmp_path))["mockllm/alpha", "letter"]
        assert (one.rows.count, len(one.rows.trials), one.missing["ended in an error"]) == (whole, whole, 1)


@pytest.mark.parametrize("text", ["[]", " [ ] ", "[1]", '[{"a": [1, "],"]}, null , NaN]\n', "[[[]]]"])
def test_items_of_a_list_come_one_after_the_other(text):
    assert repr(list(json_items(text.encode(), "x"))) == repr(json.loads(text))


@pytest.mark.parametrize("text", ["", "[", "[1", "[1,", "[1,]", "[1 2]", "[1]]", "[1] 2", '["a', "[1,,2]"])
def test_a_list_that_is_cut_off_or_damaged_is_one_sentence(text):
    with pytest.raises(InvalidInput, match="x must be whole JSON, but it is cut off or damaged"):
        list(json_items(text.encode(), "x"))


def test_what_is_no_list_is_said():
    with pytest.raises(InvalidInput, match="x must be a JSON list, got dict"):
        list(json_items(b"{}", "x"))
