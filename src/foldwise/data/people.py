"""Columns in which people judge: a judge checked by people is no comparison of two models."""

from __future__ import annotations

from foldwise.core.advice import column
from foldwise.core.errors import InvalidInput
from foldwise.core.roles import NO_COLUMN, Roles, normalised
from foldwise.core.words import MISSING
from foldwise.data.sheet import Sheet

__all__ = ["checked_by_people", "labelled_share", "people_column"]

_GOLD = ("gold", "gold_label", "gold_score")
"""Names of a truth that people gave; where it is sparse it checks other scores."""


def checked_by_people(sheet: Sheet, name: str) -> InvalidInput:
    """The refusal of a table whose column `name` holds what people say of the items."""
    labelled = labelled_share(sheet, name)
    return InvalidInput(
        f"{sheet.source} looks like a judge checked by people: column {name!r} has labels of {labelled:,} of "
        f"{len(sheet):,} rows; the correction is not built yet.\n"
        f"Leave it out with {column('human', NO_COLUMN)}, or, if it is a model, say {column('model', name)}"
    )


def people_column(sheet: Sheet, roles: Roles) -> str | None:
    """The column in which people judge: one that is called so, or a sparse ``gold`` beside numbers."""
    name = roles.get("human")
    if name is not None:
        return name
    gold = roles.get("truth")
    sparse = gold is not None and normalised(gold) in _GOLD and labelled_share(sheet, gold) < len(sheet)
    return gold if sparse and "truth" not in roles.declared else None


def labelled_share(sheet: Sheet, name: str) -> int:
    """How many rows people have labelled."""
    cells = sheet.categories(name)
    empty = [code for code, cell in enumerate(cells.labels) if cell.lower() in MISSING]
    return len(sheet) - int(sum(cells.counts()[code] for code in empty))
