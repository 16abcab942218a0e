"""Marks as people give them: arrays, words for right and wrong, or mappings from items to marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.categories import RIGHT, WRONG, Categories, no_number
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import coded, is_none
from foldwise.core.types import Array, Flags, Integers
from foldwise.core.validation import floats, missing_as_nan, moderate

MarksByItem: TypeAlias = Mapping[Any, ArrayLike]  # The mark, or the marks of several trials, of each item.


_WORDS = {word for word in RIGHT | WRONG if not word[0].isdigit()}
_LOOKED_AT = 100


_SCALES = (1.0, 100.0)  # What a right answer counts in the codings that people use: 0 and 1, 0 and 100.


def right_wrong_scale(values: ArrayLike) -> float | None:
    """What a right answer (or an error) counts where all values say right or wrong, in whatever coding; else None.

    >>> right_wrong_scale([0, 1, 1]), right_wrong_scale([0, 100]), right_wrong_scale([0, 0.5, 1])
    (1.0, 100.0, None)
    """
    array = np.asarray(values)
    return next((scale for scale in _SCALES if bool(((array == 0) | (array == scale)).all())), None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GivenMarks:
    values: Array  #: One row per item or trial, one column per trial that stands in the row
    gone: Flags  #: Where a mark is missing; what is only there to fill up a row of fewer trials is not missing


def given_marks(values: ArrayLike | Categories, name: str) -> GivenMarks:
    """Marks of shape (rows,) or (rows, trials); NaN is missing.

    >>> given_marks(["right", "wrong", None], "marks_a").values.tolist()
    [[1.0], [0.0], [nan]]
    """
    array = floats(missing_as_nan(_numbers(values, name)), name)
    if array.ndim not in (1, 2) or 0 in array.shape:
        raise InvalidInput(f"{name} must have shape (items,) or (items, trials), got {array.shape}")
    if np.isinf(array).any():
        where = np.argwhere(np.isinf(array))[0]
        raise InvalidInput(f"{name} must be finite, but {marks_place(name, where)} is {array[tuple(where)]:g}")
    moderate(array, name)
    # one order in memory, so that sums are the same to the last bit whoever made the array
    rows = np.ascontiguousarray(array[:, None] if array.ndim == 1 else array)
    return GivenMarks(values=rows, gone=np.isnan(rows))


def says_right(values: ArrayLike | Categories | MarksByItem) -> bool:
    """Whether marks say themselves which are right, as truth values or words do and the numbers 0 and 1 do not.

    >>> says_right(["pass", "fail"]), says_right([True, False]), says_right([1, 0])
    (True, True, False)
    """
    if isinstance(values, Mapping):
        return all(says_right(np.atleast_1d(np.asarray(mark))) for mark in islice(values.values(), 1))
    if isinstance(values, Categories):
        return any(str(label).lower() in _WORDS for label in values.labels)
    array = values if isinstance(values, np.ndarray) else np.asarray(_first(values))
    if array.dtype.kind not in "OUS":
        return array.dtype.kind == "b"
    return any(isinstance(value, bool) or str(value).lower() in _WORDS for value in array.ravel()[:_LOOKED_AT])


def _first(values: Any) -> Any:
    """The first of the values, or of their first row: rows may be of different lengths, which is refused elsewhere."""
    while isinstance(values, Sequence) and not isinstance(values, str) and len(values):
        values = values[0]
    return values


def paired_by_item(models: Mapping[str, MarksByItem]) -> tuple[list[Any], dict[str, GivenMarks]]:
    """The items of several mappings, those of the first one first, and the marks of each model on them.

    >>> items, marks = paired_by_item({"a": {"p": 1, "q": [0, 1]}, "b": {"q": 0.5}})
    >>> items, marks["a"].values.tolist(), marks["b"].gone.tolist()
    (['p', 'q'], [[1.0, nan], [0.0, 1.0]], [[True], [False]])
    """
    items = list(dict.fromkeys(item for marks in models.values() for item in marks))
    if not items:
        raise InvalidInput(f"{' and '.join(models)} must hold marks, got empty mappings")
    return items, {name: _of_mapping(marks, items, name) for name, marks in models.items()}


def marks_place(name: str, where: Integers) -> str:
    return f"{name}[{', '.join(str(int(i)) for i in where)}]"


def _of_mapping(marks: MarksByItem, items: list[Any], name: str) -> GivenMarks:
    found = [given_marks(np.atleast_1d(np.asarray(marks[item])), f"{name}[{item!r}]") if item in marks else None
             for item in items]  # fmt: skip
    longest = max((len(one.values) for one in found if one is not None), default=1)
    values, gone = np.full((len(items), longest), np.nan), np.zeros((len(items), longest), dtype=np.bool_)
    for row, one in enumerate(found):
        if one is None:
            gone[row, 0] = True
        else:
            values[row, : len(one.values)], gone[row, : len(one.values)] = one.values[:, 0], one.gone[:, 0]
    return GivenMarks(values=values, gone=gone)


def _numbers(values: ArrayLike | Categories, name: str) -> ArrayLike:
    """Words for right and wrong as 1 and 0; text that says nothing else than a number as that number."""
    if isinstance(values, np.ma.MaskedArray):
        return values
    array = values if isinstance(values, Categories) else _array(values, name)
    if isinstance(array, np.ndarray) and array.dtype.kind not in "OUS":
        return array
    distinct, (codes,) = coded(array if isinstance(array, Categories) else array.ravel())
    known = [_mark(value) for value in distinct]
    strange = [code for code, mark in enumerate(known) if mark is None]
    shape = np.shape(codes) if isinstance(array, Categories) else array.shape
    if strange:
        place = int(np.argmax(np.isin(codes, strange)))
        where = marks_place(name, np.array(np.unravel_index(place, shape)))
        raise InvalidInput(
            f"{name} must be numbers, or words for right and wrong, but {where} is {distinct[codes[place]]!s}: labels "
            "go with their truth to compare_predictions"
        )
    return np.array(known, dtype=np.float64)[codes].reshape(shape)


def _array(values: ArrayLike, name: str) -> np.ndarray[Any, np.dtype[Any]]:
    try:
        return np.asarray(values)
    except ValueError as error:
        raise InvalidInput(
            f"{name} must have equally many trials in each row: give unequal ones as a mapping from items to marks, or "
            "one row per trial with items naming the item"
        ) from error


def _mark(value: object) -> float | None:
    """One mark as a number; NaN where there is none, and None where it is no mark."""
    word = "" if is_none(value) else str(value).strip().lower()
    if no_number(word):
        return float("nan")
    if word in RIGHT or word in WRONG:
        return float(word in RIGHT)
    try:
        return float(word) if "_" not in word else None
    except ValueError:
        return None
