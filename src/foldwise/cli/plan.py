"""``foldwise plan``: how many examples, runs or data sets are needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from foldwise.cli.output import alpha_option, html_option, json_option, show
from foldwise.core.types import Array

__all__ = ["command"]


@click.command("plan")
@click.option("--test", default="mcnemar", show_default=True,
              help="mcnemar, two_rates, corrected_repeated_cv_t or wilcoxon.")  # fmt: skip
@click.option("--size", type=int, help="Test examples, runs or data sets.")
@click.option("--difference", type=float, help="True difference to be found.")
@click.option("--power", type=float, help="Probability of finding it [0.8].")
@click.option("--discordance", type=float, help="mcnemar: share of examples that exactly one gets wrong.")
@click.option("--rate", type=float, help="two_rates: error rate of the worse classifier.")
@click.option("--sigma", type=float, help="Standard deviation of the difference between folds or data sets.")
@click.option("--folds", default=10, show_default=True, help="corrected_repeated_cv_t: folds of each run.")
@click.option("--pilot", metavar="FILE", help="corrected_repeated_cv_t: scores of a pilot study, instead of --sigma.")
@alpha_option
@json_option
@html_option
def command(pilot: str | None, as_json: bool, html: Path | None, **options: Any) -> None:
    """How many examples, runs or data sets are needed to find a difference, or what can a given number see?

    Give two of --size, --difference and --power (which is 0.8 if it is not given); the missing one is found.
    """
    from foldwise.comparison.power_plan import plan

    show(plan(pilot=None if pilot is None else _differences(pilot), **options), as_json=as_json, html=html)


def _differences(file: str) -> Array:
    from foldwise.data.score_files import read_scores

    scores = read_scores(file)
    a, b = scores.pair()
    return scores.scores[a] - scores.scores[b]
