from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def write(tmp_path, text):
    path = tmp_path / "file.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("command", ["scores", "predictions"])
def test_the_examples_give_a_verdict(run, command):
    code, out, err = run(command, EXAMPLES / f"{command}.csv")
    assert (code, err) == (0, "")
    assert "naive bayes vs tree" in out.splitlines()[0]
    assert "Scope" in run(command, EXAMPLES / f"{command}.csv", "--details")[1]


def test_json_has_the_keys_of_to_dict(run):
    code, out, _ = run("scores", EXAMPLES / "scores.csv", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["test"] == "corrected_repeated_cv_t"
    assert answer["interval"]["low"] < answer["estimate"] < answer["interval"]["high"]
    assert answer["metric"] == "accuracy"


def test_wide_files_of_random_splits_need_sizes(run, tmp_path):
    path = write(tmp_path, "a,b\n" + "0.8,0.7\n0.9,0.8\n0.7,0.7\n" * 4)
    code, _, err = run("scores", path)
    assert code == 2
    assert "n_train and n_test are needed" in err
    assert run("scores", path, "--runs", "2")[0] == 0
    code, out, _ = run("scores", path, "--n-train", 200, "--n-test", 100, "--json")
    assert (code, json.loads(out)["test"]) == (0, "corrected_resampled_t")


def test_losses_are_guessed_from_the_name_of_the_score(run, tmp_path):
    rows = "".join(f"{name},0,{i},{value + i / 50}\n" for name, value in (("a", 0.1), ("b", 0.3)) for i in range(3))
    path = write(tmp_path, "learner,run,fold,log_loss\n" + rows.replace(",2,0.34", ",2,0.35"))
    assert json.loads(run("scores", path, "--json")[1])["higher_is_better"] is False
    assert json.loads(run("scores", path, "--json", "--higher-is-better")[1])["higher_is_better"] is True


def test_two_of_three_learners_are_chosen_by_name(run, tmp_path):
    path = write(tmp_path, "run,fold,a,b,c\n0,0,.8,.7,.6\n0,1,.9,.7,.6\n")
    assert json.loads(run("scores", path, "--json")[1])["models"] == ["a", "b", "c"]
    assert json.loads(run("scores", path, "--a", "a", "--b", "c", "--json")[1])["models"] == ["a", "c"]
    assert "unknown learner 'd'" in run("scores", path, "--a", "d", "--b", "c")[2]


@pytest.mark.parametrize(("command", "text", "message"), [
    ("scores", "", "empty"),
    ("scores", "learner,run,fold,score\na,0,0,high\n", "line 2"),
    ("predictions", "truth\nx\n", "classifier"),
    ("predictions", "truth,a,b\nx,y\n", "line 2"),
    ("predictions", "truth,a,b\n1,0.9,0.8\n0,0.2,0.4\n1,0.7,0.1\n", "turn probabilities into labels first"),
    ("predictions", "truth,a,b\n1.5,1.4,1.2\n0.3,0.2,0.4\n1.1,0.7,0.1\n", "truth must be class labels"),
    ("predictions", "truth,a,b\n1,1,0\n1,0,0\n1,1,1\n", "foldwise predictions --truth none"),
])  # fmt: skip
def test_bad_files_end_with_one_sentence(run, tmp_path, command, text, message):
    code, out, err = run(command, write(tmp_path, text))
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(("args", "message"), [
    (["scores", "nowhere.csv"], "nowhere.csv"),
    (["score"], "did you mean: foldwise scores"),
    (["predictions", EXAMPLES / "predictions.csv", "--truth", "gold"], "gold"),
    (["predictions", EXAMPLES / "predictions.csv", "--alpha", "2"], "alpha must be strictly between 0 and 1"),
    (["scores", EXAMPLES / "scores.csv", "--test", "mcnemar"], "needs the predictions"),
    (["scores"], "Missing argument"),
    (["scores", EXAMPLES / "scores.csv", "--nonsense"], "no option '--nonsense': foldwise scores --help lists"),
])  # fmt: skip
def test_bad_calls_end_with_one_sentence(run, args, message):
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("header", ["a,b", "truth,a,b", "a,b,group"])
def test_marks_need_no_truth(run, tmp_path, header):
    rows = [(1, 0), (1, 1), (0, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0)] * 2
    extra = {"a,b": "{},{}", "truth,a,b": "1,{},{}", "a,b,group": "{},{},g{}"}[header]
    text = header + "\n" + "".join(extra.format(*row, i % 8) + "\n" for i, row in enumerate(rows))
    code, out, err = run("predictions", write(tmp_path, text), "--truth", "none", "--json")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert answer["pairs"][0]["means"] == [0.875, 0.125]
    assert answer["models"] == ["a", "b"]
    assert answer["test"] == ("clustered_difference" if "group" in header else "mcnemar")


def test_a_column_named_none_is_not_guessed_over(run, tmp_path):
    path = write(tmp_path, "none,a,b\n1,1,0\n")
    assert "rename the column" in run("predictions", path, "--truth", "none")[2]


def test_a_name_that_begins_like_an_option_is_repeated_as_a_file(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("-dash.csv").write_text((EXAMPLES / "predictions.csv").read_text())
    out = run("predictions", "--details", "--", "-dash.csv")[1]
    command = next(line for line in out.splitlines() if "repeat: foldwise" in line).split()[2:]
    code, again, _ = run(*command)
    assert (code, again) == (0, run("predictions", "--", "-dash.csv")[1])


def test_a_name_with_a_line_break_is_a_file_where_there_is_one(run, tmp_path):
    path = tmp_path / "two\nlines.csv"
    path.write_text((EXAMPLES / "predictions.csv").read_text())
    assert run("predictions", path)[0] == 0


def test_a_message_does_not_command_the_terminal(run, tmp_path):
    code, _, err = run("predictions", write(tmp_path, "a\x1b[2J\x9b\u202eb\n1\n2\n"))
    assert code == 2
    assert err.startswith("foldwise: ")
    assert not set("\x1b\x9b\u202e") & set(err)


def test_names_that_are_not_utf8_and_a_backend_nobody_knows_are_no_tracebacks(run, tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "nonsense")
    path = Path(os.fsdecode(bytes(tmp_path) + b"/\xff.csv"))
    path.write_text((EXAMPLES / "predictions.csv").read_text())
    code, out, err = run("predictions", path, "--details", "--html", tmp_path / "r.html")
    assert (code, err) == (0, "")
    assert "repeat: " in out
    assert (tmp_path / "r.html").read_text(encoding="utf-8").count("<svg") > 0
