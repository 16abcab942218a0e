"""Prediction files: the truth, and what each classifier said, example by example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, field

import numpy as np

from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.core.words import MISSING, RIGHT, WRONG
from foldwise.data.class_columns import SEPARATORS, ClassColumns, class_columns, class_scores
from foldwise.data.formats import read_sheet
from foldwise.data.sheet import NO_COLUMN, Sheet, parse_number, some_names
from foldwise.data.text import Readable

__all__ = ["TRUTH_NAMES", "PredictionFile", "read_predictions"]

TRUTH_NAMES = ("truth", "y_true", "label", "target", "actual", "y", "gold", "class", "true", "reference")
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
    scores
        Of classifiers that have a column for each class, examples × classes, the classes in the order of their labels.
    order
        Names of the classifiers in the order of their columns, where some have several.
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
    scores: dict[str, Array] = field(default_factory=dict)
    order: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the classifiers."""
        return self.order or tuple(self.marks or self.predictions)

    @property
    def classes(self) -> list[str]:
        """The classes of the truth, in the order of the columns of `scores`."""
        return sorted(self.truth.labels) if self.truth is not None else []

    def column(self, name: str) -> Categories | Array:
        """What one classifier said, its marks, or its scores by class."""
        numeric = {**self.marks, **self.scores}
        return numeric[name] if name in numeric else self.predictions[name]

    def pair(self) -> tuple[str, str]:
        """The two classifiers to compare; an error when there are not exactly two."""
        return _two_classifiers(self.names, self.source)

    @property
    def rows(self) -> int:
        """Number of examples."""
        columns: list[Sized] = [*self.marks.values(), *self.predictions.values(), *self.scores.values()]
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
        Columns named ``model:class`` or ``model_class`` for every class of the truth are the scores of one classifier.
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
    passed = (*_INDEX, *(_GROUP if group == NO_COLUMN else ()), *(TRUTH_NAMES if truth == NO_COLUMN else ()))
    taken = {group_column, item_column, seed_column}
    truth_column = _truth_column(sheet, truth, {*taken, a, b}, passed)
    by_class = _by_class(sheet, truth_column, {truth_column, *taken}, passed)
    models = _classifier_columns(sheet, a, b, {truth_column, *taken}, passed, by_class)
    chosen, scored = [name for name in models if name not in by_class], [name for name in models if name in by_class]
    if item is None and seed is None:
        _refuse_repeated(sheet, {truth_column, group_column, *chosen})
    named = chosen if truth_column is None else [*chosen, truth_column]
    parts = [column for name in scored for column in by_class[name].values()]
    graded = truth_column is None and not all(_is_right_wrong(sheet, name) for name in chosen)
    columns = {} if graded else dict(zip(named, _one_spelling([sheet.labels(name) for name in named]), strict=True))
    kept = {"truth": truth_column, "group": group_column, "item": item_column, "seed": seed_column}
    roles = dict.fromkeys(sheet.header, "passed over") | dict.fromkeys([*chosen, *parts], "classifier")
    groups, items, seeds = (
        None if name is None else sheet.labels(name) for name in (group_column, item_column, seed_column)
    )
    return PredictionFile(
        truth=None if truth_column is None else columns[truth_column],
        predictions={} if graded else {name: columns[name] for name in chosen},
        marks={name: _marks(sheet, name) for name in chosen} if graded else {},
        scores={name: class_scores(sheet, by_class[name]) for name in scored},
        order=tuple(models) if scored else (),
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
    found = sheet.pick(truth, [name for name in TRUTH_NAMES if name not in lowered])
    if found is not None:
        return found
    left = [name for name in sheet.header if name not in taken and name.lower() not in passed]
    if not left:
        raise InvalidInput(f"{sheet.source} has no column with the truth; it has {sheet.describe_columns()}")
    return left[0]


def _by_class(
    sheet: Sheet, truth: str | None, taken: set[str | None], passed: tuple[str, ...]
) -> dict[str, ClassColumns]:
    """The models with a column for each class."""
    left = [name for name in sheet.header if name not in taken and name.lower() not in passed]
    apart = any(separator in name for name in left for separator in SEPARATORS)
    return class_columns(sheet.labels(truth).labels, left) if truth is not None and apart else {}


def _classifier_columns(
    sheet: Sheet,
    a: str | None,
    b: str | None,
    taken: set[str | None],
    passed: tuple[str, ...],
    by_class: Mapping[str, ClassColumns],
) -> list[str]:
    model_of = {column: model for model, columns in by_class.items() for column in columns.values()}
    free = [name for name in sheet.header if name not in taken and name.lower() not in passed]
    left = list(dict.fromkeys(model_of.get(name, name) for name in free))
    picked = (name if name in by_class else sheet.pick(name) for name in (a, b))
    named = [name for name in picked if name is not None]
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
