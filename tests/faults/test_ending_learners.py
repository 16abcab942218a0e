"""Learners that try to end the program, or to double it: it goes on, and says so; never an exit code of success."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
import warm
from studies import Doubles, Ends, blobs

from foldwise.core.errors import FoldwiseError
from foldwise.engine import run

X, Y = blobs()


@pytest.mark.parametrize("n_jobs", [None, 2])
@pytest.mark.parametrize("how", ["exit", "sys", "generator", "base"])
def test_what_would_end_the_program_is_reported_with_its_split(how, n_jobs):
    with pytest.raises(
        FoldwiseError, match=r"split \d .*(tried to end the program|GeneratorExit|BaseException: no more)"
    ):
        run({"ends": Ends(how)}, X, Y, 4, n_jobs=n_jobs)


def test_the_program_can_be_ended_again_afterwards():
    real = os._exit
    with pytest.raises(FoldwiseError):
        run({"ends": Ends("exit")}, X, Y, 4)
    assert os._exit is real


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_a_learner_that_forks_does_not_double_the_program(tmp_path, n_jobs):
    """Without an end to the copies, eight fits would be 255 in 256 processes."""
    notes = tmp_path / "notes"
    result = run({"doubles": Doubles(str(notes))}, X, Y, 8, n_jobs=n_jobs)
    assert result.scores.shape[-1] == 8
    assert len(notes.read_text().splitlines()) == 8


CRASH = """
import ctypes
from foldwise.engine import run
from studies import Centroid, blobs
class Crashing(Centroid):
    def fit(self, X, y):
        ctypes.string_at(0)
run({"calm": Centroid(), "crashing": Crashing()}, *blobs(), 4)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_crash_in_compiled_code_is_said_before_the_program_ends():
    paths = os.pathsep.join([*sys.path, str(Path(__file__).parents[1] / "engine")])
    done = warm.call("-c", CRASH, env={**os.environ, "PYTHONPATH": paths})
    assert done.returncode == -signal.SIGSEGV
    (said,) = [line for line in done.stderr.splitlines() if line.startswith("foldwise:")]
    assert said.startswith("foldwise: learner 'crashing' on split 0 crashed in compiled code (SIGSEGV)")
    assert "n_jobs=2" in said
