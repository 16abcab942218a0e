"""Models with one value per task: a table of tasks × models."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.judging.choosing import Chosen
from foldwise.judging.judgement import Judgement
from foldwise.judging.understanding import Understanding
from foldwise.verdict import compare_many

__all__ = ["judge_tasks"]


def judge_tasks(chosen: Chosen, understanding: Understanding, **options: Any) -> Judgement:
    """Compare models over the tasks that all of them have."""
    table = {(one.task, one.model): float(one.values[0]) for one in chosen.series}
    models = understanding.models
    tasks = [task for task in understanding.tasks if all((task, model) in table for model in models)]
    if len(tasks) < 2:
        raise InvalidInput(
            f"at least two tasks that all of {', '.join(models)} have are needed, because one value per task says "
            f"nothing about its own spread; got {len(tasks)}"
        )
    verdict = compare_many(
        np.array([[table[task, model] for model in models] for task in tasks]),
        learners=models,
        datasets=tasks,
        metric=understanding.metric,
        higher_is_better=understanding.higher_is_better,
        **options,
    )
    left = len(understanding.tasks) - len(tasks)
    return Judgement(
        understanding=_without(understanding, left),
        verdicts={"": verdict},
    )


def _without(understanding: Understanding, left: int) -> Understanding:
    if not left:
        return understanding
    return replace(understanding, left_out=(*understanding.left_out, f"{left} tasks that not every model has"))
