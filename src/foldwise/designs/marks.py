"""Models marked on the same items, alone, in clusters or of several tasks; and what all kinds about items share."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np

from foldwise.core.errors import DegenerateVariance
from foldwise.core.metric import direction_caveats, is_forecast_loss, metric_words, unit_caveats
from foldwise.core.types import Array, Interval
from foldwise.designs.guarantee import ASSUMING_INDEPENDENCE, approximate
from foldwise.designs.kind import Batch, Kind, PairTests, Procedure, in_parts, on_data
from foldwise.designs.resampled import Design, Simulated
from foldwise.designs.student import KNOWN_SPREAD, NO_POWER, StudentKind, known_power, student_intervals, student_tests
from foldwise.evidence.evidence import Evidence, item_differences
from foldwise.evidence.items import Items
from foldwise.inference.clusters import clustered_t
from foldwise.inference.crossed_designs import VarianceSource, VarianceSplit
from foldwise.inference.joint_differences import Indices, ModelMeans, model_means
from foldwise.inference.several_means import mean_of_tasks, model_task_means
from foldwise.inference.student import StudentResult, paired_t, student_result
from foldwise.inference.time_series import serial_correlation

FIXED = "the models were fixed before they saw the test examples: nothing was tuned on them"
"""What all tests of fitted models assume."""

ALIKE_SHOWN = 3  # Groups of models with the same numbers everywhere that a caveat names.
IN_ORDER = 0.001  # How rarely items in random order are said to be correlated.


class ItemKind(Kind[Items]):
    limit = "one test set: the answer is about these fitted models, not about the algorithms that trained them"

    def together(self, evidence: Items) -> ModelMeans:
        """Over items, or over clusters; one item alone shows no spread."""
        if evidence.n == 1:
            k = len(evidence.names)
            return ModelMeans(means=evidence.means, covariance=np.zeros((k, k)), df=0.0, units=1)
        return model_means(evidence.values, evidence.groups)

    def caveats(self, evidence: Items, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        caveats = [*_serial(evidence), *_unseen(evidence), *_alike(evidence)]
        if evidence.missing is not None:
            caveats.append(evidence.missing.words(evidence.names))
        caveats += direction_caveats(evidence.metric, evidence.higher_is_better)
        return caveats + unit_caveats(evidence.unit, rope, evidence.means if evidence.whole else evidence.values)


def fitted(names: tuple[str, ...]) -> str:
    """The models, as an answer about fitted models calls them."""
    return "these two fitted models" if len(names) == 2 else "these fitted models"


# ---- What people who forecast ask besides: by how much smaller the loss is than a baseline's, and how often.

MOST_SKILLS = 8  # Models whose skill is told.


def baseline_of(names: Sequence[str], control: str | None) -> str | None:
    """The model that skill is told against: the control, a naive one, or the second of two."""
    naive = sorted((name for name in names if "naive" in name.lower()), key=lambda name: "season" not in name.lower())
    return control or (names[1] if len(names) == 2 else naive[0] if naive else None)


def skill(
    evidence: Items, control: str | None, reach: Callable[[Array], float | None], units: str
) -> list[tuple[str, str]]:
    """The loss of each model as a share of the baseline's, and the share of periods (or items) on which it is smaller.

    `reach` is half the width of the 95 % interval of a mean of values in the order of the evidence; None where it can't
    be told.
    """
    base = baseline_of(evidence.names, control)
    losses = evidence.means if evidence.whole else evidence.values
    if base is None or evidence.higher_is_better or (losses < 0).any():
        return []
    found, b = [], evidence.values[evidence.names.index(base)]
    others = [(name, a) for name, a in zip(evidence.names, evidence.values, strict=True) if name != base]
    for name, a in others[:MOST_SKILLS]:
        if (mean := float(b.mean())) <= 0:
            break
        share = float(a.mean()) / mean
        # the mean of a − share·b is 0; over the mean of b its standard error is that of the ratio
        if (spread := reach(a - share * b)) is None:
            continue
        found.append((f"skill of {name}", lower_loss(share, spread / mean, base)))
    for name, a in others[:MOST_SKILLS] if not evidence.whole else ():  # whose periods have no loss of their own
        wins = np.where(a == b, 0.5, (a < b).astype(np.float64))
        if (half := reach(wins)) is not None:
            rate = float(wins.mean())
            low, high = max(rate - half, 0.0), min(rate + half, 1.0)
            than = "" if len(evidence.names) == 2 else f" than {base}"
            text = f"{name} is better{than} on {100 * rate:.0f} % of {units} (95 % CI {100 * low:.0f} % to "
            found.append(("win rate", f"{text}{100 * high:.0f} %)"))
    return found


def lower_loss(share: float, half: float, base: str) -> str:
    """A loss as a share of another with half the width of its interval, in words.

    >>> lower_loss(0.8, 0.05, "naive"), lower_loss(1.2, 0.3, "naive")
    ('20 % lower loss than naive (95 % CI 15 to 25 %)', '20 % higher loss than naive (95 % CI −10 to 50 %)')
    """
    size, word = abs(1 - share), "lower" if share <= 1 else "higher"
    limits = f"{100 * (size - half):.3g} to {100 * (size + half):.3g} %".replace("-", "−")
    return f"{100 * size:.3g} % {word} loss than {base} (95 % CI {limits})"


def clusters_in(evidence: Items) -> int | None:
    """Number of clusters; None where items are independent."""
    return None if evidence.groups is None else int(evidence.groups.max()) + 1


def scaled_interval(found: Interval, factor: float) -> Interval:
    """Intervals in another unit, turned where the factor is negative."""
    ends = factor * np.asarray(found.low) + 0.0, factor * np.asarray(found.high) + 0.0
    low, high = ends if factor > 0 else ends[::-1]
    return Interval(low=low, high=high)


def _serial(evidence: Items) -> list[str]:
    """A sentence where neighbours are correlated beyond chance and neither clusters nor times account for it."""
    if evidence.groups is not None or evidence.times is not None or evidence.tasks is not None:
        return []  # tasks that differ make neighbours alike
    found = serial_correlation(evidence.values)
    if found.pvalue > IN_ORDER:
        return []
    return [
        f"neighbouring items are correlated in the order given (lag-1 autocorrelation {found.correlation:.2f}): if "
        "rows are in order of time, name it (time, --time), and if neighbours belong together, name their clusters "
        "(groups, --groups); taken as independent, they make p and interval too certain"
    ]


def _unseen(evidence: Items) -> list[str]:
    """Of which models how many predictions are labels that never occur in the truth; none where nobody counted."""
    return [
        f"{count} prediction{'s' * (count != 1)} of {name} {'are labels' if count != 1 else 'is a label'} that "
        f"never occur{'s' * (count == 1)} in the truth; counted as wrong"
        for name, count in zip(evidence.names, evidence.unseen, strict=bool(evidence.unseen))
        if count
    ]


def _alike(evidence: Items) -> list[str]:
    """Of more than two models, those that do the same on every item; of two, the kinds say what that means."""
    found: dict[bytes, list[str]] = {}
    for name, row in zip(evidence.names, evidence.values, strict=True):
        found.setdefault(row.tobytes(), []).append(name)
    groups = [names for names in found.values() if len(names) > 1 and len(evidence.names) > 2]
    metric = metric_words(evidence.metric)
    return [
        f"{', '.join(names[:-1])} and {names[-1]} have the same {metric} on every item"
        for names in groups[:ALIKE_SHOWN]
    ]


# ---- Models marked on the same items, alone, in clusters or of several tasks: graded answers, losses, any numbers.


FEW = 10  # Items, or clusters worth so many, below which the shape of the differences matters.
SURE = 0.95  # How sure a share is whose upper limit is told.

NORMAL = "the mean difference is about normally distributed: many items, or differences without far outliers"
"""What all t tests of marks assume."""


class MarkKind(StudentKind[Items], ItemKind, Simulated[Items]):
    """What the kinds share whose evidence are numbers on items, judged by tests of the t type."""

    grows_with: ClassVar[str | None] = "n"
    units: ClassVar[str]
    """What the degrees of freedom count."""
    plots: ClassVar[tuple[str, ...]] = ("item_differences",)
    limit = "one set of items: the answer is about these fitted models, not about the algorithms that trained them"

    def estimand(self, evidence: Items, procedure: Procedure) -> str:
        over = "" if evidence.trials is None else " and over their trials"
        difference = procedure.difference_words(evidence.metric, evidence.names, "mean")
        return evidence.said(
            f"over items like these{over}, {difference}; it is about {fitted(evidence.names)}, and another training "
            "set may give other models."
        )

    def caveats(self, evidence: Items, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        found = super().caveats(evidence, procedure, alpha=alpha, rope=rope)
        told = [*_constant(evidence), *_few_of_many(evidence), *_trials(evidence), *found]
        return [evidence.said(one) for one in told]

    # two models

    def batch(self, evidence: Items, alpha: float) -> Batch:
        """Differences with their clusters, and the marks themselves for tests that are not of the differences alone."""
        x, groups, tasks = evidence.differences, evidence.groups, evidence.tasks
        return Batch(data=x, alpha=alpha, groups=groups, tasks=tasks, given=evidence)

    def analysed(
        self, evidence: Items, procedure: Procedure, batch: Batch
    ) -> tuple[StudentResult, VarianceSplit | None]:
        result = self.result(evidence, procedure, batch)
        return result, _split(evidence, result, self.units)

    def about(self, evidence: Items, procedure: Procedure, result: StudentResult) -> list[str]:
        caveats = [*self.ignored(evidence, procedure)]
        units = evidence.said(self.units)
        if not result.degenerate and result.df < FEW - 1:
            only = "p, interval and probabilities hold only as far as differences are about normally distributed"
            caveats.append(f"few {units}: {only}")
        if not result.degenerate and result.df < KNOWN_SPREAD - 1e-6:
            caveats.append(NO_POWER.format(units))
        return caveats

    def ignored(self, evidence: Items, procedure: Procedure) -> tuple[str, ...]:
        return ()

    def result(self, evidence: Items, procedure: Procedure, batch: Batch) -> StudentResult:
        x = batch.data
        if x.shape[-1] == 1:  # one item has a difference, and no spread
            return student_result(x[..., 0], np.zeros(x.shape[:-1]), 0.0, warn=False)
        return super().result(evidence, procedure, batch)

    # all pairs

    def tests(self, evidence: Items, procedure: Procedure, first: Indices, second: Indices) -> PairTests:
        """The test of many pairs at once; one after the other where it looks at more than the differences."""
        if procedure.estimand is not None:
            return super().tests(evidence, procedure, first, second)
        values = evidence.values

        def run(i: Indices, j: Indices) -> StudentResult:
            return self._student(evidence, procedure, item_differences(values[i], values[j]))

        return student_tests(in_parts(run, first, second, width=evidence.n))

    def mean_intervals(self, evidence: Items, procedure: Procedure, level: float) -> Interval:
        """By the same standard error as the differences'; none where the test is not of means."""
        if procedure.estimand is not None:
            return super().mean_intervals(evidence, procedure, level)
        return student_intervals(self._student(evidence, procedure, evidence.values), level)

    def _student(self, evidence: Items, procedure: Procedure, x: Array) -> StudentResult:
        return self.result(evidence, procedure, Batch(data=x, groups=evidence.groups, tasks=evidence.tasks))

    # populations

    def numbers(self, design: Design) -> int:
        return design.n

    def mean_difference(self, data: Array) -> Array:
        return np.asarray(data.mean(axis=-1))

    def trainings(self, design: Design) -> int:
        return 1


class IndependentMarks(MarkKind):
    """Items that do not come in clusters; trials of an item are averaged first."""

    name = "marks"
    units = "items"
    words = "the marks of both models on the same items"
    assumes = ("the items are independent draws from the source that matters, and none was trained on", FIXED, NORMAL)
    recommended = "paired_t"
    because = "both models were marked on the same items, so that the differences on them are the sample"

    def natural(self, evidence: Evidence) -> bool:
        return (
            self.fits(evidence) and isinstance(evidence, Items) and not evidence.right_wrong and evidence.groups is None
        )

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Items) and evidence.times is None and evidence.tasks is None

    def ignored(self, evidence: Items, procedure: Procedure) -> tuple[str, ...]:
        if evidence.groups is None:
            return ()
        said = "its interval and the probabilities take the items as independent although they come in clusters"
        return (f"{procedure.title}, {said}",)


class ClusteredMarks(MarkKind):
    """Items of one cluster are correlated; clusters are independent."""

    name = "clustered_marks"
    units = "clusters"
    words = "the marks of both models on the same items, and the cluster of each item"
    assumes = (
        "clusters are independent of each other; items within one may be correlated in any way",
        FIXED,
        NORMAL.replace("many items", "many clusters"),
    )
    recommended = "clustered_t"
    because = (
        "items in a cluster are correlated, and the standard error accounts for it; it is never below that of items "
        "taken as independent."
    )

    def natural(self, evidence: Evidence) -> bool:
        return self.fits(evidence) and isinstance(evidence, Items) and not evidence.right_wrong

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Items) and evidence.groups is not None and evidence.times is None

    def facts(self, evidence: Items, procedure: Procedure, control: str | None = None) -> list[tuple[str, str]]:
        """Skill and win rate of losses of forecasts, whose clusters are series."""

        def reach(x: Array) -> float | None:
            assert evidence.groups is not None
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DegenerateVariance)
                found = clustered_t(x, evidence.groups)
            interval = found.confidence_interval(0.95)
            return float(interval.high - interval.low) / 2 if float(found.standard_error) > 0 else None

        return skill(evidence, control, reach, "items") if is_forecast_loss(evidence.metric) else []

    def numbers(self, design: Design) -> int:
        return 2 * design.n

    def mean_difference(self, data: Array) -> Array:
        return np.asarray(data[..., 0, :].mean(axis=-1))

    def drawn(self, data: Array, design: Design, alpha: float) -> Batch:
        groups = data[..., 1, :].reshape(-1, data.shape[-1])[0].astype(np.int64)
        return Batch(data=data[..., 0, :], alpha=alpha, groups=groups)


class TaskMarks(MarkKind):
    """Tasks are fixed and count once each; items or clusters may occur in several of them."""

    name = "task_marks"
    units = "items"
    words = "the marks of both models on the items of several tasks"
    assumes = (
        "the tasks are those that matter; items, or clusters of them, are independent draws, also where one of them "
        "occurs in several tasks",
        FIXED,
        NORMAL,
    )
    recommended = "mean_of_tasks"
    simulated = False
    because = (
        "each task counts once, however many items it has; items or clusters that occur in several tasks are counted "
        "as the same"
    )

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Items) and evidence.tasks is not None

    def together(self, evidence: Items) -> ModelMeans:
        """Means of tasks, over items or clusters that may occur in several of them."""
        assert evidence.tasks is not None
        return model_task_means(evidence.values, evidence.tasks, evidence.groups)


MARKS, CLUSTERED_MARKS, TASK_MARKS = IndependentMarks(), ClusteredMarks(), TaskMarks()
KINDS = (TASK_MARKS, MARKS, CLUSTERED_MARKS)


def _few_of_many(evidence: Items) -> list[str]:
    """Of more than two models that there are few items or clusters; of two the test itself says what it lacks."""
    clusters = clusters_in(evidence)
    called, units = ("items", evidence.n) if clusters is None else ("clusters", clusters)
    if len(evidence.names) == 2 or evidence.n == 1 or units >= FEW:
        return []
    return [f"few {called}: p and intervals hold only as far as differences are about normally distributed"]


def _split(evidence: Items, result: StudentResult, units: str) -> VarianceSplit | None:
    """Items (or clusters) and trials as sources of the variance.

    With K trials Var(d̄) = (Var_data + Var_pred/K)/n. Trials are independent draws of each model, so that Var_pred is
    the sum of the two variances within items.
    """
    trials = evidence.trials
    if trials is None or result.degenerate or np.isnan(trials.share):
        return None
    of_trials = trials.share / evidence.n
    of_items = max(float(result.standard_error) ** 2 - of_trials, 0.0)
    count = clusters_in(evidence) or evidence.n
    return VarianceSplit(
        standard_error=float(result.standard_error),
        sources=(
            VarianceSource(name=units, variance=of_items * count, adds=of_items, over=(units,)),
            VarianceSource(name="trials", variance=sum(trials.pooled), adds=of_trials, over=(units, "trials")),
        ),
    )


def _constant(evidence: Items) -> list[str]:
    """That two models do not differ, or by the same everywhere, and what that says of other items."""
    if evidence.n == 1:
        return ["one item shows no spread, so that nothing can be said of other items"]
    if len(evidence.names) > 2:
        return []
    x = evidence.differences
    if not x.any() and evidence.times is not None:
        return ["both models are the same in every period, so that these marks can't tell how they differ in others"]
    if not x.any():
        clusters = clusters_in(evidence)
        count, units = (len(x), "items") if clusters is None else (clusters, "clusters")
        # none of so many: the exact upper limit of the share
        share = 1 - (1 - SURE) ** (1 / count)
        return [
            f"both models have the same mark on all {len(x)} items: {100 * SURE:g} % sure, they differ on fewer than "
            f"{100 * share:.2g} % of such {units}, by how much these marks can't tell"
        ]
    if np.ptp(x) == 0:
        return ["the difference is the same on every item, so its spread is unknown, and with it whether it is chance"]
    return []


def _trials(evidence: Items) -> list[str]:
    if evidence.trials is None or evidence.trials.equal:
        return []
    return [f"items were tried unequally often ({evidence.trials.words}): each counts once, whatever its trials"]


PROCEDURES = (
    Procedure(
        name="mean_of_tasks", title="t test of the mean of tasks", kind=TASK_MARKS,
        run=on_data(mean_of_tasks, "tasks", "groups"),
        reference="Bell & McCaffrey (2002), Survey Methodology 28", guarantee=approximate(counted="tasks"),
        power=known_power,
    ),
    Procedure(
        name="paired_t", title="paired t test over items", kind=MARKS, run=on_data(paired_t),
        reference="Student (1908), Biometrika 6", guarantee=approximate(beside=ASSUMING_INDEPENDENCE),
        power=known_power,
    ),
    Procedure(
        name="clustered_t", title="cluster-robust paired t test", kind=CLUSTERED_MARKS,
        run=on_data(clustered_t, "groups"),
        reference="Bell & McCaffrey (2002), Survey Methodology 28", guarantee=approximate(counted="clusters"),
        power=known_power,
    ),
)  # fmt: skip
