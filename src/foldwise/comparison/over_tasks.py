"""The verdicts on tasks of one value each, and on tasks with scores on splits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.judgement import Judgement, Understanding
from foldwise.comparison.options import Options
from foldwise.comparison.pairs import judge_evidence
from foldwise.comparison.series_choice import Chosen
from foldwise.comparison.slices import judge_each
from foldwise.comparison.tables import compare_table
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import is_loss, is_share, unit_of
from foldwise.core.types import Array
from foldwise.evidence.missing import MissingRule, MissingValues, settle_missing
from foldwise.evidence.score_table import ScoreTable
from foldwise.evidence.scores import MOST_FOLDS, Scores, check_fold_sizes, without_holes
from foldwise.reading.series import Series, SplitRows


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
            replace(rule, metric=metric),
            place=lambda name, where, tasks=tasks: f"the value of {name!r} on {tasks[int(where[0])]}",  # type: ignore[misc]
            unit="task",
        )
        lost.append(settled.missing)
        rows = np.hstack(settled.values).tolist()
        kept |= {task: row for task, row, there in zip(tasks, rows, settled.kept, strict=True) if there}
    return {task: kept[task] for task in understanding.tasks if task in kept}, MissingValues.total(lost)


_NO_SHARE = 5  # The largest value from which a task is on another scale than one of shares.


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
    table = ScoreTable.of(
        values, learners=understanding.models, datasets=tuple(tasks), metric=understanding.metric,
        higher_is_better=understanding.said_direction, unit=understanding.unit,
    )  # fmt: skip
    bayes = "auto"
    if mixed or len({understanding.metric_of(task) for task in tasks}) > 1:
        if options.get("margin") is not None:
            raise InvalidInput(
                "a margin needs tasks with one metric, because differences of several have no common size: choose one "
                f"with metric (--metric); got {', '.join(sorted(set(understanding.measures.values())))}"
            )
        table, bayes = replace(table, mixed=True), "none"
    few = {name: options.pop(name) for name in ("control", "adjust") if name in options}
    asked = {name: value for name, value in options.items() if name != "test"}  # that is a test of items
    if table.mixed:
        asked["test"] = "sign"
    return compare_table(table, options=Options(bayes=bayes, **few), **asked)


Key = tuple[str, str]  # Run and fold of a split.


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a person says of splits whose file does not tell: runs of cross-validation, or sizes of random splits."""

    runs: int | None = None
    n_train: float | None = None
    n_test: float | None = None

    def beside(self, rows: SplitRows) -> Known:
        """With the sizes that the file tells."""
        return replace(self, n_train=self.n_train or rows.n_train, n_test=self.n_test or rows.n_test)

    @property
    def nothing(self) -> bool:
        """Whether neither runs nor sizes are known."""
        return self.runs is None and None in (self.n_train, self.n_test)


def judge_splits(
    chosen: Chosen, understanding: Understanding, *, rule: MissingRule, known: Known, alpha: float = 0.05,
    **options: Any,
) -> Judgement:  # fmt: skip
    """Compare models on each data set by its splits; several data sets also over data sets."""
    by_task: dict[str, list[Series]] = {}
    for one in chosen.series:
        by_task.setdefault(one.task, []).append(one)
    complete, notes, lost = _complete(by_task, understanding.models, rule)
    grids = {
        task: [_grid(found[model], list(next(iter(found.values())))) for model in understanding.models]
        for task, found in complete.items()
    }
    told: dict[str, Known] = {}
    for task, found in grids.items():
        rows = by_task[task][0].rows
        assert isinstance(rows, SplitRows)
        of_task = known.beside(rows)
        if len(grids) > 1 and found[0].ndim == 1 and of_task.nothing and (rows.seeds or found[0].size > MOST_FOLDS):
            notes.append(
                f"{task}: no verdict on its {found[0].size} splits, whose overlap is unknown (--n-train, --n-test)"
            )
            continue
        if rows.seeds and of_task.nothing:
            raise InvalidInput(
                "rows that differ in their seed alone may be random splits or trainings on one split: say how large "
                "splits are with n_train and n_test (--n-train, --n-test), or with runs=1 (--runs 1) that they are the "
                "folds of one cross-validation"
            )
        told[task] = of_task
    verdicts, adjusted = judge_each(
        list(told),
        lambda task, level: _verdict(
            task, grids[task], understanding, told[task], series=by_task[task], alpha=level, **options
        ),
        alpha,
    )
    overall = None
    if len(grids) > 1:
        means = np.array([[float(grid.mean()) for grid in found] for found in grids.values()])
        mixed = mixed_units({task: np.array(found) for task, found in grids.items()}, understanding)
        overall = over_tasks(means, tuple(grids), understanding, mixed=mixed, alpha=alpha, **options)
    judged = Judgement(
        understanding=replace(understanding, left_out=(*understanding.left_out, *notes, *adjusted)),
        verdicts=verdicts,
        overall=overall,
    )
    return judged.decided(None if lost is None else lost.decision(understanding.models))


def _complete(
    by_task: dict[str, list[Series]], models: Sequence[str], rule: MissingRule
) -> tuple[dict[str, dict[str, dict[Key, float]]], list[str], MissingValues | None]:
    """Of each data set, the scores of all models on the splits that count, and what is missing, in words and in all."""
    found, notes, lost = {}, [], []
    for task, series in by_task.items():
        held = {one.model: _by_split(one) for one in series}
        every = list(dict.fromkeys(key for scores in held.values() for key in scores))
        values = {name: np.array([[held.get(name, {}).get(key, np.nan)] for key in every]) for name in models}
        settled = settle_missing(
            values,
            replace(rule, metric=series[0].metric),
            place=lambda name, where, keys=every, task=task: (  # type: ignore[misc]
                f"the score of {name!r} on split {' '.join(keys[int(where[0])]).strip()} of {task or 'the data'}"
            ),
            unit="split",
        )
        scores = {
            name: {key: score for key, score in zip(every, part[:, 0].tolist(), strict=True) if not np.isnan(score)}
            for name, part in zip(models, settled.values, strict=True)
        }
        common = _common(every, scores)
        if settled.missing is not None:
            lost.append(replace(settled.missing, items=len(every) - len(common)))
            notes.append((f"{task}: " if task else "") + lost[-1].words(models))
        if len(common) > 1:
            found[task] = {model: {key: held[key] for key in common} for model, held in scores.items()}
        elif settled.missing is not None:
            notes.append(f"{task or 'the data'}: left out, since fewer than two splits have a score of every model")
    if not found:
        raise InvalidInput(f"no data set has scores of all of {', '.join(models)}: {'; '.join(notes)}")
    return found, notes, MissingValues.total(lost)


def _by_split(one: Series) -> dict[Key, float]:
    """The scores that are there, by run and fold."""
    assert isinstance(one.rows, SplitRows)
    keys = list(zip(one.rows.runs or [""] * one.rows.count, one.rows.folds, strict=True))
    if len(set(keys)) < len(keys):
        raise InvalidInput(f"{one.source} gives {one.model!r} a second score on some split of {one.task or 'the data'}")
    return {key: value for key, value in zip(keys, one.values.tolist(), strict=True) if not np.isnan(value)}


def _common(every: Sequence[Key], scores: dict[str, dict[Key, float]]) -> list[Key]:
    """The splits of all models, as whole runs or as folds of every run, whichever are more: a grid has no holes."""
    common = [key for key in every if all(key in held for held in scores.values())]
    runs, folds = (list(dict.fromkeys(key[axis] for key in every)) for axis in (0, 1))
    there = set(common)
    kept = without_holes(np.array([[(run, fold) in there for fold in folds] for run in runs]))
    return [key for key in common if kept[runs.index(key[0]), folds.index(key[1])]]


def _verdict(
    task: str, grids: list[Array], understanding: Understanding, known: Known, *, series: list[Series], **options: Any
) -> Comparison:
    # with those on which some model has no score
    folds = len({fold for one in series if isinstance(one.rows, SplitRows) for fold in one.rows.folds})
    numbered = grids[0].ndim == 1 and any(isinstance(one.rows, SplitRows) and one.rows.numbered for one in series)
    if numbered and known.runs is None:  # folds of one run, whatever the test is to make of them
        check_fold_sizes(folds, known.n_train, known.n_test)
    scores = Scores.build(
        dict(zip(understanding.models, grids, strict=True)), n_train=known.n_train, n_test=known.n_test,
        runs=known.runs, metric=understanding.metric_of(task), higher_is_better=understanding.said_direction,
        unit=understanding.unit,
    )  # fmt: skip
    if len(scores.shape) == 2:
        # folds that some model lacks were left out, and are among those that the sizes tell
        check_fold_sizes(folds // scores.shape[0] if grids[0].ndim == 1 else folds, known.n_train, known.n_test)
    judged = judge_evidence(scores, **options)
    return Comparison.of(judged.replace(subject=task))


def _grid(scores: dict[Key, float], keys: Sequence[Key]) -> Array:
    """The scores in the order of the first model's splits, as runs × folds where both are known."""
    runs, folds = (list(dict.fromkeys(key[axis] for key in keys)) for axis in (0, 1))
    values = np.array([[scores[run, fold] for fold in folds] for run in runs])
    return values[0] if runs == [""] else values
