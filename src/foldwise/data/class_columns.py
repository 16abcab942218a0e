"""Columns of a prediction file that together are one model: its score of each class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from foldwise.core.types import Array
from foldwise.data.sheet import Sheet

__all__ = ["ClassColumns", "class_columns", "class_scores"]

ClassColumns = dict[str, str]
"""Per class of the truth, the column with its score."""

SEPARATORS = (":", "_")
"""What stands between the model and the class in a column's name."""


def class_columns(classes: Iterable[str], columns: Iterable[str]) -> dict[str, ClassColumns]:
    """The models that have a column ``model:class`` or ``model_class`` for every class of the truth.

    Parameters
    ----------
    classes
        The labels of the truth.
    columns
        Names of the columns that may be a model's.

    Examples
    --------
    >>> class_columns(["no", "yes"], ["nb:no", "nb:yes", "tree", "old_yes"])
    {'nb': {'no': 'nb:no', 'yes': 'nb:yes'}}
    """
    wanted = sorted(classes)
    names = list(columns)
    found: dict[str, ClassColumns] = {}
    for separator in SEPARATORS if len(wanted) > 1 else ():
        endings = {f"{separator}{label}" for label in wanted}
        starts = {name.removesuffix(end) for name in names for end in endings if name.endswith(end) and name != end}
        for start in starts:
            parts = {label: f"{start}{separator}{label}" for label in wanted}
            if start not in found and set(parts.values()) <= set(names):
                found[start] = parts
    first = {model: min(names.index(column) for column in parts.values()) for model, parts in found.items()}
    return {model: found[model] for model in sorted(found, key=first.__getitem__)}


def class_scores(sheet: Sheet, columns: Mapping[str, str]) -> Array:
    """The scores of one model, a column for each class in the order of the labels."""
    return np.column_stack([sheet.numbers(columns[label]) for label in sorted(columns)])
