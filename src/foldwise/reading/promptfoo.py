"""Results of promptfoo (``promptfoo eval -o out.json``): one model is a prompt with a provider.

``--repeat`` gives every repetition a new test number, so that a test is known by its variables and its description
only; rows that share these are trials. A call that failed (failure reason 2) is missing, not wrong.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from foldwise.core.errors import InvalidInput
from foldwise.reading.collecting import Collector, is_number
from foldwise.reading.reader import Reader, json_object
from foldwise.reading.series import Series
from foldwise.reading.source import Source

_ERROR = 2


class Promptfoo(Reader):
    """promptfoo."""

    name = "promptfoo"
    says = "the file of promptfoo eval -o out.json"

    def recognises(self, source: Source) -> bool:
        """An evaluation's id before its results."""
        head = source.head.lstrip()
        return head[:1] == b"{" and b'"evalId"' in head[:400] and b'"results"' in head

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """One series per prompt, provider and score."""
        for source in sources:
            results = json_object(source.content(), source.name).get("results")
            rows = results.get("results") if isinstance(results, dict) else None
            if not isinstance(rows, list):
                raise InvalidInput(f"{source.name} must have a list results.results, as promptfoo writes it, got none")
            yield from _series(source, rows)


READER = Promptfoo()


def _series(source: Source, rows: Sequence[Mapping[str, Any]]) -> Iterator[Series]:
    prompts = len({row.get("promptIdx") for row in rows})
    providers = len({_provider(row) for row in rows})
    collected: dict[str, Collector] = {}
    times: Counter[tuple[str, str]] = Counter()
    for row in rows:
        model = _provider(row) if prompts == providers else f"{_provider(row)}, prompt {row.get('promptIdx')}"
        case = row.get("testCase") or {}
        key = json.dumps([case.get("description"), row.get("vars") or case.get("vars")], sort_keys=True)
        times[model, key] += 1
        place: dict[str, Any] = {
            "trial": str(times[model, key]),
            "clusters": case.get("metadata") or {},
            "reason": "ended in an error",
        }
        failed = row.get("failureReason") == _ERROR
        named = {name: value for name, value in (row.get("namedScores") or {}).items() if is_number(value)}
        found = collected.setdefault(model, Collector())
        success = row.get("success")
        values = {"score": row.get("score"), "success": None if success is None else float(success), **named}
        for metric, value in values.items():
            found.add(metric, key, None if failed else value, **place)
        if failed:
            found.fail(key, **place)
    for model, found in collected.items():
        yield from found.series(model=model, task="", source=source.name)


def _provider(row: Mapping[str, Any]) -> str:
    provider = row.get("provider")
    if isinstance(provider, dict):
        return str(provider.get("label") or provider.get("id"))
    return str(provider)
