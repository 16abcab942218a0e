"""A cluster that stops answering: real processes, really stopped."""

from __future__ import annotations

import logging
import signal
import socket
import struct
import subprocess
import sys
import threading

import pytest
from studies import Centroid, Coin, Countdown, Stuck, blobs
from test_cluster import Dask

from foldwise.core.errors import ClusterUnavailable
from foldwise.engine import run
from foldwise.engine.backends import cluster as backend
from foldwise.resampling import RepeatedKFold

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="stops processes by signals")

X, Y = blobs()
PLAN = RepeatedKFold(20, 5)
LEARNERS = {"slow": Centroid(pause=0.02), "coin": Coin()}


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    """One cluster for all tests, the last of which kills its workers."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    cluster = Dask(tmp_path_factory.mktemp("dask"))
    cluster.both = cluster.worker(), cluster.worker()
    cluster.await_workers(2)
    yield cluster
    cluster.stop()


@pytest.fixture
def cluster(dask, monkeypatch):
    """The cluster, asked often; what was stopped goes on afterwards."""
    monkeypatch.setattr(backend, "RECOUNT_SECONDS", 0.5)
    yield dask
    for process in dask.processes:
        process.send_signal(signal.SIGCONT)


def test_a_fit_that_never_ends_on_a_cluster_is_a_failure(cluster):
    learners = {"stuck": Stuck(mark=X[17, 0]), "good": Centroid()}
    result = run(learners, X, Y, 4, cluster=cluster.address, fit_seconds=2, on_error="continue")
    assert [f.reason for f in result.failures] == [
        "it took longer than the 2 seconds that a fit may take (fit_seconds)"
    ]
    assert result.scores_of("good").tolist() == run({"good": Centroid()}, X, Y, 4).scores[0].tolist()


def test_the_work_of_a_stopped_worker_is_given_to_others(cluster, monkeypatch, tmp_path):
    monkeypatch.setattr(backend, "SILENT_SECONDS", 4)
    store = tmp_path / "s.db"
    progress = Countdown(30, lambda: cluster.both[0].send_signal(signal.SIGSTOP))
    there = run(LEARNERS, X, Y, PLAN, seed=4, cluster=cluster.address, progress=progress, store=store)
    assert there.scores.tolist() == run(LEARNERS, X, Y, PLAN, seed=4).scores.tolist()
    assert run(LEARNERS, X, Y, PLAN, seed=4, store=store).found == 200


def hello(address):
    """What a scheduler says first."""
    host, port = address.removeprefix("tcp://").split(":")
    with socket.create_connection((host, int(port))) as connection:
        (length,) = struct.unpack("<Q", connection.recv(8, socket.MSG_WAITALL))
        return struct.pack("<Q", length) + connection.recv(length, socket.MSG_WAITALL)


def test_a_peer_that_only_says_hello_is_no_scheduler(cluster, monkeypatch):
    monkeypatch.setattr(backend, "CONNECT_SECONDS", 1)
    greeting, connections = hello(cluster.address), []

    def answer():
        while True:
            try:
                connections.append(server.accept()[0])
                connections[-1].sendall(greeting)
            except OSError:
                return

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        with pytest.raises(ClusterUnavailable, match="no Dask scheduler answers at this address"):
            run(LEARNERS, X, Y, 4, cluster=f"tcp://127.0.0.1:{server.getsockname()[1]}")
        server.shutdown(socket.SHUT_RDWR)
    thread.join()
    for connection in connections:
        connection.close()


@pytest.mark.parametrize(
    ("constant", "victim", "number", "message"),
    [
        ("DEAF_SECONDS", "worker", signal.SIGSTOP, "no worker answers, for 5 seconds now"),
        ("ANSWER_SECONDS", "scheduler", signal.SIGSTOP, "the scheduler no longer answers"),
        ("WORKER_SECONDS", "worker", signal.SIGKILL, "no worker is left, for 5 seconds now"),
    ],
    ids=["worker stopped", "scheduler stopped", "worker killed"],
)
def test_a_cluster_that_can_do_no_more_is_said_and_results_are_kept(
    cluster, monkeypatch, tmp_path, constant, victim, number, message
):
    victims = cluster.both if victim == "worker" else [cluster.scheduler]
    monkeypatch.setattr(backend, constant, 5)
    progress = Countdown(30, lambda: [process.send_signal(number) for process in victims])
    store = tmp_path / "s.db"
    with pytest.raises(ClusterUnavailable, match=message):
        run(LEARNERS, X, Y, PLAN, cluster=cluster.address, progress=progress, store=store)
    again = run(LEARNERS, X, Y, PLAN, store=store)
    assert again.found >= 30
    assert again.found + again.computed == 200


def test_a_killed_scheduler_is_one_sentence_on_the_command_line(tmp_path):
    own = Dask(tmp_path)
    own.worker()
    own.await_workers(1)
    store = tmp_path / "s.db"
    words = f"compare tree nb --data breast_cancer --runs 200 --cluster {own.address} --store {store}"
    command = [sys.executable, "-m", "foldwise", *words.split()]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as running:
        while running.poll() is None and not store.exists():
            threading.Event().wait(0.1)
        threading.Event().wait(3)
        own.scheduler.send_signal(signal.SIGKILL)
        _, said = running.communicate(timeout=300)
    own.stop()
    lines = [
        line for line in said.splitlines() if line.startswith("foldwise: ") or "Error" in line or "distributed" in line
    ]
    assert running.returncode == 2, said
    assert "Traceback" not in said
    assert len(lines) == 1, said
    assert "scheduler" in lines[0]
