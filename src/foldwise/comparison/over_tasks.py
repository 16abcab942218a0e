"""Models with one value per task: a table of tasks × models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.judgement import Judgement
from foldwise.comparison.options import Options
from foldwise.comparison.series_choice import Chosen
from foldwise.comparison.tables import compare_table
from foldwise.comparison.understanding import Understanding
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import is_loss, is_share, unit_of
from foldwise.core.types import Array
from foldwise.evidence.missing import MissingRule, MissingValues, settle_missing


def judge_tasks(chosen: Chosen, understanding: Understanding, *, rule: MissingRule, **options: Any) -> Judgement:
    """Compare models over the tasks that all of them have, once missing values are settled."""
    models = understanding.models
    table, lost = _settled(chosen, understanding, rule)
    tasks = list(table)
    if len(tasks) < 2:
        raise InvalidInput(
            f"at least two tasks that all of {', '.join(models)} have are needed, because one value per task says "
            f"nothing about its own spread; got {len(tasks)}"
        )
    notes = () if lost is None else (lost.words(models),)
    found = Judgement(
        understanding=replace(understanding, left_out=(*understanding.left_out, *notes)),
        verdicts={"": over_tasks(np.array(list(table.values())), tasks, understanding, **options)},
    )
    return found.decided(None if lost is None else lost.decision(models))


def _settled(
    chosen: Chosen, understanding: Understanding, rule: MissingRule
) -> tuple[dict[str, list[float]], MissingValues | None]:
    """The values of all models on the tasks that count; tasks of one metric are settled together."""
    given = {(one.task, one.model): float(one.values[0]) for one in chosen.series}
    kept: dict[str, list[float]] = {}
    lost = []
    for metric in dict.fromkeys(map(understanding.metric_of, understanding.tasks)):
        tasks = [task for task in understanding.tasks if understanding.metric_of(task) == metric]
        values = {
            model: np.array([[given.get((task, model), np.nan)] for task in tasks]) for model in understanding.models
        }
        settled = settle_missing(
            values,
            {model: np.isnan(part) for model, part in values.items()},
            replace(rule, metric=metric),
            unit_of_row=np.arange(len(tasks)),
            units=len(tasks),
            place=lambda name, where, tasks=tasks: f"the value of {name!r} on {tasks[int(where[0])]}",  # type: ignore[misc]
            unit="task",
        )
        lost.append(settled.missing)
        rows = np.hstack(settled.values).tolist()
        kept |= {task: row for task, row, there in zip(tasks, rows, settled.kept, strict=True) if there}
    return {task: kept[task] for task in understanding.tasks if task in kept}, MissingValues.total(lost)


_NO_SHARE = 5
"""The largest value from which a task is on another scale than one of shares."""


def mixed_units(values: Mapping[str, Array], understanding: Understanding) -> bool:
    """Whether values of tasks have no mean: other metrics or units, unless all are right and wrong by any name."""
    if all(np.isin(part, (0.0, 1.0)).all() for part in values.values()):
        return False
    names = {task: understanding.metric_of(task) for task in values}
    units = {(names[task], unit_of(names[task], part, understanding.unit)) for task, part in values.items()}
    scales = [] if understanding.unit else [part for task, part in values.items() if not is_loss(names[task])]
    return len(units) > 1 or (any(map(is_share, scales)) and any(part.max() >= _NO_SHARE for part in scales))


def missing_tasks(tasks: Sequence[str], rule: MissingRule) -> Decision:
    """That tasks which some model lacks are left out, as a decision."""
    count = f"{len(tasks)} task{'s' * (len(tasks) > 1)}"
    return Decision(
        what="missing",
        value=f"{count} left out, which not every model has ({', '.join(tasks)})",
        how=rule.how,
        change="missing='worst' (--missing worst)",
    )


def over_tasks(
    values: Array, tasks: Sequence[str], understanding: Understanding, *, mixed: bool = False, **options: Any
) -> Comparison:
    """Compare models on tasks, of which each has one value per model.

    Where tasks are measured by different metrics, their differences have no common size: signs are compared then.
    """
    words: dict[str, Any] = {"metric": understanding.metric, "higher_is_better": understanding.said_direction}
    bayes = "auto"
    if mixed or len({understanding.metric_of(task) for task in tasks}) > 1:
        if options.get("margin") is not None:
            raise InvalidInput(
                "a margin needs tasks with one metric, because differences of several have no common size: choose one "
                f"with metric (--metric); got {', '.join(sorted(set(understanding.measures.values())))}"
            )
        words["test"], bayes = "sign", "none"
    few = {name: options.pop(name) for name in ("control", "adjust") if name in options}
    words["options"] = Options(unit=understanding.unit, bayes=bayes, **few)
    asked = {name: value for name, value in options.items() if name != "test"}  # that is a test of items
    return compare_table(values, models=understanding.models, tasks=tuple(tasks), **words, **asked)
