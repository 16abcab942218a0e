"""Learners that never come back, through the public doors: Python, the lab, the command line."""

from __future__ import annotations

import json
import os
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
import warm
from sklearn.naive_bayes import GaussianNB
from studies import Assassin, Centroid, Stuck, blobs

import foldwise as fw
from foldwise.comparison.adding_runs import Budget, add_runs, growth_of
from foldwise.core.errors import FitFailed, LimitExceeded
from foldwise.designs import find_procedure
from foldwise.engine import run
from foldwise.engine.driver import MOST_DEATHS
from foldwise.lab import Resources, type_one_error
from foldwise.resampling import RepeatedKFold

X, Y = blobs()
MARK = X[17, 0]
TOO_LONG = r"it took longer than the 0\.5 seconds that a fit may take \(fit_seconds\)"
ENGINE = Path(__file__).parents[1] / "engine"


@pytest.mark.usefixtures("only_the_stuck_are_late")
def test_compare_says_which_fit_took_too_long():
    with pytest.raises(FitFailed, match=rf"learner 'stuck' failed on split \d+ .*: {TOO_LONG}"):
        fw.compare(
            {"stuck": Stuck(mark=MARK), "nb": GaussianNB()},
            X,
            Y,
            runs=1,
            folds=4,
            options=fw.Options(fit_seconds=0.5, progress=False),
        )


def test_estimate_error_does_too():
    with pytest.raises(FitFailed, match=TOO_LONG):
        fw.estimate_error(Stuck(mark=MARK), X, Y, folds=4, options=fw.Options(fit_seconds=0.5))


@pytest.mark.usefixtures("only_the_stuck_are_late")
def test_the_lab_does_too():
    resources = Resources(fit_seconds=0.5, progress=False)
    with pytest.raises(FitFailed, match=rf"a fit of block 0 was ended: {TOO_LONG}"):
        type_one_error(
            population="exchange(data='sklearn:iris')", learners=(Stuck(mark=-1.0), Centroid()), trials=20, n=50,
            tests=("mcnemar",), resources=resources,
        )  # fmt: skip


def test_runs_auto_ends_with_its_budget_although_a_fit_hangs():
    # no time is asserted: that it ends at all says it
    with pytest.raises(LimitExceeded, match=r"max_seconds are over after \d+ of 80 fits"):
        fw.compare(
            [Stuck(mark=MARK), GaussianNB()],
            X,
            Y,
            runs="auto",
            folds=4,
            options=fw.Options(max_seconds=2, progress=False),
        )


def test_runs_that_were_complete_count_when_the_time_is_over():
    def score(runs):
        if runs.start:
            raise LimitExceeded("the time is over")
        return [(np.random.default_rng(1).normal(0.07, 0.1, (10, 10)), np.zeros((10, 10)))]

    growth = growth_of(find_procedure("corrected_repeated_cv_t"), folds=10, alpha=0.05)
    (stable,) = add_runs(score, growth, budget=Budget())
    assert len(stable.scores[0]) == 10
    assert "depends on the partitioning: after 10 runs" in stable.caveat


def foldwise(*words):
    paths = os.pathsep.join([*os.environ.get("PYTHONPATH", "").split(os.pathsep), str(ENGINE)])
    return warm.call("-m", "foldwise", *words, env={**os.environ, "PYTHONPATH": paths})


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--fit-seconds", "0.5", "--runs", "1"), "it took longer than the 0.5 seconds that a fit may take"),
        (("--runs", "auto", "--max-seconds", "3"), "max_seconds are over after"),
        (("--fit-seconds", "-1"), "fit_seconds must be a number above 0, got -1.0"),
    ],
)
def test_on_the_command_line_it_is_one_sentence(words, message):
    done = foldwise("compare", "studies:Stuck", "majority", "--data", "sklearn:iris", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.startswith("foldwise: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps limits of memory")
def test_memory_on_the_command_line():
    done = foldwise(
        "estimate", "studies:Hungry", "--data", "sklearn:iris", "--fit-memory", "200", "--fit-seconds", "100"
    )
    assert done.returncode == 2
    assert "it needed more memory than there is or than fit_memory allows, " in done.stderr
    assert len(done.stderr.splitlines()) == 1
    good = foldwise("estimate", "majority", "--data", "sklearn:iris", "--fit-memory", "200", "--json")
    assert json.loads(good.stdout)["estimate"] == pytest.approx(2 / 3)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.usefixtures("only_the_stuck_are_late")
def test_what_a_hanging_learner_started_is_ended_with_it():
    before = _running()
    result = run({"s": Stuck("forks", mark=MARK)}, X, Y, 4, fit_seconds=0.5, on_error="continue")
    assert len(result.failures) == 1
    deadline = time.monotonic() + 120
    # one may be left: a worker that waits for the next study
    while len(left := _running() - before) > 1 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(left) <= 1


def _running():
    """Worker processes, and what was forked from them."""
    found = set()
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and b"backends.child" in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_workers_of_its_own():
    script = """
        import os, sys
        sys.path.insert(0, sys.argv[1])
        from studies import Centroid, blobs
        from foldwise.engine import run
        X, y = blobs()
        first = run({"c": Centroid()}, X, y, 4, fit_seconds=100).scores.tolist()
        child = os.fork()
        again = run({"c": Centroid()}, X, y, 4, fit_seconds=100).scores.tolist()
        assert again == first
        if child:
            _, status = os.waitpid(child, 0)
            assert run({"c": Centroid()}, X, y, 4, fit_seconds=100).scores.tolist() == first
            print("child", os.waitstatus_to_exitcode(status))
    """
    done = warm.call("-c", textwrap.dedent(script), ENGINE)
    assert done.stdout == "child 0\n", done.stderr
    assert done.stderr == ""


def test_a_learner_that_always_kills_its_process_is_not_tried_forever(tmp_path):
    learners = {"assassin": Assassin(str(tmp_path), times=10_000), "good": Centroid()}
    result = run(learners, X, Y, RepeatedKFold(10, 5), n_jobs=2, on_error="continue")
    assert len(result.failures) == 50
    assert not np.isnan(result.scores_of("good")).any()
    untried = [f for f in result.failures if f.reason.startswith(f"not tried, because {MOST_DEATHS} fits of this")]
    assert len(untried) >= 40
    assert len(list(tmp_path.iterdir())) <= 20
