"""``foldwise gate``: may the candidate replace the baseline? For pipelines, by exit code."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from foldwise.cli import github
from foldwise.cli.judge import judged_options
from foldwise.cli.output import answer_options, claim_option, output_option, show
from foldwise.cli.parsing import Command
from foldwise.cli.terminal import Inconclusive, Stopped
from foldwise.comparison.claims import CONDITIONS
from foldwise.comparison.gates import Gate, gate

ANNOTATIONS: dict[str, github.Level] = {"passed": "notice", "failed": "error", "inconclusive": "warning"}


@click.command("gate", cls=Command)
@click.argument("paths", nargs=-1)
@click.option("--candidate", required=True, metavar="NEW", help="The model in question, or a file or folder with it.")
@click.option("--baseline", required=True, metavar="OLD", help="The model it is compared with, or a file or folder.")
@click.option("--margin", metavar="M", help="By how much NEW may be worse: 1pt (or 1%) of a rate, or a number in the "
              "score's own unit. Without it the gate only fails where NEW is shown to be worse.")  # fmt: skip
@click.option("--task-margin", metavar="M", help="By how much NEW may be worse on any single task.")
@click.option("--fail-if", multiple=True, type=click.Choice(list(CONDITIONS)), metavar="WHAT",
              help=f"Another condition: {', '.join(CONDITIONS)} [not-noninferior with a margin, else "
              "worse].")  # fmt: skip
@output_option("--history", text="Add this look to FILE, and share the level with all looks there: for gates that are "
               "asked every night.")  # fmt: skip
@judged_options
@answer_options
@claim_option
def command(
    paths: tuple[str, ...],
    candidate: str,
    baseline: str,
    margin: str | None,
    task_margin: str | None,
    fail_if: tuple[str, ...],
    history: Path | None,
    asked: dict[str, Any],
    how: dict[str, Any],
) -> Gate:
    """Let a pipeline pass, fail, or say that it can't tell.

    PATH is what `foldwise judge` reads; without it NEW and OLD are files or folders with one model each. Exit codes: 0
    passed, 1 shown to fail, 2 bad input, 3 inconclusive. In GitHub Actions the answer is also added to the summary of
    the job, and a line to the pull request.
    """
    found = gate(
        paths or None,
        candidate=candidate,
        baseline=baseline,
        margin=margin,
        task_margin=task_margin,
        fail_if=fail_if,
        history=history,
        **asked,
        **how,
    )
    show(found)
    if github.runs_here():
        github.add_to_summary(found.to_markdown())
        github.set_outputs(finding=found.finding, sentence=found.sentence)
        github.annotate(ANNOTATIONS[found.finding], f"foldwise gate: {shlex.quote(candidate)}", found.sentence)
    if found.finding != "passed":
        raise (Stopped if found.finding == "failed" else Inconclusive)(found.sentence)
    return found
