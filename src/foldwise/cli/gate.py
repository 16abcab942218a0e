"""``foldwise gate``: may the candidate replace the baseline? For pipelines, by exit code, and in GitHub Actions."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from foldwise.cli import github
from foldwise.cli.fail_if import bar_option, end_by_bar
from foldwise.cli.judge import judged_options
from foldwise.cli.output import answer_options, claim_option, output_option, show
from foldwise.cli.parsing import Command
from foldwise.cli.terminal import Inconclusive, Stopped
from foldwise.comparison.claims import CONDITIONS
from foldwise.comparison.error_estimate import ErrorEstimate, EstimateSurvey
from foldwise.comparison.from_counts import columns_asked
from foldwise.comparison.from_file import MarkOptions, holds_marks
from foldwise.comparison.gates import Gate, gate
from foldwise.comparison.metric_evidence import MetricQuestion
from foldwise.comparison.one_model import estimate_prediction_file, holds_one, read_bars
from foldwise.data.predictions import read_predictions


@click.command("gate", cls=Command)
@click.argument("paths", nargs=-1)
@click.option("--candidate", metavar="NEW", help="The model in question, or a file or folder with it.")
@bar_option
@click.option("--baseline", metavar="OLD", help="The model it is compared with, or a file or folder.")
@click.option("--margin", metavar="M", help="By how much NEW may be worse: 1pt (or 1%) of a rate, or a number in the "
              "score's own unit. Without it NEW must be shown to be better.")  # fmt: skip
@click.option("--task-margin", metavar="M", help="By how much NEW may be worse on any single task.")
@click.option("--fail-if", multiple=True, type=click.Choice(list(CONDITIONS)), metavar="WHAT",
              help=f"Another condition: {', '.join(CONDITIONS)} [not-noninferior with a margin, else "
              "not-better].")  # fmt: skip
@output_option("--history", text="Record this run in FILE, and share the level among all runs there: for gates that "
               "run every night.")  # fmt: skip
@judged_options
@answer_options
@claim_option
def command(
    paths: tuple[str, ...], bars: tuple[str, ...], candidate: str | None, baseline: str | None, margin: str | None,
    task_margin: str | None, fail_if: tuple[str, ...], history: Path | None, asked: dict[str, Any], how: dict[str, Any],
) -> Gate | ErrorEstimate | EstimateSurvey:  # fmt: skip
    """Decide in a pipeline whether a candidate may replace the baseline.

    PATHS are read as by `foldwise judge`; without them NEW and OLD are files or folders with one model each. With --bar
    (no candidate, no baseline) PATH is a table with one model, whose metric must reach a value.

    Exit codes: 0 passed, 1 shown to fail, 2 bad input, 3 inconclusive. In GitHub Actions the answer also goes to the
    job summary, and one line to the pull request.
    """
    if bars:
        if candidate or baseline or margin or task_margin or fail_if or history is not None or len(paths) != 1:
            raise click.UsageError("--bar is for one table with one model, without other conditions")
        return end_by_bar(show(_against_a_bar(paths[0], bars, asked, how)))
    if candidate is None or baseline is None:
        raise click.UsageError(
            "--candidate and --baseline must say who is compared with whom; for one model --bar says what "
            f"it should reach. Try: {shlex.join(_with_both(paths, candidate, baseline))}"
        )
    found = gate(
        paths or None, candidate=candidate, baseline=baseline, margin=margin, task_margin=task_margin,
        fail_if=fail_if, history=history, **asked, **how,
    )  # fmt: skip
    show(found)
    github.report(found, found.finding, found.sentence, about=candidate)
    if found.finding != "passed":
        seen = sys.stdout.isatty() and sys.stderr.isatty()  # the sentence stands above
        said = f"gate {found.finding}, exit code {found.exit_code}" if seen else found.sentence
        raise (Stopped if found.finding == "failed" else Inconclusive)(said)
    return found


def _with_both(paths: Sequence[str], candidate: str | None, baseline: str | None) -> list[str]:
    """The command that says who is compared with whom: two files are the models themselves."""
    if len(paths) == 2 and candidate is baseline is None:
        (candidate, baseline), paths = paths, ()
    return ["foldwise", "gate", *paths, "--candidate", candidate or "NEW", "--baseline", baseline or "OLD"]


def _against_a_bar(
    path: str, bars: Sequence[str], asked: dict[str, Any], how: dict[str, Any]
) -> ErrorEstimate | EstimateSurvey:
    metrics = [name.strip() for name in (asked["metric"] or "").split(",") if name.strip()]
    read = read_bars(bars)
    metrics = metrics or (list(read) if isinstance(read, dict) else [])
    table = read_predictions(path, columns=asked["columns"], groups=how["groups"], counts=columns_asked(metrics))
    if not holds_one(table):
        raise click.UsageError(f"--bar is for one model, but {path} has {len(table.names)}")
    marks: MarkOptions = {} if asked["higher_is_better"] is None else {"higher_is_better": asked["higher_is_better"]}
    if metrics and holds_marks(table):
        marks["metric"] = metrics[0]
    question = (
        None
        if not metrics or holds_marks(table)
        else MetricQuestion(metrics=metrics, positive=asked["options"].positive)
    )
    return estimate_prediction_file(
        table, confidence_level=1 - how["alpha"], bar=read, question=question, test=how["test"], marks=marks
    )
