"""Two learners compared on data: the right resampling is run, in parallel and resumable, and judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.amounts import Amount, check_amount
from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Array, Estimator
from foldwise.core.validation import fraction, integer, one_of
from foldwise.evidence.evidence import Evidence
from foldwise.kinds import REPEATED_CV, TIME_SPLITS, Procedure, find_procedure
from foldwise.kinds.resampled import resampled
from foldwise.verdict.asked import asked_amounts, asked_procedure, check_scoring, several_scorings
from foldwise.verdict.baseline import majority_accuracy, with_baseline
from foldwise.verdict.comparison import AdjustMetrics, Comparison
from foldwise.verdict.foreign_splits import bring_splits
from foldwise.verdict.from_outputs import ADJUSTMENTS
from foldwise.verdict.growing import Budget, Lots
from foldwise.verdict.growth import growth_of
from foldwise.verdict.judge import judge
from foldwise.verdict.margins import check_margin
from foldwise.verdict.measured_caveat import measured_caveat
from foldwise.verdict.partitions import Pieces, choose_runs
from foldwise.verdict.positive import about_positive
from foldwise.verdict.replication import Replication
from foldwise.verdict.running import Work, found_made, noticed, run_study
from foldwise.verdict.same_outcomes import bounded_by_examples
from foldwise.verdict.stability import instability_caveat, instability_of
from foldwise.verdict.stable_runs import add_runs_for_all
from foldwise.verdict.two_models import TwoModels

if TYPE_CHECKING:
    from foldwise.engine.cache import StoreLike
    from foldwise.engine.prepared import Prepared
    from foldwise.engine.progress import Progress
    from foldwise.engine.result import RunResult
    from foldwise.engine.scoring import Scorer
    from foldwise.resampling.plan import Plan
    from foldwise.verdict.asked import Scorings

__all__ = ["compare"]

Judge = Callable[[int, frozenset[str]], tuple[tuple[TwoModels, ...], frozenset[str]]]
"""From a seed and known partitions to the verdict by each scoring, none if they are the same, and the partitions."""


def compare(
    a: Estimator | str,
    b: Estimator | str,
    X: object,
    y: ArrayLike | None = None,
    *,
    classes: Sequence[object] | None = None,
    test: str = "auto",
    runs: int | Literal["auto"] | None = None,
    folds: int | None = None,
    cv: object = None,
    train_size: int | None = None,
    scoring: str | Scorer | Scorings | None = None,
    positive: object = None,
    adjust: AdjustMetrics = "holm",
    alpha: float = 0.05,
    rope: Amount = 0.01,
    margin: Amount | None = None,
    random_state: int = 0,
    groups: ArrayLike | None = None,
    keep: Sequence[str] = (),
    replicate: int | None = None,
    max_runs: int = 1000,
    max_seconds: float | None = None,
    n_jobs: int | None = None,
    store: StoreLike | None = None,
    cluster: object = None,
    progress: Progress | bool | None = None,
    fit_seconds: float | None = None,
    fit_memory: float | None = None,
    on_error: Literal["raise", "continue"] = "raise",
    names: tuple[str, str] | None = None,
    data_name: str = "",
) -> Comparison:
    """Compare two learners on one data set.

    Parameters
    ----------
    a, b
        Estimators with scikit-learn's interface, or names such as "nb", "logreg", "scale+svm(C=2)" and
        "models.py:gbm()": see `foldwise.learners.create`. Names that mean both (``rf``) follow the target.
    X, y
        The examples: a data set as `foldwise.load` returns it; or a table, an array or a data frame, and one target
        per row. Learners other than ours get a data frame as it is where they select columns themselves, and
        otherwise with what they can't take encoded.
    classes
        All classes in the order that decides ties; by default as a data set, pandas' Categorical or polars' Enum
        declares them, else those of `y`, sorted.
    test
        A name of the catalogue; the resampling follows from it. "auto" is the corrected repeated k-fold cv t test.
    runs, folds
        Of repeated cross-validation, 10 by default. Tests on random splits draw runs × folds of them, each testing on
        one of `folds` parts; the round robin deals the examples `runs` times into `folds` blocks, 6 and 6 by default.
        ``runs="auto"`` adds runs, or dealings, until the verdict would be the same whoever runs it; of several scorings
        the verdict by each of them, at the level that `adjust` leaves it.
    cv
        Splits that you bring instead of `runs` and `folds`: a splitter of scikit-learn, a number of folds, or (train,
        test) pairs. Where every run tests every example once it is judged as cross-validation; where each test set
        lies behind its training set (TimeSeriesSplit) in order of time; else as random splits. Groups reach the
        splitter.
    train_size
        Training examples in each of the disjoint parts of test "disjoint"; by default as many as twenty parts allow.
    scoring
        Anything scikit-learn scores with; accuracy for classifiers and R² for regressors by default. Several in a list
        score the same fits, and the answer has one row for each.
    positive
        The class of two that F1, precision, recall and the like are about; without it the one that is called 1, true,
        yes or positive.
    adjust
        Whether p-values of several scorings are adjusted for their number: "holm" or "none".
    alpha, rope
        Significance level, and the difference up to which learners are practically the same, in the score's unit.
    margin
        By how much a may be worse than b, in the score's unit: as in `compare_predictions`. With ``runs="auto"`` runs
        are added until the conclusion would be the same, too.
    random_state
        Determines every split, and the random state of estimators that have none.
    groups
        Per example its group; a group is never both trained on and tested.
    keep
        Columns of a data frame that stay although they look like identifiers, dates or text that is different in every
        row. Such columns are left out otherwise, unless a learner selects them by name, and the caveats name them.
    replicate
        Repeat the whole test on this many partitionings, and report whether they agree.
    max_runs, max_seconds
        The budget of ``runs="auto"``; a dealing of the round robin costs as much as the runs in which as many trainings
        are made.
    n_jobs, store, cluster, progress, fit_seconds, fit_memory
        Processes, a results file that makes the work resumable, the address of a Dask scheduler, a progress bar, and
        the seconds and megabytes that one fit may take: see `foldwise.engine.run`.
    on_error
        Whether a failed fit ends the work at once ("raise") or after all others are done and stored ("continue");
        either way there is no verdict without it.
    names, data_name
        What to call the learners and the data.

    Returns
    -------
    Comparison
        Estimate, interval, p-value, probabilities, caveats; for several scorings all that for each.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> c = compare(GaussianNB(), DummyClassifier(), *load_iris(return_X_y=True), runs=2, folds=5)
    >>> c.better
    'GaussianNB'
    """
    fraction(alpha, "alpha")
    check_amount(rope, "rope")
    check_margin(margin, alpha)
    one_of(adjust, "adjust", ADJUSTMENTS)
    procedure = asked_procedure("auto" if cv is not None and test == TIME_SPLITS.recommended else test, train_size)
    folds = _folds(runs, folds, cv, procedure)
    study = _prepare(a, b, X, y, names, classes=classes, groups=groups, keep=keep)
    scorings = several_scorings(scoring)
    for how in scorings:
        check_scoring(procedure, how, classifies=study.classifies)
    width, asked = asked_amounts(rope, margin, scorings, classifies=study.classifies)
    study, scorings = about_positive(study, scorings, positive)
    data_name = data_name or study.name
    work = Work(
        scorings=scorings, n_jobs=n_jobs, store=store, cluster=cluster, progress=progress,
        fit_seconds=fit_seconds, fit_memory=fit_memory, on_error=on_error,
    )  # fmt: skip
    brought = None if cv is None else bring_splits(cv, study.y, study.groups, test=test, seed=random_state)
    trial = _Trial(
        study=study, procedure=procedure if brought is None else brought.procedure, folds=folds, alpha=alpha,
        rope=width, margin=asked, limits_alpha=alpha / (len(scorings) if adjust == "holm" else 1), work=work,
        data_name=data_name or "data",
    )  # fmt: skip
    if runs == "auto":
        budget = Budget(max_runs=max_runs, max_seconds=max_seconds)
        verdict: Judge = _automatic(trial, budget, holm=adjust == "holm")
    elif brought is None:
        verdict = _fixed(trial, trial.plan(runs), ())
    else:
        verdict = _fixed(trial, brought.plan, brought.caveats, brought.evidence if brought.in_time else None)
    found, partitions = verdict(integer(random_state, "random_state", minimum=0), frozenset())
    subject = study.describe(data_name) if data_name else ""
    found = tuple(c.replace(subject=subject, seed=random_state) for c in found)
    if replicate is not None:
        seeds = _other_seeds(random_state, integer(replicate, "replicate", minimum=2))
        found = _replicated(found, verdict, seeds, partitions)
    return Comparison(parts=found, alpha=alpha, adjust_metrics=adjust, subject=subject)


def _folds(runs: object, folds: int | None, cv: object, procedure: Procedure) -> int:
    """How many folds there are, where nobody brings the splits: as many as the test usually has if nobody says."""
    if cv is not None and (runs is not None or folds is not None):
        raise InvalidInput(
            f"cv makes the splits, so that runs and folds must not be given, got runs={runs}, folds={folds}"
        )
    return resampled(procedure).usual_folds if folds is None else folds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Trial:
    """What stays the same whatever the partitioning."""

    study: Prepared
    procedure: Procedure
    folds: int
    alpha: float
    rope: float | None
    margin: float | None
    limits_alpha: float
    work: Work
    data_name: str

    @property
    def names(self) -> tuple[str, str]:
        """What the learners are called."""
        first, second = self.study.names
        return first, second

    def plan(self, runs: int | None) -> Plan:
        """Which examples train and test, in as many runs as the test usually has if nobody says."""
        kind = resampled(self.procedure)
        count = kind.usual_runs if runs is None else integer(runs, "runs", minimum=1)
        return kind.search_plan(runs=count, folds=self.folds, stratified=self.study.classifies)

    def run(self, plan: Plan, seed: int, runs: Sequence[int], max_seconds: float | None = None) -> RunResult:
        """Run the plan through the engine."""
        limits = {"max_seconds": max_seconds, "data_name": self.data_name}
        return run_study(self.study, plan, self.work, seed=seed, runs=runs, **limits)

    @property
    def pieces(self) -> Pieces:
        """What the examples fall into."""
        return Pieces.of(self.study.y, self.study.groups)

    def judge(self, evidence: Evidence, procedure: Procedure) -> TwoModels:
        """The verdict on evidence."""
        return judge(
            evidence, test=procedure, alpha=self.alpha, rope=self.rope, margin=self.margin,
            limits_alpha=self.limits_alpha, names=self.names,
        )  # fmt: skip

    def finish(self, c: TwoModels, plan: Plan, results: Sequence[RunResult], *notes: str) -> TwoModels:
        """The verdict with what was noticed on the way among its caveats, and what it cost."""
        if self.study.groups is None and c.kind.name != TIME_SPLITS.name:  # examples in time are not independent
            c = bounded_by_examples(c, results)
        # it was measured with classifiers
        measured = measured_caveat(c.test, *self.study.estimators) if self.study.classifies else None
        unstable = instability_of(results) if c.kind.name == REPEATED_CV.name else None
        known = [said for said in (measured, instability_caveat(c.test, unstable, measured)) if said]
        c = c.replace(
            caveats=(*noticed(self.study, plan, results, self.work, *notes), *c.caveats, *known),
            instability=unstable,
            fits=sum(result.computed + result.found for result in results),
            found=sum(result.found for result in results),
            found_made=found_made(results),
        )
        return with_baseline(c, majority_accuracy(results)) if c.metric in ("accuracy", "error") else c


def _fixed(
    trial: _Trial, plan: Plan, notes: tuple[str, ...], in_time: Callable[[RunResult], Evidence] | None = None
) -> Judge:
    kind = resampled(trial.procedure)

    def verdict(seed: int, known: frozenset[str]) -> tuple[tuple[TwoModels, ...], frozenset[str]]:
        study, procedure = trial.study, trial.procedure
        runs = choose_runs(plan, study.y, study.groups, seed=seed, procedure=procedure)
        if runs.signatures <= known:
            return (), runs.signatures
        result = trial.run(plan, seed, runs=runs.chosen)
        limit = trial.pieces.limit(trial.folds)

        def judged(by: RunResult) -> TwoModels:
            if in_time is not None:
                return trial.judge(in_time(by), find_procedure(TIME_SPLITS.recommended))
            return trial.judge(kind.from_run(by, study.groups, limit), procedure)

        found = (trial.finish(judged(by), plan, [by], *notes, *runs.caveats) for by in (result, *result.also))
        return tuple(found), runs.signatures

    return verdict


def _automatic(trial: _Trial, budget: Budget, *, holm: bool) -> Judge:
    from foldwise.resampling.foreign import DistinctRuns

    study, limit = trial.study, trial.pieces.limit(trial.folds)
    kind = resampled(trial.procedure)
    growth = growth_of(trial.procedure, folds=trial.folds, alpha=trial.alpha, limit=limit)
    most, settled = growth.most(budget.max_runs), {"folds": trial.folds, "limit": limit}
    plan = kind.plan(runs=most, folds=trial.folds, stratified=study.classifies)

    def verdict(seed: int, known: frozenset[str]) -> tuple[tuple[TwoModels, ...], frozenset[str]]:
        distinct = DistinctRuns(plan, study.y, seed=seed, groups=study.groups)
        lots = Lots(run=lambda runs, left: trial.run(plan, seed, runs, left), distinct=distinct, watch=budget.start())
        first: list[Any] = []  # the evidence of the first lot by each scoring

        def score(wanted: range) -> list[tuple[Array, Array]]:
            results = lots.more(len(wanted))
            if not results:
                return [(evidence.values[0][:0], evidence.values[1][:0]) for evidence in first]
            found = [kind.from_run(by, study.groups, limit) for by in results]
            first.extend(found if not first else ())
            return [(evidence.values[0], evidence.values[1]) for evidence in found]

        stable = add_runs_for_all(score, growth, budget=budget, margin=trial.margin, holm=holm)
        judged = (
            trial.judge(replace(evidence, values=np.stack([one.a, one.b])), growth.procedure).replace(settled=settled)
            for evidence, one in zip(first, stable, strict=True)
        )
        finished = (
            trial.finish(c, plan, by, one.caveat) for c, by, one in zip(judged, lots.by_scoring, stable, strict=True)
        )
        return tuple(finished), distinct.signatures

    return verdict


def _other_seeds(seed: int, repetitions: int) -> list[int]:
    return [int(stream(seed, "replicate", i).integers(2**31)) for i in range(1, repetitions)]


def _replicated(
    found: tuple[TwoModels, ...], verdict: Judge, seeds: list[int], partitions: frozenset[str]
) -> tuple[TwoModels, ...]:
    """Each comparison with the verdicts on other partitionings, those that there are."""
    others = [judged for judged in (verdict(seed, partitions)[0] for seed in seeds) if judged]
    if not others:
        unasked = "no other partitioning of these examples exists, so there is none that could disagree"
        return tuple(c.replace(caveats=(unasked, *c.caveats)) for c in found)
    return tuple(
        c.replace(replicability=Replication(verdicts=tuple(judged[place].better for judged in (found, *others))))
        for place, c in enumerate(found)
    )


def _prepare(
    a: Estimator | str,
    b: Estimator | str,
    X: object,
    y: ArrayLike | None,
    names: tuple[str, str] | None,
    *,
    classes: Sequence[object] | None,
    groups: ArrayLike | None,
    keep: Sequence[str],
) -> Prepared:
    from foldwise.engine.learners import name_learners
    from foldwise.engine.prepared import prepare

    return prepare(name_learners((a, b), names), X, y, classes=classes, groups=groups, keep=keep)
