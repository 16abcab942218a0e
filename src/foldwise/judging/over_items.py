"""Models with values on items: a verdict per task from the items that all have, and one over tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from foldwise.evidence.labels import group_index
from foldwise.evidence.mark_rows import MarkRows
from foldwise.evidence.marks import Marks
from foldwise.evidence.missing import Policy
from foldwise.evidence.models import ModelValues
from foldwise.evidence.trials import ItemMarks
from foldwise.judging.choosing import Chosen
from foldwise.judging.judgement import Judgement, Verdict
from foldwise.judging.pairing import Paired, pair_items
from foldwise.judging.understanding import Understanding
from foldwise.reading import Series
from foldwise.verdict.from_marks import mark_evidence
from foldwise.verdict.judge import judge as judge_two
from foldwise.verdict.models.judge import judge_models

__all__ = ["judge_items"]


def judge_items(
    chosen: Chosen,
    understanding: Understanding,
    *,
    group: str | None,
    missing: Policy,
    bounds: tuple[float, float] | None,
    inner: bool,
    **options: Any,
) -> Judgement:
    """Compare models on the items of each task; several tasks also together."""
    by_task: dict[str, list[Series]] = {}
    for one in chosen.series:
        by_task.setdefault(one.task, []).append(one)
    paired = [
        pair_items(found, group=group, missing=missing, bounds=bounds, inner=inner)
        for found in by_task.values()
        if len(found) == len(understanding.models)
    ]
    verdicts = {one.task: _verdict(one, understanding, **options) for one in paired}
    overall = None if len(paired) < 2 else _verdict(_together(paired), understanding, **options)
    return Judgement(
        understanding=replace(understanding, left_out=(*understanding.left_out, *_notes(paired))),
        verdicts=verdicts,
        overall=overall,
    )


def _verdict(paired: Paired, understanding: Understanding, **options: Any) -> Verdict:
    rows = paired.rows if paired.groups is None else replace(paired.rows, groups=group_index(np.array(paired.groups)))
    words: dict[str, Any] = {
        "metric": understanding.measures.get(paired.task, understanding.metric),
        "higher_is_better": understanding.higher_is_better,
        "direction_assumed": understanding.said_direction is None,
        "unit": understanding.unit,
    }
    if len(paired.models) > 2:
        return judge_models(ModelValues.of(rows, paired.models, **words), **options).replace(subject=paired.task)
    first, second = paired.models
    evidence = mark_evidence(Marks.of(rows, **words), options.get("test", "auto"))
    return judge_two(evidence, names=(first, second), **options).replace(subject=paired.task)


def _together(paired: Sequence[Paired]) -> Paired:
    """All tasks as one: every item counts once, whatever its task."""
    groups = None
    if any(one.groups is not None for one in paired):
        # clusters of different tasks are different clusters, though they be called alike
        groups = tuple(f"{one.task}/{label}" for one in paired for label in one.groups or one.keys)
    keys = np.array([f"{one.task}/{key}" for one in paired for key in one.keys], dtype=object)
    return Paired(
        task=f"{len(paired)} tasks together",
        models=paired[0].models,
        rows=MarkRows(
            models=tuple(_joined([one.rows.models[m] for one in paired]) for m in range(len(paired[0].models))),
            items=keys,
            groups=None,
            missing=None,
        ),
        groups=groups,
    )


def _joined(parts: Sequence[ItemMarks]) -> ItemMarks:
    return ItemMarks(
        mean=np.concatenate([part.mean for part in parts]),
        variance=np.concatenate([part.variance for part in parts]),
        count=np.concatenate([part.count for part in parts]),
    )


def _notes(paired: Sequence[Paired]) -> list[str]:
    """What was missing on each task."""
    return [
        (f"{one.task}: " if one.task else "") + one.missing.words(one.models)
        for one in paired
        if one.missing is not None
    ]
