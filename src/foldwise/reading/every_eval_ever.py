"""Every Eval Ever, the community's schema: instances as JSON Lines, aggregates as JSON; read, and written for others.

Instances are paired by the evaluation's name and the sample's id, never by `sample_hash`, which changes with the chat
template; the filter is part of the evaluation's name (``gsm8k/strict-match``).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.reading.collecting import Collector, is_number
from foldwise.reading.reader import Reader, json_object
from foldwise.reading.series import Items, Series, Whole
from foldwise.reading.source import Source

_OWN = ("source", "library", "trial", "lower_is_better")
"""What `instance_lines` tells in the metadata of its lines, beside the clusters."""

SCHEMA = "0.3.0"
"""Version of the schema that is written."""


class EveryEvalEver(Reader):
    """Every Eval Ever."""

    name = "Every Eval Ever"
    says = "aggregate JSON and instance JSONL of its schema"

    def recognises(self, source: Source) -> bool:
        """The schema's version and an evaluation's id among the first keys."""
        head = source.head
        return head.lstrip()[:1] == b"{" and b'"schema_version"' in head[:400] and b'"evaluation_id"' in head

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """One series per model, evaluation and, for instances, score."""
        aggregates = [source for source in sources if not source.stem.endswith(".jsonl")]
        contents = [(source, json_object(source.content(), source.name)) for source in aggregates]
        directions = {
            str(result.get("evaluation_name")): _higher(result)
            for _, content in contents
            for result in _results(content)
        }
        instances: set[str] = set()
        for source in sources:
            if source.stem.endswith(".jsonl"):
                for one in _instances(source, directions):
                    instances.add(f"{one.model}/{one.task}")
                    yield one
        for source, content in contents:
            yield from _aggregates(source, content, instances)


READER = EveryEvalEver()


def _results(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [result for result in content.get("evaluation_results") or [] if isinstance(result, dict)]


def _higher(result: Mapping[str, Any]) -> bool | None:
    lower = (result.get("metric_config") or {}).get("lower_is_better")
    return not lower if isinstance(lower, bool) else None


def _instances(source: Source, directions: Mapping[str, bool | None]) -> Iterator[Series]:
    found: dict[tuple[str, str], Collector] = {}
    own: dict[str, bool] = {}
    for number, text in enumerate(source.lines(), start=1):
        if not text.strip():
            continue
        where = f"{source.name}, line {number}"
        line = json_object(text, where)
        lacking = next((key for key in ("model_id", "evaluation_name", "sample_id") if key not in line), None)
        if lacking is not None:
            raise InvalidInput(
                f"{where} must have the field {lacking} of the schema, got {', '.join(sorted(line)[:8])}"
            )
        evaluation = line.get("evaluation") or {}
        failed = bool(line.get("error"))
        score = evaluation.get("score", evaluation.get("is_correct"))
        told = _metadata(line)
        if "lower_is_better" in told:
            own[str(line["evaluation_name"])] = str(told["lower_is_better"]).lower() != "true"
        found.setdefault((str(line["model_id"]), str(line["evaluation_name"])), Collector()).add(
            "score",
            str(line["sample_id"]),
            float(score) if not failed and isinstance(score, int | float) else None,
            trial=None if "trial" not in told else str(told["trial"]),
            content=json.dumps((line.get("input") or {}).get("reference"), sort_keys=True),
            clusters={name: value for name, value in told.items() if name not in _OWN},
            reason="ended in an error" if failed else "not scored",
        )
    for (model, task), collected in found.items():
        higher = {"score": directions.get(task, own.get(task))}
        yield from collected.series(model=model, task=task, source=source.name, higher=higher)


def _metadata(line: Mapping[str, Any]) -> dict[str, Any]:
    found = line.get("metadata")
    return found if isinstance(found, dict) else {}


def _aggregates(source: Source, content: Mapping[str, Any], instances: set[str]) -> Iterator[Series]:
    information = content.get("model_info") or {}
    model = str(information.get("id") or information.get("name") or source.stem)
    for result in _results(content):
        task = str(result.get("evaluation_name"))
        score = (result.get("score_details") or {}).get("score")
        if is_number(score) and f"{model}/{task}" not in instances:
            yield Series(
                model=model,
                task=task,
                metric=str((result.get("metric_config") or {}).get("metric_id") or "score"),
                rows=Whole(),
                values=np.array([float(score)]),
                higher_is_better=_higher(result),
                source=source.name,
            )


def instance_lines(series: Iterable[Series], *, library: str) -> Iterator[str]:
    """Items as lines of the schema, so that others can read what was read here.

    Parameters
    ----------
    series
        Those whose rows are items; others have no instances and are passed over.
    library
        What wrote the values first: the format that they were read from.

    Notes
    -----
    Questions and answers are not kept by the readers, so that `input` has the hash or target that proves the question
    only. Trials, clusters and the direction stand in `metadata`, whose values are text. The schema wants a number as
    the score of every line: a missing value is written as 0 with an `error`, by which it is read as missing again.
    """
    for one in series:
        if not isinstance(one.rows, Items):
            continue
        told = {"source": one.source, "library": library}
        if one.higher_is_better is not None:
            told["lower_is_better"] = "false" if one.higher_is_better else "true"
        name = one.task or "task"
        common = {"schema_version": SCHEMA, "evaluation_id": f"{name}/{one.model}", "model_id": one.model}
        for row, (key, value) in enumerate(zip(one.rows.keys, one.values.tolist(), strict=True)):
            scored = not math.isnan(value)
            line = common | {
                "evaluation_name": f"{name}/{one.measure}",
                "sample_id": key,
                "interaction_type": "single_turn",
                "input": {"raw": "", "reference": [] if one.rows.contents is None else [one.rows.contents[row]]},
                "output": {"raw": []},
                "answer_attribution": [],
                "evaluation": {"score": value if scored else 0.0, "is_correct": scored and value == 1},
                "metadata": told | _place(one.rows, row),
            }
            yield json.dumps(line if scored else line | {"error": "not scored"}, ensure_ascii=False)


def _place(rows: Items, row: int) -> dict[str, str]:
    found = {name: str(labels[row]) for name, labels in rows.clusters.items() if name not in _OWN}
    return found if rows.trials is None else found | {"trial": rows.trials[row]}
