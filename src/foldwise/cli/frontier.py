"""``foldwise frontier PATH…``: cost and quality."""

from __future__ import annotations

from typing import Any

import click

from foldwise.cli.columns import column_option
from foldwise.cli.output import alpha_option, answer_options, show
from foldwise.cli.parsing import Command
from foldwise.comparison.costs import Frontier, frontier


@click.command("frontier", cls=Command)
@click.argument("paths", nargs=-1, required=True)
@column_option
@click.option("--cost", help="Which metric of the files is the cost [the one that is called like one].")
@click.option("--metric", help="Which is the quality [the commonest of the others].")
@click.option("--groups", metavar="COLUMN", help="What says which items belong together, of those that are offered.")
@click.option("--model", "models", multiple=True, help="A model; repeat it [all].")
@click.option("--task", "tasks", multiple=True, help="A task; repeat it [all].")
@click.option("--missing", type=click.Choice(["refuse", "drop"]), default="refuse", show_default=True,
              help="What becomes of items whose quality or cost some model lacks.")  # fmt: skip
@click.option("--margin", metavar="AMOUNT", help="Name the cheapest that is worse than no other by more than this.")
@alpha_option
@click.option("--seed", default=0, show_default=True, help="Seed of the draws.")
@answer_options
def command(paths: tuple[str, ...], seed: int, **options: Any) -> Frontier:
    """Which models are on the frontier of cost and quality, and which is the cheapest that is nearly the best?

    PATH is what foldwise judge takes, with a quality and a cost of every item: promptfoo, inspect, tau-bench, or a
    table with columns such as score and cost, tokens or latency.
    """
    return show(frontier(list(paths), random_state=seed, **options))
