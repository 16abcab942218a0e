"""Differences as people write them: ``1pt``, ``1%``, ``0.01``. One reading for margins and regions at every door."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import TypeAlias

from foldwise.core.errors import InvalidInput
from foldwise.core.metric import UNNAMED, Unit, is_rate
from foldwise.core.validation import not_negative, positive

Amount: TypeAlias = float | str
"""A number in the metric's own unit, or a text with a unit: ``"1pt"``, ``"1 point"``, ``"1%"``."""

_WRITTEN = re.compile(r"(?P<number>[^a-z%]++)(?P<unit>pts?|points?|pp|%)?", flags=re.IGNORECASE)
_POINT: dict[Unit, float] = {"fraction": 0.01, "percent": 1.0}
_FULL: dict[Unit, float] = {"fraction": 1.0, "percent": 100.0}
_WIDER = ("kappa", "mcc", "r2", "mape", "smape", "wape", "wer", "cer", "ter")
"""Written as shares, but not bound to lie between 0 and 1."""

_UNNAMED = (UNNAMED, "mark")  # What scores and marks are called of which nobody said what they measure.


def check_amount(given: Amount, name: str, *, above: bool = False) -> tuple[float, bool]:
    """The number, and whether it counts points; refuses what is no amount, before anything is known of the metric.

    `above`: whether it must be above 0.

    >>> check_amount("1pt", "margin"), check_amount("0,5 %", "margin"), check_amount(0.01, "margin")
    ((1.0, True), (0.5, True), (0.01, False))
    """
    check = positive if above else not_negative
    if not isinstance(given, str):
        return check(given, name), False
    written = _WRITTEN.fullmatch(given.strip())
    try:
        number = float(given if written is None else written["number"].replace(",", "."))
    except ValueError:
        unit = "a share such as '90%'" if name == "bar" else "points such as '1pt'"
        raise InvalidInput(f"{name} must be a number, or {unit}, got {given!r}") from None
    return check(number, name), written is not None and written["unit"] is not None


def margin_in(
    given: Amount, *, metric: str, unit: Unit, means: Iterable[float] = (), largest: float | None = None
) -> float:
    """A margin in the metric's own unit; refused where every difference there can be lies within it.

    The `means` of the models and the `largest` difference there can be help to tell where they are known.

    >>> margin_in("1pt", metric="accuracy", unit="fraction"), margin_in("1%", metric="accuracy", unit="percent")
    (0.01, 1.0)
    >>> margin_in(1, metric="accuracy", unit="fraction")
    Traceback (most recent call last):
    ...
    foldwise.core.errors.InvalidInput: margin must be below 1, the whole range of accuracy, got 1: write '1pt' (--margin 1pt) for 1 point
    """  # noqa: E501 (a message as it is printed)
    check_amount(given, "margin", above=True)
    value = _value(given, "margin", metric, unit)
    full = largest if largest is not None else _full(metric, unit, tuple(means))
    return _within(value, full, given, "margin", metric, unit)


def _within(value: float, full: float | None, given: Amount, name: str, metric: str, unit: Unit) -> float:
    """The same, unless every difference there can be lies within it."""
    if full is not None and value >= full:
        raise InvalidInput(
            f"{name} must be below {full:g}, the whole range of {metric}, got {_as_given(given)}"
            + _meant(given, name, metric, unit)
        )
    return value


def rope_in(given: Amount | None, *, metric: str, unit: Unit) -> float:
    """The half-width of the region of practical equivalence in the metric's own unit: the one given, else one point.

    >>> rope_in(None, metric="accuracy", unit="fraction"), rope_in("2 points", metric="accuracy", unit="percent")
    (0.01, 2.0)
    """
    if given is None:
        return _POINT["percent"] if unit == "percent" else _POINT["fraction"]
    return _within(_value(given, "rope", metric, unit), _full(metric, unit, ()), given, "rope", metric, unit)


def level_in(given: Amount, name: str, *, metric: str, unit: Unit) -> float:
    """A value of the metric itself in its own unit: ``0.9``, ``"90 %"`` of a rate, ``-1.5``.

    >>> level_in("90%", "bar", metric="accuracy", unit="fraction"), level_in("-1.5", "bar", metric="r2", unit="own")
    (0.9, -1.5)
    """
    try:
        value = float(given)
    except ValueError:
        value = _value(given, name, metric, unit)
    if not math.isfinite(value):
        raise InvalidInput(f"{name} must be finite, got {given}")
    full = _full(metric, unit, ())
    if full is not None and not 0 < value < full:  # which every model reaches, or none
        bare = full < value < _FULL["percent"] and "%" not in str(given)
        meant = f": write '{value:g}%'" if bare else ""
        raise InvalidInput(
            f"{name} must lie between 0 and {full:g}, the ends of {metric}, got {_as_given(given)}{meant}"
        )
    return value


def _value(given: Amount, name: str, metric: str, unit: Unit) -> float:
    number, points = check_amount(given, name)
    if not points:
        return number
    point = _POINT.get(unit) or (_POINT["fraction"] if is_rate(metric) else None)
    if point is None:
        called = "a score without a name" if metric == UNNAMED else metric
        raise InvalidInput(
            f"{name} in points is for rates, but {called} is measured in its own unit: write the number alone, got "
            f"{given!r}"
        )
    return round(number * point, 15)  # 0.1 × 3 is 0.3 to the person who wrote it


def _full(metric: str, unit: Unit, means: tuple[float, ...]) -> float | None:
    """The difference between the best and the worst value there can be: of a rate, or where all seem to be shares."""
    shares = all(0 <= mean <= 1 for mean in means)
    if unit == "own" and metric in _UNNAMED:
        return _FULL["fraction"] if means and shares else None
    words = metric.lower().replace("_", " ").split()
    if any(word in _WIDER for word in words) or (unit == "own" and not (is_rate(metric) and shares)):
        return None
    return _FULL.get(unit, _FULL["fraction"])


def _as_given(given: Amount) -> str:
    return repr(given) if isinstance(given, str) else f"{given:g}"


def _meant(given: Amount, name: str, metric: str, unit: Unit) -> str:
    """The spelling that a bare number was probably meant to have."""
    number, points = check_amount(given, name)
    if points or unit == "percent" or number >= 100:
        return ""
    if unit == "own" and metric in _UNNAMED:
        return f": write {number / 100:g} for a hundredth of that, or name the metric (--metric) if its range is wider"
    return f": write '{number:g}pt' (--{name} {number:g}pt) for {number:g} point{'s' * (number != 1)}"
