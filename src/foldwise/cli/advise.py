"""``foldwise advise``: the nine questions."""

from __future__ import annotations

import sys
from typing import Any

import click

from foldwise.cli.output import answer_options, prints_text, show
from foldwise.cli.parsing import Command

CHOICES = {
    "domains": ("one", "several"),
    "about": ("classifiers", "algorithms"),
    "goal": ("estimate", "choose"),
    "data": ("much", "little"),
}
ASK = {
    "domains": "Is the answer to hold on one domain, or on several new ones?",
    "about": "Is it about fitted classifiers, or about the algorithms that learn them?",
    "goal": "Do you want to estimate one error rate, or choose between two?",
    "data": "Is there much data (enough for a separate test set), or little?",
}


@click.command("advise", cls=Command)
@click.option("--question", type=int, help="One of Dietterich's nine questions, by number.")
@click.option("--domains", type=click.Choice(CHOICES["domains"]), help=ASK["domains"])
@click.option("--about", type=click.Choice(CHOICES["about"]), help=ASK["about"])
@click.option("--goal", type=click.Choice(CHOICES["goal"]), help=ASK["goal"])
@click.option("--data", type=click.Choice(CHOICES["data"]), help=ASK["data"])
@click.option(
    "--learners",
    type=click.Choice(("unknown", "stable", "unstable")),
    help="Do predictions depend strongly on single training examples (nearest neighbours, trees: unstable)?",
)
@click.option("--metric", help="By which metric of predictions two classifiers are compared (question 3).")
@click.option("--n", type=int, help="Number of examples.")
@click.option(
    "--runs-affordable",
    default=10,
    show_default=True,
    help="Runs of 10-fold cross-validation; 0: one training of each learner.",
)
@answer_options
def command(
    question: int | None,
    metric: str | None,
    n: int | None,
    runs_affordable: int,
    **answers: str | None,
) -> None:
    """Which test should I use? Dietterich's nine questions, as flags or, on a terminal, as a short dialogue."""
    from foldwise.comparison.advice import advise

    if question is None and metric is None and sys.stdin.isatty() and prints_text():
        answers = _dialogue(answers)
    chosen: dict[str, Any] = {name: answer for name, answer in answers.items() if answer is not None}
    show(advise(question, metric=metric, n=n, runs_affordable=runs_affordable, **chosen))


def _dialogue(answers: dict[str, str | None]) -> dict[str, str | None]:
    """Ask what the flags left open; the domain decides first whether the rest matters."""
    for name, text in ASK.items():
        if answers[name] is None and answers["domains"] != "several":
            answers[name] = click.prompt(text, type=click.Choice(CHOICES[name]), err=True)
    return answers
