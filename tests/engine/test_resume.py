"""Studies with a store: what is found again, after a stop of any kind."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
import warm
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from studies import Centroid, Coin, Failing, Gated, blobs

from foldwise.core.errors import FitFailed, Interrupted, StoreError
from foldwise.engine import Store, run
from foldwise.resampling import Bootstrap, KFold, RepeatedKFold

X, Y = blobs()
PAIR = {"nb": GaussianNB(), "centroid": Centroid()}
HERE = Path(__file__).parent


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.db"


def test_the_same_study_computes_nothing_again(path):
    first = run(PAIR, X, Y, RepeatedKFold(2, 5), store=path)
    again = run(PAIR, X, Y, RepeatedKFold(2, 5), store=path)
    assert (first.found, first.computed) == (0, 20)
    assert (again.found, again.computed) == (20, 0)
    assert again.scores.tolist() == first.scores.tolist()
    assert again.seconds.tolist() == first.seconds.tolist()
    assert again.predicted("nb").tolist() == first.predicted("nb").tolist()


def test_more_runs_and_a_third_learner_reuse_everything(path):
    run(PAIR, X, Y, RepeatedKFold(2, 5), store=path)
    more = run(PAIR, X, Y, RepeatedKFold(3, 5), store=path)
    assert (more.found, more.computed) == (20, 10)
    third = run({**PAIR, "coin": Coin()}, X, Y, RepeatedKFold(3, 5), store=path)
    assert (third.found, third.computed) == (30, 15)
    assert third.scores.tolist() == run({**PAIR, "coin": Coin()}, X, Y, RepeatedKFold(3, 5)).scores.tolist()


def test_names_do_not_matter_but_parameters_do(path):
    run({"a": DecisionTreeClassifier(max_depth=1)}, X, Y, KFold(4), store=path)
    renamed = run({"b": DecisionTreeClassifier(max_depth=1)}, X, Y, KFold(4), store=path)
    assert renamed.found == 4
    changed = run({"a": DecisionTreeClassifier(max_depth=2)}, X, Y, KFold(4), store=path)
    assert changed.found == 0


@pytest.mark.parametrize("change", ["data", "target", "seed", "plan", "groups", "version"])
def test_whatever_changes_the_result_is_another_series(path, change, monkeypatch):
    run(PAIR, X, Y, KFold(4), store=path)
    other = {"X": X, "y": Y, "plan": KFold(4), "seed": 0, "groups": None}
    if change == "data":
        other["X"] = X + np.eye(60, 4) * 1e-12
    elif change == "target":
        other["y"] = np.roll(Y, 1)
    elif change == "version":
        monkeypatch.setattr("sklearn.__version__", "99")
        monkeypatch.setattr("studies.__version__", "2", raising=False)
    else:
        other[change] = {"seed": 1, "plan": KFold(5), "groups": np.arange(60) % 7}[change]
    result = run(PAIR, other.pop("X"), other.pop("y"), other.pop("plan"), store=path, **other)
    assert result.found == 0


def test_a_score_from_predictions_needs_no_new_fit(path):
    run(PAIR, X, Y, KFold(4), store=path)
    f1 = run(PAIR, X, Y, KFold(4), store=path, metric="f1_macro")
    assert (f1.found, f1.computed) == (8, 0)
    assert f1.scores.tolist() == run(PAIR, X, Y, KFold(4), metric="f1_macro").scores.tolist()


def test_a_score_from_probabilities_does(path):
    run({"nb": GaussianNB()}, X, Y, KFold(4), store=path)
    loss = run({"nb": GaussianNB()}, X, Y, KFold(4), store=path, metric="log_loss")
    assert (loss.found, loss.computed) == (0, 4)
    assert run({"nb": GaussianNB()}, X, Y, KFold(4), store=path, metric="log_loss").found == 4


def test_regression_and_plans_that_are_no_partitions(path):
    target = X[:, 0] * 2 + np.sin(np.arange(60))
    fresh = run({"ols": LinearRegression()}, X, target, Bootstrap(4), store=path)
    again = run({"ols": LinearRegression()}, X, target, Bootstrap(6), store=path)
    assert (again.found, again.computed) == (4, 2)
    assert [o.tolist() for o in again.outcomes[0][:4]] == [o.tolist() for o in fresh.outcomes[0]]


def test_an_open_store_stays_open():
    with Store(":memory:") as store:
        run(PAIR, X, Y, KFold(4), store=store, data_name="trees")
        assert run(PAIR, X, Y, KFold(4), store=store).found == 8
        assert [(s.data, s.learner, s.splits) for s in store.listing()] == [
            ("trees", "nb", 4),
            ("trees", "centroid", 4),
        ]


def test_failures_are_not_kept_but_what_went_well_is(path):
    learners = {"good": Centroid(), "bad": Failing("raise", X[17, 0])}
    with pytest.raises(FitFailed):
        run(learners, X, Y, RepeatedKFold(2, 4), store=path)
    again = run(learners, X, Y, RepeatedKFold(2, 4), store=path, on_error="continue")
    assert again.found > 0
    assert len(again.failures) == 2


def test_a_bad_store_is_refused_before_any_work(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("not a store" * 50)
    with pytest.raises(StoreError, match="is not a results store"):
        run(PAIR, X, Y, KFold(4), store=file)


STUDY = """
    import sys
    sys.path.insert(0, {here!r})
    from studies import Coin, Gated, blobs
    from foldwise.engine import driver, run
    from foldwise.resampling import RepeatedKFold
    driver.CHUNK_SECONDS = 0  # every split is reported by itself
    X, y = blobs()
    learners = {{"a": Gated({folder!r}, {free}), "b": Coin()}}
    result = run(learners, X, y, RepeatedKFold(20, 5), store={path!r}, n_jobs={n_jobs})
    print(result.found, result.computed)
"""


FREE = 20
"""Fits of the gated learner that a study in a process of its own makes at once, of a hundred."""


@pytest.fixture
def start(path):
    """Starts studies in processes of their own; none outlives the test."""
    processes = []

    def popen(*, n_jobs=1, free=FREE):
        where = {"here": str(HERE), "path": str(path), "folder": str(path.parent)}
        code = textwrap.dedent(STUDY).format(**where, n_jobs=n_jobs, free=free)
        processes.append(warm.start("-c", code))
        return processes[-1]

    yield popen
    for process in processes:
        process.kill()
        process.communicate()


def count_rows(path):
    if not path.exists():
        return 0
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT COUNT(*) FROM fit").fetchone()[0]
    except sqlite3.OperationalError:  # not created yet
        return 0
    finally:
        connection.close()


def wait_for_rows(path, rows, process):
    deadline = time.monotonic() + 240
    while count_rows(path) < rows:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def children(pid):
    """Processes whose parent is `pid`."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) == pid:
                found.append(int(folder.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks for orphans in /proc")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_study_killed_outright_continues_where_it_was(path, start, n_jobs):
    process = start(n_jobs=n_jobs)
    wait_for_rows(path, FREE, process)
    workers = children(process.pid)
    process.kill()
    process.communicate()
    kept = count_rows(path)
    assert FREE <= kept <= 2 * FREE
    deadline = time.monotonic() + 120
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [pid for pid in workers if alive(pid)] == []
    (path.parent / "open").touch()
    resumed = run({"a": Gated(str(path.parent), FREE), "b": Coin()}, X, Y, RepeatedKFold(20, 5), store=path)
    assert (resumed.found, resumed.computed) == (kept, 200 - kept)
    fresh = run({"a": Centroid(), "b": Coin()}, X, Y, RepeatedKFold(20, 5))
    assert resumed.scores.tolist() == fresh.scores.tolist()
    assert resumed.predicted("b").tolist() == fresh.predicted("b").tolist()


def test_two_processes_share_one_store(path, start):
    one, other = start(), start()
    wait_for_rows(path, FREE, one)
    (path.parent / "open").touch()
    for process in (one, other):
        out, err = process.communicate(timeout=240)
        assert err == ""
        assert sum(map(int, out.split())) == 200
    stored = run({"a": Gated(str(path.parent), FREE), "b": Coin()}, X, Y, RepeatedKFold(20, 5), store=path)
    assert stored.found == 200
    assert stored.scores.tolist() == run({"a": Centroid(), "b": Coin()}, X, Y, RepeatedKFold(20, 5)).scores.tolist()


def test_ctrl_c_keeps_what_is_done_and_says_how_to_resume(path, start):
    process = start(n_jobs=2)
    wait_for_rows(path, FREE, process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=240)
    last = err.strip().splitlines()[-1]
    assert "Interrupted: stopped after" in last
    assert "of 200 fits; store" in last
    assert last.endswith("has them: the same call continues there")
    assert process.returncode != 0
    assert FREE <= count_rows(path) <= 2 * FREE


def test_ctrl_c_without_a_store_tells_of_it():
    class Stop(Centroid):
        def fit(self, X, y):
            os.kill(os.getpid(), signal.SIGINT)
            return super().fit(X, y)

    with pytest.raises(Interrupted, match="stopped after 0 of 4 fits; with a store the next call would continue there"):
        run({"stop": Stop()}, X, Y, 4)
