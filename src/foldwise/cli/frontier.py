"""``foldwise frontier PATH…``: cost and quality."""

from __future__ import annotations

from typing import Any

import click

from foldwise.cli.options import option, takes
from foldwise.cli.output import answer_options, claim_option, show
from foldwise.cli.parsing import Command
from foldwise.comparison.costs import Frontier, frontier


@click.command("frontier", cls=Command)
@click.argument("paths", nargs=-1, required=True)
@takes(
    "columns",
    click.option("--cost", help="The metric that is the cost [recognised by its name]."),
    "metric", "groups", "models", "tasks", option("missing", "Items without quality or cost of some model: refuse "
    "them, or drop them for all models.", type=click.Choice(["refuse", "drop"])),
    click.option("--margin", metavar="AMOUNT", help="Find the cheapest model that is not worse than any "
                 "other by more than this."),
    "alpha", "seed", answer_options, claim_option,
    metric="The metric that is the quality [the most common of the others].", models="A model; repeat it [all].",
    groups="Which of the fields found says how items are clustered.", tasks="A task; repeat it [all].",
    seed="Seed of the draws.",
)  # fmt: skip
def command(paths: tuple[str, ...], seed: int, **options: Any) -> Frontier:
    """Which models are on the frontier of cost and quality, and which is the cheapest that is nearly the best?

    PATH is what foldwise judge takes, with a quality and a cost of every item: promptfoo, inspect, tau-bench, or a
    table with columns such as score and cost, tokens or latency.
    """
    return show(frontier(list(paths), random_state=seed, **options))
