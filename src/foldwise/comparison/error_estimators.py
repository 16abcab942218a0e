"""The error estimators: one function each, with the bias that is known of it; the .632 and .632+ bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import DegenerateData, InvalidInput
from foldwise.core.formatting import moment
from foldwise.core.types import Array, Interval, Labels
from foldwise.engine.prepared import Prepared
from foldwise.engine.result import RunResult
from foldwise.engine.runner import run_prepared
from foldwise.inference.crossed_designs import crossed
from foldwise.resampling.kfold import KFold, LeaveOneOut, RepeatedKFold
from foldwise.resampling.plan import Plan
from foldwise.resampling.random_splits import Bootstrap, CrossedParts, Holdout

# ---- What a learner does on the splits of a plan, as losses per example.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EstimatorTrials:
    """A learner and examples to try it on."""

    prepared: Prepared  #: The learner, as it can take the examples, and the examples
    seed: int  #: Determines every split
    engine: dict[str, Any] = field(default_factory=dict)  #: What else the engine takes
    done: list[RunResult] = field(default_factory=list)  #: What was run so far

    def __len__(self) -> int:
        return len(self.prepared.examples)

    @property
    def name(self) -> str:
        return self.prepared.names[0]

    @property
    def y(self) -> Labels:
        return self.prepared.y

    @property
    def groups(self) -> Labels | None:
        return self.prepared.groups

    @property
    def regression(self) -> bool:
        """Whether the loss is the squared difference instead of 0 or 1."""
        return not self.prepared.classifies

    def losses(self, plan: Plan) -> Array:
        """Runs × examples: the mean loss of each example in each run; NaN where it was not tested."""
        result = self._run(plan, self.prepared)
        runs, folds = result.shape
        table = np.full((runs, len(self)), np.nan)
        for i, predicted in enumerate(result.outcomes[0]):
            assert predicted is not None  # the engine raises on failure
            test = result.splits[i].test
            table[i // folds, test] = self._loss(result.y[test], predicted)
        return table

    def resubstitution(self) -> tuple[Array, Labels, Labels]:
        """Losses, targets and predictions of the model trained on all examples, on those same examples."""
        everything = np.arange(len(self))
        everyone = replace(self.prepared, examples=replace(self.prepared.examples, groups=None))
        result = self._run([(everything, everything)], everyone)
        predicted = result.outcomes[0][0]
        assert predicted is not None
        return self._loss(result.y, predicted), result.y, predicted

    def _run(self, plan: object, prepared: Prepared) -> RunResult:
        # R², the engine's default for regressors, is not defined on the single test example of leave-one-out
        scoring = "neg_mean_squared_error" if self.regression else None
        result = run_prepared(prepared, plan, seed=self.seed, metric=scoring, **self.engine)
        self.done.append(result)
        return result

    @property
    def fits(self) -> int:
        """Number of trainings so far, those that a store had included."""
        return sum(result.found + result.computed for result in self.done)

    @property
    def found(self) -> int:
        return sum(result.found for result in self.done)

    @property
    def found_made(self) -> tuple[str, str] | None:
        """When the oldest and the newest of these were made."""
        spans = [result.found_made for result in self.done if result.found_made is not None]
        return (moment(min(a for a, _ in spans)), moment(max(b for _, b in spans))) if spans else None

    def _loss(self, y: Labels, predicted: Labels) -> Array:
        return np.asarray((y - predicted) ** 2 if self.regression else y != predicted, dtype=np.float64)


SMALL_SAMPLE = 100
"""Largest sample for which LOO* looks at 2-CV*: the reference's figure 7 shows it differ from LOO at 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    folds: int
    repeats: int | None
    test_fraction: float
    stratified: bool
    train_size: int | None = None

    def runs(self) -> int:
        """Number of repetitions for methods that repeat; 100 as in the reference."""
        return 100 if self.repeats is None else self.repeats


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a method found."""

    estimate: float  #: The estimated error
    design: str  #: The plan in words
    #: One loss per tested example where each was tested once, which is what an interval needs; else None
    losses: Array | None = None
    folds: int | None = None  #: Number of folds, whose training sets overlap; None where one model was tested
    #: From a confidence level to an interval, where the method has one of its own
    limits: Callable[[float], Interval] | None = None
    components: dict[str, float] = field(default_factory=dict)  #: Figures the estimate is made of
    caveats: tuple[str, ...] = ()  #: What the plan can't do well with these examples


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """An estimator: what it is called, what it does, what is wrong with it; and whether it is about all the data."""

    title: str
    find: Callable[[EstimatorTrials, Settings], Found]
    caveat: str
    of_all_data: bool = True
    reference: str = "Martin & Hirschberg (1996), Small sample statistics for classification error rates II"


def apparent(trials: EstimatorTrials, options: Settings) -> Found:
    losses, _, _ = trials.resubstitution()
    return Found(estimate=float(losses.mean()), design="trained and tested on all examples")


def holdout(trials: EstimatorTrials, options: Settings) -> Found:
    """Error on a third (or another fraction) that was not trained on."""
    return _tested_once(trials, Holdout(options.test_fraction, options.stratified))


def kfold(trials: EstimatorTrials, options: Settings) -> Found:
    """All errors over the folds of one cross-validation."""
    if options.repeats not in (None, 1):
        raise InvalidInput(f"repeats must be 1 for method 'kfold', got {options.repeats}: use 'iterated_kfold'")
    return _tested_once(trials, KFold(options.folds, options.stratified))


def loo(trials: EstimatorTrials, options: Settings) -> Found:
    """Each example tested by the model trained on all others."""
    return _tested_once(trials, LeaveOneOut())


def iterated_kfold(trials: EstimatorTrials, options: Settings) -> Found:
    """k-CV*: k-fold cross-validation on many partitions, averaged."""
    plan = RepeatedKFold(runs=options.runs(), folds=options.folds, stratified=options.stratified)
    per_run = trials.losses(plan).mean(axis=1)
    spread = float(per_run.std(ddof=1)) if len(per_run) > 1 else 0.0
    return Found(
        estimate=float(per_run.mean()),
        design=plan.describe(),
        components={"lowest_run": float(per_run.min()), "highest_run": float(per_run.max()), "spread_of_runs": spread},
        caveats=_plan_caveats(plan, trials),
    )


def loo_star(trials: EstimatorTrials, options: Settings) -> Found:
    """LOO*: leave-one-out, or 2-CV* where the sample is small and 2-CV* is lower.

    Notes
    -----
    The rule is Weiss' (1991, IEEE PAMI 13, 285–289) as the project's definitions restate it: a hybrid of
    leave-one-out (nearly unbiased, variable) and 100 iterated two-fold cross-validations (steady, biased upwards
    for small samples). An upward bias can't make 2-CV* the lower of the two, so 2-CV* is taken only where it is.
    The original paper was not at hand; where it draws the line for "small" is not known here, `SMALL_SAMPLE` is.
    """
    left_out = float(np.mean(trials.losses(LeaveOneOut())))
    if len(trials) > SMALL_SAMPLE:
        return Found(estimate=left_out, design="leave-one-out (the sample is not small)", components={"loo": left_out})
    plan = RepeatedKFold(runs=options.runs(), folds=2, stratified=options.stratified)
    halves = float(np.mean(trials.losses(plan)))
    return Found(
        estimate=min(left_out, halves),
        design=f"the lower of leave-one-out and {plan.describe()}",
        components={"loo": left_out, "two_fold_iterated": halves},
    )


def point632(trials: EstimatorTrials, options: Settings) -> Found:
    """0.368 × apparent + 0.632 × out-of-bag error."""
    parts, design = _bootstrap(trials, options)
    return Found(estimate=parts.point632, design=design, components=_figures(parts))


def point632plus(trials: EstimatorTrials, options: Settings) -> Found:
    """The same with more weight on the out-of-bag error the more the learner overfits."""
    parts, design = _bootstrap(trials, options)
    figures = {**_figures(parts), "no_information": parts.no_information, "overfitting": parts.overfitting}
    return Found(estimate=parts.point632plus, design=design, components=figures)


MOST_SETS = 10  # Training sets that are cut by default where their size is given, if there are examples for so many.


def delve(trials: EstimatorTrials, options: Settings) -> Found:
    """Several disjoint training sets, all tested on the same examples: Dietterich's question 5, as DELVE answers it.

    Notes
    -----
    The losses are a table of training sets × test examples, both drawn at random: mean and interval are those of
    `foldwise.inference.crossed`, whose variance counts training sets, test examples and both together.
    """
    n, size = len(trials), options.train_size
    if options.repeats == 1:
        raise InvalidInput("repeats must be at least 2 training sets for method 'delve', got 1")
    sets = options.repeats or (5 if size is None else max(min(MOST_SETS, (n - n // 2) // size), 2))
    plan = CrossedParts(sets, size)
    table = trials.losses(plan)
    losses = table[:, ~np.isnan(table[0])]
    found = crossed(losses)
    squares, per_set = found.squares, losses.mean(axis=1)
    spread = np.sqrt(np.maximum(np.asarray(squares.of_seeds) - np.asarray(squares.rest), 0) / losses.shape[1])
    degenerate = float(np.asarray(found.student.standard_error)) == 0
    return Found(
        estimate=float(losses.mean()),
        design=f"{plan.describe()}: {losses.shape[1]} test examples",
        limits=None if degenerate else found.student.confidence_interval,
        components={
            "training_sets": float(sets), "train_size": float(plan.sizes(n)[0]), "lowest_set": float(per_set.min()),
            "highest_set": float(per_set.max()), "spread_of_training_sets": float(spread),
        },
        caveats=_plan_caveats(plan, trials),
    )  # fmt: skip


def _tested_once(trials: EstimatorTrials, plan: Plan) -> Found:
    losses = trials.losses(plan)[0]
    tested = losses[~np.isnan(losses)]
    _, folds = plan.shape(trials.y, groups=trials.groups)
    return Found(
        estimate=float(tested.mean()), design=plan.describe(), losses=tested, folds=folds if folds > 1 else None,
        caveats=_plan_caveats(plan, trials),
    )  # fmt: skip


def _bootstrap(trials: EstimatorTrials, options: Settings) -> tuple[Bootstrap632, str]:
    plan = Bootstrap(options.runs())
    losses, y, predicted = trials.resubstitution()
    gamma = no_information_rate(y, predicted, regression=trials.regression)
    outside = leave_one_out_bootstrap(trials.losses(plan))
    return bootstrap632(float(losses.mean()), outside, gamma), plan.describe()


def _figures(parts: Bootstrap632) -> dict[str, float]:
    return {"apparent": parts.apparent, "out_of_bag": parts.out_of_bag}


def _plan_caveats(plan: Plan, trials: EstimatorTrials) -> tuple[str, ...]:
    return plan.caveats(trials.y, groups=trials.groups)


METHODS: dict[str, Method] = {
    "kfold": Method(
        title="k-fold cross-validation", find=kfold,
        caveat="Cross-validation is nearly unbiased with 10 folds, too high with few: its models see fewer examples.",
    ),
    "loo": Method(
        title="leave-one-out", find=loo,
        caveat="Leave-one-out is nearly unbiased, but varies much from one sample to the next.",
    ),
    "holdout": Method(
        title="holdout", find=holdout,
        caveat="A holdout trains on fewer examples than there are, so its error tends to be too high; it also tests "
        "few of them.",
    ),
    "apparent": Method(
        title="apparent error (resubstitution)", find=apparent,
        caveat="The apparent error is too low, for a flexible learner by any amount: a nearest neighbour is never "
        "wrong.",
    ),
    "bootstrap632": Method(
        title=".632 bootstrap", find=point632,
        caveat="The .632 bootstrap is too low for learners that fit their training examples perfectly, and its bias "
        "differs between learners (1-NN and 3-NN, for example): don't compare learners by it.",
        reference="Efron (1983), Journal of the American Statistical Association 78",
    ),
    "bootstrap632plus": Method(
        title=".632+ bootstrap", find=point632plus,
        caveat="The .632+ bootstrap corrects for overfitting, but its bias may still differ between learners: don't "
        "compare learners by it.",
        reference="Efron & Tibshirani (1997), Journal of the American Statistical Association 92",
    ),
    "iterated_kfold": Method(
        title="iterated k-fold cross-validation (k-CV*)", find=iterated_kfold,
        caveat="Iterating removes the variance of the partition only: the bias stays (it is strong for 2 folds and "
        "differs between learners), and the variance does not fall as 1/repeats.",
    ),
    "loo_star": Method(
        title="Weiss' hybrid (LOO*)", find=loo_star,
        caveat="LOO* showed no advantage over leave-one-out in Martin & Hirschberg (1996), at a hundred times the "
        "cost.",
    ),
    "delve": Method(
        title="disjoint training sets (DELVE)", find=delve,
        caveat="It is about classifiers from new training sets of this size, not from all the data; its interval "
        "counts training sets and test examples as samples.", of_all_data=False,
    ),
}  # fmt: skip
"""The methods by name, the recommended one first."""


INSIDE = 0.632
"""1 − 1/e to three digits, as the estimator's authors print it: the share of examples in a bootstrap sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrap632:
    """The two bootstrap estimates and what they are made of."""

    #: point632, point632plus: The .632 and the .632+ estimate
    point632: float
    point632plus: float
    apparent: float  #: Error on the training examples of the model trained on all of them
    out_of_bag: float  #: Leave-one-out bootstrap error
    no_information: float  #: Error if attributes and target were independent
    overfitting: float  #: Relative overfitting rate, from 0 (none) to 1 (as bad as no information)


def bootstrap632(apparent: float, out_of_bag: float, no_information: float) -> Bootstrap632:
    r"""Weigh the apparent error of the model trained on *all* examples and the out-of-bag error.

    Notes
    -----
    With apparent error :math:`\overline{err}`, out-of-bag error :math:`e_1` and no-information rate γ [1]_, [2]_:

    .. math:: e_{.632} = .368\,\overline{err} + .632\,e_1

        e_{.632+} = e_{.632} + (e_1' - \overline{err})\,\frac{.368\cdot.632\,R'}{1 - .368\,R'}

    where :math:`e_1' = \min(e_1, \gamma)` and :math:`R' = (e_1'-\overline{err})/(\gamma-\overline{err})` if both
    :math:`e_1'` and γ exceed the apparent error, else 0 (equations 31 and 32 of [2]_).

    References
    ----------
    .. [1] Efron (1983), Estimating the error rate of a prediction rule, JASA 78, 316–331.
    .. [2] Efron & Tibshirani (1997), Improvements on cross-validation: the .632+ bootstrap method, JASA 92, 548–560.

    Examples
    --------
    A nearest neighbour on two classes that have nothing to do with the attributes: only .632+ sees it.

    >>> result = bootstrap632(0.0, 0.5, 0.5)
    >>> result.point632, result.point632plus
    (0.316, 0.5)
    """
    plain = (1 - INSIDE) * apparent + INSIDE * out_of_bag
    bounded = min(out_of_bag, no_information)
    rate = (bounded - apparent) / (no_information - apparent) if bounded > apparent else 0.0
    extra = (bounded - apparent) * (1 - INSIDE) * INSIDE * rate / (1 - (1 - INSIDE) * rate)
    return Bootstrap632(
        point632=plain, point632plus=plain + extra, apparent=apparent, out_of_bag=out_of_bag,
        no_information=no_information, overfitting=rate,
    )  # fmt: skip


def leave_one_out_bootstrap(losses: ArrayLike) -> float:
    """Mean over the examples of each one's mean loss in the samples that left it out (NaN where it was in them).

    Notes
    -----
    Equation 17 of Efron & Tibshirani (1997). An example that no sample left out has no mean and doesn't count;
    with 100 samples the chance of that is 10⁻²⁰ per example.

    Examples
    --------
    >>> leave_one_out_bootstrap([[0, np.nan], [1, 1], [np.nan, 1]])
    0.75
    """
    table = np.asarray(losses, dtype=np.float64)
    if table.ndim != 2:
        raise InvalidInput(f"losses must have two axes (samples, examples), got shape {table.shape}")
    known = ~np.isnan(table)
    times = known.sum(axis=0)
    if not times.any():
        raise DegenerateData("no example was left out of any bootstrap sample")
    sums = np.where(known, table, 0.0).sum(axis=0)
    return float((sums[times > 0] / times[times > 0]).mean())


def no_information_rate(y: Labels, predicted: Labels, *, regression: bool = False) -> float:
    r"""Expected loss if every prediction of the model trained on all examples met every target alike.

    Notes
    -----
    For classes :math:`\gamma = \sum_l p_l (1 - q_l)`, with shares :math:`p_l` of the targets and :math:`q_l` of the
    predictions (Efron & Tibshirani 1997, equation 27); for numbers the mean of :math:`(y_i - \hat y_j)^2` over all
    pairs, computed from means and variances.

    Examples
    --------
    >>> no_information_rate(np.array(["a", "a", "b", "b"]), np.array(["a", "a", "a", "b"]))
    0.5
    """
    if regression:
        shift = np.mean(y) - np.mean(predicted)
        return float(np.var(y) + np.var(predicted) + shift**2)
    labels = np.unique(y)
    p = np.array([(y == label).mean() for label in labels])
    q = np.array([(predicted == label).mean() for label in labels])
    return float(p @ (1 - q))
