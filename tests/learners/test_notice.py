"""What is said about compiling, seen from outside: by processes that find no compiled code on the disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import warm

from foldwise.core import kernels
from foldwise.core.process import one_process


def settings(folder):
    """Of a process whose kernels are in `folder`; how fast they are does not matter, but 0 would keep none."""
    own = {"NUMBA_CACHE_DIR": str(folder), "NUMBA_OPT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    return {**os.environ, **own}


def fresh(*arguments, folder):
    """A process of its own from the start."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, *arguments], env=settings(folder), stdout=pipe, stderr=pipe, text=True)


def finished(process):
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out, err


PROBE = """
import os, sys
import numpy as np
from foldwise.core import kernels
from foldwise.core.kernels import PATIENCE

def stop(text):
    print(text, "numba" in sys.modules, flush=True)
    os._exit(0)  # nothing need be compiled to know what would be said

kernels.announce_compilation(stop)
PATIENCE.seconds = 0.0
from foldwise.engine.learners import learner_of
X, y = np.arange(40.0).reshape(-1, 2) % 7, np.arange(20) % 2
learner_of({name!r}).{call}
"""
FIT, CROSS = "fit(X, y).predict(X)", "cross_predict(X, y, [y])"


LEARNERS = ["nb(use_kernel=True)", "1nn", "c45", "tan", "mlp", "votedperceptron"]


@pytest.mark.parametrize(
    ("name", "call"), [("nb", CROSS), *((name, call) for name in LEARNERS for call in (FIT, CROSS))]
)
def test_it_is_said_before_numba_is_loaded(name, call, tmp_path):
    said, _ = finished(warm.start("-c", PROBE.format(name=name, call=call), env=settings(tmp_path)))
    assert said == f"{kernels.NOTICE} False\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_command_says_it_once_however_many_processes_there_are(jobs, tmp_path):
    command = ["-m", "foldwise", "compare", "votedperceptron", "majority", "--data", "iris", "--runs", "4"]
    for expected in ([kernels.NOTICE], []):
        out, err = finished(warm.start(*command, "--jobs", jobs, env=settings(tmp_path)))
        assert [line for line in err.splitlines() if "compiling" in line] == expected
        assert "majority" in out


KERNEL = """
from foldwise.core.compile import kernel

@kernel
def double(x):
    return 2 * x
"""
CALL = """
from numba.core import event
from twice import double

class Count(event.Listener):
    compiled = 0
    def on_start(self, event):
        Count.compiled += event.data["dispatcher"] is double
    def on_end(self, event):
        pass

event.register("numba:compile", Count())
print(double.stats.cache_path, flush=True)
print(double(4), Count.compiled)
"""
WHERE = "import twice; print(twice.double.stats.cache_path)"


def test_of_processes_that_need_a_kernel_one_compiles_it(tmp_path):
    (tmp_path / "twice.py").write_text(KERNEL)
    (tmp_path / "call.py").write_text(CALL)
    where, _ = finished(fresh("-c", f"import sys; sys.path.append({str(tmp_path)!r}); {WHERE}", folder=tmp_path))
    with one_process(Path(where.strip()) / "twice.double.lock"):
        waiting = [fresh(str(tmp_path / "call.py"), folder=tmp_path) for _ in range(2)]
        assert [process.stdout.readline() for process in waiting] == [where, where]
    assert sorted(finished(process)[0] for process in waiting) == ["8 0\n", "8 1\n"]


class TestOneProcess:
    def test_another_process_waits(self, tmp_path):
        program = (
            "import sys; from pathlib import Path; from foldwise.core.process import one_process\n"
            "print('ready', flush=True)\n"
            "with one_process(Path(sys.argv[1]) / 'lock'): print((Path(sys.argv[1]) / 'done').exists())"
        )
        with one_process(tmp_path / "lock"):
            other = fresh("-c", program, str(tmp_path), folder=tmp_path)
            assert other.stdout.readline() == "ready\n"
            (tmp_path / "done").touch()
        assert finished(other)[0] == "True\n"

    def test_nobody_waits_where_no_file_can_be_made(self, tmp_path):
        entered = []
        with one_process(tmp_path / "missing" / "lock"):
            entered.append(True)
        assert entered
        assert list(tmp_path.iterdir()) == []
