"""Models with values on items: a verdict per task from the items that all have, and one over tasks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from foldwise.core.result import Result
from foldwise.judging.choosing import Chosen
from foldwise.judging.judgement import Judgement
from foldwise.judging.pairing import Missing, Paired, pair_items
from foldwise.judging.understanding import Understanding
from foldwise.readers import Series
from foldwise.verdict import compare_marks

__all__ = ["judge_items"]


def judge_items(
    chosen: Chosen,
    understanding: Understanding,
    *,
    group: str | None,
    missing: Missing,
    inner: bool,
    **options: Any,
) -> Judgement:
    """Compare models on the items of each task; several tasks also together."""
    by_task: dict[str, list[Series]] = {}
    for one in chosen.series:
        by_task.setdefault(one.task, []).append(one)
    paired = [
        pair_items(found, group=group, missing=missing, inner=inner)
        for found in by_task.values()
        if len(found) == len(understanding.models)
    ]
    verdicts = {one.task: _verdict(one, understanding, **options) for one in paired}
    notes = tuple(note for one in paired for note in _notes(one, missing))
    overall = None if len(paired) < 2 else _verdict(_together(paired), understanding, **options)
    return Judgement(
        understanding=replace(understanding, left_out=(*understanding.left_out, *notes)),
        verdicts=verdicts,
        overall=overall,
    )


def _verdict(paired: Paired, understanding: Understanding, **options: Any) -> Result:
    words: dict[str, Any] = {
        "metric": understanding.measures.get(paired.task, understanding.metric),
        "higher_is_better": understanding.higher_is_better,
    }
    a, b = paired.values
    first, second = paired.models
    verdict = compare_marks(a, b, groups=paired.groups, names=(first, second), **words, **options)
    return verdict.replace(subject=paired.task)


def _together(paired: list[Paired]) -> Paired:
    """All tasks as one: every item counts once, whatever its task."""
    groups = None
    if paired[0].groups is not None:
        # clusters of different tasks are different clusters, though they be called alike
        groups = tuple(f"{one.task}/{label}" for one in paired for label in one.groups or ())
    return Paired(
        task=f"{len(paired)} tasks",
        models=paired[0].models,
        keys=tuple(f"{one.task}/{key}" for one in paired for key in one.keys),
        values=np.concatenate([one.values for one in paired], axis=1),
        groups=groups,
        only={},
    )


def _notes(paired: Paired, missing: Missing) -> list[str]:
    where = f"{paired.task}: " if paired.task else ""
    done = "taken as 0" if missing == "wrong" else "left out for all models"
    alone = ", ".join(f"{model} {count}" for model, count in paired.only.items() if count)
    return [
        *([f"{where}items that not all models have, left out ({alone})"] if alone else []),
        *([f"{where}{paired.unscored} items without a value for some model, {done}"] if paired.unscored else []),
    ]
