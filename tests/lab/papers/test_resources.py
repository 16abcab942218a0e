"""Processes, a store, a cluster and a data folder: what `foldwise reproduce` hands to every study."""

from __future__ import annotations

import json
import signal
import time
from functools import cache

import pytest
import warm

from foldwise.core.process import made_by
from foldwise.engine.store import Store
from foldwise.lab.gather import Resources
from foldwise.lab.papers import Findings, Study, StudyResult
from foldwise.lab.papers.martinhirschberg1996 import trees
from foldwise.lab.papers.rows import measured
from foldwise.lab.papers.study import StudyTrials, do_trials
from foldwise.lab.studies import find_studies

KEY = "martinhirschberg1996/table13"
BLOCKED = 5
"""The trial in which the killed process waits for its end."""

# the same study, but its sixth trial says that it has begun and never ends
KILLED = """
import sys, time
from pathlib import Path
from foldwise.lab.gather import Resources
from foldwise.lab.studies import find_studies
from foldwise.lab.papers.martinhirschberg1996 import trees

store, flag, blocked = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
whole = trees._one

def one(size, inherent, iterations, seed, number):
    if number == blocked:
        flag.touch()
        time.sleep(3600)
    return whole(size, inherent, iterations, seed, number)

trees._one = one
(study,) = find_studies("martinhirschberg1996/table13")
study.run("smoke", resources=Resources(store=store))
"""


def smoke(key, **resources):
    (study,) = find_studies(key)
    return study.run("smoke", resources=Resources(**resources))


@cache
def alone(key):
    """What one process finds, without a store."""
    return smoke(key).rows


def wait_for(path, process):
    deadline = time.monotonic() + 300
    while not path.exists():
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_killed_study_goes_on_where_it_was(tmp_path, monkeypatch):
    store, flag = tmp_path / "store.sqlite", tmp_path / "blocked"
    process = warm.start("-c", KILLED, store, flag, BLOCKED)
    try:
        wait_for(flag, process)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    done = []
    whole = trees._one
    monkeypatch.setattr(trees, "_one", lambda *args: done.append(args[-1]) or whole(*args))
    resumed = smoke(KEY, store=store)
    samples = trees.PER_TEST
    assert sorted(set(done)) == list(range(BLOCKED, samples))
    done.clear()
    assert smoke(KEY, store=store).rows == resumed.rows
    assert done == []
    assert smoke(KEY).rows == resumed.rows
    assert sorted(set(done)) == list(range(samples))


def test_processes_change_no_number():
    assert smoke(KEY, n_jobs=2).rows == alone(KEY)


def test_a_cluster_changes_no_number():
    distributed = pytest.importorskip("distributed", reason="the cluster extra is not installed")
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0", "protocol": "tcp://"}
    with distributed.LocalCluster(processes=False, **options) as cluster:
        assert smoke(KEY, cluster=cluster.scheduler_address).rows == alone(KEY)


@pytest.mark.parametrize("key", ["bouckaert2003/table3", "bouckaert2003/table4"])
def test_a_store_keeps_what_was_computed(tmp_path, key):
    store = tmp_path / "store.sqlite"
    assert smoke(key, store=store).rows == smoke(key).rows
    assert store.stat().st_size > 0


def test_a_result_names_the_commits_that_made_its_trials_and_its_rows(tmp_path, monkeypatch):
    def compute(task):
        work = StudyTrials(identity=("origins",), start=lambda: lambda number: {"square": number**2}, numbers=1)
        squares = task.once(("squares", task.resources.store), lambda: do_trials(work, 4, task.resources)["square"])
        return Findings(rows=(measured("sum", float(squares.sum())),))

    study = Study(key="x/squares", title="t", reference="r", compute=compute, seconds=(1, 1))
    monkeypatch.setattr("foldwise.engine.store.sqlite.made_by", lambda: "foldwise 0, commit 1234567")
    study.run("smoke", resources=Resources(store=tmp_path / "store.sqlite"))
    monkeypatch.undo()
    with Store(tmp_path / "store.sqlite") as store:  # not the same object: nothing is remembered in the process
        found = study.run("smoke", resources=Resources(store=store))
        again = study.run("smoke", resources=Resources(store=store))
    assert list(found.trials) == ["foldwise 0, commit 1234567"]
    assert found.trials == again.trials  # the second took them from memory
    assert found.origin.startswith("trials by foldwise 0, commit 1234567, 20")
    assert found.origin.endswith(f"; rows by {made_by()}, {found.ran}")
    assert StudyResult.from_dict(json.loads(json.dumps(found.to_dict()))).origin == found.origin


def test_studies_of_the_same_trials_name_the_same_origin():
    first, second = (smoke(f"martinhirschberg1996/table{number}") for number in (10, 11))
    assert first.trials == second.trials
    assert list(first.trials) == [made_by()]
    assert smoke("martinhirschberg1996/table5").trials == {}  # computed, not simulated


def test_a_missing_data_set_is_one_line_and_the_next_study_runs(tmp_path, capsys):
    from foldwise.cli.main import main

    keys = ("dietterich1998/figure3", "dietterich1998/figure11", "bouckaert2003/figure1")
    main(["reproduce", *keys, "--data-dir", str(tmp_path)])
    out, err = capsys.readouterr()
    first, second = err.splitlines()
    assert first.startswith("foldwise: dietterich1998/figure3 left out: data set 'letter' is not here")
    assert second.startswith("foldwise: dietterich1998/figure11 left out: data set 'diabetes' is not here")
    assert "bouckaert2003/figure1" in out


def test_a_study_of_many_data_sets_does_without_those_that_are_missing(tmp_path):
    (study,) = find_studies("bouckaertfrank2004/table1")
    result = study.run("smoke", data_dir=tmp_path)
    drawn = [row.label for row in result.rows if row.label.endswith("draws of ten")]
    assert drawn == [f"iris, {pair}: draws of ten" for pair in ("NB vs C4.5", "NB vs NN", "C4.5 vs NN")]
    assert any("anneal" in note and "not in the folder" in note for note in result.notes)
