"""Logs of inspect_ai, in ``.eval`` (an archive) and ``.json``; openbench and inspect_evals write the same.

Of an archive only the header and the summaries are unpacked, which have all that a comparison needs; a run that was
killed has its journal only. Epochs are trials of an item. A score of NaN is unscored, and an error is no wrong answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from foldwise.core.errors import InvalidInput
from foldwise.reading.archives import Archive
from foldwise.reading.collecting import Collector
from foldwise.reading.reader import Reader, json_items, json_object
from foldwise.reading.series import Series
from foldwise.reading.source import Source

_WORDS = {"c": 1.0, "p": 0.5, "i": 0.0, "n": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
"""Inspect's own letters and words for values; other text is refused, where inspect takes it for 0."""
_SUMMARIES = re.compile(r"_journal/summaries/(\d+)\.json")


class InspectAI(Reader):
    """inspect_ai."""

    name = "inspect_ai"
    says = ".eval and .json logs, also of openbench and inspect_evals"

    def recognises(self, source: Source) -> bool:
        """An archive that names its journal first, or a log's first keys."""
        head = source.head
        if head.startswith(b"PK\x03\x04"):
            return source.stem.endswith(".eval")
        return head.lstrip()[:1] == b"{" and b'"eval"' in head[:400] and b'"status"' in head[:400]

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """One series per log and score."""
        for source in sources:
            header, samples = _archived(source) if source.head.startswith(b"PK") else _plain(source)
            status = header.get("status", "started")
            if status != "success":
                left_out.append(f"{source.name}: the run ended as '{status}', what it finished is taken")
            if header.get("invalidated"):
                left_out.append(f"{source.name} is marked as invalidated and was passed over")
                continue
            yield from _series(source, header.get("eval") or {}, samples)


READER = InspectAI()


def _plain(source: Source) -> tuple[dict[str, Any], list[Any]]:
    log = json_object(source.content(), source.name)
    return log, log.get("samples") or []


def _archived(source: Source) -> tuple[dict[str, Any], Iterable[Any]]:
    archive = Archive(source)
    where = source.name
    if "header.json" in archive.names and "summaries.json" in archive.names:
        return json_object(archive.read("header.json"), where), json_items(archive.read("summaries.json"), where)
    if "_journal/start.json" not in archive.names:
        raise InvalidInput(f"{where} must have a header or a journal, as logs of inspect_ai do, got neither")
    parts = sorted((int(found[1]), name) for name in archive.names if (found := _SUMMARIES.fullmatch(name)))
    samples = (sample for _, name in parts for sample in json_items(archive.read(name), where))
    return json_object(archive.read("_journal/start.json"), where), samples


def _series(source: Source, settings: Mapping[str, Any], samples: Iterable[Any]) -> Iterator[Series]:
    found = Collector()
    for sample in samples:
        if not isinstance(sample, dict) or "id" not in sample:
            raise InvalidInput(f"{source.name} must have an id for every sample, got {str(sample)[:60]!r}")
        failed = sample.get("error") is not None
        place: dict[str, Any] = {
            "trial": str(sample.get("epoch", 1)),
            "content": _text(sample.get("target")),
            "clusters": sample.get("metadata") if isinstance(sample.get("metadata"), dict) else {},
            "reason": "ended in an error" if failed else "not scored",
        }
        for (scorer, key), value in _values(sample.get("scores") or {}, source.name):
            found.add(key or scorer, str(sample["id"]), None if failed else value, variant=scorer * bool(key), **place)
        if failed:
            found.fail(str(sample["id"]), **place)
    yield from found.series(
        model=str(settings.get("model", source.stem)),
        task=str(settings.get("task", "")),
        source=source.name,
        settings=_settings(settings),
    )


def _values(scores: Mapping[str, Any], where: str) -> Iterator[tuple[tuple[str, str], float | None]]:
    """The numbers of a sample, by scorer and, where a score is an object, by its key."""
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else score
        for key, one in value.items() if isinstance(value, dict) else [("", value)]:
            yield (scorer, key), _number(one, where)


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
    dataset = settings.get("dataset") or {}
    found = {
        "solver": settings.get("solver"),
        "task_version": settings.get("task_version"),
        "task_args": settings.get("task_args") or None,
        "dataset": dataset.get("name"),
        "limit": config.get("limit"),
        "epochs": config.get("epochs"),
        "inspect_ai": (settings.get("packages") or {}).get("inspect_ai"),
        "generate": settings.get("model_generate_config") or None,
    }
    return {key: _text(value) for key, value in found.items() if value is not None}


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
