"""Marks of two models in a file: rows are items, trials of items, or items under several seeds."""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.from_marks import UNNAMED_MARK, compare_marks
from foldwise.comparison.from_seeds import compare_seeds
from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.data.predictions import PredictionFile
from foldwise.evidence.mark_input import given_marks
from foldwise.evidence.missing import Policy

__all__ = ["MarkOptions", "holds_marks", "judge_mark_file", "marks_of"]


class MarkOptions(TypedDict, total=False):
    """How marks are read: what they measure, what is missing, what seeds mean."""

    metric: str | None
    higher_is_better: bool | None
    missing: Policy
    bounds: tuple[float, float]
    paired_seeds: bool


def holds_marks(file: PredictionFile) -> bool:
    """Whether the file's rows are marks, or trials or seeds whose answers become marks."""
    return not file.counts and (file.truth is None or file.items is not None or file.seeds is not None)


def judge_mark_file(
    file: PredictionFile,
    *,
    test: str = "auto",
    metric: str | None = None,
    higher_is_better: bool | None = None,
    missing: Policy = "refuse",
    bounds: tuple[float, float] | None = None,
    paired_seeds: bool = True,
    **options: Any,
) -> Comparison:
    """Compare the two models of a file of marks, or of labels whose rows are trials or seeds (1 where right).

    Parameters
    ----------
    file
        Two models; `items` names the item of each row where rows are trials, `seeds` their seeds.
    test, metric, higher_is_better, missing, bounds
        As in `compare_marks`; the metric of labels is their accuracy.
    paired_seeds
        Whether a seed means the same for both models.
    options
        alpha, rope, margin.
    """
    names = file.pair()
    a, b = (marks_of(file, name) for name in names)
    words: dict[str, Any] = {
        "test": test,
        "metric": metric or (UNNAMED_MARK if file.truth is None else "accuracy"),
        "higher_is_better": higher_is_better,
        "missing": missing,
        "bounds": bounds,
        "names": names,
        **options,
    }
    if file.seeds is None:
        human = file.human if set(names) <= set(file.human) else None
        return compare_marks(a, b, human=human, items=file.items, groups=file.groups, time=file.times, **words)
    if file.times is not None:
        raise InvalidInput(
            "time is for one training of each model, but rows have seeds: leave out --time or --seed-column"
        )
    groups = None if file.groups is None else _groups(file, file.groups)
    first, second = _table(file, a), _table(file, b)
    if not paired_seeds:  # a seed that only one model has
        first, second = (table[~np.isnan(table).all(axis=1)] for table in (first, second))
    return compare_seeds(first, second, paired=paired_seeds, groups=groups, **words)


def marks_of(file: PredictionFile, name: str) -> Any:
    """One column as marks; labels are right or wrong, an empty one is missing."""
    return file.column(name) if file.truth is None else _right(file.predictions[name], file.truth)


def _right(column: Categories, truth: Categories) -> Array:
    number = {label: code for code, label in enumerate(truth.labels)}
    codes = np.array([number.get(label, -1) for label in column.labels])[column.codes]
    gone = np.array([not label for label in column.labels])[column.codes]
    return np.where(gone, np.nan, codes == truth.codes)


def _groups(file: PredictionFile, groups: Categories) -> list[str]:
    """The cluster of each item, the same under every seed."""
    assert file.items is not None
    found: dict[int, int] = {}
    for item, group in zip(file.items.codes.tolist(), groups.codes.tolist(), strict=True):
        if found.setdefault(item, group) != group:
            raise InvalidInput(
                f"{file.source} must have an item in one cluster under every seed, but has item "
                f"{file.items.labels[item]} in {groups.labels[found[item]]} and in {groups.labels[group]}"
            )
    return [groups.labels[found[item]] for item in range(len(file.items.labels))]


def _table(file: PredictionFile, marks: Any) -> Array:
    """Marks as seeds × items; NaN where a seed was not marked on an item."""
    assert file.seeds is not None
    assert file.items is not None
    seeds, items = file.seeds, file.items
    place = seeds.codes.astype(np.int64) * len(items.labels) + items.codes
    counts = np.bincount(place, minlength=len(seeds.labels) * len(items.labels))
    if counts.max() > 1:
        seed, item = divmod(int(np.argmax(counts)), len(items.labels))
        raise InvalidInput(
            f"{file.source} must mark an item once under each seed, but has item {items.labels[item]} under seed "
            f"{seeds.labels[seed]} {counts.max()} times"
        )
    table = np.full(len(counts), np.nan)
    table[place] = given_marks(marks, "marks").values[:, 0]
    return table.reshape(len(seeds.labels), -1)
