"""``foldwise watch``: a file that grows."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest

import foldwise as fw
from foldwise.core.roles import ROLES

RNG = np.random.default_rng(0)
A, B = RNG.random(300) < 0.9, RNG.random(300) < 0.6
LINES = [f"yes,{'yes' if a else 'no'},{'yes' if b else 'no'}\n" for a, b in zip(A, B, strict=True)]


@pytest.fixture
def file(tmp_path):
    """Write so many complete lines, and perhaps the beginning of another."""
    path = tmp_path / "results.csv"

    def write(lines, torn=""):
        path.write_text("truth,new,old\n" + "".join(LINES[:lines]) + torn)
        return path

    return write


def answer(run, *words):
    code, out, err = run("watch", *words, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_the_same_as_in_python(run, file):
    found = answer(run, file(300))
    expected = fw.watch({"new": A, "old": B}).to_dict()
    of_columns = [one for one in found["reading"] if one["what"] in ROLES]
    assert [(one["what"], one["how"]) for one in of_columns] == [("truth", "by its name")]
    others = [one for one in found["reading"] if one not in of_columns]
    # True is right by itself; of predictions the metric, accuracy, says it
    for reading, how in ((others, "by its name"), (expected["reading"], "from the file")):
        assert [one.pop("how") for one in reading if one["what"] == "direction"] == [how]
    assert {**found, "repeat": None, "reading": others} == json.loads(json.dumps(expected))


def test_a_line_that_is_still_being_written_waits(run, file):
    path = file(100, torn="yes,ye")
    assert answer(run, path)["items"] == 100
    whole = file(100, torn=LINES[100].rstrip("\n"))
    assert answer(run, whole)["items"] == 100
    assert answer(run, whole, "--complete")["items"] == 101


def test_marks_in_bounds_and_a_margin(run, tmp_path):
    path = tmp_path / "marks.csv"
    path.write_text("new,old\n" + "".join(f"{a:.3f},{b:.3f}\n" for a, b in 1 + 4 * RNG.beta(4, 2, (400, 2))))
    words = (path, "--truth", "none", "--bounds", 1, 5, "--margin", 0.5, "--metric", "rating")
    found = answer(run, *words)
    assert (found["metric"], found["conclusion"], found["may_stop"]) == ("rating", "equivalent", True)
    code, _, err = run("watch", path, "--truth", "none")
    assert code == 2
    assert "marks['new'] must lie within the bounds 0 and 1" in err


def test_clusters(run, tmp_path):
    path = tmp_path / "clusters.csv"
    rows = [
        f"{'yes' if a else 'no'},{'yes' if b else 'no'},g{i // 3}" for i, (a, b) in enumerate(zip(A, B, strict=True))
    ]
    path.write_text("new,old,group,truth\n" + "".join(f"{row},yes\n" for row in rows))
    found = answer(run, path)
    assert (found["observations"], found["items"], found["waiting"]) == (99, 297, 3)
    assert answer(run, path, "--groups", "none")["observations"] == 300


def unequal_clusters():
    """One large cluster for a among many small ones that lean to b: clusters speak for b, items for a."""
    rng = np.random.default_rng(4)
    rows = []
    for place in range(150):
        size, p = (40, 0.95) if place % 5 == 0 else (2, 0.25)
        rows += [f"{int(rng.random() < p)},{int(rng.random() < 1 - p)},g{place}" for _ in range(size)]
    return "a,b,group\n" + "".join(f"{row}\n" for row in rows)


def test_watch_and_predictions_agree_where_clusters_are_unequal(run, tmp_path):
    path = tmp_path / "unequal.csv"
    path.write_text(unequal_clusters())
    found = answer(run, path, "--truth", "none", "--complete", "--largest-cluster", 40)
    code, out, _ = run("predictions", path, "--truth", "none", "--json")
    at_once = json.loads(out)
    assert code == 0
    assert (found["better"], at_once["better"]) == ("a", "a")
    assert found["estimate"] == pytest.approx(at_once["estimate"])
    assert found["means"][0] - found["means"][1] == pytest.approx(found["estimate"])
    assert answer(run, path, "--truth", "none", "--complete")["better"] in (None, "a")
    code, _, err = run("watch", path, "--truth", "none", "--largest-cluster", 10)
    assert code == 2
    assert "a cluster of 40 items" in err


def test_trials_and_missing_marks(run, tmp_path):
    path = tmp_path / "trials.csv"
    rows = [f"q{i // 2},{a:d},{b:d}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    path.write_text("item,new,old\n" + "\n".join(rows) + "\n")
    words = (path, "--truth", "none", "--item", "item")
    found = answer(run, *words)
    assert (found["observations"], found["waiting"]) == (149, 1)
    assert answer(run, *words, "--complete")["observations"] == 150
    path.write_text("item,new,old\nq0,0.5,0.25\nq1,,1\nq2,1,0.5\n")
    assert "missing" in run("watch", path, "--truth", "none")[2]
    assert answer(run, path, "--truth", "none", "--missing", "drop")["items"] == 2
    assert answer(run, path, "--truth", "none", "--missing", "worst")["items"] == 3


def test_labels_that_are_no_labels_are_refused(run, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("truth,new,old\n" + "".join(f"{i % 2},0.{i % 9 + 1}5,0.3\n" for i in range(30)))
    code, _, err = run("watch", path)
    assert code == 2
    assert "new" in err or "pred_a" in err


def test_the_answer_in_words_as_a_page_and_as_markdown(run, file, tmp_path):
    code, out, _ = run("watch", file(300), "--html", tmp_path / "page.html", "--alpha", 0.01, "--details")
    assert code == 0
    assert "You may stop: new is better." in out
    assert "repeat: foldwise watch" in out
    assert "<svg" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert run("watch", file(20), "--markdown")[1].startswith("### new vs old (20 test examples so far)")
    assert "Go on: no difference is shown yet." in run("watch", file(20))[1]


def test_following_ends_when_one_may_stop(run, file, monkeypatch):
    """Between two looks 40 lines are written."""
    written = iter(range(40, 301, 40))
    path = file(0)
    monkeypatch.setattr(time, "sleep", lambda _: file(next(written), torn="yes,y"))
    code, out, err = run("watch", path, "--follow", "--every", 0.1, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["may_stop"]
    assert found["items"] % 40 == 0
    assert len(err.splitlines()) == found["items"] // 40  # one line at each look with more
    assert err.startswith("40 items: ")
    assert "--follow" not in found["repeat"]


def test_ctrl_c_ends_following_without_a_traceback(run, file, monkeypatch):
    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", interrupt)
    code, out, err = run("watch", file(20), "--follow")
    assert (code, out) == (130, "")
    assert err.splitlines()[-1] == "foldwise: stopped"
    assert "Traceback" not in err


@pytest.mark.parametrize(("words", "message"), [
    (["-", "--follow"], "--follow needs a file that grows, not standard input"),
    (["nowhere.csv", "--follow", "--complete"], "--follow waits for more, and --complete says that nothing comes"),
    (["nowhere.csv"], "there is no file nowhere.csv"),
    (["nowhere.csv", "--every", "0"], "0.0 is not in the range x>0"),
])  # fmt: skip
def test_bad_input(run, words, message):
    code, out, err = run("watch", *words)
    assert (code, out) == (2, "")
    assert message in err


def test_groups_that_are_not_together(run, tmp_path):
    path = tmp_path / "mixed.csv"
    path.write_text("truth,new,old,group\n" + "".join(f"yes,yes,no,g{i % 2}\n" for i in range(6)))
    code, _, err = run("watch", path)
    assert code == 2
    assert "row 3 goes back to an earlier one" in err
