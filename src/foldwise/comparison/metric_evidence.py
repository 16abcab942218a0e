"""The evidence about models that suits a metric of their outputs, in the order of time where there is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from foldwise.comparison.comparison import AdjustMetrics, Comparison
from foldwise.comparison.measured_caveat import metric_caveats
from foldwise.core.categories import Categories
from foldwise.core.decisions import Decision, How
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import categories, group_index, number_of
from foldwise.core.metric import metric_words, resolve_direction
from foldwise.core.types import Array, Flags, Integers
from foldwise.designs import METRICS, RANKING, TIME_ORDER, find_procedure
from foldwise.evidence.given_outputs import UNTOLD, GivenOutputs
from foldwise.evidence.items import Items
from foldwise.evidence.outputs import Outputs
from foldwise.evidence.sequence import in_time
from foldwise.inference.forecast_tests import giacomini_white
from foldwise.metrics.catalogue import AnyMetric, find_metric, known_metric
from foldwise.metrics.item_means import ItemMean, crossing, relative, right, symmetric
from foldwise.metrics.metric import NUMERIC, Metric, Needs, Output, SumMetric, Truth
from foldwise.metrics.survival import asks_for_survival

Given: TypeAlias = ArrayLike | Categories  # Labels, numbers, or numbers by class.


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricQuestion:
    """What is asked of models' outputs."""

    metrics: Sequence[AnyMetric]  #: One metric, or several
    #: positive, threshold, classes: The positive class, the score from which an item is taken for it, and what columns
    #: of scores are about
    positive: object = None
    threshold: float | None = None
    classes: Sequence[Any] | None = None
    higher_is_better: bool | None = None  #: Direction of a metric that is a function; without it its name tells
    adjust: AdjustMetrics = "holm"  #: How several metrics are judged together
    assumed: bool = False  #: Whether nobody named the metric

    @property
    def no_labels(self) -> str:
        """The first metric that does not take labels; empty where all do."""
        found = {str(one): known_metric(one) if isinstance(one, str) else None for one in self.metrics}
        return next((name for name, known in found.items() if known is None or known.needs is not Needs.LABELS), "")

    @property
    def plain(self) -> bool:
        """Whether it is accuracy of labels, and nothing else."""
        return list(self.metrics) == ["accuracy"] and self.threshold is None and self.classes is None


def measured(
    names: Sequence[str], truth: Given, outputs: Mapping[str, Given], question: MetricQuestion, *, groups: Given | None,
    time: Any, test: str = "auto",
) -> list[tuple[Items | Outputs, tuple[str, ...]]]:  # fmt: skip
    """The evidence that suits each metric, and what a reader should know of how it was made.

    What each model said goes by the name that messages give it.
    """
    _of_survival(question.metrics)
    given = read_outputs(truth, outputs, question)
    clusters = None if groups is None else _clusters(groups, len(given.truth))
    found = []
    for wanted in question.metrics:
        metric = find_metric(wanted, given.truth, higher_is_better=question.higher_is_better)
        evidence = measured_evidence(names, metric, given, clusters, question, test, in_order=time is not None)
        decisive = () if isinstance(evidence, Outputs) else _said_of_decisive(metric, given)
        nested: tuple[str, ...] = ()
        if test == "clark_west":
            noise, nested = nested_noise(metric.name, names, [column.matrix for column in given.columns])
            assert isinstance(evidence, Items)
            less = evidence.values - np.array([noise, np.zeros_like(noise)])
            evidence = replace(evidence, values=less, metric=ADJUSTED)
        in_order, order = ordered(evidence, time, test)
        caveats = metric_caveats(metric.name, clusters) if test == "auto" else ()
        found.append(
            (
                in_order,
                (
                    *order,
                    *nested,
                    *_said_of_threshold(metric, given),
                    *_crossed(names, metric, given),
                    *decisive,
                    *caveats,
                ),
            )
        )
    return found


ADJUSTED = "adjusted MSE"  # What is compared by Clark and West's test.


def nested_noise(metric: str, names: Sequence[str], forecasts: ArrayLike | None) -> tuple[Array, tuple[str, ...]]:
    """Of each item what the larger of two nested models' estimates add to its squared error, and what is said of it."""
    if metric != "mse" or forecasts is None or len(names) != 2:
        raise InvalidInput(
            f"test 'clark_west' is for metric 'mse' of two nested models, the larger one first, got {metric!r} of "
            f"{len(names)}" + (" without forecasts and truth" if metric == "mse" and forecasts is None else "")
        )
    first, second = np.asarray(forecasts, dtype=np.float64)
    noise = (first - second) ** 2
    said = (
        f"{names[0]} is taken for the larger of two nested models: {noise.mean():.4g}, the noise of its estimates, is "
        "taken off its mean squared error; p is of both sides, Clark and West's own is half of it",
    )
    return noise, said


def read_outputs(
    truth: ArrayLike | Categories, outputs: Mapping[str, ArrayLike | Categories], question: MetricQuestion
) -> GivenOutputs:
    """The outputs of any number of models, by the names that messages give them."""
    if _of_numbers(question.metrics, truth):
        return GivenOutputs.of_numbers(truth, outputs, levels=question.classes)
    return GivenOutputs.of_classes(
        truth, outputs, positive=question.positive, classes=question.classes, threshold=question.threshold
    )


def _of_numbers(metrics: Sequence[AnyMetric], truth: ArrayLike | Categories) -> bool:
    """Whether the truth is numbers to be met, not classes: the metrics tell, or the numbers themselves."""
    known = [known_metric(one) if isinstance(one, str) else one for one in metrics]
    told = {one.needs in NUMERIC for one in known if isinstance(one, Metric) and one.needs is not Needs.ANY}
    if told:
        return told == {True}
    values = truth.labels if isinstance(truth, Categories) else np.asarray(truth).ravel().tolist()
    numbers = [number_of(value) for value in values]
    return any(number is not None and number != int(number) for number in numbers) and None not in numbers


def _of_survival(metrics: Sequence[AnyMetric]) -> None:
    """Refuse metrics of other truths beside those of times and events."""
    found = [asks_for_survival(one) for one in metrics]
    if any(found) and not all(found):
        strange = metrics[found.index(False)]
        raise InvalidInput(f"a C-index takes times and events, which {strange!s} does not: ask for one at a time")


def measured_evidence(
    names: Sequence[str], metric: Metric, given: GivenOutputs, groups: Integers | None, question: MetricQuestion,
    test: str = "auto", *, in_order: bool = False,
) -> Items | Outputs:  # fmt: skip
    """Right and wrong, and means of items, as values of items; whatever else as outputs with their metric.

    A share of some items only is such a metric where items are `in_order` of time.
    """
    suited, truth, outputs = given.suited(metric)
    by_resampling = test != "auto" and find_procedure(test).kind in (METRICS, RANKING)
    unseen = given.unseen() if metric.needs is Needs.LABELS else ()
    if isinstance(suited, ItemMean) and not by_resampling:
        is_right = suited.item is right
        majority = float(np.bincount(truth.codes).max()) / len(truth) if suited.name == "accuracy" else None
        return Items(
            names=tuple(names),
            values=np.array([suited.items(truth, output) for output in outputs]),
            right_wrong=is_right,
            metric=suited.name,
            higher_is_better=suited.higher_is_better,
            declared_unit="fraction"
            if suited.item in (relative, symmetric)
            else None,  # which may be above 1, and is no percentage
            groups=groups,
            unseen=unseen if is_right else (),
            majority=majority if is_right else None,
        )
    decisive = suited.decisive(truth)
    if decisive is not None and not by_resampling and not in_order:
        right_by, within = _rightly_told(decisive, truth, outputs, groups)
        return Items.from_right(names, right_by, metric=suited.name, groups=within, unseen=unseen)
    told: How = "by its name"
    direction = resolve_direction(suited.name, question.higher_is_better)[1] if metric.needs is Needs.ANY else told
    return Outputs.build(
        names, suited, truth, outputs, groups=groups, direction=direction, unseen=unseen,
        declared_unit=None if decisive is None else "fraction",
    )  # fmt: skip


def _rightly_told(
    decisive: Flags, truth: Truth, outputs: Sequence[Output], groups: Integers | None
) -> tuple[list[Flags], Integers | None]:
    """Per model which of the decisive items it tells from the others rightly, and their clusters."""
    positive = truth.positive_code
    right_by = [(output == positive)[decisive] == truth.is_positive[decisive] for output in outputs]
    within = None if groups is None else np.unique(groups[decisive], return_inverse=True)[1]
    if within is not None and within.max() == 0:
        raise InvalidInput(
            f"groups must name at least two clusters with items that decide the metric, but all {decisive.sum()} of "
            "them are in one"
        )
    return right_by, within


def _said_of_decisive(metric: Metric, given: GivenOutputs) -> tuple[str, ...]:
    """Which items decide the metric, where the others do not count."""
    decisive = metric.decisive(given.truth) if given.truth.positive is not None else None
    if decisive is None:
        return ()
    positive, count, n = given.truth.classes[given.truth.positive_code], int(decisive.sum()), len(decisive)
    which = "" if given.truth.is_positive[decisive].all() else "not "
    return (f"{metric_words(metric.name)} is the accuracy on the {count} of {n} items that are {which}{positive!s}",)


def _clusters(groups: ArrayLike | Categories, n: int) -> Integers:
    named = categories(groups, "groups")
    if len(named) != n:
        raise InvalidInput(f"groups must be as long as truth ({n}), got {len(named)}")
    return group_index(named)


def _said_of_threshold(metric: Metric, given: GivenOutputs) -> tuple[str, ...]:
    """From which score on an item was taken for positive, where labels were asked of scores."""
    if metric.needs is not Needs.LABELS or not given.truth.classes or given.truth.positive is None or not given.scored:
        return ()
    positive = given.truth.classes[given.truth.positive]
    cut = UNTOLD if given.threshold is None else given.threshold
    asked = "" if given.threshold is not None else ", because no threshold (--threshold) was given"
    return (f"an item counts as {positive!s} from a score of {cut:g} on{asked}",)


def _crossed(names: Sequence[str], metric: Metric, given: GivenOutputs) -> Iterator[str]:
    if metric.needs is Needs.QUANTILES:
        _, truth, outputs = given.suited(metric)
        for name, output in zip(names, outputs, strict=True):
            yield from crossing(name, output, truth.levels)


# ---- In the order of time.

CLUSTERS_INSTEAD = (
    "the order of time is not used: items of one cluster (series) may be correlated in any way, over time too; that "
    "clusters are independent is assumed, also where they share times"
)
"""What is said where there are clusters and times."""


def times_to_use(time: Any, *, clustered: bool, test: str = "auto") -> tuple[Any, tuple[str, ...]]:
    """The times by which items are put in order, and what to say where they are not used.

    Clusters take their place, and so does a test by name that takes items as independent.
    """
    if time is None or (not clustered and (test == "auto" or find_procedure(test).kind == TIME_ORDER)):
        return time, ()
    if clustered:
        return None, (CLUSTERS_INSTEAD,)
    return None, (f"{find_procedure(test).title} takes the items as independent although they are in order of time",)


BY_INDEX = Decision(
    what="order", value="items are in order of the dates in the truth's index", how="from the file",
    change="truth.reset_index(drop=True)",
)  # fmt: skip


def dates_of(truth: Any, question: MetricQuestion) -> list[str] | None:
    """The dates that a pandas series of numbers has in its index, as sktime's have; None where it has none."""
    index: Any = getattr(truth, "index", None)
    if type(index).__name__ not in ("DatetimeIndex", "PeriodIndex") or len(set(index)) < 2:
        return None
    known = [known_metric(one) if isinstance(one, str) else one for one in question.metrics]
    per_item = all(isinstance(one, SumMetric) and one.needs in NUMERIC for one in known)
    return [str(one) for one in index] if per_item else None


def ordered(evidence: Items | Outputs, time: Any, test: str = "auto") -> tuple[Items | Outputs, tuple[str, ...]]:
    """Evidence in the order of `time`, and what to say of it."""
    if time is None:
        return evidence, ()
    used, told = times_to_use(time, clustered=evidence.groups is not None, test=test)
    if used is None:
        in_time(np.zeros((1, evidence.n)), time)  # what is wrong with the times is said all the same
        return evidence, told
    found = evidence.in_time(used)
    if found is None:
        raise InvalidInput(
            f"time is for means over items and functions of sums (accuracy, mae, rmse, f1 …), which {evidence.metric} "
            "is not: leave time out, or give stretches of time as groups (--groups)"
        )
    return found, told


def with_condition(c: Comparison, condition: Any, time: Any) -> Comparison:
    """The comparison with a note on whether what was known beforehand tells which model will be better."""
    evidence = c.parts[0].evidence
    if time is None or len(c.parts) != 1 or not isinstance(evidence, Items) or evidence.times is None:
        raise InvalidInput("condition is for items in order of time, compared by one metric with a value per item")
    if len(evidence.names) != 2:
        raise InvalidInput(f"condition is for two models, got {len(evidence.names)}")
    known = np.asarray(condition, dtype=np.float64)
    if known.ndim != 1 or not np.isfinite(known).all():
        raise InvalidInput("condition must be one finite number for each row (--column condition=NAME)")
    periods = in_time(known[None, :], time).values[0]
    if len(periods) != evidence.n:
        raise InvalidInput("condition must be known on the rows that are compared, and some were left out")
    found = giacomini_white(evidence.differences, (periods - periods.mean()) / (periods.std() or 1.0))
    a, b = evidence.names
    slope = float(found.coefficients[1])
    better = a if (slope > 0) == evidence.higher_is_better else b
    told = f"tells which model will be better: {better} gains where it is high" if found.pvalue < c.alpha else (
        "is not shown to tell which model will be better"
    )  # fmt: skip
    return c.noting(
        f"what was known beforehand {told} (Giacomini & White 2006: p = {found.pvalue:.2g}, for the mean and the "
        f"condition together; the difference {a} − {b} changes by {slope:.3g} with one standard deviation of it)"
    )
