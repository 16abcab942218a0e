"""Tables of readers × cases: who gave which score to which case, with which modality."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from foldwise.core.categories import Categories
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.core.roles import Columns, Roles, assign_roles, missing_roles, normalised
from foldwise.core.types import Array, Integers
from foldwise.data.sheet import Sheet

MODALITIES = ("modality", "treatment", "technique", "imaging", "arm")
"""What a column of modalities is called, besides the names that columns of models have."""

_MAY_BE = ("reader", "item", "model", "score", "truth", "group", "index", "slice")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReadingRows:
    """One row for each reader and case, with the score by each modality, NaN where there is none."""

    readers: Categories
    cases: Categories
    scores: dict[str, Array]
    truth: Categories | None
    groups: Categories | None
    slices: tuple[str, Categories] | None
    roles: Mapping[str, str] = field(default_factory=dict)  #: What each column was taken for
    decisions: tuple[Decision, ...] = ()


def read_readings(sheet: Sheet, columns: Columns | None) -> ReadingRows | None:
    """The readings of a table, long (a column of modalities) or wide (a column of scores each); None where it has none.

    A table is taken for one if a column is called like that of readers and another like that of items, or if somebody
    named a column of readers.
    """
    own = {role: name for role, name in (columns or {}).items() if role in _MAY_BE}
    named = [name for name in sheet.header if normalised(name) in MODALITIES]
    roles = assign_roles(sheet.header, own, source=sheet.source, only=_MAY_BE)
    if roles.get("reader") is None or roles.get("item") is None:
        if "reader" in roles.declared:
            raise missing_roles(sheet.source, f"columns {sheet.describe_columns()}", {"item": ""})
        return None
    if roles.get("model") is None and named and "model" not in own:
        roles = assign_roles(sheet.header, {**own, "model": named[0]}, source=sheet.source, only=_MAY_BE)
    model = roles.all("model")
    return _long(sheet, roles) if len(model) == 1 else _wide(sheet, roles)


def has_readers(header: Sequence[str], columns: Columns) -> bool:
    """Whether columns are called like readers and cases, or somebody named one of readers."""
    own = {role: name for role, name in columns.items() if role in ("reader", "item")}
    roles = assign_roles(header, own, source="the table", only=("reader", "item"))
    return roles.get("reader") is not None and (roles.get("item") is not None or "reader" in roles.declared)


def _numeric(sheet: Sheet, roles: Roles) -> list[str]:
    free = [name for name in sheet.header if name and name not in roles.taken]
    return [name for name in free if sheet.is_mostly_numeric(name)]


def _long(sheet: Sheet, roles: Roles) -> ReadingRows:
    (modality,) = roles.all("model")
    free = _numeric(sheet, roles)
    score = roles.get("score") or next((name for name in free if normalised(name) in ("rating", "confidence")), None)
    score = score or (free[0] if len(free) == 1 else None)
    if score is None:
        raise missing_roles(sheet.source, f"readers, cases and modalities ({modality!r})", {"score": ""})
    of, values = sheet.labels(modality), sheet.marks(score)
    if len(of.labels) < 2:
        raise InvalidInput(
            f"{sheet.source}: column {modality!r} must name two modalities or more, got {of.labels[0]!r}"
        )
    cell = (
        sheet.labels(_named(roles, "reader")).codes.astype(np.int64) * len(sheet)
        + sheet.labels(_named(roles, "item")).codes
    )
    _, first, row = np.unique(cell, return_index=True, return_inverse=True)
    place = np.argsort(np.argsort(first, kind="stable"), kind="stable")
    row, first = place[row], np.sort(first)
    twice = np.flatnonzero(np.bincount(row * len(of.labels) + of.codes) > 1)
    if len(twice):
        at, which = divmod(int(twice[0]), len(of.labels))
        raise InvalidInput(
            f"{sheet.source}: a reader must score a case once with each modality, but "
            f"{sheet.column(_named(roles, 'reader'))[first[at]]!r} has case "
            f"{sheet.column(_named(roles, 'item'))[first[at]]!r} twice with {of.labels[which]!r}"
        )
    scores = {name: np.full(len(first), np.nan) for name in of.labels}
    for code, name in enumerate(of.labels):
        there = of.codes == code
        scores[name][row[there]] = values[there]
    return _rows(sheet, roles, first, row, scores, {score: "score", modality: "classifier"})


def _wide(sheet: Sheet, roles: Roles) -> ReadingRows:
    models = list(roles.all("model")) or [*roles.all("score"), *_numeric(sheet, roles)]
    if not models:
        raise missing_roles(sheet.source, "readers and cases, but no column of scores", {"model": "", "score": ""})
    every = np.arange(len(sheet))
    told = dict.fromkeys(models, "classifier")
    return _rows(sheet, roles, every, every, {name: sheet.marks(name) for name in models}, told)


def _named(roles: Roles, role: str) -> str:
    name = roles.get(role)
    assert name is not None
    return name


def _rows(
    sheet: Sheet, roles: Roles, first: Integers, row: Integers, scores: dict[str, Array], told: Mapping[str, str]
) -> ReadingRows:
    """The columns beside the scores, which must say the same in all rows of a reader and case."""

    def column(name: str | None) -> Categories | None:
        if name is None:
            return None
        given = sheet.labels(name)
        strange = np.flatnonzero(given.codes[first][row] != given.codes)
        if len(strange):
            raise InvalidInput(
                f"{sheet.source}, line {sheet.lines[int(strange[0])]}: column {name!r} must say the same of a case "
                f"with every modality, got {given[int(strange[0])]!r} and {given[int(first[row[strange[0]]])]!r}"
            )
        return Categories.of(given[int(at)] for at in first)

    truth, group, sliced = (roles.get(role) for role in ("truth", "group", "slice"))
    readers, cases = column(roles.get("reader")), column(roles.get("item"))
    assert readers is not None
    assert cases is not None
    by_slice = column(sliced)
    named = {"reader": "reader", "item": "item", "truth": "truth", "group": "group"}
    taken = {name: word for role, word in named.items() if (name := roles.get(role)) is not None}
    return ReadingRows(
        readers=readers, cases=cases, scores=scores, truth=column(truth), groups=column(group),
        slices=None if sliced is None or by_slice is None else (sliced, by_slice),
        roles={**dict.fromkeys(sheet.header, "passed over"), **taken, **told},
        decisions=tuple(one for one in roles.decisions if one.how == "assumed" or one.what == "reader"),
    )  # fmt: skip
