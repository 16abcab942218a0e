"""Learners run on data for a verdict: what must succeed, what was noticed, and what the trainings say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from foldwise.comparison.by_metric import MetricComparison
from foldwise.comparison.pairs import one_sided_limits, pair_of_two
from foldwise.core.errors import FitFailed
from foldwise.core.formatting import moment
from foldwise.designs import RIGHT_WRONG, find_procedure
from foldwise.evidence.items import Items

if TYPE_CHECKING:
    from foldwise.engine.prepared import Prepared
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Work:
    """How the fits of a comparison are made and scored, whatever the partitioning."""

    scorings: tuple[Any, ...]  #: All that score the same fits
    #: n_jobs, store, cluster, progress, fit_seconds, fit_memory, on_error: As in `foldwise.compare`
    n_jobs: int | None
    store: Any
    cluster: Any
    progress: Any
    fit_seconds: float | None
    fit_memory: float | None
    on_error: Literal["raise", "continue"] = "raise"

    def options(self) -> dict[str, Any]:
        return {
            "metric": self.scorings[0],
            "also": self.scorings[1:],
            "n_jobs": self.n_jobs,
            "store": self.store,
            "cluster": self.cluster,
            "progress": self.progress,
            "fit_seconds": self.fit_seconds,
            "fit_memory": self.fit_memory,
            "on_error": self.on_error,
        }


def run_study(study: Prepared, plan: Plan, work: Work, **options: Any) -> RunResult:
    """Run a plan through the engine; there is no verdict without a fit."""
    from foldwise.engine.runner import run_prepared

    result = run_prepared(study, plan, **work.options(), **options)
    if result.failures:
        first = result.failures[0]
        raise FitFailed(f"{len(result.failures)} of {result.scores.size} fits failed, so there is no verdict: {first}")
    return result


def noticed(study: Prepared, plan: Plan, results: Sequence[RunResult], work: Work, *notes: str) -> tuple[str, ...]:
    """What a reader should know of the run: what the store can't see, notes, rare classes, warnings of the learners."""
    from foldwise.engine.cache import unseen_caveats

    unseen = unseen_caveats(work.store, [*study.estimators, *work.scorings])
    rare = plan.caveats(study.y, groups=study.groups) if study.classifies else ()
    return (*unseen, *notes, *rare, *study.notes, *_warned(study.names, results))


def _warned(names: Sequence[str], results: Sequence[RunResult]) -> tuple[str, ...]:
    """The warnings of all learners in one sentence: how often, the commonest of each, and how many others."""
    counts = {name: sum((result.warnings[name] for result in results), Counter()) for name in names}
    total = sum(count.total() for count in counts.values())
    if not total:
        return ()
    said = []
    for name, count in counts.items():
        if count:
            (text, times), others = count.most_common(1)[0], len(count) - 1
            rest = f" (and {others} other {'kind' if others == 1 else 'kinds'})" if others else ""
            said.append(f"{name} in {times} fits, {text.rstrip('.')}{rest}")
    return (f"{total} {'warning' if total == 1 else 'warnings'} while fitting: {'; '.join(said)}",)


def found_made(results: Sequence[RunResult]) -> tuple[str, str] | None:
    """When the oldest and the newest of the fits from the store were made."""
    spans = [result.found_made for result in results if result.found_made is not None]
    return (moment(min(a for a, _ in spans)), moment(max(b for _, b in spans))) if spans else None


def majority_accuracy(results: Sequence[RunResult]) -> float:
    """Mean over all splits of the share of test examples that are of their training set's most frequent class.

    Ties go to the first class, as with the learner `majority`. The splits are those the learners were compared on.
    """
    rates = []
    for result in results:
        folds, codes = result.shape[1], np.asarray(result.y)
        for index in (run * folds + fold for run in result.runs for fold in range(folds)):
            split = result.splits[index]
            rates.append(np.mean(codes[split.test] == np.bincount(codes[split.train]).argmax()))
    return float(np.mean(rates))


def bounded_by_examples(c: MetricComparison, results: Sequence[RunResult]) -> MetricComparison:
    """The comparison with the interval and probabilities of n examples without a disagreement, where that holds.

    Notes
    -----
    Scores that agree on every split say nothing of their variance. But accuracies come from single examples, and n of
    them on which both classifiers are right, or both wrong, leave room for a difference of the order of 1/n only:
    Tango's interval and the posterior of a table without disagreements.
    """
    if c.metric != "accuracy" or c.rope_probabilities is not None or c.estimate != 0:
        return c
    right = _agreed(results)
    if right is None:
        return c
    outcomes = Items.from_right(c.names, [right, right])
    procedure = find_procedure(RIGHT_WRONG.recommended)
    bound = RIGHT_WRONG.findings(outcomes, procedure, alpha=c.alpha, rope=c.rope)
    limits = one_sided_limits(outcomes, procedure, alpha=c.limits_alpha, rope=c.rope, margin=c.margin)
    words = (
        f"both are right and wrong on the same {len(right)} examples: interval and probabilities are those of so many "
        "test examples without a disagreement"
    )
    (pair,) = c.pairs
    found = replace(c.findings, interval=bound.interval, probabilities=bound.probabilities)
    known = pair_of_two(c.evidence, c.procedure, found, limits, alpha=c.alpha, margin=c.margin)  # type: ignore[arg-type]
    return c.with_pairs(lambda _: replace(known, replicability=pair.replicability)).adding(words)


def _agreed(results: Sequence[RunResult]) -> NDArray[np.bool_] | None:
    """Whether each tested example was classified rightly; None if the two ever disagree about one."""
    right: dict[int, bool] = {}
    for result in results:
        folds = result.shape[1]
        places = [run * folds + fold for run in result.runs for fold in range(folds)]
        for place, a, b in zip(places, *result.outcomes, strict=True):
            test = result.splits[place].test
            truth = result.y[test]
            if a is None or b is None or not np.array_equal(a == truth, b == truth):
                return None
            right.update(zip(test.tolist(), (a == truth).tolist(), strict=True))
    return np.array(list(right.values()), dtype=np.bool_)
