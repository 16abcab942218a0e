"""What a reader of existing results must know, and what all of them need of JSON; readers are listed in `catalogue`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

from foldwise.core.errors import InvalidInput
from foldwise.reading.series import Series
from foldwise.reading.source import Source

ReadFile: TypeAlias = Callable[[Source, list[str]], Iterator[Series]]
ReadTogether: TypeAlias = Callable[[Sequence[Source], list[str], str | None], Iterator[Series]]


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
    recognises: Callable[[Source], bool]
    read_file: ReadFile | None = None  #: The series of one file
    #: The same of all files, where one tells something about others, by the metric that somebody asked for
    read_together: ReadTogether | None = None

    def read(self, sources: Sequence[Source], left_out: list[str], metric: str | None = None) -> Iterator[Series]:
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


def begins(source: Source, start: bytes, *names: str, early: Sequence[str] = ()) -> bool:
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


def json_lines(source: Source) -> Iterator[tuple[str, dict[str, Any]]]:
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
