"""Logs of EleutherAI's lm-evaluation-harness: ``samples_<task>_<stamp>.jsonl`` and ``results_<stamp>.json``.

One line per document *and filter*; ranks of several processes follow each other, so that only `doc_hash` pairs.
Metrics of a whole set (F1, BLEU, perplexity …) stand as pairs in the lines and have no value per item.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.readers.collecting import Collector, is_number
from foldwise.readers.reader import Reader, json_object
from foldwise.readers.series import Series, Whole
from foldwise.readers.source import Source

__all__ = ["READER"]

_STAMP = r"\d{4}-\d\d-\d\dT[\d.-]+"
_SAMPLES = re.compile(rf"samples_(?P<task>.+?)(?:_{_STAMP})?\.jsonl")
_RESULTS = re.compile(rf"(?:results|.+)_(?P<stamp>{_STAMP})\.json")
_CLUSTERS = ("subject", "passage", "passage_id", "context", "paragraph", "article", "category", "source")
"""Fields of a document that say which items belong together."""
_SETTINGS = ("limit", "num_fewshot", "bootstrap_iters", "random_seed", "gen_kwargs")


class LmEval(Reader):
    """lm-evaluation-harness."""

    name = "lm-evaluation-harness"
    says = "samples_<task>_<stamp>.jsonl (written with --log_samples), results_<stamp>.json"

    def recognises(self, source: Source) -> bool:
        """By the name of the file and the fields that it begins with."""
        if _SAMPLES.fullmatch(source.stem):
            return b'"doc_id"' in source.head and b'"filter"' in source.head
        return _RESULTS.fullmatch(source.stem) is not None and source.head.lstrip()[:30].startswith(b'{\n  "results"')

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """Per-item series of every task with samples; aggregates of the tasks that have none."""
        results = [_Results.read(source) for source in sources if not _SAMPLES.fullmatch(source.stem)]
        sampled: set[tuple[Path, str]] = set()
        for source in sources:
            named = _SAMPLES.fullmatch(source.stem)
            if named:
                task = named["task"]
                sampled.add((source.path.parent, task))
                yield from _samples(source, task, _beside(results, source, task), left_out)
        for found in results:
            yield from found.aggregates({task for folder, task in sampled if folder == found.source.path.parent})


READER = LmEval()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Results:
    """One results file."""

    source: Source
    content: dict[str, Any]

    @classmethod
    def read(cls, source: Source) -> _Results:
        return cls(source=source, content=json_object(source.content(), source.name))

    @property
    def model(self) -> str:
        return str(self.content.get("model_name") or self.source.path.parent.name.replace("__", "/"))

    def settings(self, task: str) -> dict[str, str]:
        """What decides whether two models were asked alike."""
        config, own = self.content.get("config") or {}, (self.content.get("configs") or {}).get(task) or {}
        found = {key: config[key] for key in _SETTINGS if key in config} | {
            "num_fewshot": (self.content.get("n-shot") or {}).get(task, own.get("num_fewshot")),
            "version": (self.content.get("versions") or {}).get(task),
            "chat_template_sha": self.content.get("chat_template_sha"),
            "system_instruction_sha": self.content.get("system_instruction_sha"),
            "lm_eval_version": self.content.get("lm_eval_version"),
        }
        return {key: str(value) for key, value in found.items()}

    def higher(self, task: str, metric: str) -> bool | None:
        direction = ((self.content.get("higher_is_better") or {}).get(task) or {}).get(metric)
        return direction if isinstance(direction, bool) else None

    def aggregates(self, sampled: set[str]) -> Iterator[Series]:
        """One value per task, metric and filter, for tasks without samples."""
        for task, values in (self.content.get("results") or {}).items():
            for key, value in values.items() if task not in sampled and isinstance(values, dict) else ():
                metric, _, variant = key.partition(",")
                if not is_number(value) or metric.endswith("_stderr") or metric == "sample_len":
                    continue
                yield Series(
                    model=self.model,
                    task=task,
                    metric=metric,
                    variant="" if variant == "none" else variant,
                    rows=Whole(),
                    values=np.array([float(value)]),
                    higher_is_better=self.higher(task, metric),
                    settings=self.settings(task),
                    source=self.source.name,
                )


def _samples(source: Source, task: str, results: _Results | None, left_out: list[str]) -> Iterator[Series]:
    found, pairs = Collector(), set[str]()
    ends: _Ends | None = None
    for number, text in enumerate(source.lines(), start=1):
        if (ends is not None and ends.take(text)) or text.isspace():
            continue
        line = json_object(text, f"{source.name}, line {number}")
        metrics, variant = line.get("metrics"), line.get("filter")
        if not isinstance(metrics, list) or variant is None:
            raise InvalidInput(
                f"{source.name}, line {number} must have the fields filter and metrics of a sample, got "
                f"{', '.join(sorted(line)[:8])}"
            )
        clusters = _clusters(line)
        if ends is None and not clusters:
            ends = _Ends(metrics)
        key = line.get("doc_hash") or str(line.get("doc_id"))
        for metric in metrics:
            value = line.get(metric)
            if isinstance(value, list | dict | str):
                pairs.add(metric)
            else:
                found.add(
                    metric,
                    key,
                    value,
                    variant=_variant(variant),
                    content=line.get("target_hash") or str(line.get("target")),
                    clusters=clusters,
                )
    if ends is not None:
        ends.into(found)
    if pairs:
        left_out.append(f"{source.name}: {', '.join(sorted(pairs))} (no value per item: a metric of the whole set)")
    found.number_repeated()
    yield from found.series(
        model=source.path.resolve().parent.name.replace("__", "/") if results is None else results.model,
        task=task,
        source=source.name,
        settings={} if results is None else results.settings(task),
        higher={} if results is None else {metric: results.higher(task, metric) for metric, _ in found.columns},
    )


_NUMBER = r"(-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)"


class _Ends:
    """Lines of which the end has all that counts, which is most: documents are long, and of no use without clusters.

    The harness writes these fields last, behind the answers. Text in a document can't look like them, because its
    quotes are escaped; a field of the document that is called so stands before them.
    """

    def __init__(self, metrics: Sequence[str]) -> None:
        values = "".join(f", {re.escape(json.dumps(name))}: {_NUMBER}" for name in metrics)
        self._metrics = metrics
        self._pattern = re.compile(
            r', "filter": "([^"\\]*)", "metrics": '
            + re.escape(json.dumps(list(metrics)))
            + r', "doc_hash": "([^"\\]+)", "prompt_hash": "[^"\\]*", "target_hash": "([^"\\]+)"'
            + values
            + r"\}\s*"
        )
        # lists of text, and no object per line, which the garbage collector would visit again and again
        self._columns: dict[str, list[list[str]]] = {}

    def take(self, text: str) -> bool:
        """Whether the line ends just so, and was taken."""
        start = text.rfind(', "filter": ')
        found = self._pattern.fullmatch(text, start) if start >= 0 else None
        if found is None:
            return False
        variant, *cells = found.groups()
        columns = self._columns.get(variant)
        if columns is None:
            columns = self._columns[variant] = [[] for _ in cells]
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
        return True

    def into(self, collector: Collector) -> None:
        """Give all that was taken to a collector."""
        for variant, (keys, targets, *values) in self._columns.items():
            for metric, column in zip(self._metrics, values, strict=True):
                collector.extend(metric, keys, map(float, column), variant=_variant(variant), contents=targets)


def _variant(name: object) -> str:
    return "" if name == "none" else str(name)


def _clusters(line: Mapping[str, Any]) -> dict[str, object]:
    document = line.get("doc")
    return {name: document[name] for name in _CLUSTERS if name in document} if isinstance(document, dict) else {}


def _beside(results: Sequence[_Results], source: Source, task: str) -> _Results | None:
    """The results of the same run: in the same folder, with the task, of the same moment if there are several."""
    here = [found for found in results if found.source.path.parent == source.path.parent]
    known = [found for found in here if task in (found.content.get("results") or {})] or here
    stamp = re.search(_STAMP, source.stem.removesuffix(".jsonl"))
    same = [found for found in known if stamp and stamp.group() in found.source.stem]
    return next(iter(same or known), None)
