"""Options that say what the columns of a file are: ``--column ROLE=NAME``, and short ones for some roles."""

from __future__ import annotations

from collections.abc import Callable

import click

from foldwise.cli.output import Decorator
from foldwise.core.roles import ROLES


def _by_role(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The columns by role; a name with a comma in it was taken for several values, and is put together again."""
    found: dict[str, tuple[str, ...]] = {}
    last = ""
    for part in given:
        role, told, name = part.partition("=")
        role = role.strip()
        if told and (role in ROLES or not last):
            last = role
            found[role] = (*found.get(role, ()), name)
        elif last:
            *before, name = found[last]
            found[last] = (*before, f"{name},{part}")
        else:
            raise click.UsageError(f"--column must be ROLE=NAME, as item=prompt_id, got {part!r}")
    return found


column_option: Decorator = click.option(
    "--column",
    "columns",
    multiple=True,
    callback=_by_role,
    metavar="ROLE=NAME",
    help=f"What a column is, where its name does not tell; NAME none: no column. May be given several times. Roles: "
    f"{', '.join(ROLES)}.",
)


time_option: Decorator = click.option(
    "--time", metavar="COLUMN", help="Column that says when each row was, or none [one named date, time, ds …]."
)


slice_option: Decorator = click.option(
    "--slice", "slices", metavar="COLUMN", help="Say for each value of this column, too, who is better."
)


def column_options(function: Callable[..., object]) -> Callable[..., object]:
    """Truth, the two models, what belongs together, and which item a row is a trial of."""
    truth = "Column with the true labels; none: the columns are marks, right/wrong or numbers [guessed]."
    groups = "Column that says which examples belong together, or none [guessed]."
    item = "Column that names the item, where rows are trials of it, or none [items differ]."
    for option in (
        column_option,
        click.option("--item", metavar="COLUMN", help=item),
        click.option("--groups", metavar="COLUMN", help=groups),
        click.option("--b", metavar="COLUMN", help="Column of the second classifier [guessed]."),
        click.option("--a", metavar="COLUMN", help="Column of the first classifier [guessed]."),
        click.option("--truth", metavar="COLUMN", help=truth),
    ):
        function = option(function)
    return function
