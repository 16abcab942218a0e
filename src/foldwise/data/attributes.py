"""Which columns of a data set are attributes: identifiers, dates and the like are not."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime

import numpy as np

from foldwise.core.categories import no_number
from foldwise.core.decisions import Decision, How
from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.core.types import Array, Labels
from foldwise.data.dataset import Dataset, content_hash

# ---- Columns that are no attributes unless somebody says so: identifiers, dates, and text that is different in
# every row.
#
# A learner can learn such a column by heart, or leaks through it what the order of the rows says; it tells
# nothing about
# a new example. They are left out, each with a decision that the answer prints.

NEARLY_ALL = 0.95
"""Share of different values from which a column is an identifier, or text that nothing can be learned from."""

FEWEST_ROWS = 20
"""Rows from which values that are all different say something by themselves, whatever the column is called."""

MISSING = frozenset({"", "?", "NA", "N/A", "NaN", "nan", "NULL", "null"})  # Cells of a text file that hold no value.

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_KEY_ENDS = frozenset({"id", "uuid", "guid", "key", "identifier"})
_KEY_NAMES = frozenset({"index", "idx", "row", "rownum", "row number", "record", "unnamed 0"})
_DATE_WORDS = frozenset({"date", "datetime", "timestamp"})
_DATE_FORMATS = ("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%Y%m%d", "%d-%m-%Y", "%m-%d-%Y")

_DECIMAL_COMMA = re.compile(r"[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?")
_THOUSANDS = re.compile(r"[+-]?(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?")  # 0,712 is no thousands


def left_out(table: Table, keep: Collection[str], *, declared: Collection[str] | None) -> dict[str, Decision]:
    """The columns that are left out, each with its decision.

    `table`: the attributes. `keep`: columns that stay, whatever they look like. `declared`: the columns of which the
    file says what they hold (numbers and declared values in ARFF; None for all columns): of these only the name tells
    an identifier.
    """
    return {
        name: Decision(
            what="column", value=f"column {name!r} left out: {what}", how=how,
            change=f"keep=[{name!r}] (--keep {name})",
        )
        for name, (what, how) in looks_like_no_attribute(table, declared=declared).items()
        if name not in keep
    }  # fmt: skip


def looks_like_no_attribute(table: Table, *, declared: Collection[str] | None) -> dict[str, tuple[str, How]]:
    """Per column that looks like no attribute what it is, and what tells."""
    columns = zip(table.names, table.values.T, table.categories, strict=True)
    found = {
        name: _why(name, values, categories, declared=declared is None or name in declared)
        for name, values, categories in columns
    }
    return {name: why for name, why in found.items() if why is not None}


def _why(name: str, values: Array, categories: Sequence[str] | None, *, declared: bool) -> tuple[str, How] | None:
    known = values[~np.isnan(values)]
    if len(known) < 2:
        return None
    words = [word.lower() for word in _WORDS.findall(name)]
    different = len(np.unique(known))
    whole = categories is not None or bool((known == np.floor(known)).all())
    if whole and different >= NEARLY_ALL * len(known) and _is_key_name(words):
        return "an identifier", "by its name"
    if _are_dates(known, categories, words):
        return "a date", "assumed"
    if declared or len(known) < FEWEST_ROWS:
        return None
    if categories is not None and different >= NEARLY_ALL * len(known):
        return f"text with {different} different values in {len(known)} rows", "assumed"
    return None


def _is_key_name(words: Sequence[str]) -> bool:
    return " ".join(words) in _KEY_NAMES or (bool(words) and (words[-1] in _KEY_ENDS or words[0] in ("id", "uuid")))


def _are_dates(known: Array, categories: Sequence[str] | None, words: Sequence[str]) -> bool:
    if categories is not None:
        texts = [categories[int(code)] for code in np.unique(known)]
        return all(map(_is_iso, texts)) or any(all(_fits(text, form) for text in texts) for form in _DATE_FORMATS)
    if not _DATE_WORDS & set(words) or (known != np.floor(known)).any() or known.min() < 1e7:
        return False  # 20240131, or seconds since 1970
    return bool(known.min() >= 1e8) or all(_fits(f"{value:.0f}", "%Y%m%d") for value in np.unique(known))


def _is_iso(text: str) -> bool:
    if len(text) < 8 or not text[:4].isdigit() or "-" not in text:
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _fits(text: str, form: str) -> bool:
    try:
        return date(1000, 1, 1) <= datetime.strptime(text, form).date()
    except ValueError:
        return False


def as_numbers(
    name: str, values: Array, categories: Sequence[str], *, source: str, decimal_comma: bool = False
) -> Array | None:
    """The numbers that text stands for (52,31 is 52.31), or None where it is not all numbers.

    `name`: of the column. `values`, `categories`: codes, NaN where missing, and what they stand for. `source`: what
    messages call the file or frame. `decimal_comma`: whether the file writes 0,5.
    """
    said = [label for label in categories if label not in MISSING and not no_number(label)]
    numbers = number_like(said, decimal_comma=decimal_comma) if said else None
    if isinstance(numbers, str):
        raise InvalidInput(
            f"{source}: column {name!r} has {numbers!r}, in which the comma may stand for decimals or thousands: "
            "write the numbers without it"
        )
    if numbers is None:
        return None
    meant = np.array([*(numbers.get(label, np.nan) for label in categories), np.nan])
    return np.asarray(meant[np.where(np.isnan(values), len(categories), values).astype(np.intp)])


def number_like(labels: Iterable[str], *, decimal_comma: bool) -> dict[str, float] | str | None:
    """Text that is a number in another way of writing, per label; or a label that could be two numbers; or None.

    `labels`: the different cells of a column, without missing ones. `decimal_comma`: whether the file writes 0,5, so
    that 1,234 can't be one thousand and some.

    >>> number_like(["52,31", "1.234,5", "7"], decimal_comma=False)
    {'52,31': 52.31, '1.234,5': 1234.5, '7': 7.0}
    >>> number_like(["1,234", "12,345,678"], decimal_comma=False)
    {'1,234': 1234.0, '12,345,678': 12345678.0}
    >>> number_like(["82.1%", "7 %"], decimal_comma=False)
    {'82.1%': 82.1, '7 %': 7.0}
    >>> number_like(["1,234", "12,345"], decimal_comma=False), number_like(["12 kg"], decimal_comma=False)
    ('1,234', None)
    """
    texts = {label: label for label in labels}
    if texts and all(label.endswith("%") for label in texts):
        texts = {label: label[:-1].rstrip() for label in texts}
    commas = all(map(_DECIMAL_COMMA.fullmatch, texts.values()))
    thousands = all(map(_THOUSANDS.fullmatch, texts.values()))
    if commas and thousands and not decimal_comma and any("," in text for text in texts.values()):
        return next(label for label, text in texts.items() if "," in text)
    if commas and (decimal_comma or not thousands):
        return {label: float(text.replace(".", "").replace(",", ".")) for label, text in texts.items()}
    return {label: float(text.replace(",", "")) for label, text in texts.items()} if thousands and texts else None


# ---- Columns of a data set that are no attributes: those to leave out, and the one that says what belongs together.


def choose_columns(
    dataset: Dataset, *, drop: Sequence[str] = (), groups: str | None = None, keep: Sequence[str] = (),
    declared: Collection[str] | None = None,
) -> Dataset:  # fmt: skip
    """The data set without some columns, one of which may group its rows, and without those that are no attributes.

    `dataset`: as it was read. `drop`: names of columns to leave out. `groups`: name of the column whose values are the
    groups. `keep`: columns that stay although they look like identifiers or dates. `declared`: the columns of which the
    file says what they hold; None for all.

    >>> from foldwise.data.loading import load
    >>> choose_columns(load("sklearn:iris"), drop=["petal width (cm)"]).X.shape
    (150, 3)
    """
    for parameter, names in (("drop", drop), ("keep", keep)):
        for name in listed(names, parameter):
            _place(dataset, name, parameter)
    if twice := set(drop) & set(keep):
        raise InvalidInput(f"drop and keep must not both name column {min(twice)!r}")
    grouped = None if groups is None else _groups(dataset, groups)
    asked = {*drop, *([] if groups is None else [groups])}
    no_attributes = left_out(dataset.X, {*keep, *asked}, declared=declared)
    out = {*asked, *no_attributes}
    if not out:
        return dataset
    kept = [j for j, name in enumerate(dataset.feature_names) if name not in out]
    if not kept and no_attributes:
        raise InvalidInput(f"data set {dataset.name!r} has no attribute: {'; '.join(map(str, no_attributes.values()))}")
    if not kept:
        raise InvalidInput(f"drop and groups must leave an attribute of data set {dataset.name!r}, but they leave none")
    X = dataset.X
    table = Table.build(X.values[:, kept], [X.categories[j] for j in kept], [X.names[j] for j in kept])
    gone = (*drop, *no_attributes)
    left = [f"without {', '.join(gone)}"] if gone else []
    left += [] if groups is None else [f"grouped by {groups}"]
    return replace(
        dataset, X=table, groups=grouped, decisions=(*dataset.decisions, *no_attributes.values()),
        hash=content_hash(table, dataset.y, dataset.classes, grouped),
        provenance=f"{dataset.provenance}; {', '.join(left)}",
    )  # fmt: skip


def listed(names: Sequence[str], parameter: str) -> Sequence[str]:
    """`names`, which must not be one text."""
    if isinstance(names, str):
        raise InvalidInput(f"{parameter} must be names of columns in a list, got the text {names!r}")
    return names


def _groups(dataset: Dataset, group: str) -> Labels:
    place = _place(dataset, group, "groups")
    values, categories = dataset.X.values[:, place], dataset.X.categories[place]
    missing = int(np.isnan(values).sum())
    if missing:
        raise InvalidInput(f"groups must be known for every row, but column {group!r} is empty in {missing} rows")
    return values.copy() if categories is None else np.array(categories)[values.astype(np.intp)]


def _place(dataset: Dataset, name: str, parameter: str) -> int:
    if name == dataset.target:
        raise InvalidInput(f"{parameter} can't be {name!r}, which is the target; give target (--target) another column")
    if name not in dataset.feature_names:
        known = ", ".join(dataset.feature_names[:30])
        raise InvalidInput(f"{parameter} must be a column of {dataset.name!r} ({known}), got {name!r}")
    return dataset.feature_names.index(name)
