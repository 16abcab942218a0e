"""Logs of EleutherAI's lm-evaluation-harness: ``samples_<task>_<stamp>.jsonl`` and ``results_<stamp>.json``.

One line per document *and filter*; ranks of several processes follow each other, so that only `doc_hash` pairs.
Metrics of a whole set (F1, BLEU, perplexity …) stand as pairs in the lines and have no value per item.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.reading.reader import Collector, Reader, is_number, json_object
from foldwise.reading.series import ItemRows, Series, WholeTask
from foldwise.reading.source import SourceFile

# ---- Samples: the values of items, many lines at a time.
#
# Documents, prompts and answers are most of a line, and no part of a comparison. Where lines are written as the harness
# writes them, all that counts stands at their end and is found without decoding the rest; any other line is decoded.

_CLUSTERS = ("subject", "passage", "passage_id", "context", "paragraph", "article", "category", "source")
"""Fields of a document that say which items belong together."""
_NUMBER = r"(-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)"
_START = '{"doc_id": '
_DOCUMENT = re.compile(r'\{"doc_id": \d+, "doc": ')
_decode_at = json.JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """What a file of samples holds."""

    items: Collector = field(default_factory=Collector)  #: The values, by metric and filter
    #: Metrics that have no value per item (F1, BLEU, perplexity …), which stand as pairs in the lines
    pairs: set[str] = field(default_factory=set)


def read_samples(source: SourceFile) -> Samples:
    """Read all lines; one that is cut off or no sample is named."""
    found, number = Samples(), 0
    ends: _Ends | None = None
    for block in source.blocks():
        left = block
        while ends is None and left:  # the first sample says what to look for in the others
            line, _, left = left.partition("\n")
            number += 1
            ends = None if not line or line.isspace() else _Ends(_decoded(line, f"{source.name}, line {number}", found))
        lines = left.count("\n")
        if ends is not None and not ends.take(left, lines, found.items):
            for i, line in enumerate(left.split("\n")[:lines], start=number + 1):
                if line and not line.isspace() and not ends.take(f"{line}\n", 1, found.items):
                    _decoded(line, f"{source.name}, line {i}", found)
        number += lines
    found.items.number_repeated()
    return found


def _decoded(text: str, where: str, found: Samples) -> dict[str, Any]:
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
                metric, line.get("doc_hash") or str(line.get("doc_id")), value, variant=_variant(variant),
                content=line.get("target_hash") or str(line.get("target")), clusters=clusters,
            )  # fmt: skip
    return line


class _Ends:
    """Lines of which the end has all that counts, as the harness writes them.

    Text in a document can't look like such an end, because its quotes are escaped, and what stands before the last
    brace of a line belongs to the line itself. As many ends as there are lines are the ends of all of them; as many
    beginnings tell that none was cut off and written on.
    """

    def __init__(self, line: Mapping[str, Any]) -> None:
        self._metrics, self._clusters = line["metrics"], tuple(_clusters(line))
        values = "".join(f", {re.escape(json.dumps(name))}: {_NUMBER}" for name in self._metrics)
        # [^"] is several times as fast as a set that leaves out the backslash too, which is looked for afterwards
        self._pattern = re.compile(
            r', "filter": "([^"]*)", "metrics": '
            + re.escape(json.dumps(self._metrics))
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
                    metric, list(compress(keys, own)), map(float, compress(column, own)), variant=_variant(variant),
                    contents=compress(targets, own),
                    clusters={name: list(compress(labels, own)) for name, labels in clusters.items()},
                )  # fmt: skip
        return True

    def _labels(self, text: str, lines: int) -> dict[str, list[str]] | None:
        """What the documents say of clusters, or None where they are not where the harness writes them."""
        if not self._clusters:
            return {}
        documents = [_decode_at(text, begin.end())[0] for begin in _DOCUMENT.finditer(text)]
        if len(documents) != lines or not all(isinstance(one, dict) for one in documents):
            return None
        return {name: [str(one.get(name, "")) for one in documents] for name in self._clusters}


def _variant(name: object) -> str:
    return "" if name == "none" else str(name)


def _clusters(line: Mapping[str, Any]) -> dict[str, object]:
    document = line.get("doc")
    return {name: document[name] for name in _CLUSTERS if name in document} if isinstance(document, dict) else {}


_STAMP = r"\d{4}-\d\d-\d\dT[\d.-]+"
_COPY = r"(?: ?\(\d+\))?"  # What browsers add to the name of a file that is there already.
_SAMPLES = re.compile(rf"samples_(?P<task>.+?)(?:_(?P<stamp>{_STAMP}))?{_COPY}\.jsonl")
_RESULTS = re.compile(rf"(?:results|.+)_(?P<stamp>{_STAMP}){_COPY}\.json")
_BEGIN = re.compile(rb'\s*\{\s*"results":\s*\{')
_ERROR = re.compile(rb'_stderr(?:,[\w-]+)?":')
_PRETRAINED = re.compile(r"(?:^|,)(pretrained|revision)=([^,]+)")
_SETTINGS = ("limit", "num_fewshot", "bootstrap_iters", "random_seed", "gen_kwargs")


def _recognises(source: SourceFile) -> bool:
    """By name and beginning; results that somebody renamed, as before 0.4, by their standard errors."""
    if _SAMPLES.fullmatch(source.stem):
        return b'"doc_id"' in source.head and b'"filter"' in source.head
    if _BEGIN.match(source.head) is None or not source.stem.endswith(".json"):
        return False
    return _RESULTS.fullmatch(source.stem) is not None or _ERROR.search(source.head) is not None


def _read(sources: Sequence[SourceFile], left_out: list[str], metric: str | None) -> Iterator[Series]:
    """Per-item series of every task with samples; aggregates of the tasks that have none."""
    results, files = list[_Results](), list[_File]()
    for source in sources:
        if (named := _SAMPLES.fullmatch(source.stem)) is not None:
            files.append(_File(source, named["task"], named["stamp"] or ""))
        else:
            results.append(_Results(source, json_object(source.content(), source.name)))
    asked: dict[tuple[Path, object], _File] = {}
    for file in files:
        beside = _beside(results, file, files)
        told = beside is None and any(other.is_rival(file) for other in files)
        found = list(_samples(file, beside, by_moment=told, left_out=left_out))
        if beside is None and found:
            _check_one_model(asked, file, found[0])
        yield from found
    sampled = {(file.folder, file.task) for file in files}
    for one in results:
        yield from one.aggregates({task for folder, task in sampled if folder == one.source.path.parent})


READER = Reader(
    "lm-evaluation-harness", "samples_<task>_<stamp>.jsonl (written with --log_samples), results_<stamp>.json",
    _recognises, read_together=_read,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Results:
    """One results file."""

    source: SourceFile
    content: dict[str, Any]

    @property
    def model(self) -> str:
        named = self.content.get("model_name")
        if not named and not _RESULTS.fullmatch(self.source.stem):  # before 0.4 anybody chose the file's name
            asked = dict(_PRETRAINED.findall(str((self.content.get("config") or {}).get("model_args"))))
            named = " ".join(asked.values()) or self.source.stem.removesuffix(".json")
        return str(named or self.source.path.parent.name.replace("__", "/"))

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
                    model=self.model, task=task, metric=metric, variant="" if variant == "none" else variant,
                    rows=WholeTask(), values=np.array([float(value)]), higher_is_better=self.higher(task, metric),
                    settings=self.settings(task), source=self.source.name,
                )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _File:
    """One file of samples, and what its name says: the task, and the moment of its run."""

    source: SourceFile
    task: str
    stamp: str

    @property
    def folder(self) -> Path:
        return self.source.path.parent

    def is_rival(self, other: _File) -> bool:
        """Whether it is another run of the same task in the same folder."""
        return self.folder == other.folder and self.task == other.task and self.stamp != other.stamp


def _samples(file: _File, results: _Results | None, *, by_moment: bool, left_out: list[str]) -> Iterator[Series]:
    source = file.source
    found = read_samples(source)
    if found.pairs:
        told = ", ".join(sorted(found.pairs))
        left_out.append(f"{source.name}: {told} (no value per item: a metric of the whole set)")
    model = file.folder.resolve().name.replace("__", "/") if results is None else results.model
    if by_moment:
        day, _, time = file.stamp.partition("T")
        model = f"run of {day} {time.partition('.')[0].replace('-', ':')}" if file.stamp else "run without a date"
        left_out.append(f"{source.name}: no results_*.json says which model it is, so it is called {model!r}")
    metrics = () if results is None else [metric for metric, _ in found.items.columns]
    yield from found.items.series(
        model=model, task=file.task, source=source.name,
        settings={} if results is None else results.settings(file.task),
        higher={metric: results.higher(file.task, metric) for metric in metrics} if results else {},
    )  # fmt: skip


def _beside(results: Sequence[_Results], file: _File, files: Sequence[_File]) -> _Results | None:
    """The results of the same run: in the same folder and of the same moment, or the only ones that can be."""
    here = [found for found in results if found.source.path.parent == file.folder]
    known = [found for found in here if file.task in (found.content.get("results") or {})] or here
    same = [found for found in known if file.stamp and file.stamp in found.source.stem]
    if same:
        return same[0]
    # several models may lie in one folder: a file of another moment is taken for one of theirs only where it must be
    return None if len({found.model for found in here}) != 1 or any(map(file.is_rival, files)) else known[0]


def _check_one_model(asked: dict[tuple[Path, object], _File], file: _File, one: Series) -> None:
    """Files of one folder that no results tell apart are tasks of one model: they must ask different questions."""
    assert isinstance(one.rows, ItemRows)
    questions = (one.rows.count, min(one.rows.keys), max(one.rows.keys))
    other = asked.setdefault((file.folder, questions), file)
    if other.task != file.task:
        raise InvalidInput(
            f"{other.source.name} and {file.source.name} ask the same questions, but no results_*.json says whether "
            "they are of two models: put the files of each model into a folder that is called like it"
        )
