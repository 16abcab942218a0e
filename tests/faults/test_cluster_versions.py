"""Workers of another version get no work: a real cluster, which a worker with another scikit-learn joins."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from store_rows import rows
from studies import Centroid, Countdown, blobs
from test_cluster import Dask

from foldwise.core.errors import ClusterUnavailable
from foldwise.core.process import environment
from foldwise.engine import Store, run
from foldwise.engine.backends import cluster as backend
from foldwise.engine.backends import pack_job
from foldwise.engine.limits import WorkLimits
from foldwise.resampling import RepeatedKFold

X, Y = blobs()


def older(folder):
    """A folder that makes Python believe that scikit-learn has version 0.0.1."""
    info = folder / "scikit_learn-0.0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: scikit-learn\nVersion: 0.0.1\n")
    return folder


@pytest.fixture
def cluster(tmp_path):
    dask = Dask(tmp_path)
    yield dask
    dask.stop()


def test_a_worker_of_another_version_is_refused_before_and_during_a_run(cluster, tmp_path):
    cluster.worker()
    cluster.await_workers(1)
    plan, store = RepeatedKFold(40, 5), tmp_path / "s.db"

    def late():
        cluster.worker(older(tmp_path / "late"))
        cluster.await_workers(2)

    ours = environment()["scikit-learn"]
    message = rf"worker tcp://127\.0\.0\.1:\d+ has scikit-learn 0\.0\.1, but this process has {ours}: the same versions"
    with pytest.raises(ClusterUnavailable, match=message):
        run({"a": Centroid(pause=0.1)}, X, Y, plan, cluster=cluster.address, progress=Countdown(2, late), store=store)
    with Store(store) as kept:
        found = [row for numbers in kept.scorings().values() for row in rows(kept, 1, numbers[0])]
        assert [kept.origins()[row[5]] for row in found] == [environment()] * len(found)
        assert 2 <= len(found) < 200
    with pytest.raises(ClusterUnavailable, match=message):
        run({"a": Centroid()}, X, Y, plan, cluster=cluster.address)


def test_a_worker_that_finds_it_out_itself_is_named_by_its_address_too(cluster):
    """Work may reach a worker that joined between two looks of ours: its own comparison must read the same."""
    from distributed import Client

    cluster.worker()
    cluster.await_workers(1)
    wrong = {**environment(), "numba": "0.0.1"}
    message = r"worker tcp://127\.0\.0\.1:\d+ has numba .*, but this process has 0\.0\.1: the same versions"
    with Client(cluster.address) as client, pytest.raises(ClusterUnavailable, match=message):
        client.submit(backend.do_checked_chunk, wrong, pack_job(None), 0, WorkLimits()).result()


def test_a_worker_compares_again_before_it_works():
    wrong = {**environment(), "numba": "0.0.1"}
    with pytest.raises(ClusterUnavailable, match=r"has numba .*, but this process has 0\.0\.1"):
        backend.do_checked_chunk(wrong, pack_job(None), 0, WorkLimits())


def test_a_worker_without_foldwise_is_named(cluster, tmp_path):
    """It would be ended by the first task, and "no worker is left" says nothing about why."""
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "sitecustomize.py").write_text(
        "import importlib.metadata as m, sys\n"
        "sys.modules['foldwise'] = None\n"
        "usual = m.version\n"
        "def version(name):\n"
        "    if name == 'foldwise':\n"
        "        raise m.PackageNotFoundError(name)\n"
        "    return usual(name)\n"
        "m.version = version\n"
    )
    command = (
        sys.executable,
        "-m",
        "dask",
        "worker",
        cluster.address,
        "--nthreads",
        "1",
        "--no-nanny",
        "--no-dashboard",
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "bare")}
    with subprocess.Popen(command, env=environment, cwd=tmp_path, stderr=subprocess.DEVNULL) as worker:
        try:
            cluster.await_workers(1)
            with pytest.raises(ClusterUnavailable, match=r"worker tcp://127\.0\.0\.1:\d+ has no foldwise"):
                run({"a": Centroid()}, X, Y, RepeatedKFold(1, 5), cluster=cluster.address)
        finally:
            worker.kill()
