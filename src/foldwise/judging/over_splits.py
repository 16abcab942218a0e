"""Models with values on splits of one or several data sets: scores, or a table with splits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.evidence.learner_scores import LearnerScores
from foldwise.evidence.scores import Scores
from foldwise.judging.choosing import Chosen
from foldwise.judging.judgement import Judgement, Verdict
from foldwise.judging.understanding import Understanding
from foldwise.readers import Rows, Series, Splits
from foldwise.verdict import compare_many, compare_scores
from foldwise.verdict.models.judge import judge_models

__all__ = ["judge_splits"]


def judge_splits(chosen: Chosen, understanding: Understanding, **options: Any) -> Judgement:
    """Compare models on each data set by its splits; several data sets also over data sets."""
    by_task: dict[str, list[Series]] = {}
    for one in chosen.series:
        by_task.setdefault(one.task, []).append(one)
    complete = {task: found for task, found in by_task.items() if len(found) == len(understanding.models)}
    if not complete:
        raise InvalidInput(f"no data set has scores of all of {', '.join(understanding.models)}")
    grids = {task: [_grid(one, found[0]) for one in found] for task, found in complete.items()}
    words: dict[str, Any] = {"metric": understanding.metric, "higher_is_better": understanding.higher_is_better}
    verdicts = {
        task: _verdict(task, found, complete[task][0].rows, understanding, **options) for task, found in grids.items()
    }
    overall = _over_data_sets(grids, understanding, **words, **options) if len(grids) > 1 else None
    return Judgement(understanding=understanding, verdicts=verdicts, overall=overall)


def _verdict(task: str, grids: list[Array], rows: Rows, understanding: Understanding, **options: Any) -> Verdict:
    assert isinstance(rows, Splits)
    metric, higher = understanding.metric_of(task), understanding.higher_is_better
    if len(grids) == 2:
        first, second = understanding.models
        verdict = compare_scores(
            *grids, n_train=rows.n_train, n_test=rows.n_test, names=(first, second), metric=metric,
            higher_is_better=higher, **options,
        )  # fmt: skip
        return verdict.replace(subject=task)
    # checked as scores of two are: what their shape may be, and what is taken for one cross-validation
    shape = Scores.build(grids[0], grids[1], n_train=rows.n_train, n_test=rows.n_test).a.shape
    if len(shape) == 1:
        raise InvalidInput(f"two models are compared on random splits, got {len(grids)}: name two with models")
    evidence = LearnerScores(
        names=understanding.models,
        scores=np.array(grids).reshape(len(grids), *shape),
        metric=metric,
        higher_is_better=higher,
        n_train=rows.n_train,
        n_test=rows.n_test,
    )
    return judge_models(evidence, **options).replace(subject=task)


def _over_data_sets(grids: dict[str, list[Array]], understanding: Understanding, **words: Any) -> Verdict:
    means = np.array([[float(grid.mean()) for grid in found] for found in grids.values()])
    return compare_many(means, learners=understanding.models, datasets=tuple(grids), **words)


def _grid(one: Series, like: Series) -> Array:
    """The scores in the order of the first model's splits, as runs × folds where both are known."""
    rows, first = one.rows, like.rows
    assert isinstance(rows, Splits)
    assert isinstance(first, Splits)
    held = dict(zip(_keys(rows), one.values.tolist(), strict=True))
    if len(held) < rows.count:
        raise InvalidInput(f"{one.source} gives {one.model!r} a second score on some split of {one.task or 'the data'}")
    keys = _keys(first)
    if set(keys) != set(held):
        raise InvalidInput(
            f"{one.model!r} and {like.model!r} must have scores on the same splits of {one.task or 'the data'}, got "
            f"{len(held)} and {len(keys)}, {len(set(keys) & set(held))} of them in common"
        )
    values = np.array([held[key] for key in keys])
    if np.isnan(values).any():
        raise InvalidInput(f"{one.source} has no score of {one.model!r} on {int(np.isnan(values).sum())} split(s)")
    runs = None if first.runs is None else list(dict.fromkeys(first.runs))
    if runs is None:
        return values
    folds = list(dict.fromkeys(first.folds))
    order = sorted(range(len(keys)), key=lambda i: (runs.index(keys[i][0]), folds.index(keys[i][1])))
    if len(keys) != len(runs) * len(folds):
        raise InvalidInput(
            f"{one.source} must have every fold of every run, got {len(keys)} of {len(runs)}×{len(folds)}"
        )
    return values[order].reshape(len(runs), len(folds))


def _keys(rows: Splits) -> Sequence[tuple[str, str]]:
    return list(zip(rows.runs or [""] * rows.count, rows.folds, strict=True))
