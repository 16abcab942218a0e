"""Models with one value per task: a table of tasks × models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.judging.choosing import Chosen
from foldwise.judging.judgement import Judgement, Verdict
from foldwise.judging.understanding import Understanding
from foldwise.verdict import compare_many

__all__ = ["judge_tasks", "over_tasks"]


def judge_tasks(chosen: Chosen, understanding: Understanding, **options: Any) -> Judgement:
    """Compare models over the tasks that all of them have."""
    table = {(one.task, one.model): float(one.values[0]) for one in chosen.series if not np.isnan(one.values[0])}
    models = understanding.models
    tasks = [task for task in understanding.tasks if all((task, model) in table for model in models)]
    if len(tasks) < 2:
        raise InvalidInput(
            f"at least two tasks that all of {', '.join(models)} have are needed, because one value per task says "
            f"nothing about its own spread; got {len(tasks)}"
        )
    values = np.array([[table[task, model] for model in models] for task in tasks])
    left = len(understanding.tasks) - len(tasks)
    return Judgement(
        understanding=_without(understanding, left),
        verdicts={"": over_tasks(values, tasks, understanding, **options)},
    )


def over_tasks(
    values: Array, tasks: Sequence[str], understanding: Understanding, *, mixed: bool = False, **options: Any
) -> Verdict:
    """Compare models on tasks, of which each has one value per model.

    Where tasks are measured by different metrics, their differences have no common size: signs are compared then.
    """
    words: dict[str, Any] = {
        "metric": understanding.metric,
        "higher_is_better": understanding.said_direction,
        "unit": understanding.unit,
    }
    if mixed or len({understanding.metric_of(task) for task in tasks}) > 1:
        if options.get("margin") is not None:
            raise InvalidInput(
                "a margin needs tasks with one metric, because differences of several have no common size: choose one "
                f"with metric (--metric); got {', '.join(sorted(set(understanding.measures.values())))}"
            )
        words |= {"posthoc": "sign", "bayes": "none"}
    return compare_many(values, learners=understanding.models, datasets=tuple(tasks), **words, **options)


def _without(understanding: Understanding, left: int) -> Understanding:
    if not left:
        return understanding
    return replace(understanding, left_out=(*understanding.left_out, f"{left} tasks that not every model has"))
