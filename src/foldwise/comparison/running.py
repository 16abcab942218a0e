"""Learners run on data for a verdict: what must succeed, and what was noticed on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from foldwise.core.errors import FitFailed
from foldwise.core.formatting import moment

if TYPE_CHECKING:
    from foldwise.engine.prepared import Prepared
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan

__all__ = ["Work", "found_made", "noticed", "run_study"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Work:
    """How the fits of a comparison are made and scored, whatever the partitioning.

    Attributes
    ----------
    scorings
        All that score the same fits.
    n_jobs, store, cluster, progress, fit_seconds, fit_memory, on_error
        As in `foldwise.compare`.
    """

    scorings: tuple[Any, ...]
    n_jobs: int | None
    store: Any
    cluster: Any
    progress: Any
    fit_seconds: float | None
    fit_memory: float | None
    on_error: Literal["raise", "continue"] = "raise"

    def options(self) -> dict[str, Any]:
        """What the engine is to be told."""
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
