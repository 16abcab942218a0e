"""Options that say what the columns of a prediction file are."""

from __future__ import annotations

from collections.abc import Callable

import click

__all__ = ["column_options"]


def column_options(function: Callable[..., object]) -> Callable[..., object]:
    """Truth, the two models, what belongs together, and which item a row is a trial of."""
    truth = "Column with the true labels; none: the columns are marks, right/wrong or numbers [guessed]."
    group = "Column that says which examples belong together, or none [guessed]."
    item = "Column that names the item, where rows are trials of it, or none [items differ]."
    for option in (
        click.option("--item", metavar="COLUMN", help=item),
        click.option("--group", metavar="COLUMN", help=group),
        click.option("--b", metavar="COLUMN", help="Column of the second classifier [guessed]."),
        click.option("--a", metavar="COLUMN", help="Column of the first classifier [guessed]."),
        click.option("--truth", metavar="COLUMN", help=truth),
    ):
        function = option(function)
    return function
