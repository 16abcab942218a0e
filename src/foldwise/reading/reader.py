"""What a reader of existing results must know; one file per format, registered in `catalogue`."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from foldwise.core.errors import InvalidInput
from foldwise.reading.series import Series
from foldwise.reading.source import Source

_BEGIN = re.compile(r"\s*\[\s*(?P<end>\]?)")
_THEN = re.compile(r"\s*(?P<end>[,\]])\s*")
_decode_at = json.JSONDecoder().raw_decode


class Reader(ABC):
    """Reads one format.

    It never executes what it reads, opens no file but those it is given, keeps only what a comparison needs, and takes
    time and memory in proportion to its files. Bad content ends in one sentence that names file, rule and value.
    """

    name: ClassVar[str]
    """What people call the format."""
    says: ClassVar[str]
    """How such files look, for the list of formats."""

    @abstractmethod
    def recognises(self, source: Source) -> bool:
        """Whether the file is of this format, by its name and how it begins; cheap, and never an error."""

    def asked(self, metric: str | None) -> Reader:
        """The reader for this metric, where what it computes depends on it."""
        return self

    @abstractmethod
    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """The series in all files of this format: some formats tell the direction in one and the values in another.

        What the files hold and no series does is added to `left_out`, a sentence each.
        """


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
