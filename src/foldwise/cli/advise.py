"""``foldwise advise``: the nine questions."""

from __future__ import annotations

import sys
from typing import Any

import click

from foldwise.cli.options import takes
from foldwise.cli.output import answer_options, prints_text, show
from foldwise.cli.parsing import Command
from foldwise.comparison.advice import HAVE, QUESTIONS, advise


@click.command("advise", cls=Command)
@click.option("--question", type=int, help="One of Dietterich's nine questions, by number.")
@takes(*(click.option(f"--{one.name}", type=click.Choice(list(dict(one.answers))), help=one.text) for one in QUESTIONS))
@click.option("--metric", help="Metric of predictions by which two classifiers are compared (question 3).")
@click.option("--have", type=click.Choice(list(HAVE)), help="What you have besides right and wrong answers.")
@click.option("--n", type=int, help="Number of examples.")
@click.option(
    "--runs-affordable",
    default=10,
    show_default=True,
    help="Runs of 10-fold cross-validation; 0: one training of each learner.",
)
@answer_options
def command(
    question: int | None, metric: str | None, have: str | None, n: int | None, runs_affordable: int,
    **answers: str | None,
) -> None:  # fmt: skip
    """Say which test to use: Dietterich's nine questions and newer ones, by options or a dialogue."""
    if question is None and metric is None and have is None and sys.stdin.isatty() and prints_text():
        answers = _dialogue(answers)
    chosen: dict[str, Any] = {name: answer for name, answer in answers.items() if answer is not None}
    show(advise(question, metric=metric, have=have, n=n, runs_affordable=runs_affordable, **chosen))


def _dialogue(answers: dict[str, str | None]) -> dict[str, str | None]:
    """Ask what the flags left open; the domain decides first whether the rest matters."""
    for one in QUESTIONS:
        if answers[one.name] is None and answers["domains"] != "several":
            answers[one.name] = click.prompt(one.text, type=click.Choice(list(dict(one.answers))), err=True)
    return answers
