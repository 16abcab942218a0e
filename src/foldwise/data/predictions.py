"""Prediction files: the truth, and what each classifier said, example by example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.data.formats import read_sheet
from foldwise.data.sheet import NO_COLUMN, Sheet, parse_number, some_names
from foldwise.data.text import Readable

__all__ = ["PredictionFile", "read_predictions"]

_TRUTH = ("truth", "y_true", "label", "target", "actual", "y", "gold", "class", "true", "reference")
_GROUP = ("group", "groups", "cluster")
_INDEX = ("", "id", "index", "row", "example", "item")


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionFile:
    """The labels in a prediction file.

    Attributes
    ----------
    truth
        The true label of each example; None where the columns hold marks for right and wrong instead.
    predictions
        Per classifier its label for each example, in the order of the columns.
    groups
        The cluster each example belongs to, or None.
    source
        What messages call the file.
    roles
        What each column was taken for: "truth", "classifier", "group" or "passed over".
    """

    truth: Categories | None
    predictions: dict[str, Categories]
    groups: Categories | None
    source: str
    roles: dict[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the classifiers."""
        return tuple(self.predictions)

    def pair(self) -> tuple[str, str]:
        """The two classifiers to compare; an error when there are not exactly two."""
        return _two_classifiers(self.names, self.source)

    @property
    def rows(self) -> int:
        """Number of examples."""
        return len(next(iter(self.predictions.values())))


def read_predictions(
    path_or_text: Readable,
    *,
    truth: str | None = None,
    a: str | None = None,
    b: str | None = None,
    group: str | None = None,
) -> PredictionFile:
    r"""Read a file with one row per test example: the truth, then one column per classifier.

    Parameters
    ----------
    path_or_text
        A file, ``"-"`` for standard input, or the text itself.
    truth
        The column with the true labels. Without it: a column named truth, y_true, label, target, actual, y, gold
        or class; else the first one. ``"none"``: there is none, because the other columns are marks for right and
        wrong.
    a, b
        The columns of the two classifiers. Without them every column that is left is a classifier.
    group
        The column with the cluster of each example. Without it: a column named group, groups or cluster, which
        ``"none"`` passes over.

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
    passed = (*_INDEX, *(_GROUP if group == NO_COLUMN else ()), *(_TRUTH if truth == NO_COLUMN else ()))
    truth_column = _truth_column(sheet, truth, {group_column, a, b}, passed)
    chosen = _classifier_columns(sheet, a, b, {truth_column, group_column}, passed)
    named = chosen if truth_column is None else [*chosen, truth_column]
    columns = dict(zip(named, _one_spelling([sheet.labels(name) for name in named]), strict=True))
    roles = dict.fromkeys(sheet.header, "passed over") | dict.fromkeys(chosen, "classifier")
    if truth_column is not None:
        roles[truth_column] = "truth"
    return PredictionFile(
        truth=None if truth_column is None else columns[truth_column],
        predictions={name: columns[name] for name in chosen},
        groups=None if group_column is None else sheet.labels(group_column),
        source=sheet.source,
        roles=roles if group_column is None else roles | {group_column: "group"},
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
            "truth, and all are marks for right and wrong)"
        )
    return exactly_two(names, "classifier", source)


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
