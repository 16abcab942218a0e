"""Two and more learners compared on data: the right resampling is run, in parallel and resumable, and judged."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, Never, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from foldwise.comparison.adding_runs import Budget, Pieces, RunsRule, add_runs, choose_runs, growth_of
from foldwise.comparison.by_metric import MetricComparison
from foldwise.comparison.comparison import Comparison, across_metrics
from foldwise.comparison.fits import (
    about_positive,
    asked_amounts,
    asked_procedure,
    bounded_by_examples,
    bring_splits,
    check_scoring,
    compare_on_data_sets,
    found_made,
    majority_accuracy,
    noticed,
    run_study,
    several_scorings,
)
from foldwise.comparison.judging import judge
from foldwise.comparison.measured_caveat import measured_caveat
from foldwise.comparison.options import Options, options_of, papers_settings
from foldwise.comparison.pair import Replication
from foldwise.comparison.pairs import ADJUST, Adjust, check_margin, judge_evidence, with_baseline
from foldwise.core.amounts import Amount, check_amount
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import metric_words
from foldwise.core.random import RandomState, seed_of, stream
from foldwise.core.types import Array, Estimator, Integers
from foldwise.core.validation import fraction, integer, one_of
from foldwise.data.dataset import Dataset
from foldwise.designs import CORRECTED, INFLUENCE_CV, TIME_SPLITS, Procedure, find_procedure
from foldwise.designs.cross_validation import InfluenceCrossValidation
from foldwise.designs.resampled import Growth, resampled
from foldwise.engine.learners import name_learners
from foldwise.engine.prepared import Prepared, prepare
from foldwise.evidence.evidence import Evidence, named_models
from foldwise.inference.stability import PartitionStability
from foldwise.reading.lineup import Candidate, line_up
from foldwise.reading.skore_reports import named_reports
from foldwise.resampling.foreign import DistinctRuns

if TYPE_CHECKING:
    from foldwise.comparison.fits import Scorings
    from foldwise.engine.result import RunResult
    from foldwise.engine.scoring import Scorer
    from foldwise.resampling.plan import Plan

Models: TypeAlias = Mapping[str, Estimator | str] | Sequence[Estimator | str]
"""Learners, or learners by what they are called."""

Parts: TypeAlias = tuple[MetricComparison, ...]
Judged: TypeAlias = tuple[Parts, frozenset[str]]
"""The verdict by each scoring, none if the partitions are known, and what tells these apart."""

Judge: TypeAlias = Callable[[int, frozenset[str]], Judged]
"""From a seed and known partitions to the verdict by each scoring, none if they are the same, and the partitions."""


def compare(
    models: Models,
    X: object = None,
    y: ArrayLike | None = None,
    *wrong: object,
    metric: str | Scorer | Scorings | None = None,
    test: str = "auto",
    cv: object = None,
    runs: int | Literal["auto"] | None = None,
    folds: int | None = None,
    groups: ArrayLike | None = None,
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    candidate: Candidate | None = None,
    baseline: str | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    options: Options | None = None,
    **misplaced: Never,
) -> Comparison:
    """Compare two or more learners on one data set: each is trained once on every split, and every pair judged.

    Parameters
    ----------
    models
        A list of two or more estimators with scikit-learn's interface, or a dict of them by what they are called; or
        names such as "nb", "logreg", "scale+svm(C=2)" and "models.py:gbm()": see `foldwise.learners.create`. Names that
        mean both (``rf``) follow the target. Reports of skore (a ComparisonReport, or several in a list or a dict) are
        compared as they are: X, and whatever is for training, is left out.
    X, y
        The examples: a data set as `foldwise.load` returns it, or a list of them; or a table, an array or a data frame,
        and one target per row. Learners other than ours get a data frame as it is where they select columns themselves,
        and otherwise with what they can't take encoded.
    metric
        Anything scikit-learn scores with; accuracy for classifiers and R² for regressors by default. Several in a list
        score the same fits, and the answer has one row for each.
    test
        A name of the catalogue; the resampling follows from it. "auto" is the influence-robust test for ten and more
        runs of ten folds and scores that are means over examples, with the corrected repeated k-fold cv t test beside
        it; else that one. Over several data sets the test of a pair, as in `compare_table`.
    cv
        Splits that you bring instead of `runs` and `folds`: a splitter of scikit-learn, a number of folds, or (train,
        test) pairs. Where every run tests every example once it is judged as cross-validation; where each test set
        lies behind its training set (TimeSeriesSplit) in order of time; else as random splits. Groups reach the
        splitter.
    runs, folds
        Of repeated cross-validation, 10 by default. Tests on random splits draw runs × folds of them, each testing on
        one of `folds` parts; the round robin deals the examples `runs` times into `folds` blocks, 6 and 6 by default.
        ``runs="auto"`` adds runs, or dealings, until the verdict would be the same whoever runs it; of several metrics
        and pairs each verdict, at the level that it is held to.
    groups
        Per example its group; a group is never both trained on and tested.
    alpha, rope
        Significance level, and the difference up to which learners are practically the same, in the score's unit.
    margin
        By how much a candidate may be worse than its baseline, in the score's unit: as in `compare_predictions`. With
        ``runs="auto"`` runs are added until the conclusion would be the same, too.
    candidate, baseline
        Of three and more, the model in question, or several, and the one that they are compared with: only these pairs
        are compared, as candidate − baseline. Without either all pairs are.
    random_state
        Determines every split, and the random state of estimators that have none: a seed, a NumPy Generator, or
        None for a new seed, which the answer names.
    n_jobs
        Processes.
    options
        What few people set: control, adjust, adjust_metrics, store, classes, positive, keep, train_size, paper,
        replicate, max_runs, max_seconds, fit_seconds, fit_memory, on_error, cluster, progress and data_name of
        `Options`; over several data sets omnibus, bayes and zeros.

    Returns
    -------
    Comparison
        Estimate, interval, p-value, probabilities, caveats; for several metrics all that for each.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> c = compare([GaussianNB(), DummyClassifier()], *load_iris(return_X_y=True), runs=2, folds=5)
    >>> c.better
    'GaussianNB'
    >>> models = {"nb": GaussianNB(), "1nn": "1nn", "majority": "majority"}
    >>> c = compare(models, *load_iris(return_X_y=True), runs=2, folds=5)
    >>> c.ranks["majority"], c.fits
    ((3, 3), 30)
    """
    if wrong:
        raise InvalidInput(OLD)
    judged: dict[str, Any] = {
        "metric": metric, "test": test, "alpha": alpha, "rope": rope, "margin": margin, "candidate": candidate,
        "baseline": baseline,
    }  # fmt: skip
    if X is None and (reports := named_reports(models)) is not None:  # which hold their fits: nothing is trained
        few = options_of("compare", options, "control", "adjust", misplaced=misplaced)
        trained = {"y": y, "cv": cv, "runs": runs, "folds": folds, "groups": groups, "n_jobs": n_jobs}
        _refuse(trained, "is for learners that are trained here, but reports are compared as they are")
        return judge(reports, **judged, options=few).main
    taken = (*OF_LEARNERS, *(OF_TABLES if _data_sets(X) else OF_ONE_DATA_SET))
    o = options_of("compare", options, *taken, misplaced=misplaced)
    if _data_sets(X):  # which are what counts: the learners' scores on each make a table
        sets: Any = X
        _refuse({"y": y, "cv": cv, "groups": groups}, f"is for one data set, got {len(sets)} data sets")
        if runs == "auto":
            raise InvalidInput("runs='auto' is for one data set: over several the data sets are what counts, not runs")
        return compare_on_data_sets(
            _named(models, X), sets, runs=10 if runs is None else runs, folds=10 if folds is None else folds,
            random_state=random_state, n_jobs=n_jobs, options=o, **judged,
        )  # fmt: skip
    if o.paper is not None:
        test, runs, folds = papers_settings(o.paper, test, runs=runs, folds=folds, cv=cv)
    fraction(alpha, "alpha")
    check_margin(margin, alpha)
    if rope is not None:
        check_amount(rope, "rope")
    by: Any = one_of(o.adjust, "adjust", ADJUST)
    one_of(o.adjust_metrics, "adjust_metrics", ("auto", "holm", "bonferroni", "none"))
    named = _named(models, X)
    roles = line_up(tuple(named), candidate=candidate, baseline=baseline, control=o.control, ordered=True)
    named = {name: named[name] for name in roles.names}
    procedure = asked_procedure("auto" if cv is not None and test == TIME_SPLITS.recommended else test, o.train_size)
    folds = _folds(runs, folds, cv, procedure)
    study = prepare(named, X, y, classes=o.classes, groups=groups, keep=o.keep)
    scorings = several_scorings(metric)
    for how in scorings:
        check_scoring(procedure, how, classifies=study.classifies)
    width, asked = asked_amounts(rope, margin, scorings, classifies=study.classifies)
    study, scorings = about_positive(study, scorings, o.positive)
    data_name = o.data_name or study.name
    work = {"metric": scorings[0], "also": scorings[1:], "on_error": o.on_error, **o.of_engine(n_jobs)}
    seed = seed_of(random_state)
    brought = None if cv is None else bring_splits(cv, study.y, study.groups, test=test, seed=seed)
    across = across_metrics(o.adjust_metrics, len(named))
    trial = _Trial(
        study=study, procedure=procedure if brought is None else brought.procedure, folds=folds,
        alpha=alpha / len(scorings) if across == "bonferroni" else alpha, rope=width, margin=asked,
        limits_alpha=alpha / (len(scorings) if across == "holm" else 1), control=roles.control, adjust=by,
        holm=across == "holm", work=work, data_name=data_name or "data", auto=test == "auto",
    )  # fmt: skip
    if runs == "auto":
        verdict: Judge = _automatic(trial, Budget(max_runs=o.max_runs, max_seconds=o.max_seconds))
    elif brought is None:
        verdict = _fixed(trial, trial.plan(runs), ())
    else:
        verdict = _fixed(trial, brought.plan, brought.caveats, brought.evidence if brought.in_time else None)
    found, partitions = verdict(seed, frozenset())
    subject = study.describe(data_name) if data_name else ""
    told = roles.decisions(margin) if len(named) > 2 or candidate or baseline else ()
    found = tuple(c.replace(subject=subject, seed=seed, decisions=told) for c in found)
    if o.replicate is not None:
        others = range(1, integer(o.replicate, "replicate", minimum=2))
        seeds = [int(stream(seed, "replicate", i).integers(2**31)) for i in others]
        found = _replicated(found, verdict, seeds, partitions)
    return Comparison(parts=found, alpha=alpha, adjust_metrics=across, subject=subject)


OLD = "models must be a list or a dict: compare([a, b], X, y), not compare(a, b, X, y)"
"""The sentence that shows the right call."""

MOMENT = 1e-3  # Least seconds that runs are given.

RUNS, FOLDS = 10, 10
"""What the influence-robust test was measured with; with fewer runs its parts are little more than noise."""

NOT_COUNTED = "the influence of single training examples is not counted: "
NOT_COVERED = "what each of them adds to {}, which the influence-robust test needs, is not known"
NOT_MEASURED = (
    f"the influence-robust test was measured with {RUNS} and more runs of {FOLDS} folds on 20 and more examples"
)

OF_LEARNERS = ("control", "adjust", "adjust_metrics", "store", "fit_seconds", "fit_memory", "cluster", "progress")
OF_ONE_DATA_SET = (
    "classes", "positive", "keep", "train_size", "paper", "replicate", "max_runs", "max_seconds", "on_error",
    "data_name",
)  # fmt: skip
OF_TABLES = ("omnibus", "bayes", "zeros")  # Options that have a meaning always, for one data set, and for several only.


def _refuse(given: Mapping[str, object], rule: str) -> None:
    """Refuse what was given and has no place here."""
    wrong = next((name for name, value in given.items() if value is not None), None)
    if wrong is not None:
        raise InvalidInput(f"{wrong} {rule}")


def _data_sets(X: object) -> bool:
    return isinstance(X, (list, tuple)) and bool(X) and all(isinstance(one, Dataset) for one in X)


def _named(models: Models, X: object) -> dict[str, Estimator | str]:
    """Learners by what they are called; a wrong shape gets the sentence that shows the right call."""
    if isinstance(models, (str, bytes)) or not isinstance(models, (Mapping, Sequence)):
        if isinstance(X, str) or hasattr(X, "fit"):
            raise InvalidInput(OLD)
        raise InvalidInput(f"models must be a list of two or more, or a dict: compare([a, b], X, y), got {models!r}")
    if isinstance(models, Mapping):
        named = dict(zip(named_models(models, "models"), models.values(), strict=True))
    else:
        named = name_learners(models)
    if len(named) < 2:
        raise InvalidInput(f"models must be at least two, got {len(named)}")
    return named


def _folds(runs: object, folds: int | None, cv: object, procedure: Procedure) -> int:
    """How many folds there are, where nobody brings the splits: as many as the test usually has."""
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
    control: str | None
    adjust: Adjust
    holm: bool
    work: dict[str, Any]  #: How fits are made and scored, as the engine takes it
    data_name: str
    auto: bool  #: Whether nobody named the test

    def procedure_of(self, by: RunResult, runs: int) -> Procedure:
        """The test of so many runs by one scoring: the influence-robust one where nobody named another and it applies.

        That is where it was measured: ten runs or more of ten folds, scores of which it is known what examples add.
        """
        folds = by.shape[1]
        measured = by.plan.rounds == 1 and runs >= RUNS and folds == FOLDS and self.pieces.count >= 2 * folds
        if not (self.auto and self.procedure.name == CORRECTED.name and measured and by.by_example is not None):
            return self.procedure
        return find_procedure(INFLUENCE_CV.recommended)

    def plan(self, runs: int | None) -> Plan:
        """Which examples train and test, in as many runs as the test usually has."""
        kind = resampled(self.procedure)
        count = kind.usual_runs if runs is None else integer(runs, "runs", minimum=1)
        return kind.search_plan(runs=count, folds=self.folds, stratified=self.study.classifies)

    def run(self, plan: Plan, seed: int, runs: Sequence[int], max_seconds: float | None = None) -> RunResult:
        limits = {"max_seconds": max_seconds, "data_name": self.data_name}
        return run_study(self.study, plan, seed=seed, runs=runs, **self.work, **limits)

    @property
    def pieces(self) -> Pieces:
        return Pieces.of(self.study.y, self.study.groups)

    def judge(self, evidence: Evidence, procedure: Procedure, seed: int) -> MetricComparison:
        return judge_evidence(
            evidence, test=procedure, alpha=self.alpha, rope=self.rope, margin=self.margin,
            limits_alpha=self.limits_alpha, control=self.control, adjust=self.adjust, seed=seed,
            names=self.study.names,
        )  # fmt: skip

    def finish(self, c: MetricComparison, plan: Plan, results: Sequence[RunResult], *notes: str) -> MetricComparison:
        """The verdict with what was noticed on the way among its caveats, and what it cost."""
        noted = noticed(self.study, plan, results, self.work, *notes)
        c = c.replace(
            fits=sum(result.computed + result.found for result in results),
            found=sum(result.found for result in results),
            found_made=found_made(results),
        )
        known: tuple[str, ...] = ()
        alike = self.study.classifies and c.metric in ("accuracy", "error")  # it was measured with these
        if not c.is_pair:
            known = self._measured(c.test) if alike else ()
        else:
            if self.study.groups is None and c.kind.name != TIME_SPLITS.name:  # examples in time are not independent
                c = bounded_by_examples(c, results)
            if alike:
                known = tuple(filter(None, [measured_caveat(c.test, *self.study.estimators)]))
        if self.auto and c.test == CORRECTED.name:
            unknown = results[0].by_example is None
            known += (NOT_COUNTED + (NOT_COVERED.format(metric_words(c.metric)) if unknown else NOT_MEASURED),)
        c = c.replace(caveats=(*noted, *c.caveats, *known))
        return with_baseline(c, majority_accuracy(results)) if c.metric in ("accuracy", "error") else c

    def _measured(self, test: str) -> tuple[str, ...]:
        """What was measured of the test with a pair of such learners."""
        named = zip(self.study.names, self.study.estimators, strict=True)
        pairs = [(f"{a} and {b}", measured_caveat(test, x, y)) for (a, x), (b, y) in combinations(named, 2)]
        return tuple(f"for {names}: {words}" for names, words in pairs if words is not None)[:1]


def _fixed(
    trial: _Trial, plan: Plan, notes: tuple[str, ...], in_time: Callable[[RunResult], Evidence] | None = None
) -> Judge:

    def verdict(seed: int, known: frozenset[str]) -> Judged:
        study = trial.study
        runs = choose_runs(plan, study.y, study.groups, seed=seed, procedure=trial.procedure)
        if runs.signatures <= known:
            return (), runs.signatures
        result = trial.run(plan, seed, runs=runs.chosen)
        limit = trial.pieces.limit(trial.folds)

        def judged(by: RunResult) -> MetricComparison:
            if in_time is not None:
                return trial.judge(in_time(by), find_procedure(TIME_SPLITS.recommended), seed)
            procedure = trial.procedure_of(by, len(by.runs))
            return trial.judge(resampled(procedure).from_run(by, study.groups, limit), procedure, seed)

        found = (trial.finish(judged(by), plan, [by], *notes, *runs.caveats) for by in (result, *result.also))
        return tuple(found), runs.signatures

    return verdict


def _automatic(trial: _Trial, budget: Budget) -> Judge:
    """Runs are added until the verdict, or that on every pair, by every scoring would be the same whoever runs it."""
    study, limit = trial.study, trial.pieces.limit(trial.folds)
    names = tuple(trial.study.names)
    integer(trial.folds, "folds", minimum=2)
    growth = growth_of(trial.procedure, folds=trial.folds, alpha=trial.alpha, limit=limit)
    most, settled = growth.most(budget.max_runs), {"folds": trial.folds, "limit": limit}
    plan = resampled(trial.procedure).plan(runs=most, folds=trial.folds, stratified=study.classifies)

    def verdict(seed: int, known: frozenset[str]) -> Judged:
        distinct = DistinctRuns(plan, study.y, seed=seed, groups=study.groups)
        deadline = budget.deadline()
        done: list[list[RunResult]] = []  # of each lot the results by every scoring
        first: list[Array] = []  # what grows, in the first lot by each scoring
        growths: list[Growth] = []
        ids: list[Integers] = []  # the fold of each example in each run of every lot

        def score(wanted: range) -> list[Array]:
            chosen = distinct.take(len(wanted))
            if done and not chosen:  # no more of them differ
                return [values[:, :0] for values in first]
            left = None if deadline == math.inf else max(deadline - time.monotonic(), MOMENT)
            result = trial.run(plan, seed, chosen, left)
            done.append(results := [result, *result.also])
            if not growths:
                growths.extend(_growth(trial, by, len(wanted), limit, ids) for by in results)
            if results[0].fold_ids is not None:
                ids.append(results[0].fold_ids)
            found = [
                resampled(own.procedure).growing(by, study.groups, limit)
                for own, by in zip(growths, results, strict=True)
            ]
            first.extend(found if not first else ())
            return found

        rule = RunsRule(
            names=names, seed=seed, control=trial.control, adjust=trial.adjust, margin=trial.margin,
            across_metrics=trial.holm,
        )  # fmt: skip
        stable = add_runs(score, growth, budget=budget, rule=rule, by_metric=growths)
        found = []
        for place, (own, by) in enumerate(zip(growths, zip(*done, strict=True), strict=True)):
            evidence = resampled(own.procedure).from_runs(by, study.groups, limit)
            c = trial.judge(evidence, own.procedure, seed).replace(settled=settled)
            found.append(trial.finish(c, plan, by, stable[place].caveat))
        return tuple(found), distinct.signatures

    return verdict


def _growth(trial: _Trial, by: RunResult, runs: int, limit: int | None, ids: list[Integers]) -> Growth:
    """How the evidence by one scoring grows; `ids` are filled with the folds of every lot."""
    procedure = trial.procedure_of(by, runs)
    growth = growth_of(procedure, folds=trial.folds, alpha=trial.alpha, limit=limit)
    if not isinstance(procedure.kind, InfluenceCrossValidation):
        return growth
    classes = None if by.classes is None else by.y

    def stability(d: Array, *, alpha: float) -> PartitionStability:
        return growth.stability(d, folds=np.concatenate(ids), classes=classes, groups=trial.study.groups, alpha=alpha)

    return replace(growth, stability=stability)


def _replicated(found: Parts, verdict: Judge, seeds: list[int], partitions: frozenset[str]) -> Parts:
    """Each comparison with the verdicts on other partitionings, those that there are."""
    others = [judged for judged in (verdict(seed, partitions)[0] for seed in seeds) if judged]
    if not others:
        unasked = "no other partitioning of these examples exists, so there is none that could disagree"
        return tuple(c.replace(caveats=(unasked, *c.caveats)) for c in found)
    parts = []
    for place, c in enumerate(found):
        by_pair = zip(*([pair.better for pair in judged[place].pairs] for judged in (found, *others)), strict=True)
        told = (Replication(verdicts=verdicts) for verdicts in by_pair)
        parts.append(c.with_pairs(lambda pair, told=told: replace(pair, replicability=next(told))))  # type: ignore[misc]
    return tuple(parts)
