"""What a command writes is never what it reads, and is refused before the work where it can't be written."""

from __future__ import annotations

import os
import sys

import pytest

from foldwise.core.errors import InvalidInput
from foldwise.core.files import write_whole
from foldwise.engine.store import Store

SCORES = "learner,run,fold,score\n" + "".join(
    f"{name},{run},{fold},{0.5 + (run + fold) / 20 + extra}\n"
    for name, extra in (("a", 0), ("b", 0.01))
    for run in range(2)
    for fold in range(3)
)
PREDICTIONS = "truth,a,b\n" + "x,x,y\ny,y,y\n" * 10
TABLE = "data,a,b\n" + "".join(f"d{i},{0.5 + i / 50},{0.6 + i / 40}\n" for i in range(6))
DATA = "size,class\n" + "1,yes\n2,no\n" * 10


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with one file of each kind."""
    files = {"scores.csv": SCORES, "predictions.csv": PREDICTIONS, "table.csv": TABLE, "mine.csv": DATA}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FOLDWISE_DATA", raising=False)
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


CALLS = [
    (["scores", "scores.csv", "--html", "scores.csv"], "--html must not be a file that FILE names"),
    (["predictions", "predictions.csv", "--html", "predictions.csv"], "--html must not be"),
    (["table", "table.csv", "--html", "./sub/../table.csv"], "--html must not be"),
    (["plan", "--test", "corrected_repeated_cv_t", "--size", 10, "--pilot", "scores.csv", "--html", "scores.csv"],
     "a file that --pilot names"),
    (["compare", "nb", "majority", "--data", "mine.csv", "--html", "mine.csv"], "a file that --data names"),
    (["compare", "nb", "majority", "--data", "mine", "--data-dir", ".", "--html", "mine.csv"], "that --data names"),
    (["compare", "nb", "majority", "--data", "iris", "--store", "s.db", "--html", "s.db"], "that --store names"),
    (["compare", "nb", "majority", "--data", "iris", "--store", "s.db", "--html", "s.db-wal"], "that --store names"),
    (["compare", "nb", "mine:Learner", "--data", "iris", "--html", "mine.py"], "names, got 'mine.py'"),
    (["estimate", "nb", "--data", "mine.csv", "--html", "mine.csv"], "that --data names"),
    (["lab", "type1", "--data", "mine.csv", "--learners", "nb", "1nn", "--html", "mine.csv"], "that --data names"),
    (["lab", "power", "--trials", 5, "--store", "s.db", "--html", "s.db"], "that --store names"),
    (["data", "describe", "mine.csv", "--html", "mine.csv"], "--html must not be"),
    (["reproduce", "martinhirschberg1996/figure1", "--store", "s.db", "--html", "s.db"], "that --store names"),
    (["reproduce", "martinhirschberg1996/figure1", "--out", "f", "--html", "f/reproduction.md"], "does not exist"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "sentence"), CALLS, ids=lambda each: " ".join(map(str, each))[:60])
def test_an_output_that_is_an_input_is_refused_before_anything_is_written(run, here, monkeypatch, words, sentence):
    monkeypatch.syspath_prepend(str(here))
    (here / "sub").mkdir()
    (here / "mine.py").write_text("class Learner: pass\n")
    before = contents(here)
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1
    assert contents(here) == before


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_links_to_an_input_are_seen_through(run, here, link):
    link(here / "scores.csv", here / "other.html")
    code, _, err = run("scores", "scores.csv", "--html", "other.html")
    assert code == 2
    assert err == "foldwise: --html must not be a file that FILE names, got 'other.html': it would be lost\n"
    assert (here / "other.html").read_text() == SCORES


def test_a_store_is_not_exported_into_itself(run, here):
    Store("s.csv").close()
    before = (here / "s.csv").read_bytes()
    code, _, err = run("store", "export", "s.csv", "--out", "s.csv")
    assert (code, err) == (2, "foldwise: --out must not be a file that FILE names, got 's.csv': it would be lost\n")
    assert (here / "s.csv").read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "no-such-learner", "nb", "--data", "iris", "--html"],
        ["store", "export", "no-such-store", "--out"],
        ["lab", "type1", "--population", "no such thing", "--html"],
        ["reproduce", "no-such-study", "--html"],
    ],
)
def test_a_missing_folder_is_refused_before_the_work(run, here, words):
    code, _, err = run(*words, "missing/file.csv")
    assert code == 2
    assert "the folder 'missing' of 'file.csv' does not exist" in err


def test_a_folder_of_studies_is_checked_before_the_work(run, here):
    assert "must be a folder, but it is a file" in run("reproduce", "no-such", "--out", "mine.csv")[2]
    assert "the folder" in run("reproduce", "no-such", "--out", "mine.csv/sub")[2]


def test_a_name_that_is_too_long_is_one_sentence(run, here):
    code, _, err = run("scores", "scores.csv", "--html", "x" * 300)
    assert code == 2
    assert err.endswith(f"'{'x' * 40}…' can't be written: File name too long\n")


def test_another_file_is_still_replaced(run, here):
    (here / "old.html").write_text("old")
    assert run("scores", "scores.csv", "--html", "old.html")[0] == 0
    assert (here / "old.html").read_text().startswith("<!DOCTYPE html>")


def test_a_report_is_not_written_over_a_store(tmp_path):
    path = tmp_path / "results.db"
    Store(path).close()
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match="it is a results store"):
        write_whole(path, "a page")
    assert path.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in a folder")
def test_what_is_no_ordinary_file_is_written_to_and_not_replaced(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(path, "a page")
    assert os.read(reading, 100) == b"a page"
    os.close(reading)
    assert path.is_fifo()
