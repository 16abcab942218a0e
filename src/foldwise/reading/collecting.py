"""Values of items on their way from the lines of a log to series."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard

import numpy as np

from foldwise.reading.series import Items, Series

NAN = float("nan")


@dataclass(slots=True)
class _Column:
    """The rows of one series."""

    keys: list[str] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    trials: list[str] = field(default_factory=list)
    contents: list[str] = field(default_factory=list)
    clusters: dict[str, list[str]] = field(default_factory=dict)
    missing: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Collector:
    """Collects the items of one model and task, by metric and variant."""

    columns: dict[tuple[str, str], _Column] = field(default_factory=dict)
    failed: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def add(
        self, metric: str, key: str, value: float | None, *, variant: str = "", trial: str | None = None,
        content: str | None = None, clusters: Mapping[str, object] | None = None, reason: str = "not scored",
    ) -> None:  # fmt: skip
        """Add the value of an item; None or NaN is a missing value, for `reason`."""
        column = self.columns.get((metric, variant))
        if column is None:
            offered: dict[str, list[str]] = {name: [] for name, label in (clusters or {}).items() if is_label(label)}
            column = self.columns[metric, variant] = _Column(clusters=offered)
        column.keys.append(key)
        number = NAN if value is None else float(value)
        column.values.append(number)
        if number != number:
            column.missing[reason] += 1
        if trial is not None:
            column.trials.append(trial)
        if content is not None:
            column.contents.append(content)
        if column.clusters:
            for name, labels in column.clusters.items():
                labels.append(str((clusters or {}).get(name, "")))

    def extend(
        self, metric: str, keys: Sequence[str], values: Iterable[float], *, variant: str, contents: Iterable[str],
        clusters: Mapping[str, Sequence[str]],
    ) -> None:  # fmt: skip
        """Add many values that are there, of items without trials."""
        column = self.columns.get((metric, variant))
        if column is None:
            column = self.columns[metric, variant] = _Column(clusters={name: [] for name in clusters})
        column.keys.extend(keys)
        column.values.extend(values)
        column.contents.extend(contents)
        for name, labels in column.clusters.items():
            labels.extend(clusters.get(name, [""] * len(keys)))

    def fail(self, key: str, **place: Any) -> None:
        """Remember an item that ended in an error, perhaps before it had a score: it is missing by every metric."""
        self.failed.append((key, place))

    def number_repeated(self) -> None:
        """Make the occurrence part of a key that is there again: the same document may stand twice in a data set."""
        for column in self.columns.values():
            if len(set(column.keys)) == len(column.keys):
                continue
            times: Counter[str] = Counter()
            for row, key in enumerate(column.keys):
                times[key] += 1
                if times[key] > 1:
                    column.keys[row] = f"{key}#{times[key]}"

    def series(
        self, *, model: str, source: str, task: str = "", settings: Mapping[str, str] | None = None,
        higher: Mapping[str, bool | None] | None = None,
    ) -> Iterator[Series]:  # fmt: skip
        """One series per metric and variant; `higher` is the direction by metric."""
        for (metric, variant), column in self.columns.items():
            if self.failed:
                trials = column.trials if len(column.trials) == len(column.keys) else [""] * len(column.keys)
                there = set(zip(column.keys, trials, strict=True))
                for key, place in self.failed:
                    if (key, place.get("trial") or "") not in there:
                        self.add(metric, key, None, variant=variant, **place)
            n = len(column.keys)
            # one trial of every item is none; a column that only some rows have proves nothing
            repeated = len(column.trials) == n and len(set(column.trials)) > 1
            yield Series(
                model=model,
                task=task,
                metric=metric,
                variant=variant,
                rows=Items(
                    keys=column.keys, trials=column.trials if repeated else None,
                    contents=column.contents if len(column.contents) == n else None, clusters=column.clusters,
                ),
                values=np.array(column.values),
                higher_is_better=(higher or {}).get(metric),
                missing=dict(column.missing),
                settings=settings or {},
                source=source,
            )  # fmt: skip


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether it is a number and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_label(value: object) -> bool:
    """Whether it can say which items belong together."""
    return isinstance(value, str | int) and not isinstance(value, bool)
