"""Rows that may be several things: what a person says they are, or a sentence that asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from foldwise.core.errors import InvalidInput, parameter, spoken
from foldwise.core.replicates import refuse_repeated
from foldwise.data.sheet import some_names
from foldwise.reading.series import READINGS, Items, Labelled, Series, Splits, Whole

__all__ = ["settle"]


def settle(series: Sequence[Series], rows: str | None) -> tuple[list[Series], list[str]]:
    """Series whose rows are one thing, and sentences on those that could not be settled.

    Parameters
    ----------
    series
        As they were read.
    rows
        What rows are where the file does not tell, of `READINGS`; None if nobody said.
    """
    settled: list[Series] = []
    unsettled: dict[tuple[str, str], Series] = {}
    for one in series:
        if not isinstance(one.rows, Labelled):
            settled.append(one)
        elif len(one.rows.readings) == 1:
            settled.extend(_as(one, one.rows, one.rows.readings[0]))
        elif rows is None:
            unsettled.setdefault((one.source, one.metric), one)
        elif rows not in one.rows.readings:
            known = [name for name in one.rows.readings if name in READINGS]
            raise InvalidInput(f"rows of {one.source} must be one of {', '.join(known)}, got {rows!r}")
        else:
            settled.extend(_as(one, one.rows, rows))
    asked = [_question(one) for one in unsettled.values()]
    if asked and not settled:
        raise InvalidInput(asked[0])
    return settled, [spoken(question, "command") for question in asked]


def _question(one: Series) -> str:
    assert isinstance(one.rows, Labelled)
    if "models" in one.rows.readings:
        return (
            f"{one.source} has one row per model; its columns ({some_names(one.rows.labels)}) may be data sets.\n"
            f"If so, say {parameter('rows', 'models')}. If they are metrics, one value per model says nothing about "
            "its spread: items, folds or data sets are needed in rows"
        )
    first, *others = (f"{READINGS[name]} ({parameter('rows', name)})" for name in one.rows.readings)
    told = ", ".join(map(repr, list(one.rows.labels)[:3]))
    choice = "".join([first, *(f", or {other}" for other in others)])
    return f"{one.source}: the rows of {one.metric} ({told} …) may be {choice}"


def _as(one: Series, rows: Labelled, reading: str) -> Iterator[Series]:
    if reading == "items":
        yield replace(one, rows=Items(keys=rows.labels, clusters=rows.clusters, group=rows.group, times=rows.times))
    elif reading == "splits":
        yield replace(one, rows=Splits(folds=rows.labels))
    elif reading == "last":
        yield replace(one, rows=Whole(), values=one.values[-1:], missing={})
    else:
        refuse_repeated(rows.labels, one.source)
        for label, value in zip(rows.labels, one.values.tolist(), strict=True):
            yield replace(one, task=label, rows=Whole(), values=np.array([value]))
