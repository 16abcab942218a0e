"""`run`: learners × splits, in parallel, cached and resumable."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import FitFailed, Interrupted, InvalidInput, LimitExceeded
from foldwise.core.types import Estimator
from foldwise.core.validation import integer, one_of
from foldwise.engine.attributes import components, is_foreign
from foldwise.engine.backends import Backend, Sequential, choose_backend, count_workers
from foldwise.engine.cache import Ledger, StoreLike, open_store
from foldwise.engine.driver import START_SECONDS, Coordinator, Schedule, plan_batches
from foldwise.engine.fitting import Fit
from foldwise.engine.job import Job, Report
from foldwise.engine.learners import check_learners
from foldwise.engine.limits import WorkLimits, limits_of
from foldwise.engine.prepared import Prepared, prepare
from foldwise.engine.progress import Progress, resolve_progress, shown
from foldwise.engine.result import Failure, RunResult
from foldwise.engine.scoring import Scorer, resolve_scoring
from foldwise.engine.undefined_scores import check_defined
from foldwise.resampling.foreign import as_plan
from foldwise.resampling.plan import Splits

OnError = Literal["raise", "continue"]


def run(
    learners: Mapping[str, Estimator | str], X: object, y: ArrayLike | None, plan: object, *,
    classes: Sequence[object] | None = None, groups: ArrayLike | None = None, **settings: Any,
) -> RunResult:  # fmt: skip
    """Run learners as `prepare` takes them with the data, each fit on rows of its own; settings of `run_prepared`.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = np.arange(20.0).reshape(-1, 1), [0] * 10 + [1] * 10
    >>> run({"nb": GaussianNB()}, X, y, 5).scores_of("nb")
    array([[1., 1., 1., 1., 1.]])
    """
    return run_prepared(prepare(learners, X, y, classes=classes, groups=groups, keep=None), plan, **settings)


def run_prepared(
    prepared: Prepared, plan: object, *, seed: int = 0, metric: str | Scorer | None = None,
    also: Sequence[str | Scorer] = (), runs: Sequence[int] | None = None, n_jobs: int | None = None,
    store: StoreLike | None = None, data_name: str = "data", cluster: object = None,
    progress: Progress | bool | None = None, fit_seconds: float | None = None, fit_memory: float | None = None,
    max_seconds: float | None = None, on_error: OnError = "raise",
) -> RunResult:  # fmt: skip
    """Run every learner on every split of a plan.

    Parameters
    ----------
    prepared
        Learners and data as `prepare` makes them ready. Each fit uses a clone, on rows of its own.
    plan
        A plan, a number of folds, a scikit-learn splitter or (train, test) pairs.
    seed
        Determines the splits, and the ``random_state`` of estimators where that was left at None: it then follows
        from the seed and the split, the same for all learners, whatever the number of workers.
    metric, also
        As `foldwise.engine.scoring.resolve_scoring` takes it; accuracy, or R² for regressors, by default. Every fit is
        scored by the scorings in `also`, too.
    runs
        Which runs of the plan; all by default.
    n_jobs
        Number of processes; None is one, −1 all processors. Each uses one thread.
    store
        A file (or an open `Store`) that keeps every fit: what it has is not computed again, and a study that was
        stopped, even by ``kill -9``, continues where it was.
    data_name
        What listings of the store call the data.
    cluster
        Address of a running Dask scheduler, such as ``"tcp://host:8786"``, or a `distributed.Client`.
    progress
        None shows a bar on terminals and in notebooks; False, True, or an object with `start`, `advance` and `stop`.
    fit_seconds, fit_memory
        Seconds and megabytes that one fit may take, beyond the memory for the data; one that takes more has failed. It
        is ended with its process, so that the fits run in processes of their own, also where there is one only.
    max_seconds
        Seconds for everything, after which LimitExceeded is raised; the store has what was done.
    on_error
        What a failed fit does: "raise" ends the study, "continue" puts it on the list of failures.

    Returns
    -------
    RunResult
        The same for any number of processes, and on a cluster.

    Raises
    ------
    FitFailed
        A learner failed or returned nonsense, with its name, the split and the reason.
    """
    one_of(on_error, "on_error", ("raise", "continue"))
    count_workers(n_jobs)
    limits = limits_of(fit_seconds=fit_seconds, fit_memory=fit_memory, max_seconds=max_seconds)
    job = _job(prepared, plan, seed=seed, scorings=(metric, *also), on_error=on_error, stored=store is not None)
    study, bar = _Study(job, runs), resolve_progress(progress)
    study.check_defined(data_name)
    with study.remembering(store, data_name):
        study.execute(bar, limits, n_jobs=n_jobs, cluster=cluster)
    return study.result()


def _job(
    prepared: Prepared, plan: object, *, seed: int, scorings: Sequence[str | Scorer | None], on_error: str,
    stored: bool,
) -> Job:  # fmt: skip
    integer(seed, "seed", minimum=0)
    present = prepared.examples.present()
    count = 0 if present is None else len(present)
    how, *also = (resolve_scoring(scoring, prepared.task, count) for scoring in scorings)
    return Job(
        examples=prepared.examples, learners=check_learners(prepared.learners, how, *also), plan=as_plan(plan),
        seed=int(seed), scoring=how, also=tuple(also), stop_on_error=on_error == "raise", stored=stored,
    )  # fmt: skip


class _Study:
    """One call of `run`: what is known so far, and what is to be done."""

    def __init__(self, job: Job, runs: Sequence[int] | None) -> None:
        self._job = job
        self._splits = job.plan.splits(job.examples.y, seed=job.seed, groups=job.examples.groups)
        self._runs = _check_runs(runs, self._splits)
        self._fits: dict[tuple[int, int], Fit] = {}
        self._failures: list[Failure] = []
        self._warnings: dict[str, Counter[str]] = {learner.name: Counter() for learner in job.learners}
        self._recalled: set[tuple[int, int]] = set()
        self._ledger: Ledger | None = None
        self._progress: Progress

    @contextlib.contextmanager
    def remembering(self, store: StoreLike | None, data_name: str) -> Iterator[None]:
        """Take from the store what it has, and keep there what comes."""
        if store is None:
            yield
            return
        opened, owned = open_store(store)
        try:
            self._ledger, wanted = Ledger(opened, self._job, self._splits, data_name), set(self._wanted())
            known = self._ledger.recall(range(min(wanted), max(wanted) + 1)) if wanted else ()
            self._fits = {(fit.learner, fit.split): fit for fit in known if fit.split in wanted}
            self._recalled = set(self._fits)
            yield
            opened.confirm()
        except Interrupted as stop:
            raise Interrupted(_where(stop, opened.path)) from None
        except LimitExceeded as stop:
            raise LimitExceeded(_where(stop, opened.path)) from None
        finally:
            if owned:
                opened.close()

    def check_defined(self, data_name: str) -> None:
        """Refuse a scoring that some test set leaves undefined, before anything is trained."""
        wanted = (self._splits[index] for index in self._wanted())
        check_defined(self._job.scorings, self._job.examples, self._job.plan, wanted, data_name)

    def execute(self, progress: Progress, limits: WorkLimits, *, n_jobs: int | None, cluster: object) -> None:
        wanted, learners = self._wanted(), range(len(self._job.learners))
        missing = {p: [split for split in wanted if (p, split) not in self._fits] for p in learners}
        if not any(missing.values()):
            return
        schedule = Schedule(plan_batches(self._job, missing, self._splits.shape[1]))
        backend: Backend | None = None
        total = len(self._job.learners) * len(self._wanted())
        try:
            with shown(progress, total=total, found=len(self._recalled)) as self._progress:
                if not (self._may_stay(n_jobs, cluster, limits) and self._done_here(schedule, count_workers(n_jobs))):
                    backend = choose_backend(self._job, n_jobs=n_jobs, cluster=cluster, limits=limits)
                    Coordinator(self._job, backend, schedule, self._accept, limits).drive()
        except (KeyboardInterrupt, LimitExceeded) as stop:
            what = "stopped" if isinstance(stop, KeyboardInterrupt) else "max_seconds are over"
            hint = "" if self._ledger else "; with a store the next call would continue there"
            kind = Interrupted if isinstance(stop, KeyboardInterrupt) else LimitExceeded
            raise kind(f"{what} after {len(self._fits)} of {total} fits{hint}") from None
        finally:
            if backend is not None:
                backend.close()

    def _may_stay(self, n_jobs: int | None, cluster: object, limits: WorkLimits) -> bool:
        """Whether the first fits may be done here though other processes were asked for, to find out what they cost.

        Not with code from elsewhere, which can crash: in a process of its own that ends one fit and not the program.
        """
        if cluster is not None or limits.apart or count_workers(n_jobs) == 1:
            return False
        from foldwise.engine.backends.processes import is_warm

        scorers = [how.scorer for how in self._job.scorings if how.scorer is not None and not how.any_order]
        parts = [part for learner in self._job.learners for part in components(learner.estimator)]
        return not is_warm(count_workers(n_jobs)) and not any(map(is_foreign, [*scorers, *parts]))

    def _done_here(self, schedule: Schedule, workers: int) -> bool:
        """Do the first fits, and all others if they take less time here than workers gain by starting."""
        here = Coordinator(self._job, Sequential(self._job), schedule, self._accept)
        schedule.trying = True
        here.drive()
        schedule.trying = False
        left = schedule.seconds_left()
        if left * (1 - 1 / workers) > START_SECONDS:
            return False
        if left > 0 and (note := getattr(self._progress, "note", None)) is not None:
            note(f"in one process, which takes about {left:.1f} s: others would take longer to start")
        here.drive()
        return True

    def result(self) -> RunResult:
        job, wanted = self._job, self._wanted()
        table = [[self._fits.get((position, split)) for split in wanted] for position in range(len(job.learners))]
        shape = (len(job.learners), len(self._runs), self._splits.shape[1])
        trained = {(position, self._splits.training(split)) for position, split in self._fits.keys() - self._recalled}
        found = {(position, self._splits.training(split)) for position, split in self._recalled} - trained
        by = [
            np.array([[np.nan if f is None else f.scores[place] for f in row] for row in table]).reshape(shape)
            for place in range(len(job.scorings))
        ]
        result = RunResult(
            names=tuple(learner.name for learner in job.learners), scores=by[0],
            seconds=np.array([[np.nan if f is None else f.seconds for f in row] for row in table]).reshape(shape),
            runs=self._runs, scoring=job.scoring.name, greater_is_better=job.scoring.greater_is_better,
            classes=job.examples.classes, y=job.examples.y if job.examples.codes is None else job.examples.codes,
            plan=job.plan, seed=job.seed, splits=self._splits,
            outcomes=tuple(tuple(None if f is None else f.outcomes for f in row) for row in table),
            failures=tuple(sorted(self._failures, key=lambda f: (f.learner, f.split))), warnings=self._warnings,
            found=len(found), computed=len(trained), found_made=None if self._ledger is None else self._ledger.made,
        )  # fmt: skip
        each = [
            tuple(tuple(f.each[place] if f is not None and f.each else None for f in row) for row in table)
            for place in range(len(job.scorings))
        ]
        others = (
            replace(result, scoring=how.name, greater_is_better=how.greater_is_better, scores=found, each=values)
            for how, found, values in zip(job.also, by[1:], each[1:], strict=True)
        )
        return replace(result, each=each[0], also=tuple(others))

    def _wanted(self) -> list[int]:
        folds = self._splits.shape[1]
        return [run * folds + fold for run in self._runs for fold in range(folds)]

    def _accept(self, report: Report) -> None:
        if self._ledger is not None:
            self._ledger.record(report)
        for fit in report.fits:
            self._fits[fit.learner, fit.split] = replace(fit, outputs=None)
        for (position, text), count in report.warnings.items():
            self._warnings[self._job.learners[position].name][text] += count
        self._failures.extend(report.failures)
        self._progress.advance(len(report.fits) + len(report.failures))
        if report.failures and self._job.stop_on_error:
            raise FitFailed(str(report.failures[0]))


def _where(stop: BaseException, path: str) -> str:
    return f"{stop}; store {path!r} has them: the same call continues there"


def _check_runs(runs: Sequence[int] | None, splits: Splits) -> tuple[int, ...]:
    if runs is None:
        return tuple(range(splits.shape[0]))
    wanted = tuple(runs)
    within = all(isinstance(run, int) and 0 <= run < splits.shape[0] for run in wanted)
    if not within or list(wanted) != sorted(set(wanted)):
        raise InvalidInput(f"runs must be increasing and within range(0, {splits.shape[0]}), got {runs!r}")
    return wanted
