"""``foldwise leaderboard PATH…``: all models, with the ranks that the data leave."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from foldwise.cli.judge import judged_options
from foldwise.cli.options import option
from foldwise.cli.output import answer_options, claim_option, output_option, show
from foldwise.cli.parsing import Command
from foldwise.comparison.board import Leaderboard, leaderboard
from foldwise.core.files import write_whole


@click.command("leaderboard", cls=Command)
@click.argument("paths", nargs=-1, required=True)
@click.option("--new", metavar="MODEL", help="A new submission: where it enters.")
@option("adjust", "How ranks are adjusted for the number of pairs.")
@judged_options
@answer_options
@claim_option
@output_option("--csv", text="Write the board as CSV.")
def command(
    paths: tuple[str, ...], new: str | None, asked: dict[str, Any], how: dict[str, Any], csv: Path | None
) -> Leaderboard:
    """Rank all models in your files: means, intervals, and the ranks that the data cannot rule out.

    PATHS are read as by `foldwise judge`: harness logs, folders of submissions (SWE-bench/experiments), tables. Models
    without a shown difference share a place. --new MODEL says where a new submission enters.
    """
    found = leaderboard(list(paths), new=new, **asked, **how)
    if csv is not None:
        write_whole(csv, found.to_csv())
    return show(found)
