"""Logs of OpenAI's evals: one JSON object per line, the specification first, events of samples after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from foldwise.reading.collecting import Collector, is_number
from foldwise.reading.reader import Reader, json_object
from foldwise.reading.series import Series
from foldwise.reading.source import Source


class OpenAIEvals(Reader):
    """OpenAI evals."""

    name = "OpenAI evals"
    says = "the JSONL log of a run, which begins with its spec"

    def recognises(self, source: Source) -> bool:
        """A specification on the first line."""
        return source.head.lstrip()[:9].replace(b" ", b"").startswith(b'{"spec"')

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """One series per log and metric."""
        for source in sources:
            spec: Mapping[str, Any] = {}
            found, finished = Collector(), False
            for number, text in enumerate(source.lines(), start=1):
                if not text.strip():
                    continue
                line = json_object(text, f"{source.name}, line {number}")
                spec = line.get("spec") or spec
                finished = finished or "final_report" in line
                _add(found, line)
            if not finished:
                left_out.append(f"{source.name}: the run has no final report, what it finished is taken")
            functions = spec.get("completion_fns") or [spec.get("model_name") or source.stem]
            yield from found.series(
                model=", ".join(map(str, functions)),
                task=str(spec.get("base_eval") or spec.get("eval_name") or ""),
                source=source.name,
                settings={"split": str(spec.get("split", ""))},
            )


READER = OpenAIEvals()


def _add(found: Collector, line: Mapping[str, Any]) -> None:
    data = line.get("data")
    if "sample_id" not in line or not isinstance(data, dict):
        return
    key = str(line["sample_id"])
    if line.get("type") == "match":
        correct = data.get("correct")
        found.add("correct", key, None if correct is None else float(bool(correct)), content=repr(data.get("expected")))
    elif line.get("type") == "metrics":
        for metric, value in data.items():
            if is_number(value):
                found.add(metric, key, value)
