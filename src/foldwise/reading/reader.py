"""What a reader of existing results is, and what all need: JSON, and collecting values of items; see `catalogue`."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, TypeAlias, TypeGuard

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.reading.series import ItemRows, Series
from foldwise.reading.source import SourceFile

ReadFile: TypeAlias = Callable[[SourceFile, list[str]], Iterator[Series]]
ReadTogether: TypeAlias = Callable[[Sequence[SourceFile], list[str], str | None], Iterator[Series]]


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads one format.

    It never executes what it reads, opens no file but those it is given, keeps only what a comparison needs, and takes
    time and memory in proportion to its files. Bad content ends in one sentence that names file, rule and value. What
    the files hold and no series does is added to the list that it is given, a sentence each.
    """

    name: str  #: What people call the format
    says: str  #: How such files look, for the list of formats
    #: Whether a file is of this format, by its name and how it begins; cheap, and never an error
    recognises: Callable[[SourceFile], bool]
    read_file: ReadFile | None = None  #: The series of one file
    #: The same of all files, where one tells something about others, by the metric that somebody asked for
    read_together: ReadTogether | None = None

    def read(self, sources: Sequence[SourceFile], left_out: list[str], metric: str | None = None) -> Iterator[Series]:
        """The series in all files of this format."""
        if self.read_together is not None:
            return self.read_together(sources, left_out, metric)
        assert self.read_file is not None
        one = self.read_file
        return chain.from_iterable(one(source, left_out) for source in sources)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was found in files."""

    series: tuple[Series, ...]  #: The values, one model, task and metric each
    formats: dict[str, int]  #: The formats of the files, with how many there are of each
    left_out: tuple[str, ...] = ()  #: Sentences on what the files hold and no series does
    passed_over: tuple[str, ...] = ()  #: Files of no known format


EARLY = 400  # Characters at the beginning of a file in which the first names stand.


def begins(source: SourceFile, start: bytes, *names: str, early: Sequence[str] = ()) -> bool:
    """Whether a file is JSON that begins so and has these names in its head, some of them early."""
    head = source.head.lstrip()
    named = all(f'"{name}"'.encode() in head for name in names)
    return head[:1] == start and named and all(f'"{name}"'.encode() in head[:EARLY] for name in early)


_BEGIN = re.compile(r"\s*\[\s*(?P<end>\]?)")
_THEN = re.compile(r"\s*(?P<end>[,\]])\s*")
_decode_at = json.JSONDecoder().raw_decode


def json_object(text: str | bytes, where: str) -> dict[str, Any]:
    """A JSON object, or a sentence on what is there instead; Python's NaN is taken."""
    found = _json(text, where)
    if not isinstance(found, dict):
        raise InvalidInput(f"{where} must be a JSON object, got {type(found).__name__}")
    return found


def json_list(text: str | bytes, where: str) -> list[Any]:
    """A JSON list, or a sentence on what is there instead."""
    found = _json(text, where)
    if not isinstance(found, list):
        raise InvalidInput(f"{where} must be a JSON list, got {type(found).__name__}")
    return found


def json_lines(source: SourceFile) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects in the lines that are not blank, each with what messages call its place."""
    for number, text in enumerate(source.lines(), start=1):
        if text.strip():
            yield (where := f"{source.name}, line {number}"), json_object(text, where)


def json_items(content: bytes, where: str) -> Iterator[Any]:
    """The items of a JSON list, one after the other, so that they are never all in memory; errors as `json_list`'s."""
    try:
        text = content.decode("utf-8")
        begin = _BEGIN.match(text)
        if begin is None or begin["end"]:
            yield from json_list(text, where)
            return
        then: re.Match[str] | None = begin
        while then is not None and then.end() < len(text) and then["end"] != "]":
            item, place = _decode_at(text, then.end())
            yield item
            then = _THEN.match(text, place)
        if then is None or then["end"] != "]" or then.end() < len(text):
            raise ValueError  # noqa: TRY301 (said below, as any other damage is)
    except (ValueError, RecursionError):
        json_list(content, where)  # which says what is wrong
        raise


def _json(text: str | bytes, where: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it is nested too deeply or no UTF-8"
        raise InvalidInput(f"{where} must be whole JSON, but it is cut off or damaged: {reason}") from None


# ---- Values of items on their way from the lines of a log to series.


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
                rows=ItemRows(
                    keys=column.keys, trials=column.trials if repeated else None,
                    contents=column.contents if len(column.contents) == n else None, clusters=column.clusters,
                ),
                values=np.array(column.values),
                higher_is_better=(higher or {}).get(metric),
                missing=dict(column.missing),
                settings=settings or {},
                source=source,
            )  # fmt: skip


def columns_by_fold(header: Iterable[str], *patterns: re.Pattern[str]) -> dict[str, list[tuple[int, str]]]:
    r"""By metric the folds and the columns that hold them, in order; `patterns` have groups fold… and metric….

    >>> columns_by_fold(["auc_2", "auc_1"], re.compile(r"(?P<metric>.+)_(?P<fold>\d)"))
    {'auc': [(1, 'auc_1'), (2, 'auc_2')]}
    """
    found: dict[str, list[tuple[int, str]]] = {}
    for name in header:
        match = next((hit for pattern in patterns if (hit := pattern.fullmatch(name))), None)
        if match is not None:
            told = {group: value for group, value in match.groupdict().items() if value}
            metric = next((value for group, value in told.items() if group.startswith("metric")), "score")
            fold = next(value for group, value in told.items() if group.startswith("fold"))
            found.setdefault(metric, []).append((int(fold), name))
    return {metric: sorted(columns) for metric, columns in found.items()}


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether it is a number and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_label(value: object) -> bool:
    """Whether it can say which items belong together."""
    return isinstance(value, str | int) and not isinstance(value, bool)
