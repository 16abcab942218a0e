"""A plain install, which has no numba: the main jobs work, and what needs it names the extra."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

JOBS = {
    "learners": ["compare", "logreg", "nb", "--data", "breast_cancer", "--runs", "2"],
    "three learners": ["compare", "logreg", "c45", "1nn", "--data", "iris", "--runs", "1"],
    "data sets": ["compare", "logreg", "gnb", "--data", "iris", "wine", "--runs", "1"],
    "predictions": ["predictions", str(EXAMPLES / "predictions.csv")],
    "scores": ["scores", str(EXAMPLES / "scores.csv")],
    "table": ["table", str(EXAMPLES / "table.csv")],
    "logs": ["judge", str(EXAMPLES / "lm_eval_logs.zip")],
    "page": ["predictions", str(EXAMPLES / "predictions.csv"), "--html", "page.html"],
    "interval": ["interval", "3", "50"],
    "estimate": ["estimate", "logreg", "--data", "iris"],
    "plan": ["plan", "--difference", "0.05", "--discordance", "0.1"],
    "advise": ["advise"],
    "lab": ["lab", "type1", "--population", "two-kinds", "--trials", "25", "--tests", "mcnemar"],
}
NEED_IT = {
    "tan": ["compare", "logreg", "tan", "--data", "iris"],
    "its class": ["compare", "logreg", "foldwise.learners:TAN()", "--data", "iris"],
    "kernel densities": ["compare", "logreg", "nb(use_kernel=True)", "--data", "iris", "--runs", "1"],
    "lab": ["lab", "type1", "--population", "independent-binary", "--learners", "nb", "c45", "--trials", "25"],
}
PROGRAM = """
import contextlib, io, json, sys, traceback
sys.modules["numba"] = None  # as if it were not installed
from foldwise.cli.main import main
import foldwise.web.app, foldwise.web.jobs, foldwise.web.workers  # the page
ended = {}
for name, arguments in json.loads(sys.argv[1]).items():
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as left:
            code = left.code
        except BaseException:
            code = traceback.format_exc()
    ended[name] = [code, out.getvalue(), err.getvalue()]
print(json.dumps(ended))
"""


@cache
def ended():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, json.dumps(JOBS | {f"no {name}": job for name, job in NEED_IT.items()})],
            env=environment, capture_output=True, text=True, check=True, cwd=folder,
        )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", JOBS)
def test_the_main_jobs_work(name):
    code, out, err = ended()[name]
    assert code == 0, f"{code}\n{err}"
    assert out


@pytest.mark.parametrize("name", NEED_IT)
def test_what_needs_it_names_the_extra(name):
    code, out, err = ended()[f"no {name}"]
    assert (code, out) == (2, "")
    assert "pip install 'foldwise[lab]'" in err
    assert err.count("\n") == 1
