from __future__ import annotations

import io
import subprocess
import sys

import pytest
from studies import Centroid, blobs

from foldwise.core.errors import FitFailed
from foldwise.engine import run
from foldwise.engine.progress import Bar, NotebookBar, Progress, Silent, resolve_progress

X, Y = blobs()


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_gets_a_bar_and_nothing_else_does(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert isinstance(resolve_progress(None), Bar)
    assert isinstance(resolve_progress(False), Silent)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert isinstance(resolve_progress(None), Silent)
    assert isinstance(resolve_progress(True), Bar)
    monkeypatch.setattr(sys, "stderr", None)
    assert isinstance(resolve_progress(None), Silent)


@pytest.mark.parametrize("kind", [Bar, NotebookBar, Silent])
def test_the_protocol_is_met(kind):
    assert isinstance(kind(), Progress)


def test_the_bar_counts_fits_and_tells_what_the_store_had(monkeypatch, tmp_path):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    run({"c": Centroid()}, X, Y, 4, store=tmp_path / "r.db", progress=False)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    run({"c": Centroid(), "d": Centroid(pause=0.001)}, X, Y, 4, store=tmp_path / "r.db")
    assert "fits (4 from the store)" in terminal.getvalue()
    assert "8/8" in terminal.getvalue()


def test_off_a_terminal_a_study_is_silent():
    code = (
        "from foldwise.engine import run; from sklearn.naive_bayes import GaussianNB; import numpy as np;"
        "run({'nb': GaussianNB()}, np.arange(20.).reshape(-1, 1), [0, 1] * 10, 4)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_the_bar_is_taken_away_when_a_study_fails(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    class Log(Silent):
        stopped = 0

        def stop(self):
            self.stopped += 1

    log = Log()
    with pytest.raises(FitFailed):
        run({"c": Centroid(pause="long")}, X, Y, 4, progress=log)
    assert log.stopped == 1


def test_importing_the_engine_is_quick_because_it_imports_little():
    code = "import foldwise.engine, sys; print({'sklearn', 'rich', 'distributed', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
