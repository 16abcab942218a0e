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
    click.option("--cost", help="Which metric of the files is the cost [the one that is called like one]."),
    "metric", "groups", "models", "tasks", option("missing", "What becomes of items whose quality or cost some model "
    "lacks.", type=click.Choice(["refuse", "drop"])),
    click.option("--margin", metavar="AMOUNT", help="Name the cheapest that is worse than no other by more than this."),
    "alpha", "seed", answer_options, claim_option,
    metric="Which is the quality [the commonest of the others].", models="A model; repeat it [all].",
    groups="What says which items belong together, of those that are offered.", tasks="A task; repeat it [all].",
    seed="Seed of the draws.",
)  # fmt: skip
def command(paths: tuple[str, ...], seed: int, **options: Any) -> Frontier:
    """Which models are on the frontier of cost and quality, and which is the cheapest that is nearly the best?

    PATH is what foldwise judge takes, with a quality and a cost of every item: promptfoo, inspect, tau-bench, or a
    table with columns such as score and cost, tokens or latency.
    """
    return show(frontier(list(paths), random_state=seed, **options))
