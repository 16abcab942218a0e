"""How learners are trained for a verdict: what is scored, what fits say, splits that are brought, several data sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foldwise.comparison.by_metric import MetricComparison
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.options import Options
from foldwise.comparison.pairs import one_sided_limits, pair_of_two
from foldwise.comparison.tables import compare_table
from foldwise.core.amounts import Amount, margin_in, rope_in
from foldwise.core.errors import FitFailed, InvalidInput
from foldwise.core.formatting import moment
from foldwise.core.metric import unit_of
from foldwise.core.random import RandomState, seed_of
from foldwise.core.types import Estimator, Integers, Labels
from foldwise.core.validation import fraction, integer, one_of
from foldwise.designs import DATA_SETS, RANDOM_SPLITS, REPEATED_CV, RIGHT_WRONG, TIME_SPLITS, Procedure, find_procedure
from foldwise.designs.random_splits import DisjointScores
from foldwise.designs.resampled import resampled
from foldwise.engine.cache import unseen_caveats
from foldwise.engine.learners import learner_of
from foldwise.engine.prepared import Prepared, prepare
from foldwise.engine.result import RunResult, adds_up, from_predictions
from foldwise.engine.runner import run_prepared
from foldwise.engine.scoring import ABOUT_ONE_CLASS, positive_scorer
from foldwise.evidence.given_outputs import read_classes, some
from foldwise.evidence.items import Items
from foldwise.evidence.mark_input import right_wrong_scale
from foldwise.metrics.catalogue import known_metric
from foldwise.reading.lineup import line_up
from foldwise.resampling.foreign import DistinctRuns, Foreign, as_plan
from foldwise.resampling.plan import Plan

if TYPE_CHECKING:
    from foldwise.data.dataset import Dataset
    from foldwise.engine.scoring import Scorer

    Scorings: TypeAlias = list[str] | list[Scorer] | list[str | Scorer] | tuple[str | Scorer, ...]


def run_study(study: Prepared, plan: Plan, **work: Any) -> RunResult:
    """Run a plan through the engine; there is no verdict without a fit."""
    result = run_prepared(study, plan, **work)
    if result.failures:
        first = result.failures[0]
        raise FitFailed(f"{len(result.failures)} of {result.scores.size} fits failed, so there is no verdict: {first}")
    return result


def noticed(
    study: Prepared, plan: Plan, results: Sequence[RunResult], work: Mapping[str, Any], *notes: str
) -> tuple[str, ...]:
    """What a reader should know of the run: what the store can't see, notes, rare classes, warnings of the learners."""
    unseen = unseen_caveats(work["store"], [*study.estimators, work["metric"], *work["also"]])
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


def asked_procedure(test: str, train_size: int | None) -> Procedure:
    """The test of that name, over disjoint parts of that size; "auto" is the corrected repeated k-fold cv t test."""
    procedure = find_procedure("corrected_repeated_cv_t" if test == "auto" else test)
    kind = resampled(procedure)
    if train_size is None:
        return procedure
    if not isinstance(kind, DisjointScores):
        raise InvalidInput(f"train_size is for test 'disjoint', got {train_size!r} with test {procedure.name!r}")
    sized = replace(kind, train_size=integer(train_size, "train_size", minimum=1))
    return replace(procedure, kind=sized)


def asked_amounts(
    rope: Amount | None, margin: Amount | None, scorings: Sequence[object], *, classifies: bool
) -> tuple[float | None, float | None]:
    """Region and margin as numbers that hold for every scoring, refused before anything is trained.

    A point is 0.01 of every rate that is scored here, so that one number stands for all of them; what is no rate
    refuses points.
    """
    default = "accuracy" if classifies else "r2"
    metrics = [default if how is None else how if isinstance(how, str) else getattr(how, "__name__", "score")
               for how in scorings]  # fmt: skip
    widths, margins = set[float](), set[float]()
    for metric in metrics:
        if rope is not None:
            widths.add(rope_in(rope, metric=metric, unit=unit_of(metric)))
        if margin is not None:
            margins.add(margin_in(margin, metric=metric, unit=unit_of(metric)))
    return next(iter(widths), None), next(iter(margins), None)


def several_scorings(scoring: object) -> tuple[Any, ...]:
    """The scorings that were asked for, one or several.

    Examples
    --------
    >>> several_scorings("f1"), several_scorings(["roc_auc", "f1"]), several_scorings(None)
    (('f1',), ('roc_auc', 'f1'), (None,))
    """
    if scoring is None or isinstance(scoring, str) or callable(scoring):
        return (scoring,)
    if not isinstance(scoring, Sequence) or not scoring:
        raise InvalidInput(f"metric must be a name, a function, or a list of at least one of them, got {scoring!r}")
    for how in scoring:
        if not (isinstance(how, str) or callable(how)):
            raise InvalidInput(f"metric must list names and functions, got {how!r}")
        if list(scoring).count(how) > 1:
            raise InvalidInput(f"metric must list each metric once, but {how!r} is there more than once")
    return tuple(scoring)


def check_scoring(procedure: Procedure, scoring: object, *, classifies: bool) -> None:
    """Refuse a score that the test can't judge, before anything is trained."""
    kind = resampled(procedure)
    if kind.counts_right_answers and not (classifies and scoring in (None, "accuracy")):
        got = repr(scoring) if classifies else "learners that do regression"
        raise InvalidInput(
            f"metric must be 'accuracy' for test {procedure.name!r}, which compares right and wrong answers, got {got}"
        )
    if kind.by_example:
        named = scoring if scoring is not None else "accuracy" if classifies else "r2"
        metric = known_metric(named) if isinstance(named, str) else None
        if metric is None or not (from_predictions(metric) or (kind.to_first_order and adds_up(metric.name))):
            what = "a metric of which it is known what examples add to it" if kind.to_first_order else (
                "a mean over examples that predictions give (accuracy, error, mse, mae …)"
            )  # fmt: skip
            raise InvalidInput(f"metric must be {what} for test {procedure.name!r}, got {named!r}")


def about_positive(study: Prepared, scorings: tuple[Any, ...], positive: object) -> tuple[Prepared, tuple[Any, ...]]:
    """The study with a note on the positive class, and the scorings, those about one class about that one.

    Without a class that was named it is the one called 1, true, yes or positive.
    """
    present = study.examples.present()
    asking = next((how for how in scorings if isinstance(how, str) and how in ABOUT_ONE_CLASS), None)
    if positive is None and (present is None or len(present) != 2 or asking is None):
        return study, scorings
    if present is None or len(present) != 2:
        found = "learners that do regression" if present is None else f"{len(present)} classes"
        raise InvalidInput(f"positive is for two classes, got {positive!r} with {found}")
    truth = read_classes(present, positive=positive)
    if truth.positive is None:
        raise InvalidInput(
            f"positive (--positive) must name the class that metric {asking!r} is about, one of "
            f"{some(present.tolist())}"
        )
    label = truth.classes[truth.positive]
    if asking is None:
        return study, scorings
    plain = present.dtype.kind in "iufb" and label == 1  # scikit-learn takes it for the positive one, too
    about = (how if plain or how not in ABOUT_ONE_CLASS else positive_scorer(how, label) for how in scorings)
    return replace(study, notes=(*study.notes, f"the positive class is {label}")), tuple(about)


# ---- Splits that somebody brings: what they are decides the test.


_IN_TIME = (
    "the splits follow each other in time: what correlates them is not what the correction assumes, so that the level "
    "of this test is not known"
)
_UNEVEN = "training sets differ in size by more than a tenth: the answer is about sizes between {low} and {high}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """A plan that was brought, the test that suits it, and what to know of it."""

    #: plan, procedure: The splits, and the test by which they are run
    plan: Plan
    procedure: Procedure
    caveats: tuple[str, ...]  #: What to know of them
    in_time: bool = False  #: Whether each test set lies behind its training set, and the answer is judged in that order

    def evidence(self, result: RunResult) -> Items:
        """Values in order of time: of the tested examples where the score is a mean over them, else of the splits."""
        index = [run * result.shape[1] + fold for run in result.runs for fold in range(result.shape[1])]
        splits = [result.splits[number] for number in index]
        values = np.reshape(result.scores, (len(result.names), -1))
        times: Integers = np.array([split.test.min() for split in splits])
        if from_predictions(known_metric(result.scoring)):
            added = ([result.added(m, place, one.test) for place, one in enumerate(splits)] for m in range(len(values)))
            found = [[one for one in row if one is not None] for row in added]
            if all(len(row) == len(splits) for row in found):
                values = np.array([np.concatenate(row) for row in found])
                times = np.concatenate([split.test for split in splits])
        items = Items(
            names=result.names, values=values, right_wrong=right_wrong_scale(values) is not None, metric=result.scoring,
            higher_is_better=result.greater_is_better,
        )  # fmt: skip
        return replace(items.in_time(times), splits=len(splits))


def bring_splits(cv: object, y: Labels, groups: Labels | None, *, test: str, seed: int) -> Brought:
    """Find out what the splits of a splitter, a number of folds or (train, test) pairs are, and which test suits them.

    That is the corrected test for repeated cross-validation where every run tests every example once; of splits that
    follow each other in time the test of Diebold and Mariano; else the one for random splits.
    """
    plan = as_plan(cv)
    runs, folds = plan.shape(y, groups=groups)
    splits = list(plan.splits(y, seed=seed, groups=groups))
    if len(splits) < 2:
        raise InvalidInput(
            f"cv must make at least 2 splits, because one says nothing of their variance, got {len(splits)}"
        )
    tested = np.zeros((runs, len(y)), dtype=np.int64)
    for number, split in enumerate(splits):
        tested[number // folds, split.test] += 1
    partition = folds > 1 and bool((tested == 1).all())
    recommended = REPEATED_CV.recommended if partition else RANDOM_SPLITS.recommended
    ordered = all(int(split.train.max()) < int(split.test.min()) for split in splits)  # as in a time series
    if test == TIME_SPLITS.recommended and not ordered:
        raise InvalidInput(f"test {test!r} needs {TIME_SPLITS.words}, but cv makes others")
    in_time = ordered and test in ("auto", TIME_SPLITS.recommended)
    procedure = find_procedure(recommended if test == "auto" or in_time else test)
    kind = resampled(procedure)
    suited = kind == (REPEATED_CV if partition else RANDOM_SPLITS)
    if not suited:
        what = "cross-validation" if partition else "splits that are no cross-validation"
        raise InvalidInput(f"test {procedure.name!r} needs {kind.words}, but cv makes {what}")
    sizes = [len(split.train) for split in splits]
    caveats = [_IN_TIME] if ordered and not in_time else []
    if in_time and groups is not None:
        caveats.append("groups are not used beyond the splits: neighbours in time may be correlated, distant ones not")
    if not ordered and max(sizes) > 1.1 * min(sizes):
        caveats.append(_UNEVEN.format(low=min(sizes), high=max(sizes)))
    if not partition and isinstance(plan, Foreign):
        plan = Foreign(plan.splitter, each_a_run=True)
    return Brought(plan=plan, procedure=procedure, caveats=tuple(caveats), in_time=in_time)


# ---- Learners run on several data sets, and compared over them.


def compare_on_data_sets(
    learners: Mapping[str, Estimator | str], datasets: Sequence[Dataset], *, runs: int, folds: int,
    metric: object, alpha: float, random_state: RandomState, n_jobs: int | None, options: Options, **asked: Any,
) -> Comparison:  # fmt: skip
    """Cross-validate several learners on several data sets, and compare them over these; parameters as in `compare`."""
    for learner in learners.values():  # tried now, so that a wrong name costs no fit
        learner_of(learner)
    roles = {name: asked.pop(name, None) for name in ("candidate", "baseline")}
    lineup = line_up(tuple(learners), ordered=True, control=options.control, **roles)
    chosen = {name: learners[name] for name in lineup.names}
    if len(datasets) < 2:
        raise InvalidInput(
            "a comparison over data sets needs at least 2 learners and 2 data sets, "
            f"got {len(chosen)} and {len(datasets)}"
        )
    scorings = several_scorings(metric)
    one_of(options.adjust_metrics, "adjust_metrics", ("auto", "bonferroni", "none"))
    level = fraction(alpha, "alpha") / (len(scorings) if options.adjust_metrics != "none" else 1)
    work = {"metric": scorings[0], "also": scorings[1:], **options.of_engine(n_jobs)}
    seed = seed_of(random_state)
    made: dict[str, int] = {}
    notes: dict[str, None] = {}

    def results() -> Iterator[RunResult]:
        for dataset in datasets:
            prepared = prepare(chosen, dataset)
            notes.update(dict.fromkeys(prepared.notes))
            plan = DATA_SETS.plan(runs=runs, folds=folds, stratified=prepared.classifies)
            distinct = DistinctRuns(plan, dataset.y, seed=seed, groups=prepared.groups).take(runs)
            result = run_prepared(prepared, plan, runs=distinct, seed=seed, data_name=dataset.name, **work)
            if result.failures:
                raise FitFailed(f"{len(result.failures)} fits failed on {dataset.name}: {result.failures[0]}")
            made.setdefault(dataset.name, result.shape[0])
            yield result

    tables = DATA_SETS.from_runs(results(), [dataset.name for dataset in datasets])
    least = min(made, key=made.__getitem__)
    found = "one partition" if made[least] == 1 else f"{made[least]} different partitions"
    counted = f"{made[least]} of the {runs} runs asked for count everywhere"
    few = f"{least} has only {found} into these folds, so that {counted}"
    asked |= {
        "random_state": seed,
        "options": Options(
            control=lineup.control, adjust=options.adjust, omnibus=options.omnibus, bayes=options.bayes,
            zeros=options.zeros,
        ),
    }  # fmt: skip
    judged = (compare_table(table, alpha=level, **asked).parts[0] for table in tables)
    told = lineup.decisions(asked.get("margin"))
    noted = (*([few] if made[least] < runs else []), *notes)
    return Comparison(
        parts=tuple(replace(c, caveats=(*noted, *c.caveats), decisions=told) for c in judged),
        alpha=alpha,
        adjust_metrics="none" if options.adjust_metrics == "none" else "bonferroni",
    )
