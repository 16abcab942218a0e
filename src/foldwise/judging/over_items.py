"""Models with values on items: a verdict per task from the items that all have, and one over tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from foldwise.core.types import Array
from foldwise.evidence.labels import group_index
from foldwise.evidence.models import ModelValues
from foldwise.judging.choosing import Chosen
from foldwise.judging.judgement import Judgement, Verdict
from foldwise.judging.pairing import Missing, Paired, pair_items
from foldwise.judging.understanding import Understanding
from foldwise.reading import Series
from foldwise.verdict import compare_marks
from foldwise.verdict.models.comparison import ModelsComparison
from foldwise.verdict.models.judge import judge_models

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


def _verdict(paired: Paired, understanding: Understanding, **options: Any) -> Verdict:
    words: dict[str, Any] = {
        "metric": understanding.measures.get(paired.task, understanding.metric),
        "higher_is_better": understanding.higher_is_better,
        "groups": paired.groups,
        **options,
    }
    if len(paired.models) > 2:
        return _several(paired, understanding, **options).replace(subject=paired.task)
    first, second = paired.models
    if paired.trials.shape[2] == 1:
        return compare_marks(*paired.values, names=(first, second), **words).replace(subject=paired.task)
    if paired.groups is not None:
        words["groups"] = dict(zip(paired.keys, paired.groups, strict=True))
    # what has no value at all is gone; a trial less is no reason to lose its item
    verdict = compare_marks(paired.by_item(0), paired.by_item(1), names=(first, second), missing="drop", **words)
    return verdict.replace(subject=paired.task)


def _several(paired: Paired, understanding: Understanding, **options: Any) -> ModelsComparison:
    values = paired.values
    evidence = ModelValues(
        names=paired.models,
        values=values,
        right_wrong=bool(np.isin(values, (0.0, 1.0)).all()),
        metric=understanding.measures.get(paired.task, understanding.metric),
        higher_is_better=understanding.higher_is_better,
        groups=None if paired.groups is None else group_index(np.array(paired.groups)),
    )
    return judge_models(evidence, **options)


def _together(paired: Sequence[Paired]) -> Paired:
    """All tasks as one: every item counts once, whatever its task."""
    most = max(one.trials.shape[2] for one in paired)
    groups = None
    if paired[0].groups is not None:
        # clusters of different tasks are different clusters, though they be called alike
        groups = tuple(f"{one.task}/{label}" for one in paired for label in one.groups or ())
    return Paired(
        task=f"{len(paired)} tasks together",
        models=paired[0].models,
        keys=tuple(f"{one.task}/{key}" for one in paired for key in one.keys),
        trials=np.concatenate([_padded(one.trials, most) for one in paired], axis=1),
        counts=np.concatenate([one.counts for one in paired], axis=1),
        groups=groups,
        only={},
    )


def _padded(trials: Array, most: int) -> Array:
    return np.pad(trials, ((0, 0), (0, 0), (0, most - trials.shape[2])), constant_values=np.nan)


def _notes(paired: Paired, missing: Missing) -> list[str]:
    where = f"{paired.task}: " if paired.task else ""
    done = "taken as 0" if missing == "wrong" else "left out for all models"
    alone = ", ".join(f"{model} {count}" for model, count in paired.only.items() if count)
    return [
        *([f"{where}items that not all models have, left out ({alone})"] if alone else []),
        *([f"{where}{paired.unscored} items without a value for some model, {done}"] if paired.unscored else []),
    ]
