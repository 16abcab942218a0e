"""Times as people write them, and the order that they give: numbers, dates, timestamps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array

TIME_NAMES = ("timestamp", "datetime", "date", "ds", "time", "period", "day", "week", "month", "quarter", "year")
"""What a column with the time of each row is called, the most precise first."""

_MONTH = re.compile(r"(\d{4})-(\d{1,2})$")
_QUARTER = re.compile(r"(\d{4})[ -]?[Qq]([1-4])$")
_QUARTER_FIRST = re.compile(r"[Qq]([1-4])[ /-]?(\d{4})$")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})\b(.*)$", re.DOTALL)
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})\b(.*)$", re.DOTALL)
_IN_WORDS = ("%b %Y", "%B %Y", "%d %b %Y", "%d %B %Y", "%d-%b-%Y", "%b %d, %Y", "%B %d, %Y")


def moments_in_time(times: Sequence[Any], name: str = "time") -> Array:
    """Numbers in the order of the times, equal exactly where the times are.

    Times are numbers, dates, timestamps, or text: numbers, ISO dates and times, year and month, year and quarter,
    31.1.2024, 1/31/2024 or 31/1/2024 where the days tell which or it makes no difference, and months in words.

    >>> moments_in_time(["10", "9"]).tolist()
    [10.0, 9.0]
    >>> bool(np.diff(moments_in_time(["2024-01-31", "2024-02-01 12:00"]))[0] > 0)
    True
    """
    times = _without_slashes(times)
    found = [_moment(one) for one in times]
    if None in found:
        bad = times[found.index(None)]
        raise InvalidInput(f"{name} must be numbers or dates such as 2024-01-31 on every row, got {str(bad)!r}")
    if len({kind for kind, _ in filter(None, found)}) > 1:
        raise InvalidInput(f"{name} must be all numbers or all dates, got both")
    return np.array([value for _, value in filter(None, found)])


def is_time(times: Sequence[Any]) -> bool:
    """Whether a column that is called like a time can order its rows.

    Dates can. Numbers can where they never fall, or where all are different whole numbers: the hour of a day, the day
    of a month and a run time in seconds are no order.
    """
    try:
        found = moments_in_time(times)
    except InvalidInput:
        return False
    if len(found) < 2 or (_moment(_without_slashes(times)[0]) or ("", 0.0))[0] == "date":
        return len(found) > 1
    whole = bool((found == np.floor(found)).all())
    return bool((np.diff(found) >= 0).all()) or (whole and len(np.unique(found)) == len(found))


def _moment(time: Any) -> tuple[str, float] | None:
    """Whether it is a number or a date, and where on its axis; None where it is neither."""
    if isinstance(time, np.datetime64):
        time = None if np.isnat(time) else time.astype("datetime64[us]").item()
    if isinstance(time, date) and time == time:  # what is not a time is not itself
        return "date", _seconds(time)
    if isinstance(time, (bool, np.bool_)) or time is None:
        return None
    try:
        value = float(time)
        return ("number", value) if np.isfinite(value) else None
    except (TypeError, ValueError):
        return _written(str(time).strip())


def _without_slashes(times: Sequence[Any]) -> Sequence[Any]:
    """1/31/2024 and 31/1/2024 as 2024-01-31, where all are written so and some day tells which of the two it is, or
    both readings give the same order.
    """
    parts = [_SLASHED.match(one.strip()) if isinstance(one, str) else None for one in times]
    if not parts or None in parts:
        return times
    first, second = ([int(part[place]) > 12 for part in parts if part] for place in (1, 2))
    read = {day: [_iso(part, day, 3 - day) for part in parts if part] for day in (1, 2)}
    if any(first) == any(second):
        orders = [np.unique(texts, return_inverse=True)[1].tolist() for texts in read.values()]
        if any(first) or orders[0] != orders[1]:
            return times  # nobody knows, or both
    return read[1 if any(first) else 2]


def _iso(found: re.Match[str], day: int, month: int) -> str:
    """A date in figures as 2024-01-31; of a year in two figures those from 70 on are of the last century."""
    year = found[3] if len(found[3]) == 4 else f"{19 if found[3] >= '70' else 20}{found[3]}"
    return f"{year}-{int(found[month]):02}-{int(found[day]):02}{found[4]}"


def _written(text: str) -> tuple[str, float] | None:
    text = text.replace("/", "-") if re.match(r"\d{4}/", text) else text
    if dotted := _DOTTED.match(text):
        text = _iso(dotted, 1, 2)
    if quarter := _QUARTER_FIRST.match(text):
        text = f"{quarter[2]}Q{quarter[1]}"
    if found := _MONTH.match(text) or _QUARTER.match(text):
        year, part = map(int, found.groups())
        month = part if _MONTH.match(text) else 3 * part - 2
        return ("date", _seconds(date(year, month, 1))) if 1 <= month <= 12 else None
    for form in ("", *_IN_WORDS):
        try:
            read = datetime.strptime(text, form).replace(tzinfo=UTC) if form else datetime.fromisoformat(text)
        except ValueError:
            continue
        return "date", _seconds(read)
    return None


def _seconds(day: date) -> float:
    moment = day if isinstance(day, datetime) else datetime(day.year, day.month, day.day)
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()
