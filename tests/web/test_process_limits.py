"""The bounds of a worker and of the server, provoked for real."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from foldwise.core.errors import LimitExceeded
from foldwise.web import serving
from foldwise.web.app import create_app
from foldwise.web.doors.base import Submission
from foldwise.web.serving import Sparing, room_for_connections
from foldwise.web.workers import Workers

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system's own bounds differ elsewhere")

ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"}
# a search that takes for ever inside one call of C, which holds the interpreter: no Python thread can act
STUCK = """
import os, re, signal, sys

signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup, under which tests may run, hands on that it is ignored

class Stuck:
    def worker(self):
        return self

    def work(self, chunk):
        print(os.getpid(), file=sys.stderr, flush=True)
        re.match("(a+)+$", "a" * 60 + "b")

from foldwise.engine.backends import pack_job
from foldwise.engine.backends.processes import Pool, PoolTask
from foldwise.engine.limits import WorkLimits

task = PoolTask(pack_job(Stuck()), None, WorkLimits())
Pool(1).put(task)
task.future.result()
"""


def gone(pid, seconds=60):
    """Whether a process ends, sooner or later."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGHUP])
def test_a_worker_that_computes_ends_with_the_page(tmp_path, sent):
    script = tmp_path / "stuck.py"
    script.write_text(STUCK)
    page = subprocess.Popen([sys.executable, str(script)], env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    worker = int(page.stderr.readline())
    page.send_signal(sent)
    page.wait()
    page.stderr.close()
    ended = gone(worker)
    if not ended:
        os.kill(worker, signal.SIGKILL)
    assert ended


def test_an_answer_that_needs_too_much_memory_is_refused_and_the_page_goes_on():
    workers = Workers(count=1, seconds=300, megabytes=60)
    different = "".join(f"x{i},x,y\n" for i in range(400_000))  # lines that repeat take little
    try:
        with pytest.raises(LimitExceeded, match=r"more memory than this page gives it|for want of memory"):
            workers.run("visit", "predictions", Submission(text=f"truth,a,b\n{different}"), False)
        assert workers.run("visit", "predictions", Submission(text="truth,a,b\nx,x,y\n"), False).understanding.header
    finally:
        workers.close()


def test_the_system_ends_what_computes_too_long():
    code = (
        "from foldwise.core.process import limit_memory, limit_time\nlimit_memory(500)\nlimit_time(0)\nwhile True: pass"
    )
    assert subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT).returncode == -signal.SIGXCPU


def better_of(address, name):
    """What the page says is better, asked over a connection of its own."""
    form = urllib.parse.urlencode({"text": f"truth,{name},other\n" + "x,x,y\n" * 30, "step": "answer"})
    with urllib.request.urlopen(f"{address}predictions/report.json", form.encode(), timeout=120) as reply:
        return json.load(reply)["better"]


def test_neither_half_open_connections_nor_twenty_clients_stop_the_page(tmp_path):
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))\n"
        "from foldwise.cli.main import main; main(['serve', '--no-open', '--port', '0'])"
    )
    with (tmp_path / "log").open("w") as log:
        page = subprocess.Popen(
            [sys.executable, "-c", code], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=log, text=True
        )
        held = []
        try:
            address = re.search(r"http://([\d.]+):(\d+)/", page.stdout.readline())
            for _ in range(300):
                held.append(socket.create_connection((address[1], int(address[2])), timeout=60))
                held[-1].sendall(b"GET / HTTP/1.1\r\nHost: ")
            with urllib.request.urlopen(address[0], timeout=120) as reply:
                assert "Is one really better than the other?" in reply.read().decode()
            for each in held:
                each.close()
            with ThreadPoolExecutor(20) as clients:  # each of whom is told of its own models
                told = list(clients.map(lambda number: better_of(address[0], f"m{number}"), range(20)))
            assert told == [f"m{number}" for number in range(20)]
        finally:
            for each in held:
                each.close()
            page.send_signal(signal.SIGINT)
            page.communicate(timeout=120)
    assert (tmp_path / "log").stat().st_size < 10_000


def test_there_is_room_for_connections_with_few_files(monkeypatch):
    import resource

    for soft, found in ((64, (8, 4)), (50, (2, 2)), (1024, (100, 32)), (resource.RLIM_INFINITY, (100, 32))):
        monkeypatch.setattr(resource, "getrlimit", lambda _, soft=soft: (soft, soft))
        assert room_for_connections() == found


def test_the_log_is_bounded():
    spare = Sparing(most=3)
    records = [logging.LogRecord("asyncio", logging.ERROR, "", 0, f"trouble {i}", (), None) for i in range(9)]
    assert [record.getMessage() for record in records if spare.filter(record)] == [
        "trouble 0", "trouble 1", "further messages of this minute are left out",
    ]  # fmt: skip


def test_what_the_parser_of_forms_says_is_bounded_too(caplog, monkeypatch):
    """Each damaged form makes it write a line: nobody must fill a disk with them."""
    log = logging.getLogger("python_multipart.multipart")
    monkeypatch.setattr(log, "filters", [])
    monkeypatch.setattr(serving.uvicorn.Server, "run", lambda self, sockets: None)
    with socket.socket() as listening:
        serving.run(create_app(), listening)
    for number in range(100):
        log.warning("Found invalid character %d in header", number)
    assert sum(record.name == log.name for record in caplog.records) == 20
