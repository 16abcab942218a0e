"""``foldwise predictions FILE.csv``: two classifiers on one test set."""

from __future__ import annotations

from pathlib import Path

import click

from foldwise.cli.gate import gate_options
from foldwise.cli.output import alpha_option, command_line, html_option, json_option, markdown_option, rope_option, show
from foldwise.data import read_predictions
from foldwise.verdict import Comparison, judge_prediction_file

__all__ = ["command"]


@click.command("predictions")
@click.argument("file")
@click.option(
    "--truth", metavar="COLUMN", help="Column with the true labels; none: the columns are right/wrong marks [guessed]."
)
@click.option("--a", metavar="COLUMN", help="Column of the first classifier [guessed].")
@click.option("--b", metavar="COLUMN", help="Column of the second classifier [guessed].")
@click.option("--group", metavar="COLUMN", help="Column that says which examples belong together, or none [guessed].")
@click.option("--test", default="auto", show_default=True, help="A test for predictions, by name.")
@alpha_option
@rope_option
@gate_options
@json_option
@markdown_option
@html_option
def command(
    file: str,
    truth: str | None,
    a: str | None,
    b: str | None,
    group: str | None,
    test: str,
    alpha: float,
    rope: float,
    margin: float | None,
    as_json: bool,
    as_markdown: bool,
    html: Path | None,
) -> Comparison:
    """Compare two classifiers from their predictions on one test set.

    FILE is a table, CSV for instance (or - for standard input), with one row per test example: a column with the
    truth and one per classifier; a column named group or cluster marks examples that belong together, unless
    --group none says that they do not. With --truth none the columns of the classifiers are marks: 1 for right, 0
    for wrong.
    """
    table = read_predictions(file, truth=truth, a=a, b=b, group=group)
    result = judge_prediction_file(table, test=test, alpha=alpha, rope=rope, margin=margin)
    return show(result.replace(repeat=command_line()), as_json=as_json, html=html, as_markdown=as_markdown)
