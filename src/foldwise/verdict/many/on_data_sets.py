"""Several learners run on several data sets, and compared over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from foldwise.core.errors import FitFailed, InvalidInput
from foldwise.core.types import Array, Estimator
from foldwise.evidence.score_table import ScoreTable
from foldwise.verdict.many.comparison import ManyComparison
from foldwise.verdict.many.from_table import compare_many

if TYPE_CHECKING:
    from foldwise.data import Dataset
    from foldwise.engine import RunResult

__all__ = ["compare_on_data_sets"]


def compare_on_data_sets(
    learners: Mapping[str, Estimator] | Sequence[str],
    datasets: Sequence[Dataset],
    *,
    runs: int = 10,
    folds: int = 10,
    scoring: object = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    store: object = None,
    cluster: object = None,
    progress: object = None,
    fit_seconds: float | None = None,
    fit_memory: float | None = None,
    **options: Any,
) -> ManyComparison:
    """Cross-validate several learners on several data sets, and compare them over the data sets.

    Parameters
    ----------
    learners
        Names of learners, or names and estimators.
    datasets
        Data sets as `foldwise.load` returns them.
    runs, folds, scoring, random_state, n_jobs, store, cluster, progress, fit_seconds, fit_memory
        As in `foldwise.compare`; the same learner on the same data is found again in the store.
    **options
        As in `foldwise.compare_many`.

    Returns
    -------
    ManyComparison
        ``print`` it for a verdict in words.
    """
    chosen = _learners(learners)
    if len(chosen) < 2 or len(datasets) < 2:
        raise InvalidInput(
            "a comparison over data sets needs at least 2 learners and 2 data sets, "
            f"got {len(chosen)} and {len(datasets)}"
        )
    scores: list[Array] = []
    sizes: list[tuple[float, float]] = []
    resources = {"scoring": scoring, "n_jobs": n_jobs, "store": store, "cluster": cluster, "progress": progress}
    limits = {"fit_seconds": fit_seconds, "fit_memory": fit_memory}
    for dataset in datasets:
        result = _run(chosen, dataset, runs, folds, random_state, **resources, **limits)
        scores.append(result.scores)
        sizes.append((float(result.sizes()[0].mean()), float(result.sizes()[1].mean())))
    least = min(part.shape[1] for part in scores)
    table = ScoreTable.of(
        np.stack([part[:, :least].reshape(len(chosen), -1) for part in scores]),
        learners=list(chosen),
        datasets=[dataset.name for dataset in datasets],
        higher_is_better=result.greater_is_better,
        n_train=[n_train for n_train, _ in sizes],
        n_test=[n_test for _, n_test in sizes],
        metric=result.scoring,
    )
    c = compare_many(table, **options)
    return c if least == runs else replace(c, caveats=(_few_partitions(datasets, scores, runs, least), *c.caveats))


def _few_partitions(datasets: Sequence[Dataset], scores: Sequence[Array], runs: int, least: int) -> str:
    name = next(dataset.name for dataset, part in zip(datasets, scores, strict=True) if part.shape[1] == least)
    found = "one partition" if least == 1 else f"{least} different partitions"
    return f"{name} has only {found} into these folds, so that {least} of the {runs} runs asked for count everywhere"


def _learners(learners: Mapping[str, Estimator] | Sequence[str]) -> dict[str, Estimator]:
    from foldwise.engine.prepare import learner_of, name_learners

    named = dict(learners) if isinstance(learners, Mapping) else name_learners(learners, list(learners))
    return {name: learner_of(learner) for name, learner in named.items()}


def _run(
    learners: dict[str, Estimator], dataset: Dataset, runs: int, folds: int, seed: int, **options: Any
) -> RunResult:
    from foldwise.engine import prepare, run_prepared
    from foldwise.resampling import DistinctRuns, RepeatedKFold

    prepared = prepare(learners, dataset)
    plan = RepeatedKFold(runs=runs, folds=folds, stratified=prepared.classifies)
    distinct = DistinctRuns(plan, dataset.y, seed=seed).take(runs)
    result = run_prepared(prepared, plan, runs=distinct, seed=seed, data_name=dataset.name, **options)
    if result.failures:
        raise FitFailed(f"{len(result.failures)} fits failed on {dataset.name}: {result.failures[0]}")
    return result
