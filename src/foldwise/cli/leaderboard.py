"""``foldwise leaderboard PATH…``: all models, with the ranks that the data leave."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from foldwise.cli.columns import column_option
from foldwise.cli.output import (
    alpha_option,
    answer_options,
    bounds_option,
    direction_option,
    higher_is_better,
    output_option,
    show,
    unit_option,
)
from foldwise.cli.parsing import Command
from foldwise.comparison.board import Leaderboard, leaderboard
from foldwise.comparison.options import Options
from foldwise.core.files import write_whole
from foldwise.core.roles import Columns
from foldwise.evidence.missing import POLICIES


@click.command("leaderboard", cls=Command)
@click.argument("paths", nargs=-1, required=True)
@column_option
@click.option("--new", metavar="MODEL", help="A new submission: where it enters.")
@click.option("--metric", help="What to compare [the commonest], its filter after a comma; of runs pass@3, pass^3, "
              "best@3.")  # fmt: skip
@click.option("--groups", metavar="COLUMN", help="What says which items belong together, of those that are offered.")
@click.option("--model", "models", multiple=True, help="A model of the board; repeat it [all].")
@click.option("--task", "tasks", multiple=True, help="A task of the board; repeat it [all].")
@click.option("--rows", type=click.Choice(["tasks", "items", "splits", "last", "models"]),
              help="What rows are, where the files leave it open.")  # fmt: skip
@direction_option
@unit_option
@click.option("--missing", type=click.Choice(POLICIES), help="What becomes of values that some model lacks [drop].")
@bounds_option
@click.option("--over", type=click.Choice(["tasks", "items"]),
              help="Over several tasks: the mean of tasks, each counting once, or of all items [tasks].")  # fmt: skip
@click.option("--inner", is_flag=True, help="Compare also where a model lacks more than a tenth of its values.")
@click.option("--adjust", type=click.Choice(["holm", "max_t"]), default="holm", show_default=True,
              help="How ranks are adjusted for the number of pairs.")  # fmt: skip
@alpha_option
@answer_options
@output_option("--csv", text="Write the board as CSV.")
def command(
    paths: tuple[str, ...],
    columns: Columns,
    lower_is_better: bool | None,
    csv: Path | None,
    **options: Any,
) -> Leaderboard:
    """Put all models of the files on a board: mean, interval, and the ranks that the data leave.

    PATH is what foldwise judge takes: logs of harnesses, folders of submissions (SWE-bench/experiments), tables. Models
    whose difference can't be told share a place. --new MODEL says where a new submission enters.
    """
    few = Options(**{name: options.pop(name) for name in ("unit", "bounds", "inner")})
    found = leaderboard(
        list(paths), columns=columns, higher_is_better=higher_is_better(lower_is_better), options=few, **options
    )
    if csv is not None:
        write_whole(csv, found.to_csv())
    return show(found)
