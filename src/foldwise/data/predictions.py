"""Prediction files: the truth, and what each classifier said, example by example."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from dataclasses import dataclass, field

import numpy as np

from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.core.words import MISSING, RIGHT, WRONG
from foldwise.data.formats import read_sheet
from foldwise.data.sheet import NO_COLUMN, Sheet, parse_number, some_names
from foldwise.data.text import Readable

__all__ = ["PredictionFile", "read_predictions"]

_TRUTH = ("truth", "y_true", "label", "target", "actual", "y", "gold", "class", "true", "reference")
_GROUP = ("group", "groups", "cluster")
_INDEX = ("", "id", "index", "row", "example", "item")
_ITEM = ("item", "id", "example")
"""What the column with the item of each row is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionFile:
    """The labels or marks in a prediction file.

    Attributes
    ----------
    truth
        The true label of each example; None where the columns hold marks instead.
    predictions
        Per classifier its label, or its mark for right or wrong, on each example, in the order of the columns.
    marks
        Instead of `predictions`, where there is no truth and marks are numbers or missing (NaN).
    groups
        The cluster each example belongs to, or None.
    items, seeds
        The item that each row is a trial of, and the seed that the models of the row were trained with; None where
        nobody said that rows are such.
    source
        What messages call the file.
    roles
        What each column was taken for: "truth", "classifier", "group", "item", "seed" or "passed over".
    """

    truth: Categories | None
    predictions: dict[str, Categories]
    groups: Categories | None
    source: str
    roles: dict[str, str]
    items: Categories | None = None
    seeds: Categories | None = None
    marks: dict[str, Array] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the classifiers."""
        return tuple(self.marks or self.predictions)

    def column(self, name: str) -> Categories | Array:
        """What one classifier said, or its marks."""
        return self.marks[name] if name in self.marks else self.predictions[name]

    def pair(self) -> tuple[str, str]:
        """The two classifiers to compare; an error when there are not exactly two."""
        return _two_classifiers(self.names, self.source)

    @property
    def rows(self) -> int:
        """Number of examples."""
        columns: list[Sized] = [*self.marks.values(), *self.predictions.values()]
        return len(columns[0])


def read_predictions(
    path_or_text: Readable,
    *,
    truth: str | None = None,
    a: str | None = None,
    b: str | None = None,
    group: str | None = None,
    item: str | None = None,
    seed: str | None = None,
) -> PredictionFile:
    r"""Read a file with one row per test example: the truth, then one column per classifier.

    Parameters
    ----------
    path_or_text
        A file, ``"-"`` for standard input, or the text itself.
    truth
        The column with the true labels. Without it: a column named truth, y_true, label, target, actual, y, gold
        or class; else the first one. ``"none"``: there is none, because the other columns are marks: numbers, or
        words for right and wrong.
    a, b
        The columns of the two classifiers. Without them every column that is left is a classifier.
    group
        The column with the cluster of each example. Without it: a column named group, groups or cluster, which
        ``"none"`` passes over.
    item
        The column with the item that each row is a trial of. A column named item, id or example whose names repeat is
        refused without it: ``"none"`` says that rows are items of their own all the same.
    seed
        The column with the seed that the row's models were trained with; the item is then that of `item`, or of a
        column named so.

    Returns
    -------
    PredictionFile
        Labels are text. Where all are numbers and some are written with a decimal point, 1 and 1.0 are one label.
        Columns without a name, or named id, index, row, example or item, are passed over unless they are asked for.

    Examples
    --------
    >>> file = read_predictions("truth,nb,tree\nyes,yes,no\nno,no,no\n")
    >>> file.pair(), list(file.predictions["tree"])
    (('nb', 'tree'), ['no', 'no'])
    """
    sheet = read_sheet(path_or_text)
    group_column = sheet.pick_any(group, _GROUP)
    item_column, seed_column = _item_column(sheet, item, seed), sheet.pick(seed)
    passed = (*_INDEX, *(_GROUP if group == NO_COLUMN else ()), *(_TRUTH if truth == NO_COLUMN else ()))
    taken = {group_column, item_column, seed_column}
    truth_column = _truth_column(sheet, truth, {*taken, a, b}, passed)
    chosen = _classifier_columns(sheet, a, b, {truth_column, *taken}, passed)
    if item is None and seed is None:
        _refuse_repeated(sheet, {truth_column, group_column, *chosen})
    named = chosen if truth_column is None else [*chosen, truth_column]
    graded = truth_column is None and not all(_is_right_wrong(sheet, name) for name in chosen)
    columns = {} if graded else dict(zip(named, _one_spelling([sheet.labels(name) for name in named]), strict=True))
    kept = {"truth": truth_column, "group": group_column, "item": item_column, "seed": seed_column}
    roles = dict.fromkeys(sheet.header, "passed over") | dict.fromkeys(chosen, "classifier")
    groups, items, seeds = (
        None if name is None else sheet.labels(name) for name in (group_column, item_column, seed_column)
    )
    return PredictionFile(
        truth=None if truth_column is None else columns[truth_column],
        predictions={} if graded else {name: columns[name] for name in chosen},
        marks={name: _marks(sheet, name) for name in chosen} if graded else {},
        groups=groups,
        items=items,
        seeds=seeds,
        source=sheet.source,
        roles=roles | {name: role for role, name in kept.items() if name is not None},
    )


def exactly_two(names: Sequence[str], kind: str, source: str) -> tuple[str, str]:
    """`names` as a pair, or an error that says what to do."""
    if len(names) != 2:
        rule = "say which two to compare" if len(names) > 2 else "two are needed"
        raise InvalidInput(f"{source} has {len(names)} {kind} column(s) ({some_names(names)}): {rule}")
    return names[0], names[1]


def _two_classifiers(names: Sequence[str], source: str) -> tuple[str, str]:
    if len(names) == 1:
        raise InvalidInput(
            f"{source} has 1 classifier column ({names[0]}): two are needed (with truth {NO_COLUMN!r} no column is the "
            "truth, and all are marks)"
        )
    return exactly_two(names, "classifier", source)


def _item_column(sheet: Sheet, item: str | None, seed: str | None) -> str | None:
    """The column that was named; where rows have seeds, one that is called so."""
    if seed is None:
        return None if item is None else sheet.pick_any(item, ())
    found = sheet.pick(item, _ITEM)
    if found is None:
        raise InvalidInput(
            f"{sheet.source} must name the item of each row where rows have seeds: say which column does with item, it "
            f"has {sheet.describe_columns()}"
        )
    return found


def _refuse_repeated(sheet: Sheet, taken: set[str | None]) -> None:
    """Items that occur again are trials of the same item, or a mistake: somebody must say which."""
    name = sheet.guess(_ITEM)
    if name is None or name in taken:
        return
    rows = sheet.repeated(name)
    if rows is None:
        return
    item = sheet.cells.texts(sheet.positions[name], np.array(rows))[0]
    lines = " and ".join(str(sheet.lines[row]) for row in rows)
    raise InvalidInput(
        f"{sheet.source}, lines {lines}: column {name!r} names {item!r} twice: if rows are trials of an item, say so "
        f"with item {name!r}, and if they are items of their own, with item {NO_COLUMN!r}"
    )


def _is_right_wrong(sheet: Sheet, name: str) -> bool:
    """Whether the column says right or wrong on every row."""
    return all(cell.lower() in RIGHT | WRONG for cell in sheet.categories(name).labels)


def _marks(sheet: Sheet, name: str) -> Array:
    """A column of marks as numbers; what is missing is NaN."""
    cells = sheet.categories(name)
    words = [cell.lower() for cell in cells.labels]
    if all(word in RIGHT | WRONG | MISSING for word in words):
        values = [np.nan if word in MISSING else float(word in RIGHT) for word in words]
        return np.array(values)[cells.codes]
    return sheet.numbers(name, allow_missing=True)


def _truth_column(sheet: Sheet, truth: str | None, taken: set[str | None], passed: tuple[str, ...]) -> str | None:
    if truth == NO_COLUMN:
        return sheet.pick_any(truth, ())
    lowered = {name.lower() for name in taken if name is not None}
    found = sheet.pick(truth, [name for name in _TRUTH if name not in lowered])
    if found is not None:
        return found
    left = [name for name in sheet.header if name not in taken and name.lower() not in passed]
    if not left:
        raise InvalidInput(f"{sheet.source} has no column with the truth; it has {sheet.describe_columns()}")
    return left[0]


def _classifier_columns(
    sheet: Sheet, a: str | None, b: str | None, taken: set[str | None], passed: tuple[str, ...]
) -> list[str]:
    left = [name for name in sheet.header if name not in taken and name.lower() not in passed]
    named = [name for name in (sheet.pick(a), sheet.pick(b)) if name is not None]
    clash = next((name for name in named if name in taken), None)
    if clash is not None:
        raise InvalidInput(f"{sheet.source}: column {clash!r} can't be a classifier and the truth or group at once")
    if len(named) == 1:
        others = [name for name in left if name not in named]
        only = _two_classifiers([*named, *others], sheet.source)[1]
        return [*named, only] if a is not None else [only, *named]
    if not named and not left:
        raise InvalidInput(f"{sheet.source} has no classifier column; it has {sheet.describe_columns()}")
    return named or left


def _one_spelling(columns: list[Categories]) -> list[Categories]:
    """Whole numbers without their decimal point, because a table program writes a column of 1 with a gap as 1.0."""
    distinct: set[str] = set().union(*(column.labels for column in columns))
    values = {label: parse_number(label) for label in distinct}
    if not any("." in label for label in distinct) or any(value is None for value in values.values()):
        return columns
    spelling = {
        label: str(int(value)) if value == int(value) else repr(value)
        for label, value in values.items()
        if value is not None
    }
    return [column.renamed([spelling[label] for label in column.labels]) for column in columns]
