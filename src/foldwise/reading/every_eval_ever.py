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
from foldwise.reading.reader import Collector, Reader, begins, is_number, json_lines, json_object
from foldwise.reading.series import ItemRows, Series, WholeTask
from foldwise.reading.source import SourceFile

_OWN = ("source", "library", "trial", "lower_is_better")
"""What `instance_lines` tells in the metadata of its lines, beside the clusters."""

SCHEMA = "0.3.0"  # Version of the schema that is written.


def _read(sources: Sequence[SourceFile], left_out: list[str], metric: str | None) -> Iterator[Series]:
    """One series per model, evaluation and, for instances, score."""
    aggregates = [source for source in sources if not source.stem.endswith(".jsonl")]
    contents = [(source, json_object(source.content(), source.name)) for source in aggregates]
    results = [
        (source, content, result)
        for source, content in contents
        for result in content.get("evaluation_results") or []
        if isinstance(result, dict)
    ]
    directions = {str(result.get("evaluation_name")): _higher(result) for _, _, result in results}
    instances: set[str] = set()
    for source in sources:
        if source.stem.endswith(".jsonl"):
            for one in _instances(source, directions):
                instances.add(f"{one.model}/{one.task}")
                yield one
    for source, content, result in results:
        information = content.get("model_info") or {}
        model = str(information.get("id") or information.get("name") or source.stem)
        task = str(result.get("evaluation_name"))
        score = (result.get("score_details") or {}).get("score")
        if is_number(score) and f"{model}/{task}" not in instances:
            yield Series(
                model=model, task=task, metric=str((result.get("metric_config") or {}).get("metric_id") or "score"),
                rows=WholeTask(), values=np.array([float(score)]), higher_is_better=_higher(result), source=source.name,
            )  # fmt: skip


READER = Reader(
    "Every Eval Ever", "aggregate JSON and instance JSONL of its schema",
    lambda source: begins(source, b"{", "evaluation_id", early=["schema_version"]), read_together=_read,
)  # fmt: skip


def _higher(result: Mapping[str, Any]) -> bool | None:
    lower = (result.get("metric_config") or {}).get("lower_is_better")
    return not lower if isinstance(lower, bool) else None


def _instances(source: SourceFile, directions: Mapping[str, bool | None]) -> Iterator[Series]:
    found: dict[tuple[str, str], Collector] = {}
    own: dict[str, bool] = {}
    for where, line in json_lines(source):
        lacking = next((key for key in ("model_id", "evaluation_name", "sample_id") if key not in line), None)
        if lacking is not None:
            raise InvalidInput(
                f"{where} must have the field {lacking} of the schema, got {', '.join(sorted(line)[:8])}"
            )
        evaluation, failed = line.get("evaluation") or {}, bool(line.get("error"))
        score = evaluation.get("score", evaluation.get("is_correct"))
        told: dict[str, Any] = line["metadata"] if isinstance(line.get("metadata"), dict) else {}
        model, task = str(line["model_id"]), str(line["evaluation_name"])
        if "lower_is_better" in told:
            own[task] = str(told["lower_is_better"]).lower() != "true"
        found.setdefault((model, task), Collector()).add(
            "score", str(line["sample_id"]), float(score) if not failed and isinstance(score, int | float) else None,
            trial=None if "trial" not in told else str(told["trial"]),
            content=json.dumps((line.get("input") or {}).get("reference"), sort_keys=True),
            clusters={name: value for name, value in told.items() if name not in _OWN},
            reason="ended in an error" if failed else "not scored",
        )  # fmt: skip
    for (model, task), collected in found.items():
        higher = {"score": directions.get(task, own.get(task))}
        yield from collected.series(model=model, task=task, source=source.name, higher=higher)


def instance_lines(series: Iterable[Series], *, library: str) -> Iterator[str]:
    """Items as lines of the schema, so that others can read what was read here.

    `series`: those whose rows are items; others have no instances and are passed over. `library`: what wrote the values
    first: the format that they were read from.

    Questions and answers are not kept by the readers, so that `input` has the hash or target that proves the question
    only. Trials, clusters and the direction stand in `metadata`, whose values are text. The schema wants a number as
    the score of every line: a missing value is written as 0 with an `error`, by which it is read as missing again.
    """
    for one in series:
        if not isinstance(one.rows, ItemRows):
            continue
        told = {"source": one.source, "library": library}
        if one.higher_is_better is not None:
            told["lower_is_better"] = "false" if one.higher_is_better else "true"
        name = one.task or "task"
        common = {"schema_version": SCHEMA, "evaluation_id": f"{name}/{one.model}", "model_id": one.model}
        for row, (key, value) in enumerate(zip(one.rows.keys, one.values.tolist(), strict=True)):
            scored = not math.isnan(value)
            place = {name: str(labels[row]) for name, labels in one.rows.clusters.items() if name not in _OWN}
            place |= {} if one.rows.trials is None else {"trial": one.rows.trials[row]}
            line = common | {
                "evaluation_name": f"{name}/{one.measure}", "sample_id": key, "interaction_type": "single_turn",
                "input": {"raw": "", "reference": [] if one.rows.contents is None else [one.rows.contents[row]]},
                "output": {"raw": []}, "answer_attribution": [],
                "evaluation": {"score": value if scored else 0.0, "is_correct": scored and value == 1},
                "metadata": told | place,
            }  # fmt: skip
            yield json.dumps(line if scored else line | {"error": "not scored"}, ensure_ascii=False)
