"""Models with values on splits of one or several data sets: scores, or a table with splits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.evidence.learner_scores import LearnerScores
from foldwise.evidence.scores import MOST_FOLDS, Scores
from foldwise.judging.choosing import Chosen
from foldwise.judging.judgement import Judgement, Verdict
from foldwise.judging.over_tasks import over_tasks
from foldwise.judging.pairing import Missing
from foldwise.judging.understanding import Understanding
from foldwise.reading import Series, Splits
from foldwise.verdict import compare_scores
from foldwise.verdict.models.judge import judge_models

__all__ = ["Known", "judge_splits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a person says of splits whose file does not tell: runs of cross-validation, or sizes of random splits."""

    runs: int | None = None
    n_train: float | None = None
    n_test: float | None = None

    def beside(self, rows: Splits) -> Known:
        """With the sizes that the file tells."""
        return replace(self, n_train=self.n_train or rows.n_train, n_test=self.n_test or rows.n_test)

    @property
    def nothing(self) -> bool:
        """Whether neither runs nor sizes are known."""
        return self.runs is None and None in (self.n_train, self.n_test)


def judge_splits(
    chosen: Chosen, understanding: Understanding, *, missing: Missing, known: Known, **options: Any
) -> Judgement:
    """Compare models on each data set by its splits; several data sets also over data sets."""
    by_task: dict[str, list[Series]] = {}
    for one in chosen.series:
        by_task.setdefault(one.task, []).append(one)
    complete, notes = _complete(by_task, understanding.models, missing)
    grids = {task: [_grid(one, found[0]) for one in found] for task, found in complete.items()}
    verdicts: dict[str, Verdict] = {}
    for task, found in grids.items():
        rows = complete[task][0].rows
        assert isinstance(rows, Splits)
        of_task = known.beside(rows)
        if len(grids) > 1 and found[0].ndim == 1 and of_task.nothing and (rows.seeds or found[0].size > MOST_FOLDS):
            notes.append(
                f"{task}: no verdict on its {found[0].size} splits, whose overlap nobody knows (--n-train, --n-test)"
            )
            continue
        if rows.seeds and of_task.nothing:
            raise InvalidInput(
                "rows that differ in their seed alone may be random splits or trainings on one split: say how large "
                "splits are with n_train and n_test (--n-train, --n-test), or with runs=1 (--runs 1) that they are the "
                "folds of one cross-validation"
            )
        verdicts[task] = _verdict(task, found, understanding, of_task, **options)
    overall = _over_data_sets(grids, understanding, **options) if len(grids) > 1 else None
    return Judgement(
        understanding=replace(understanding, left_out=(*understanding.left_out, *notes)),
        verdicts=verdicts,
        overall=overall,
    )


def _complete(
    by_task: dict[str, list[Series]], models: Sequence[str], missing: Missing
) -> tuple[dict[str, list[Series]], list[str]]:
    """The data sets that all models have every score on, and sentences on the others."""
    found, notes = {}, []
    for task, series in by_task.items():
        failed = [one for one in series if np.isnan(one.values).any()]
        if len(series) < len(models):
            notes.append(f"{task or 'the data'}: only {', '.join(one.model for one in series)} have scores there")
        elif failed and missing == "drop" and len(by_task) > 1:
            told = ", ".join(f"{one.model} {int(np.isnan(one.values).sum())}" for one in failed)
            notes.append(f"{task}: left out, because some splits have no score ({told})")
        elif failed and missing == "wrong":
            raise InvalidInput(
                "missing must be 'drop' or 'refuse' for scores of splits, since no number is a wrong score, got 'wrong'"
            )
        else:
            found[task] = series
    if not found:
        raise InvalidInput(f"no data set has scores of all of {', '.join(models)}: {'; '.join(notes)}")
    return found, notes


def _verdict(task: str, grids: list[Array], understanding: Understanding, known: Known, **options: Any) -> Verdict:
    words: dict[str, Any] = {
        "n_train": known.n_train,
        "n_test": known.n_test,
        "metric": understanding.metric_of(task),
        "higher_is_better": understanding.higher_is_better,
    }
    if len(grids) == 2:
        first, second = understanding.models
        verdict = compare_scores(grids[0], grids[1], names=(first, second), runs=known.runs, **words, **options)
        return verdict.replace(subject=task)
    # checked as scores of two are: what their shape may be, and what is taken for one cross-validation
    checked = Scores.build(grids[0], grids[1], n_train=known.n_train, n_test=known.n_test, runs=known.runs)
    scores = np.array(grids).reshape(len(grids), *checked.a.shape)
    evidence = LearnerScores(names=understanding.models, scores=scores, **words)
    return judge_models(evidence, **options).replace(subject=task)


def _over_data_sets(grids: dict[str, list[Array]], understanding: Understanding, **options: Any) -> Verdict:
    means = np.array([[float(grid.mean()) for grid in found] for found in grids.values()])
    return over_tasks(means, tuple(grids), understanding, **options)


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
