"""Logs of inspect_ai, in ``.eval`` (an archive) and ``.json``; openbench and inspect_evals write the same.

Of an archive only the header and the summaries are unpacked, which have all that a comparison needs; a run that was
killed has its journal only. Epochs are trials of an item. A score of NaN is unscored, and an error is no wrong answer.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from foldwise.core.errors import InvalidInput, LimitExceeded, MissingDependency
from foldwise.reading.reader import Collector, Reader, begins, is_number, json_items, json_object
from foldwise.reading.series import Series
from foldwise.reading.source import SourceFile, read_within

_WORDS = {"c": 1.0, "p": 0.5, "i": 0.0, "n": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
"""Inspect's own letters and words for values; other text is refused, where inspect takes it for 0."""
_SUMMARIES = re.compile(r"_journal/summaries/(\d+)\.json")

MOST_MEMBER = 1 << 30  # Bytes that one member of an archive may unpack to.

MOST_MEMBER_BYTES = 2 << 30  # Bytes that all members that are read may unpack to.

_ZSTANDARD, _LOCAL_HEADER = 93, 30
_BROKEN = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, struct.error)


class _Archive:
    """A ZIP archive that is read member by member, also if by Zstandard, which Python's zipfile knows from 3.14 on."""

    def __init__(self, source: SourceFile) -> None:
        self._source, self._raw, self._left = source, source.content(), MOST_MEMBER_BYTES
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(self._raw))
        except zipfile.BadZipFile as error:
            raise InvalidInput(
                f"{source.name} must be a whole archive, but it is cut off or damaged: {error}"
            ) from None
        self.names = tuple(self._zip.namelist())

    def read(self, name: str) -> bytes:
        member, most = self._zip.getinfo(name), min(MOST_MEMBER, self._left)
        try:
            if member.file_size > most:
                content = None  # what it says is enough
            elif member.compress_type == _ZSTANDARD:
                content = self._unpack(member, most)
            else:
                with self._zip.open(member) as file:
                    content = file.read(most + 1)
        except _BROKEN as error:
            raise InvalidInput(f"{self._source.name}: {name} can't be unpacked: {error}") from None
        if content is None or len(content) > most:
            raise LimitExceeded(f"{self._source.name}: {name} unpacks to more than {most >> 20:,} MB, the limit")
        self._left -= len(content)
        return content

    def _unpack(self, member: zipfile.ZipInfo, most: int) -> bytes | None:
        """All frames of a Zstandard stream, which may follow each other; None where they are more than `most` bytes."""
        try:
            import zstandard
        except ImportError:
            raise MissingDependency(
                f"{self._source.name} is compressed by Zstandard, and reading it (without inspect log convert FILE "
                "--to json)",
                "logs",
            ) from None
        # the bytes stand behind the local header, whose two last fields are lengths
        begin = member.header_offset + _LOCAL_HEADER
        begin += sum(struct.unpack("<HH", self._raw[begin - 4 : begin]))
        packed = io.BytesIO(self._raw[begin : begin + member.compress_size])
        try:
            with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as stream:
                return read_within(stream, most)
        except zstandard.ZstdError as error:
            raise InvalidInput(f"{self._source.name} has a damaged member: {error}") from None


def _recognises(source: SourceFile) -> bool:
    """An archive that names its journal first, or a log's first keys."""
    if source.head.startswith(b"PK\x03\x04"):
        return source.stem.endswith(".eval")
    return begins(source, b"{", early=["eval", "status"])


def _log(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    samples: Iterable[Any]
    if source.head.startswith(b"PK"):
        header, samples = _archived(source)
    else:
        header = json_object(source.content(), source.name)
        samples = header.get("samples") or []
    status = header.get("status", "started")
    if status != "success":
        left_out.append(f"{source.name}: the run ended as '{status}', what it finished is taken")
    if header.get("invalidated"):
        left_out.append(f"{source.name} is marked as invalidated and was passed over")
    else:
        yield from _series(source, header.get("eval") or {}, samples)


READER = Reader("inspect_ai", ".eval and .json logs, also of openbench and inspect_evals", _recognises, _log)


def _archived(source: SourceFile) -> tuple[dict[str, Any], Iterator[Any]]:
    archive, where = _Archive(source), source.name
    if "header.json" in archive.names and "summaries.json" in archive.names:
        return json_object(archive.read("header.json"), where), json_items(archive.read("summaries.json"), where)
    if "_journal/start.json" not in archive.names:
        raise InvalidInput(f"{where} must have a header or a journal, as logs of inspect_ai do, got neither")
    parts = sorted((int(found[1]), name) for name in archive.names if (found := _SUMMARIES.fullmatch(name)))
    samples = (sample for _, name in parts for sample in json_items(archive.read(name), where))
    return json_object(archive.read("_journal/start.json"), where), samples


def _series(source: SourceFile, settings: Mapping[str, Any], samples: Iterable[Any]) -> Iterator[Series]:
    found = Collector()
    for sample in samples:
        if not isinstance(sample, dict) or "id" not in sample:
            raise InvalidInput(f"{source.name} must have an id for every sample, got {str(sample)[:60]!r}")
        key, failed = str(sample["id"]), sample.get("error") is not None
        place: dict[str, Any] = {
            "trial": str(sample.get("epoch", 1)),
            "content": _text(sample.get("target")),
            "clusters": sample.get("metadata") if isinstance(sample.get("metadata"), dict) else {},
            "reason": "ended in an error" if failed else "not scored",
        }
        for scorer, score in (sample.get("scores") or {}).items():
            value = score.get("value") if isinstance(score, dict) else score
            # where a score is an object, its keys are metrics of this scorer
            for part, one in value.items() if isinstance(value, dict) else [("", value)]:
                number = _number(one, source.name)
                found.add(part or scorer, key, None if failed else number, variant=scorer * bool(part), **place)
        for metric, number in _spent(sample).items():
            found.add(metric, key, None if failed else number, **place)
        if failed:
            found.fail(key, **place)
    yield from found.series(
        model=str(settings.get("model", source.stem)), task=str(settings.get("task", "")), source=source.name,
        settings=_settings(settings),
    )  # fmt: skip


def _spent(sample: Mapping[str, Any]) -> dict[str, float]:
    """Cost, tokens of all models together, and seconds of a sample, as far as they were noted."""
    usage = sample.get("model_usage")
    parts = [one for one in usage.values() if isinstance(one, dict)] if isinstance(usage, dict) else []
    found = {"total_time": sample.get("total_time")}
    for metric, name in (("cost", "total_cost"), ("tokens", "total_tokens")):
        known: list[Any] = [one.get(name) for one in parts]
        found[metric] = sum(known) if known and all(map(is_number, known)) else None
    return {metric: float(value) for metric, value in found.items() if is_number(value)}


def _number(value: object, where: str) -> float | None:
    if value is None or isinstance(value, list):
        return None
    if isinstance(value, int | float):  # a truth value too
        return float(value)
    text = str(value).strip().lower()
    if text in _WORDS:
        return _WORDS[text]
    try:
        return float(text)
    except ValueError:
        raise InvalidInput(f"{where} must have scores that are numbers or C, P, I, N, yes, no, got {value!r}") from None


def _settings(settings: Mapping[str, Any]) -> dict[str, str]:
    """What decides whether two models were asked alike, and what tells two runs of one model apart."""
    config = settings.get("config") or {}
    found = {
        "solver": settings.get("solver"), "task_version": settings.get("task_version"),
        "task_args": settings.get("task_args") or None, "dataset": (settings.get("dataset") or {}).get("name"),
        "limit": config.get("limit"), "epochs": config.get("epochs"),
        "inspect_ai": (settings.get("packages") or {}).get("inspect_ai"),
        "generate": settings.get("model_generate_config") or None,
    }  # fmt: skip
    return {key: _text(value) for key, value in found.items() if value is not None}


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
