"""Which of the series that were found are compared: what their rows are, one metric and filter, models told apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput, UnknownName, column, parameter, spoken
from foldwise.core.metric import RepeatedRuns, called_cost, repeated_runs, resolve_direction
from foldwise.core.replicates import refuse_repeated
from foldwise.data.column_meaning import SURVIVAL
from foldwise.data.sheet import some_names
from foldwise.metrics.catalogue import known_metric
from foldwise.metrics.counts import CountMetric, assumed_counts
from foldwise.metrics.survival import asks_for_survival
from foldwise.reading.counts import counted_series, offered_metrics, unasked_metric
from foldwise.reading.lineup import Candidate, Lineup, line_up
from foldwise.reading.series import READINGS, ItemRows, LabelledRows, Series, SplitRows, WholeTask
from foldwise.reading.source import told_apart


def settle(series: Sequence[Series], rows: str | None) -> tuple[list[Series], list[str]]:
    """Series whose rows are one thing, and sentences on those that could not be settled."""
    settled: list[Series] = []
    unsettled: dict[tuple[str, str], Series] = {}
    for one in series:
        if not isinstance(one.rows, LabelledRows):
            settled.append(one)
        elif len(one.rows.readings) == 1:
            settled.extend(_as(one, one.rows, one.rows.readings[0]))
        elif rows is None:
            unsettled.setdefault((one.source, one.metric), one)
        elif rows not in one.rows.readings:
            known = [name for name in one.rows.readings if name in READINGS]
            raise InvalidInput(f"rows of {one.source} must be one of {', '.join(known)}, got {rows!r}")
        else:
            settled.extend(_as(one, one.rows, rows))
    asked = [_question(one) for one in unsettled.values()]
    if asked and not settled:
        raise InvalidInput(asked[0])
    return settled, [spoken(question, "command") for question in asked]


def _question(one: Series) -> str:
    assert isinstance(one.rows, LabelledRows)
    if "models" in one.rows.readings:
        return (
            f"{one.source} has one row per model; its columns ({some_names(one.rows.labels)}) may be data sets.\n"
            f"If so, say {parameter('rows', 'models')}. If they are metrics, one value per model says nothing about "
            "its spread: items, folds or data sets are needed in rows"
        )
    first, *others = (f"{READINGS[name]} ({parameter('rows', name)})" for name in one.rows.readings)
    told = ", ".join(map(repr, list(one.rows.labels)[:3]))
    choice = "".join([first, *(f", or {other}" for other in others)])
    return f"{one.source}: the rows of {one.metric} ({told} …) may be {choice}"


def _as(one: Series, rows: LabelledRows, reading: str) -> Iterator[Series]:
    if reading == "items":
        yield replace(one, rows=ItemRows(keys=rows.labels, clusters=rows.clusters, group=rows.group, times=rows.times))
    elif reading == "splits":
        yield replace(one, rows=SplitRows(folds=rows.labels))
    elif reading == "last":
        yield replace(one, rows=WholeTask(), values=one.values[-1:], missing={})
    else:
        refuse_repeated(rows.labels, one.source)
        for label, value in zip(rows.labels, one.values.tolist(), strict=True):
            yield replace(one, task=label, rows=WholeTask(), values=np.array([value]))


_KINDS = (ItemRows, SplitRows)  # Rows from the most telling on; the task as a whole is what is left.


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The series to compare."""

    series: tuple[Series, ...]  #: Of one metric and filter per task, each model once per task
    others: tuple[str, ...]  #: Metrics (with filters) that could have been chosen instead, as ``--metric`` takes them
    left_out: tuple[str, ...]  #: Sentences on what was not chosen
    roles: Lineup  #: Who is compared with whom
    #: Tasks on which one model alone has what is compared, and the models that have not
    lacking: dict[str, tuple[str, ...]] = field(default_factory=dict)
    runs: RepeatedRuns | None = None  #: What is asked of several runs of an item instead of their mean
    counts: CountMetric | None = None  #: The metric of counts, where it is one


def choose(
    series: Sequence[Series], *, metric: str | None = None, variant: str | None = None, models: Sequence[str] = (),
    tasks: Sequence[str] = (), candidate: Candidate | None = None, baseline: str | None = None,
    control: str | None = None, places: Mapping[str, Collection[str]] | None = None,
) -> Chosen:  # fmt: skip
    """Choose what is compared: what was asked for, or else on each task the metric that most models have.

    The `variant` is a filter of the metric; `places` are, by file or folder that was given, the sources found there: it
    stands for the one model in it.
    """
    _refuse_failed(series)
    again = partial(
        choose, models=models, tasks=tasks, candidate=candidate, baseline=baseline, control=control, places=places
    )
    if asks_for_survival(metric) and (known := known_metric(str(metric))) is not None:
        metric = known.name
        series = [replace(one, decisions=tuple(told for told in one.decisions if told != SURVIVAL)) for one in series]
        if all(one.metric != metric for one in series):  # until a time
            series = [*series, *(replace(one, metric=metric) for one in series if one.metric == "c_index_uno")]
    runs = repeated_runs(metric)
    if runs is not None and not any(metric in (one.metric, one.measure) for one in series):
        found = again(series, metric=runs.of or None, variant=variant)
        return replace(found, series=tuple(_over_runs(one, runs) for one in found.series), runs=runs)
    asked = unasked_metric(series) if metric is variant is None else metric
    counted = counted_series(series, asked)
    if counted is not None:
        of_counts = counted[0]
        if metric is None:
            assumed = assumed_counts(counted[1])
            of_counts = [replace(one, decisions=(*one.decisions, assumed)) for one in of_counts]
        found = again(of_counts)
        columns = [name for name in dict.fromkeys(one.measure for one in series) if name != asked]
        offered = dict.fromkeys([*offered_metrics(series), *columns])
        return replace(found, counts=counted[1], others=tuple(name for name in offered if name != asked))
    told = _tell_apart(series)
    candidate, baseline = _in_place(candidate, told, places or {}), _in_place(baseline, told, places or {})
    named = _keep(_keep(told, "model", models), "task", tasks)
    there = tuple(dict.fromkeys(models)) or tuple(dict.fromkeys(one.model for one in named))
    roles = line_up(there, candidate=candidate, baseline=baseline, control=control, ordered=bool(models))
    # every task has the models in one order, whatever the order of its files
    named = sorted((one for one in named if one.model in roles.names), key=lambda one: roles.names.index(one.model))
    by_task: dict[str, list[Series]] = {}
    for one in named:
        by_task.setdefault(one.task, []).append(one)
    measures = {task: _measures(found) for task, found in by_task.items()}
    matching = {task: [name for name in found if _asked(name, metric, variant)] for task, found in measures.items()}
    _check_any(named, measures, matching, metric if variant is None else f"{metric or ''},{variant}")
    first = {names[0] for names in matching.values() if names}
    # a task that one model alone has is compared where its absence counts, by a measure of the others
    alone = {task: _alone(by_task[task], first) for task, names in matching.items() if not names}
    measure = {task: names[0] if names else alone[task] for task, names in matching.items()}
    picked = [one for task in matching for one in by_task[task] if one.measure == measure[task]]
    lacking = {
        task: tuple(name for name in roles.names if all(one.model != name for one in by_task[task])) or roles.names
        for task, found in alone.items()
        if found is not None or metric is variant is None
    }
    kind, rest = _most_telling(picked)
    left_out = [f"{one.source or one.model}: {one.measure} of {one.task or 'the task'} as a whole" for one in rest]
    left_out += [
        f"task {task}: fewer than two models have {metric or 'a metric'}" for task in matching if measure[task] is None
    ]
    others = dict.fromkeys(name for names in measures.values() for name in names if name not in first)
    others |= dict.fromkeys(offered_metrics(series))
    return Chosen(series=tuple(kind), others=tuple(others), left_out=tuple(left_out), roles=roles, lacking=lacking)


def _in_place(role: Any, series: Sequence[Series], places: Mapping[str, Collection[str]]) -> Any:
    """The model that a file or folder holds, where one was named instead of a model."""
    if isinstance(role, str) and role in places and all(one.model != role for one in series):
        models = tuple(dict.fromkeys(one.model for one in series if one.source in places[role]))
        if len(models) != 1:
            found = f"has {', '.join(models)}: name the one that is meant" if models else "has no model"
            raise InvalidInput(f"a file or folder that stands for a model must have one, but {role} {found}")
        return models[0]
    return [_in_place(one, series, places) for one in role] if isinstance(role, list | tuple) else role


def _over_runs(one: Series, runs: RepeatedRuns) -> Series:
    """The series as what is asked of its runs measures it: of right and wrong, 1 is right whatever they count."""
    if not isinstance(one.rows, ItemRows):
        raise InvalidInput(
            f"{runs.name} is about several runs of an item, but {one.source} has no items: "
            f"name their columns ({column('item', 'NAME')}, {column('trial', 'NAME')})"
        )
    higher, _ = resolve_direction(one.metric, one.higher_is_better)
    if not runs.right_wrong:
        called = runs.name if runs.of else f"{runs.name} of {one.metric}"
        return replace(one, metric=called, higher_is_better=one.higher_is_better)
    most = 100.0 if np.nanmax(one.values, initial=0.0) == 100 else 1.0
    values = one.values if higher else most - one.values
    return replace(one, metric=runs.name, values=values, higher_is_better=None)


def _alone(series: Iterable[Series], known: set[str]) -> str | None:
    """The first measure that other tasks are compared by."""
    return next((one.measure for one in series if one.measure in known), None)


def _refuse_failed(series: Sequence[Series]) -> None:
    """Say that logs failed where no model but one at most has any value."""
    scored = {one.model for one in series if not np.isnan(one.values).all()}
    failed = {one.model: one for one in series if one.model not in scored}
    if failed and len(scored) < 2:
        told = "; ".join(f"{one.source or model}: {_failure(one)}" for model, one in list(failed.items())[:3])
        rest = f"only {next(iter(scored))!r} has values" if scored else "no model has a value"
        raise InvalidInput(f"nothing to compare, because {rest}.\n{told}")


def _failure(one: Series) -> str:
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in one.missing.items())
    return f"all {one.rows.count:,} values of {one.model!r} are missing ({reasons or 'not scored'})"


def _measures(series: Iterable[Series]) -> list[str]:
    """Metrics of a task by how many models have them, costs last; those of one model alone can't be compared."""
    holders: dict[str, set[str]] = defaultdict(set)
    for one in series:
        holders[one.measure].add(one.model)
    usable = [name for name, models in holders.items() if len(models) > 1]
    # stable: the order of the files decides ties
    return sorted(usable, key=lambda name: (called_cost(name), -len(holders[name])))


class OneModel(InvalidInput):
    """There is nobody to compare a model with."""


def _check_any(
    series: Sequence[Series], measures: dict[str, list[str]], matching: dict[str, list[str]], asked: str | None
) -> None:
    known = {name for names in measures.values() for name in names}
    if not known:
        models = sorted({one.model for one in series})
        rule = "at least two models with one metric on one task are needed to compare, got"
        if not models:
            raise InvalidInput(f"{rule} none")
        if len(models) == 1:
            raise OneModel(f"{rule} only {models[0]!r}; foldwise judge (fw.estimate_files) tells of one alone")
        raise InvalidInput(f"{rule} none of {', '.join(models)} with another's")
    if not any(matching.values()):
        raise UnknownName("metric", asked, known)


def _asked(measure: str, metric: str | None, variant: str | None) -> bool:
    name, _, filtered = measure.partition(",")
    right_metric = metric is None or metric in (name, measure)
    return right_metric and (variant is None or variant == (filtered or "none"))


def _keep(series: Sequence[Series], what: str, wanted: Sequence[str]) -> list[Series]:
    known = {getattr(one, what) for one in series}
    for name in wanted:
        if name not in known:
            raise UnknownName(what, name, known)
    return [one for one in series if not wanted or getattr(one, what) in wanted]


def _most_telling(series: Sequence[Series]) -> tuple[list[Series], list[Series]]:
    """Series whose rows are items where two models have such, else splits, else wholes; and the others."""
    for kind in _KINDS:
        found = [one for one in series if isinstance(one.rows, kind)]
        if len({one.model for one in found}) > 1:
            return found, [one for one in series if not isinstance(one.rows, kind)]
    return list(series), []


def _tell_apart(series: Sequence[Series]) -> list[Series]:
    """The same series, with models that were run twice named by the settings in which the runs differ, or by file."""
    clashing: dict[str, set[str]] = defaultdict(set)
    by_file: set[str] = set()
    seen: dict[tuple[str, str, str, type], Series] = {}
    for one in series:
        key = (one.model, one.task, one.measure, type(one.rows))
        first = seen.setdefault(key, one)
        if first is not one:
            differing = _differing(first, one)
            if not differing and first.source == one.source:
                raise InvalidInput(
                    f"{one.source} has {one.measure} of {one.model!r} on {one.task or 'one task'} twice, and no "
                    "setting tells the two apart"
                )
            clashing[one.model] |= differing
            if not differing:
                by_file.add(one.model)
    files = {model: _files([one for one in series if one.model == model]) for model in by_file}
    return [
        replace(one, model=f"{one.model} ({files[one.model][one.source]})")
        if one.model in by_file
        else _named(one, clashing[one.model])
        if one.model in clashing
        else one
        for one in series
    ]


def _files(series: Sequence[Series]) -> dict[str, str]:
    """By file of one model, what it is called: its folder where each has its own, else its name without the task's."""
    paths = {one.source: PurePosixPath(one.source.replace(one.task, "") if one.task else one.source) for one in series}
    folders = {path.parent for path in paths.values()}
    several = len(folders) > 1
    labels = told_apart([*folders] if several else [*dict.fromkeys(paths.values())])
    named = dict(zip(folders if several else dict.fromkeys(paths.values()), labels, strict=True))
    return {source: named[path.parent if several else path].strip("_-") or "–" for source, path in paths.items()}


def _differing(a: Series, b: Series) -> set[str]:
    keys = {*a.settings, *b.settings}
    return {key for key in keys if a.settings.get(key) != b.settings.get(key)}


def _named(one: Series, settings: set[str]) -> Series:
    told = ", ".join(f"{key}={one.settings.get(key, '–')}" for key in sorted(settings))
    return replace(one, model=f"{one.model} ({told})")
