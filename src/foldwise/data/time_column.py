"""The column that says when each row was: one that was declared, or one that is called so and can order the rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from foldwise.core.decisions import Decision
from foldwise.core.roles import Roles
from foldwise.core.time_order import is_time
from foldwise.data.sheet import Sheet

__all__ = ["with_time"]


def with_time(sheet: Sheet, roles: Roles, rows: NDArray[np.int64] | None = None, *, keep: bool = False) -> Roles:
    """The roles with one column of times at most, which can order the rows; others that are called so have no role.

    Parameters
    ----------
    sheet, roles
        The table, and what its columns were taken for.
    rows
        Those of one model, where others repeat their times; all without them.
    keep
        Whether columns that are called like a time and can't order rows stay taken: they are no models.
    """
    named = (*roles.all("time"), *roles.ambiguous.get("time", ()))
    if not named or "time" in roles.declared:
        return roles
    column = next((name for name in named if is_time(_cells(sheet, name, rows))), None)
    rest = tuple(name for name in named if name != column)
    return replace(
        roles,
        found={role: names for role, names in roles.found.items() if role != "time"}
        | ({} if column is None else {"time": (column,)}),
        ambiguous={role: names for role, names in roles.ambiguous.items() if role != "time"},
        passed=(*roles.passed, *rest) if keep else roles.passed,
        decisions=tuple(_decided(roles.decisions, column)),
    )


def _cells(sheet: Sheet, name: str, rows: NDArray[np.int64] | None) -> list[str]:
    column = sheet.column(name)
    return column if rows is None else [column[row] for row in rows.tolist()]


def _decided(decisions: Iterable[Decision], column: str | None) -> Iterable[Decision]:
    for one in decisions:
        if one.what != "time":
            yield one
        elif column is not None:
            yield replace(one, value=f"column {column!r} is the time", how="by its name")
