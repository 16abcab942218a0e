"""Standard output belongs to the answer, whatever learners print or raise."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
import warm

LEARNERS = Path(__file__).parents[1] / "engine"
DATA = ("--data", "sklearn:iris", "--runs", "1", "--folds", "3")


def foldwise(*args):
    """A real process: what compiled code prints escapes Python's own redirections."""
    path = os.pathsep.join([str(LEARNERS), *filter(None, [os.environ.get("PYTHONPATH")])])
    return warm.call("-m", "foldwise", *args, env={**os.environ, "PYTHONPATH": path})


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_learner_that_prints_does_not_break_json(jobs):
    done = foldwise("compare", "vandals:Chatterbox", "majority", *DATA, "--jobs", jobs, "--json")
    assert json.loads(done.stdout)["models"] == ["Chatterbox", "majority"]
    assert done.stdout.count("fitting") == 0
    assert done.stderr.count("fitting\n") == 3
    assert done.stderr.count("fitting in C\n") == 3


@pytest.fixture
def own_learners(monkeypatch):
    monkeypatch.syspath_prepend(str(LEARNERS))


@pytest.mark.parametrize("args", [
    ("compare", "vandals:Quitter", "majority", *DATA),
    ("compare", "majority", "vandals:Quitter", *DATA, "--jobs", "2"),
    ("estimate", "vandals:Quitter", "--data", "sklearn:iris"),
])  # fmt: skip
@pytest.mark.usefixtures("own_learners")
def test_a_learner_that_ends_the_program_is_a_failed_fit(run, args):
    code, out, err = run(*args, "--json")
    assert (code, out) == (2, "")
    (sentence,) = err.splitlines()
    assert re.match(r"foldwise: learner 'Quitter' failed on split \d \(run 0, fold \d\)", sentence)
    assert "it tried to end the program, SystemExit: 0 (vandals.py, line" in sentence


@pytest.mark.usefixtures("own_learners")
def test_the_lab_too(run):
    args = ("lab", "type1", "--population", "independent-binary", "--learners", "vandals:Quitter", "majority")
    code, out, err = run(*args, "--tests", "mcnemar", "--trials", "10", "--n", "20")
    assert (code, out) == (2, "")
    assert "learner Quitter() failed on" in err


@pytest.mark.usefixtures("own_learners")
def test_whatever_else_ends_the_program_is_an_error(run, tmp_path, monkeypatch):
    (tmp_path / "hasty.py").write_text("import sys\nprint('bye')\nsys.exit(0)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    code, out, err = run("compare", "hasty:Learner", "majority", *DATA, "--json")
    assert (code, out) == (2, "")
    assert err.endswith("learner 'hasty:Learner' can't be imported: 0\n")
