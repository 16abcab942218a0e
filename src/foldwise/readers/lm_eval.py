"""Logs of EleutherAI's lm-evaluation-harness: ``samples_<task>_<stamp>.jsonl`` and ``results_<stamp>.json``.

One line per document *and filter*; ranks of several processes follow each other, so that only `doc_hash` pairs.
Metrics of a whole set (F1, BLEU, perplexity …) stand as pairs in the lines and have no value per item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from foldwise.readers.collecting import is_number
from foldwise.readers.lm_eval_samples import read_samples
from foldwise.readers.reader import Reader, json_object
from foldwise.readers.series import Series, Whole
from foldwise.readers.source import Source

__all__ = ["READER"]

_STAMP = r"\d{4}-\d\d-\d\dT[\d.-]+"
_SAMPLES = re.compile(rf"samples_(?P<task>.+?)(?:_{_STAMP})?\.jsonl")
_RESULTS = re.compile(rf"(?:results|.+)_(?P<stamp>{_STAMP})\.json")
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
    found = read_samples(source)
    if found.pairs:
        told = ", ".join(sorted(found.pairs))
        left_out.append(f"{source.name}: {told} (no value per item: a metric of the whole set)")
    yield from found.items.series(
        model=source.path.resolve().parent.name.replace("__", "/") if results is None else results.model,
        task=task,
        source=source.name,
        settings={} if results is None else results.settings(task),
        higher={} if results is None else {metric: results.higher(task, metric) for metric, _ in found.items.columns},
    )


def _beside(results: Sequence[_Results], source: Source, task: str) -> _Results | None:
    """The results of the same run: in the same folder, with the task, of the same moment if there are several."""
    here = [found for found in results if found.source.path.parent == source.path.parent]
    known = [found for found in here if task in (found.content.get("results") or {})] or here
    stamp = re.search(_STAMP, source.stem.removesuffix(".jsonl"))
    same = [found for found in known if stamp and stamp.group() in found.source.stem]
    return next(iter(same or known), None)
