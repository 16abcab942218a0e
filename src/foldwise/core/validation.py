"""Input checks whose messages name the parameter, the rule and the offending value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.types import Array, Flags

LARGEST = 1e100  # The largest number whose square, times any number of examples, is still a number.


def numbers(
    value: ArrayLike, name: str, *, min_ndim: int = 0, above: float | None = None, least: float | None = None
) -> Array:
    """Return `value` as a float64 array, refusing text, NaN and infinities with their position, and what is too small.

    >>> numbers([1, 2], "x")
    array([1., 2.])
    """
    array = floats(value, name)
    finite = np.isfinite(array)
    if not finite.all():
        raise InvalidInput(_first_bad(array, ~finite, name, "must be finite"))
    if array.ndim < min_ndim:
        raise InvalidInput(f"{name} must have at least {min_ndim} axes, got shape {array.shape}")
    if above is not None and (array <= above).any():
        raise InvalidInput(f"{name} must be above {above:g}, got {array[array <= above].flat[0]:g}")
    if least is not None and (array < least).any():
        raise InvalidInput(f"{name} must be at least {least:g}, got {array[array < least].flat[0]:g}")
    return array


def floats(value: ArrayLike, name: str) -> Array:
    """Return `value` as a float64 array, refusing text and masked values; NaN and infinities pass.

    >>> floats([1, None], "x")
    array([ 1., nan])
    """
    unmasked(value, name)
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{name} must be an array of numbers of one shape: {error}") from error


def unmasked(value: object, name: str) -> None:
    """Refuse masked values, whose mask NumPy would drop in silence and with it what was to be left out.

    >>> unmasked(np.ma.array([1, 2], mask=[False, False]), "x")
    """
    if isinstance(value, (list, tuple)):
        nested = (np.ma.MaskedArray, list, tuple)
        if any(issubclass(kind, nested) for kind in set(map(type, value))):
            for part in value:
                if isinstance(part, nested):
                    unmasked(part, name)
    elif isinstance(value, np.ma.MaskedArray) and np.ma.getmaskarray(value).any():
        where = ", ".join(str(int(i)) for i in np.argwhere(np.ma.getmaskarray(value))[0])
        place = f"[{where}]" if where else ""
        raise InvalidInput(f"{name} must not have masked values, but {name}{place} is masked: leave such entries out")


def missing_as_nan(value: ArrayLike) -> ArrayLike:
    """A masked array of numbers with NaN where it is masked, for those who know missing values; others unchanged."""
    return np.ma.filled(value.astype(np.float64), np.nan) if isinstance(value, np.ma.MaskedArray) else value


def moderate(array: Array, name: str) -> None:
    """Refuse numbers whose squares could not be added up; NaN passes.

    >>> moderate(np.array([0.5, 1e9]), "scores")
    """
    bad = np.abs(array) > LARGEST
    if bad.any():
        raise InvalidInput(_first_bad(array, bad, name, f"must be at most {LARGEST:g} in size"))


def not_vanishing(*arrays: Array, name: str) -> None:
    """Refuse numbers whose squares would all vanish, unless all of them are 0; NaN passes.

    >>> not_vanishing(np.array([1e-9, 0.0]), np.zeros(2), name="scores")
    """
    size = max(float(np.nanmax(np.abs(array), initial=0.0)) for array in arrays)
    if 0 < size < 1 / LARGEST:
        raise InvalidInput(f"{name} must not all be below {1 / LARGEST:g} in size, got {size:g}: take a larger unit")


def counts(value: ArrayLike, name: str) -> Array:
    """Return `value` as float64 counts: finite, whole and not negative.

    >>> counts(3, "errors")
    array(3.)
    """
    array = numbers(value, name)
    bad = (array < 0) | (array != np.floor(array))
    if bad.any():
        raise InvalidInput(_first_bad(array, bad, name, "must be whole numbers of at least 0"))
    return array


def fraction(value: float, name: str, *, closed: bool = False) -> float:
    """Return `value` as a float strictly between 0 and 1 (or from 0 to 1 when `closed`).

    >>> fraction(0.05, "alpha")
    0.05
    """
    number = _number(value, name)
    if not (0 < number < 1 or (closed and number in (0.0, 1.0))) or (number > 0 and 1 - number == 1):
        rule = "from 0 to 1" if closed else "strictly between 0 and 1"
        meant = f": {number:g} % is {number / 100:g}" if 1 < number < 100 else ""
        raise InvalidInput(f"{name} must be {rule}, got {value!r}{meant}")
    return number


def positive(value: float, name: str) -> float:
    """Return `value` as a finite float above 0.

    >>> positive(2, "n_train")
    2.0
    """
    number = _number(value, name)
    if not (np.isfinite(number) and number > 0):
        raise InvalidInput(f"{name} must be a number above 0, got {value!r}")
    return number


def not_negative(value: float, name: str) -> float:
    """Return `value` as a finite float of at least 0.

    >>> not_negative(0.01, "rope")
    0.01
    """
    number = _number(value, name)
    if not (np.isfinite(number) and number >= 0):
        raise InvalidInput(f"{name} must be a number of at least 0, got {value!r}")
    return number


def integer(value: object, name: str, *, minimum: int) -> int:
    """Return `value` as an int of at least `minimum`.

    >>> integer(10, "folds", minimum=2)
    10
    """
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < minimum:
        raise InvalidInput(f"{name} must be a whole number of at least {minimum}, got {value!r}")
    return int(value)


def flag(value: object, name: str) -> bool:
    """Return `value` as a bool, refusing what is not True, False, 1 or 0: the text "no" would count as True.

    >>> flag(True, "pruned")
    True
    """
    if not isinstance(value, (bool, np.bool_, int, np.integer)) or value not in (0, 1):
        raise InvalidInput(f"{name} must be True or False, got {value!r}")
    return bool(value)


def one_order(**given: object) -> None:
    """Refuse pandas objects whose indices hold the same labels in another order: rows are paired by their place."""
    indices = {name: getattr(one, "index", None) for name, one in given.items()}
    indexed: dict[str, Any] = {name: index for name, index in indices.items() if hasattr(index, "get_indexer")}
    for (first, index), (name, other) in zip(indexed.items(), list(indexed.items())[1:], strict=False):
        if len(index) == len(other) and not index.equals(other) and set(index) == set(other):
            raise InvalidInput(
                f"rows are paired by their place, but {name} has the index of {first} in another order: sort them "
                "alike (sort_index), or give arrays (to_numpy)"
            )


def one_of(value: str, name: str, allowed: Iterable[str]) -> str:
    """Return `value` if it is among `allowed`; otherwise suggest the nearest.

    >>> one_of("exact", "method", ["exact", "midp"])
    'exact'
    """
    names = list(allowed)
    if value not in names:
        raise UnknownName(name, value, names)
    return value


def _number(value: float, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{name} must be a number, got {value!r}") from error


def _first_bad(array: Array, bad: Flags, name: str, rule: str) -> str:
    where = tuple(int(i) for i in np.argwhere(bad)[0])
    place = f"{name}[{', '.join(map(str, where))}]" if where else name
    return f"{name} {rule}, but {place} is {array[where]:g}"


MOST_MODELS = 2000  # How many are compared at once: their pairs take a few gigabytes and a minute or two.


def few_enough(names: Sequence[str], kind: str = "models") -> None:
    """Refuse more models than can be compared, pair by pair.

    >>> few_enough(["a", "b"])
    """
    if len(names) > MOST_MODELS:
        raise InvalidInput(
            f"{kind} must be at most {MOST_MODELS:,} to be compared with each other, got {len(names):,} ({names[0]}, "
            f"{names[1]} …); choose some of them"
        )
