"""The workflow of the how-to: it is YAML that GitHub would take, and its commands run against the examples."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

EXAMPLES = Path(__file__).parents[2] / "examples"
WORKFLOW = yaml.safe_load((EXAMPLES / "ci-gate.yml").read_text(encoding="utf-8"))
STEPS = {step["name"]: step for step in WORKFLOW["jobs"]["gate"]["steps"] if "run" in step}


@pytest.fixture
def checkout(tmp_path):
    """A folder with the examples, in which ``foldwise`` is this one, and ``gh`` keeps what it is told."""
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, script in {
        "foldwise": f'exec "{sys.executable}" -m foldwise "$@"',
        "gh": 'printf "%s\\n" "$@" > told.txt; cp "$5" comment.md',
    }.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)
    return tmp_path


def run(checkout, step, script=None):
    """As GitHub runs a step: bash -e, with the variables of the job."""
    path = os.pathsep.join([str(checkout / "tools"), os.environ["PATH"]])
    given = {"PATH": path, "GITHUB_STEP_SUMMARY": str(checkout / "summary.md"),
             "PULL_REQUEST": "7", "PYTHONPATH": os.environ.get("PYTHONPATH", "src")}  # fmt: skip
    command = ["bash", "-e", "-c", script or STEPS[step]["run"]]
    return subprocess.run(
        command, cwd=checkout, env={**os.environ, **given}, capture_output=True, text=True, timeout=120
    )


def test_the_workflow_is_one():
    assert WORKFLOW[True] == "pull_request"  # YAML 1.1 reads the word on as true, and GitHub knows
    assert WORKFLOW["permissions"] == {"contents": "read", "pull-requests": "write"}
    for step in WORKFLOW["jobs"]["gate"]["steps"]:
        assert ("run" in step) != ("uses" in step)
    shown = STEPS["Show the verdict"]
    assert shown["if"] == "always()"
    assert set(shown["env"]) == {"GH_TOKEN", "PULL_REQUEST"}
    assert STEPS["Install foldwise"]["run"] == "pip install foldwise"


def test_a_good_candidate_passes_and_is_commented_on(checkout):
    for step in ("Evaluate both models", "Judge", "Show the verdict"):
        done = run(checkout, step)
        assert done.returncode == 0, done.stderr
    text = (checkout / "comment.md").read_text(encoding="utf-8")
    assert "non-inferior" in text
    assert (checkout / "summary.md").read_text(encoding="utf-8") == text
    assert (checkout / "told.txt").read_text().split()[:4] == ["pr", "comment", "7", "--body-file"]
    assert "<html" in (checkout / "verdict.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("roles", "margin", "code", "found", "told"),
    [
        # nothing is shown with so small a margin; that a constant is worse is
        (("naive bayes", "tree"), "0.1pt", 3, "is not shown to be non-inferior to tree with a margin of 0.1 points",
         "Undecided: naive bayes may be worse than tree"),
        (("constant", "tree"), "2pt", 1, "constant is worse than tree", "tree"),
    ],
)  # fmt: skip
def test_a_bad_candidate_is_stopped_and_the_comment_says_why(checkout, roles, margin, code, found, told):
    run(checkout, "Evaluate both models")
    _with_a_constant(checkout / "predictions.csv")
    new, old = roles
    script = STEPS["Judge"]["run"].replace("--margin 2pt", f"--margin {margin}").replace("--html verdict.html", "")
    script = script.replace('--candidate "naive bayes" --baseline tree', f'--candidate "{new}" --baseline "{old}"')
    done = run(checkout, "Judge", script)
    assert done.returncode == code
    assert found in done.stderr
    assert run(checkout, "Show the verdict").returncode == 0
    assert told in (checkout / "comment.md").read_text(encoding="utf-8")


def _with_a_constant(path):
    """Add a model that always gives the first answer."""
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    first = rows[0].split(",")[0]
    path.write_text("\n".join([f"{head},constant", *(f"{row},{first}" for row in rows)]) + "\n", encoding="utf-8")
