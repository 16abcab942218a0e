"""A real Dask scheduler with two real worker processes on this machine."""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
import threading
import time
from pathlib import Path

import pytest
import warm
from sklearn.naive_bayes import GaussianNB
from studies import Centroid, Coin, Countdown, Failing, blobs

from foldwise import compare
from foldwise.comparison.options import Options
from foldwise.core.errors import ClusterUnavailable, FitFailed, InvalidInput, MissingDependency
from foldwise.engine import run
from foldwise.engine.backends import cluster
from foldwise.engine.backends import cluster as backend
from foldwise.resampling import RepeatedKFold, RoundRobin

X, Y = blobs()
HERE = Path(__file__).parent


class Dask:
    """A scheduler, its workers, and their address."""

    def __init__(self, folder: Path) -> None:
        self.file, self.processes = folder / "scheduler.json", []
        self.folder = folder
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", self.file)
        deadline = time.monotonic() + 240
        while not (self.file.exists() and self.file.read_text()):
            assert self.scheduler.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        self.address = json.loads(self.file.read_text())["address"]

    def start(self, kind, *args, first=()):
        paths = os.pathsep.join(map(str, [*first, HERE.parents[1] / "src", HERE]))
        command = ("-m", "dask", kind, *args, "--no-dashboard")
        self.processes.append(warm.start(*command, env={**os.environ, "PYTHONPATH": paths}))
        return self.processes[-1]

    def worker(self, *first):
        """Start a worker that looks for packages in the given folders first."""
        args = ("--nthreads", "1", "--no-nanny", "--local-directory", self.folder)
        return self.start("worker", self.address, *args, first=first)

    def await_workers(self, count):
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=240)

    def stop(self):
        for process in reversed(self.processes):
            process.kill()
            process.communicate()


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    cluster = Dask(tmp_path_factory.mktemp("dask"))
    cluster.first, cluster.second = cluster.worker(), cluster.worker()
    cluster.await_workers(2)
    yield cluster
    cluster.stop()


LEARNERS = {"nb": GaussianNB(), "slow": Centroid(pause=0.01), "coin": Coin()}


def test_a_cluster_gives_the_results_of_a_sequential_run(dask):
    plan = RepeatedKFold(2, 5)
    here, there = run(LEARNERS, X, Y, plan, seed=4), run(LEARNERS, X, Y, plan, seed=4, cluster=dask.address)
    assert there.scores.tolist() == here.scores.tolist()
    assert [there.predicted(n).tolist() for n in LEARNERS] == [here.predicted(n).tolist() for n in LEARNERS]


def test_a_round_robin_on_a_cluster_gives_the_bits_of_a_sequential_run(dask):
    plan = RoundRobin(dealings=1, blocks=4)  # trainings are shared between splits: the first block meets the second
    here, there = run(LEARNERS, X, Y, plan, seed=4), run(LEARNERS, X, Y, plan, seed=4, cluster=dask.address)
    assert there.scores.tobytes() == here.scores.tobytes()
    assert [there.predicted(n).tobytes() for n in LEARNERS] == [here.predicted(n).tobytes() for n in LEARNERS]
    a, b = (compare([GaussianNB(), Coin()], X, Y, test="round_robin", folds=4, runs=1, options=Options(cluster=at))
            for at in (None, dask.address))  # fmt: skip
    assert a.pvalue == b.pvalue
    assert a.evidence.digest == b.evidence.digest


def test_a_client_of_ones_own_is_left_open(dask):
    from distributed import Client

    with Client(dask.address, set_as_default=False) as client:
        result = run({"nb": GaussianNB()}, X, Y, 4, cluster=client)
        assert client.status == "running"
    assert result.scores.tolist() == run({"nb": GaussianNB()}, X, Y, 4).scores.tolist()


def test_a_failed_fit_on_the_cluster_is_named(dask):
    with pytest.raises(FitFailed, match=r"learner 'bad' failed on split \d .*RuntimeError: out of luck"):
        run({"bad": Failing("raise", X[17, 0])}, X, Y, 4, cluster=dask.address)


def test_a_worker_killed_in_mid_run_does_not_lose_the_study(dask, tmp_path):
    # after the others, which want two workers
    plan = RepeatedKFold(20, 5)
    progress = Countdown(60, dask.second.kill)
    there = run(LEARNERS, X, Y, plan, seed=4, cluster=dask.address, progress=progress, store=tmp_path / "r.db")
    assert dask.second.wait() != 0
    here = run(LEARNERS, X, Y, plan, seed=4)
    assert there.scores.tolist() == here.scores.tolist()
    assert run(LEARNERS, X, Y, plan, seed=4, store=tmp_path / "r.db").found == 300


def test_no_scheduler_is_one_sentence(monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    with socket.socket() as taken:  # and nobody listens there
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ClusterUnavailable, match=f"cluster '{address}': no Dask scheduler answers at this address"):
            run(LEARNERS, X, Y, 4, cluster=address)


@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-OpenSSH\r\n", None], ids=["hangs up", "another", "silent"])
def test_something_else_at_the_address_is_no_scheduler(monkeypatch, greeting):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)

    def answer():
        connection, _ = server.accept()
        if greeting is None:
            time.sleep(1)
        else:
            connection.sendall(greeting)
        connection.close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(ClusterUnavailable, match="no Dask scheduler answers"):
            run(LEARNERS, X, Y, 4, cluster=f"tcp://127.0.0.1:{server.getsockname()[1]}")
        thread.join()


@pytest.mark.parametrize("address", ["nonsense", "ftp://127.0.0.1:1"])
def test_an_address_that_is_none(address, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    with pytest.raises(ClusterUnavailable, match=f"cluster '{address}': no Dask scheduler answers"):
        run(LEARNERS, X, Y, 4, cluster=address)


def test_a_scheduler_without_workers_and_one_that_dies(tmp_path, monkeypatch):
    cluster, plan = Dask(tmp_path), RepeatedKFold(40, 5)
    try:
        monkeypatch.setattr(backend, "WORKER_SECONDS", 0.2)
        with pytest.raises(ClusterUnavailable, match="the scheduler has no workers"):
            run(LEARNERS, X, Y, plan, cluster=cluster.address)
        monkeypatch.undo()
        cluster.worker()
        cluster.await_workers(1)

        def kill():
            cluster.scheduler.kill()
            monkeypatch.setattr(backend, "ANSWER_SECONDS", 1)

        progress = Countdown(20, kill)
        with pytest.raises(ClusterUnavailable, match="the scheduler no longer answers"):
            run(LEARNERS, X, Y, plan, cluster=cluster.address, progress=progress, store=tmp_path / "r.db")
    finally:
        cluster.stop()
    again = run(LEARNERS, X, Y, plan, store=tmp_path / "r.db")
    assert again.found >= 20
    assert again.found + again.computed == 600


def test_other_things_are_no_cluster():
    with pytest.raises(InvalidInput, match="cluster must be a scheduler's address such as 'tcp://host:8786', got 8786"):
        run(LEARNERS, X, Y, 4, cluster=8786)


def test_without_the_extra_the_command_to_install_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(
        MissingDependency, match=r"cluster needs an optional package: pip install 'foldwise\[cluster\]'"
    ):
        run(LEARNERS, X, Y, 4, cluster="tcp://127.0.0.1:8786")
