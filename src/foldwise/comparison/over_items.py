"""Models with values on items: a verdict per task from the items that all have, and one over tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.from_counts import counts_evidence, formula_decision
from foldwise.comparison.judgement import Judgement, Understanding
from foldwise.comparison.metric_evidence import ADJUSTED, nested_noise, ordered, times_to_use, with_condition
from foldwise.comparison.over_tasks import missing_tasks, mixed_units, over_tasks
from foldwise.comparison.pairing import Paired, pair_items
from foldwise.comparison.pairs import judge_evidence
from foldwise.comparison.series_choice import Chosen
from foldwise.comparison.slices import judge_each, judge_slices, part_of, slice_column
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import group_index
from foldwise.core.types import Array, Integers
from foldwise.designs.human_labels import JudgedItems
from foldwise.evidence.items import Items
from foldwise.evidence.missing import MissingRule, MissingValues
from foldwise.evidence.outputs import Outputs
from foldwise.evidence.trials import ItemMarks, MarkRows
from foldwise.metrics.catalogue import find_metric
from foldwise.metrics.counts import CountMetric
from foldwise.metrics.metric import Truth
from foldwise.metrics.survival import signed_times
from foldwise.reading.series import Series

Over = Literal["tasks", "items"]  # What the answer over tasks is the mean of.


def judge_items(
    chosen: Chosen, understanding: Understanding, *, groups: str | None, rule: MissingRule, inner: bool,
    over: Over | None = None, each_task: bool = True, sliced: str | None = None, alpha: float = 0.05, **options: Any,
) -> Judgement:  # fmt: skip
    """Compare models on the items of each task; several tasks also together."""
    by_task: dict[str, list[Series]] = {}
    for one in chosen.series:
        by_task.setdefault(one.task, []).append(one)
    lacking = [task for task, found in by_task.items() if len(found) < len(understanding.models)]
    if lacking and rule.policy == "refuse":
        there = {one.model for one in by_task[lacking[0]]}
        raise lacking_task(lacking[0], [name for name in understanding.models if name not in there])
    column = None if sliced is None else slice_column(chosen.series, sliced)
    paired = [
        pair_items(
            found, groups=groups, rule=rule, inner=inner, models=understanding.models, runs=chosen.runs, sliced=column
        )
        for task, found in by_task.items()
        if rule.policy == "worst" or task not in lacking
    ]
    if not paired:
        raise InvalidInput(f"no task has values of all of {', '.join(understanding.models)}")
    notes = [] if rule.policy == "worst" else [_left_out(task, by_task[task]) for task in lacking]
    notes += _notes(paired)
    options["counts"] = chosen.counts
    by_name = {one.task: one for one in paired}
    verdicts: dict[str, Comparison] = {}
    adjusted: list[str] = []
    if each_task or len(paired) == 1:
        verdicts, adjusted = judge_each(
            list(by_name), lambda task, level: _verdict(by_name[task], understanding, alpha=level, **options), alpha
        )
    overall = None
    if len(paired) > 1:
        overall, told = _overall(paired, understanding, over or "tasks", alpha=alpha, **options)
        notes += [*adjusted, told]
        if any(one.rows.times is not None for one in paired):
            notes.append("over tasks the order of time is not used: items are taken as independent")
    slices = None
    if column is not None:
        whole = paired[0] if len(paired) == 1 else _together(paired)
        units = np.array(whole.groups or whole.keys, dtype=object)
        slices = judge_slices(
            column,
            [label for one in paired for label in one.slices or ()],
            lambda kept: len(set(units[kept])),
            lambda kept, level: _verdict(part_of(whole, kept), understanding, alpha=level, **options),
            alpha,
        )
        notes += slices.left_out
    if overall is not None:
        overall = replace(overall, slices=slices)
    else:
        verdicts = {task: replace(one, slices=slices) for task, one in verdicts.items()}
    found = Judgement(
        understanding=replace(understanding, left_out=(*understanding.left_out, *notes)),
        verdicts=verdicts,
        overall=overall,
    )
    lost = MissingValues.total(one.missing for one in paired)
    gone = None if rule.policy == "worst" or not lacking else missing_tasks(lacking, rule)
    return found.decided(
        None if lost is None else lost.decision(understanding.models),
        gone,
        None if overall is None or overall.tasks else _weighing(paired, over),
    )


def lacking_task(task: str, absent: Sequence[str]) -> InvalidInput:
    """What is said of a task that some models lack, where nothing may be missing."""
    names = ", ".join(map(repr, absent))
    return InvalidInput(
        f"no task may be missing where missing is 'refuse', but {names} {'has' if len(absent) == 1 else 'have'} no "
        f"values on {task}"
    )


def _left_out(task: str, series: Sequence[Series]) -> str:
    names = [one.model for one in series]
    has = "has" if len(names) == 1 else "have"
    return f"{task}: left out, because only {' and '.join(names)} {has} values there"


def _weighing(paired: Sequence[Paired], over: Over | None) -> Decision | None:
    """What the mean over tasks gives the same weight; nothing was decided where tasks are equally large."""
    if over is None and len({len(one.keys) for one in paired}) == 1:
        return None
    told = "every item counts once, whatever its task" if over == "items" else "each task counts once"
    other = "tasks" if over == "items" else "items"
    return Decision(
        what="tasks", value=told, how="assumed" if over is None else "declared",
        change=f"over='{other}' (--over {other})",
    )  # fmt: skip


def _overall(
    paired: Sequence[Paired], understanding: Understanding, over: Over, **options: Any
) -> tuple[Comparison, str]:
    """The verdict over tasks, and what it is the mean of."""
    tasks = [one.task for one in paired]
    counts: CountMetric | None = options.get("counts")
    means = np.array([_means(one, counts, understanding) for one in paired])
    whole = counts.name if counts is not None else understanding.metric if paired[0].counts is not None else ""
    if mixed_units({one.task: one.values for one in paired}, understanding):
        told = "tasks are measured in different units, which have no mean: over tasks the sign test counts wins by task"
        return over_tasks(means, tasks, understanding, mixed=True, **_judged(options)), told
    together = _together(paired)
    if over == "items":
        of = "the sums over items" if whole else "the mean over items"
        return _verdict(together, understanding, **options), f"over tasks: {of}, whatever their task"
    if whole:
        told = f"over tasks: each task is one value, its {whole} of its own items"
        return over_tasks(means, tasks, understanding, **_judged(options)), told
    index = np.repeat(np.arange(len(paired)), [one.values.shape[1] for one in paired])
    groups = None if together.groups is None else group_index(np.array(together.groups))
    if _alone(index, groups):
        told = "a task has one item or cluster, so that its spread is unknown: over tasks each task is one value"
        return over_tasks(means, tasks, understanding, **_judged(options)), told
    shared = "" if together.groups is None else "; items or clusters in several tasks are counted as the same"
    return _verdict(together, understanding, tasks=index, **options), f"over tasks: the mean of tasks{shared}"


def _alone(tasks: Integers, groups: Integers | None) -> bool:
    """Whether some task has one item or one cluster only."""
    units = np.arange(len(tasks)) if groups is None else groups
    return any(len(np.unique(units[tasks == task])) < 2 for task in np.unique(tasks))


def _means(paired: Paired, counts: CountMetric | None, understanding: Understanding) -> Array:
    """Of each model its mean, or its metric of all items together."""
    if paired.counts is None:
        return np.asarray(paired.values.mean(axis=1))
    return _of_parts(paired, counts, understanding).means


def _judged(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name != "counts"}


def _verdict(
    paired: Paired, understanding: Understanding, tasks: Integers | None = None, counts: CountMetric | None = None,
    **options: Any,
) -> Comparison:  # fmt: skip
    if paired.counts is not None:
        return _of_counts(paired, counts, understanding, options)
    rows = replace(paired.rows, missing=None)  # what was missing is said once, of all tasks
    if paired.groups is not None:
        rows = replace(rows, groups=group_index(np.array(paired.groups)))
    words: dict[str, Any] = {
        "metric": understanding.measures.get(paired.task, understanding.metric),
        "higher_is_better": understanding.higher_is_better,
        "direction": understanding.direction_from,
        "unit": understanding.unit,
    }
    times = None if paired.human is not None else rows.times
    told: tuple[str, ...] = ()
    if options.get("test") == "clark_west":
        noise, nested = nested_noise(str(words["metric"]), paired.models, paired.forecasts)
        larger, smaller = rows.models
        rows = replace(rows, models=(replace(larger, mean=larger.mean - noise, right_wrong=False), smaller))
        told, words["metric"] = nested, ADJUSTED
    used, ordering = times_to_use(times, clustered=rows.groups is not None, test=options.get("test", "auto"))
    rows = replace(rows, times=used)
    items = Items.of(rows, tuple(paired.models), runs=paired.runs, noun=paired.noun, **words)
    if paired.noun == "split" and used is not None:
        items = replace(items, splits=items.n)
    items = items if tasks is None else replace(items, tasks=tasks, right_wrong=False)
    if paired.human is not None:
        items = JudgedItems.of_labels(items, paired.human, paired.judges, disputed=paired.disputed)
    found = judge_evidence(items, **options)
    c = Comparison.of(found.replace(subject=paired.task)).noting(*told, *ordering)
    return c if paired.condition is None or tasks is not None else with_condition(c, paired.condition, times)


def _of_counts(
    paired: Paired, counts: CountMetric | None, understanding: Understanding, options: dict[str, Any]
) -> Comparison:
    evidence, times = _of_parts(paired, counts, understanding), paired.rows.times
    judged: Items | Outputs
    told: tuple[str, ...]
    if counts is None and times is not None:
        judged, told = evidence, (f"{evidence.metric} takes no order of time: items are taken as independent",)
    else:
        judged, told = ordered(evidence, times, options.get("test", "auto"))
    found = judge_evidence(judged, **options)
    c = Comparison.of(found.replace(subject=paired.task)).noting(*told)
    return c if counts is None else c.deciding([formula_decision(counts)])


def _of_parts(paired: Paired, counts: CountMetric | None, understanding: Understanding) -> Outputs:
    """The evidence of a metric of all items together: of counts, or of events, times and risks."""
    assert paired.counts is not None
    groups = None if paired.groups is None else group_index(np.array(paired.groups))
    direction = understanding.direction_from
    if counts is not None:
        turned = replace(counts, higher_is_better=understanding.higher_is_better)
        tables = dict(zip(paired.models, paired.counts, strict=True))
        return counts_evidence(turned, tables, groups=groups, direction=direction)
    event, time, _ = paired.counts[0].T
    truth = Truth(values=signed_times(time, event))
    metric = find_metric(understanding.measures.get(paired.task, understanding.metric), truth)
    return Outputs.build(paired.models, metric, truth, list(paired.counts[:, :, 2]), groups=groups, direction=direction)


def _together(paired: Sequence[Paired]) -> Paired:
    """The items of all tasks; what has the same key in several tasks, item or cluster, is the same."""
    keys = [label for one in paired for label in (one.groups or one.keys)]
    people = [one.human for one in paired if one.human is not None]
    crossed = any(one.groups is not None for one in paired) or len(set(keys)) < len(keys)
    return Paired(
        task=f"{len(paired)} tasks together",
        models=paired[0].models,
        rows=MarkRows(
            models=tuple(_joined([one.rows.models[m] for one in paired]) for m in range(len(paired[0].models))),
            items=np.array([f"{one.task}/{key}" for one in paired for key in one.keys], dtype=object),
            groups=None,
            missing=None,
        ),
        groups=tuple(keys) if crossed else None,
        runs=paired[0].runs,
        noun=paired[0].noun,
        human=np.hstack(people) if len(people) == len(paired) else None,
        disputed=sum(one.disputed for one in paired),
        judges={
            name: np.hstack([one.judges[name] for one in paired])
            for name in paired[0].judges
            if all(name in one.judges for one in paired)
        },
        counts=None if paired[0].counts is None else np.concatenate([one.counts for one in paired], axis=1),
    )


def _joined(parts: Sequence[ItemMarks]) -> ItemMarks:
    return ItemMarks(
        mean=np.concatenate([part.mean for part in parts]),
        variance=np.concatenate([part.variance for part in parts]),
        count=np.concatenate([part.count for part in parts]),
        right_wrong=all(part.right_wrong for part in parts),
    )


def _notes(paired: Sequence[Paired]) -> list[str]:
    return [
        (f"{one.task}: " if one.task else "") + one.missing.words(one.models)
        for one in paired
        if one.missing is not None
    ]
