"""Samples of lm-evaluation-harness, ``samples_<task>_<stamp>.jsonl``: the values of items, many lines at a time.

Documents, prompts and answers are most of a line, and no part of a comparison. Where lines are written as the harness
writes them, all that counts stands at their end and is found without decoding the rest; any other line is decoded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

from foldwise.core.errors import InvalidInput
from foldwise.reading.collecting import Collector
from foldwise.reading.reader import json_object
from foldwise.reading.source import Source

__all__ = ["Samples", "read_samples"]

_CLUSTERS = ("subject", "passage", "passage_id", "context", "paragraph", "article", "category", "source")
"""Fields of a document that say which items belong together."""
_NUMBER = r"(-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)"
_START = '{"doc_id": '
_DOCUMENT = re.compile(r'\{"doc_id": \d+, "doc": ')
_decode_at = json.JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """What a file of samples holds.

    Attributes
    ----------
    items
        The values, by metric and filter.
    pairs
        Metrics that have no value per item (F1, BLEU, perplexity …), which stand as pairs in the lines.
    """

    items: Collector = field(default_factory=Collector)
    pairs: set[str] = field(default_factory=set)


def read_samples(source: Source) -> Samples:
    """Read all lines; one that is cut off or no sample is named."""
    found, number = Samples(), 0
    ends: _Ends | None = None
    for block in source.blocks():
        left = block
        while ends is None and left:  # the first sample says what to look for in the others
            line, _, left = left.partition("\n")
            number += 1
            ends = None if not line or line.isspace() else _ends(_decoded(line, f"{source.name}, line {number}", found))
        lines = left.count("\n")
        if ends is not None and not ends.take(left, lines, found.items):
            for i, line in enumerate(left.split("\n")[:lines], start=number + 1):
                if line and not line.isspace() and not ends.take(f"{line}\n", 1, found.items):
                    _decoded(line, f"{source.name}, line {i}", found)
        number += lines
    found.items.number_repeated()
    return found


def _decoded(text: str, where: str, found: Samples) -> dict[str, Any]:
    """Take one line of whatever layout."""
    line = json_object(text, where)
    metrics, variant = line.get("metrics"), line.get("filter")
    if not isinstance(metrics, list) or variant is None:
        raise InvalidInput(
            f"{where} must have the fields filter and metrics of a sample, got {', '.join(sorted(line)[:8])}"
        )
    clusters = _clusters(line)
    for metric in metrics:
        value = line.get(metric)
        if isinstance(value, list | dict | str):
            found.pairs.add(metric)
        else:
            found.items.add(
                metric,
                line.get("doc_hash") or str(line.get("doc_id")),
                value,
                variant=_variant(variant),
                content=line.get("target_hash") or str(line.get("target")),
                clusters=clusters,
            )
    return line


class _Ends:
    """Lines of which the end has all that counts, as the harness writes them.

    Text in a document can't look like such an end, because its quotes are escaped, and what stands before the last
    brace of a line belongs to the line itself. As many ends as there are lines are the ends of all of them; as many
    beginnings tell that none was cut off and written on.
    """

    def __init__(self, metrics: Sequence[str], clusters: Sequence[str]) -> None:
        self._metrics, self._clusters = metrics, clusters
        values = "".join(f", {re.escape(json.dumps(name))}: {_NUMBER}" for name in metrics)
        # [^"] is several times as fast as a set that leaves out the backslash too, which is looked for afterwards
        self._pattern = re.compile(
            r', "filter": "([^"]*)", "metrics": '
            + re.escape(json.dumps(list(metrics)))
            + r', "doc_hash": "([^"]+)", "prompt_hash": "[^"]*", "target_hash": "([^"]+)"'
            + values
            + r"\}\r?\n"
        )

    def take(self, text: str, lines: int, into: Collector) -> bool:
        """Whether all lines are just so, and were taken."""
        if not text.startswith(_START) or not text.count("\n" + _START) + 1 == text.count(_START) == lines:
            return False
        found = self._pattern.findall(text)
        if len(found) != lines:
            return False
        variants, keys, targets, *values = zip(*found, strict=True)
        clusters = self._labels(text, lines)
        if clusters is None or any("\\" in "".join(cells) for cells in (variants, keys, targets)):
            return False
        for variant in dict.fromkeys(variants):
            own = [name == variant for name in variants]
            for metric, column in zip(self._metrics, values, strict=True):
                into.extend(
                    metric,
                    list(compress(keys, own)),
                    map(float, compress(column, own)),
                    variant=_variant(variant),
                    contents=compress(targets, own),
                    clusters={name: list(compress(labels, own)) for name, labels in clusters.items()},
                )
        return True

    def _labels(self, text: str, lines: int) -> dict[str, list[str]] | None:
        """What the documents say of clusters, or None where they are not where the harness writes them."""
        if not self._clusters:
            return {}
        documents = [_decode_at(text, begin.end())[0] for begin in _DOCUMENT.finditer(text)]
        if len(documents) != lines or not all(isinstance(one, dict) for one in documents):
            return None
        return {name: [str(one.get(name, "")) for one in documents] for name in self._clusters}


def _ends(line: Mapping[str, Any]) -> _Ends:
    return _Ends(line["metrics"], tuple(_clusters(line)))


def _variant(name: object) -> str:
    return "" if name == "none" else str(name)


def _clusters(line: Mapping[str, Any]) -> dict[str, object]:
    document = line.get("doc")
    return {name: document[name] for name in _CLUSTERS if name in document} if isinstance(document, dict) else {}
