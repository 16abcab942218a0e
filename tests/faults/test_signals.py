"""Ctrl-C and SIGTERM at random moments: no process, no temporary file and no traceback is left."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

HERE = Path(__file__).parents[1] / "engine"
COMMAND = ["compare", "studies:Centroid(pause=0.02)", "nb", "--data", "sklearn:iris", "--runs", "1000"]

# says when Python itself has started: what happens before is not ours
START = "import sys; print('begins', flush=True); from foldwise.cli.start import main; sys.argv[0] = 'foldwise'; main()"


def begin(folder, *words):
    """The command, in a process group of its own, which is what a terminal sends Ctrl-C to."""
    paths = os.pathsep.join([*os.environ.get("PYTHONPATH", "").split(os.pathsep), str(HERE)])
    environment = {**os.environ, "PYTHONPATH": paths, "TMPDIR": str(folder)}
    process = subprocess.Popen(
        [sys.executable, "-c", START, *COMMAND, *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, process_group=0,
    )  # fmt: skip
    assert process.stdout.readline() == "begins\n", process.communicate()[1]
    return process


def alive(folder):
    """Processes that were started for this folder, zombies apart."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and f"TMPDIR={folder}\0".encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes())
        except OSError:
            continue
    return [command for command in found if command]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=int)
@pytest.mark.parametrize(
    "words", [(), ("--jobs", "2"), ("--jobs", "2", "--store", "s.db")], ids=["one", "two", "store"]
)
def test_a_stopped_command_leaves_nothing(tmp_path, rounds, number, words, monkeypatch):
    rng = random.Random(f"{number} {words}")
    monkeypatch.chdir(tmp_path)
    for turn in range(rounds(1)):
        folder = tmp_path / str(turn)
        folder.mkdir()
        process = begin(folder, *words)
        time.sleep(rng.uniform(0, 4))
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        out, err = process.communicate(timeout=120)
        assert out == ""
        assert err.strip() in ("", "foldwise: stopped") or err.strip().startswith("foldwise: stopped after"), err
        # Python ends with SIGINT where the interrupt came up inside an import
        assert process.returncode in (128 + number, -number, -signal.SIGINT)
        deadline = time.monotonic() + 120
        while (left := alive(folder)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert left == []
        assert list(folder.iterdir()) == []
        assert not list(tmp_path.glob("s.db-*")) or process.returncode < 0


STOPPED_WHILE_A_CLASS_IS_MADE = """
import os, signal
import foldwise.cli.main
from foldwise.cli import start

class Field:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGTERM)

def command():
    type("Made", (), {"field": Field()})

foldwise.cli.main.main = command
start.main()
"""


def test_a_command_stopped_while_a_class_is_made_leaves_without_a_traceback():
    done = subprocess.run([sys.executable, "-c", STOPPED_WHILE_A_CLASS_IS_MADE], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGTERM, "", "")


def test_workers_end_with_a_killed_command(tmp_path):
    process = begin(tmp_path, "--jobs", "2")
    deadline = time.monotonic() + 120
    while len(alive(tmp_path)) < 3:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.kill()
    process.communicate()
    while alive(tmp_path):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert list(tmp_path.iterdir()) == []
