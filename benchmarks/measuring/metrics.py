"""Data sets on which metrics are measured: two models' labels, scores, probabilities and numbers for the same items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from scipy import special

from foldwise.core.random import stream
from foldwise.core.types import Array, Flags, Integers, Interval, Json
from foldwise.inference.clusters import clustered_outcomes, clustered_t
from foldwise.inference.metric_tests import jackknife_t, swap_permutation
from foldwise.inference.paired_tables import mcnemar, paired_difference
from foldwise.inference.roc_areas import delong
from foldwise.inference.student import StudentResult, paired_t
from foldwise.lab.gather import Resources
from foldwise.lab.papers.study import StudyTrials, do_trials
from foldwise.lab.populations.marks import MarksOfItems
from foldwise.metrics.catalogue import known_metric, metric_names
from foldwise.metrics.function import measure
from foldwise.metrics.item_means import ItemMean, right, wrong
from foldwise.metrics.metric import NUMERIC, Metric, Needs, Output, Truth
from foldwise.metrics.ranking import Auc
from measuring.two_learners import share

SHARED, OWN = 0.4, 0.7  # Standard deviations of the noise that both models share on an item, and of each one's own.

WORSE = 1.3  # How much larger the own noise of the worse model is, where one is worse.

AWAY = 5.0  # How far from 0 the numbers of a regression are on average: errors are taken relative to them.

QUANTILES = (0.1, 0.5, 0.9)  # Levels of forecasts of quantiles.

CUTS = {2: (0.7,), 3: (0.5, 0.8)}  # By number of classes, the shares of items below the borders between them.


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """How many items there are, and in how many clusters."""

    title: str  #: What it is, in words
    #: n, clusters: Items, and equal clusters that they come in; 0 where they are independent
    n: int
    clusters: int

    @property
    def groups(self) -> Integers | None:
        return MarksOfItems(clusters=self.clusters).groups(self.n) if self.clusters else None


# Independent, clustered, few clusters.
CASES = (
    Case(title="200 independent items", n=200, clusters=0),
    Case(title="300 items in 30 clusters", n=300, clusters=30),
    Case(title="180 items in 6 clusters", n=180, clusters=6),
)

ALIKE = 0.3  # Correlation of two items of a cluster, in truth and in noise.


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One data set: what is true, and what a and b said of it."""

    truth: Truth
    a: Output
    b: Output


def draw(metric: Metric, case: Case, rng: np.random.Generator, *, worse: bool) -> Drawn:
    """A data set in the form that the metric needs.

    Where b is not `worse`, nothing distinguishes the two, and any metric is the same for both.

    Notes
    -----
    Each item has a normal number, which is the truth of a regression, and by fixed borders the class of 2 or 3. Each
    model sees it with noise, of which a part is common to both; its quantiles are as far apart as
    that noise. Numbers and noise of a cluster are correlated. Of survival the number is the logarithm of the hazard,
    half of the times are censored on average, and the risk scores are what the models see.
    """
    groups = np.arange(case.n) if case.groups is None else case.groups
    noise = OWN * np.array([[1.0], [WORSE if worse else 1.0]]) * _normal(2, groups, case, rng)
    shared = SHARED * _normal(1, groups, case, rng)
    classes = 2 if metric.one_class or metric.needs is Needs.SCORES else 3
    borders = special.ndtri(CUTS[classes])
    while True:
        number = _normal(1, groups, case, rng)[0]
        codes = np.searchsorted(borders, number)
        if metric.needs in NUMERIC or len(np.unique(codes)) == classes:
            break  # a class without items has no rate, and is refused
    seen = number + shared + noise
    if metric.needs is Needs.NUMBERS:
        return Drawn(Truth(values=number + AWAY), *(seen + AWAY))
    if metric.needs is Needs.RISKS:
        lived, left = (rng.exponential(np.exp(rate)) for rate in (-number, np.zeros(case.n)))
        return Drawn(Truth(values=np.where(lived <= left, lived, -left)), *seen)
    if metric.needs is Needs.QUANTILES:
        spread = special.ndtri(QUANTILES) * np.hypot(SHARED, OWN)
        return Drawn(Truth(values=number + AWAY, levels=QUANTILES), *(seen[:, :, None] + AWAY + spread))
    truth = Truth(values=codes, classes=tuple(range(classes)), positive=1 if classes == 2 else None)
    return Drawn(truth, *(_said(metric, x, borders) for x in seen))


def _normal(rows: int, groups: Integers, case: Case, rng: np.random.Generator) -> Array:
    own = rng.standard_normal((rows, case.n))
    if not case.clusters:
        return own
    common = rng.standard_normal((rows, case.clusters))[:, groups]
    return np.asarray(np.sqrt(ALIKE) * common + np.sqrt(1 - ALIKE) * own)


def _said(metric: Metric, seen: Array, borders: Array) -> Output:
    """Labels by the borders, scores as they are seen, or how probable each class is as seen with the shared noise."""
    if metric.needs is Needs.LABELS:
        return np.searchsorted(borders, seen)
    if metric.needs is Needs.SCORES:
        return seen
    below = special.ndtr((borders - seen[:, None]) / np.hypot(SHARED, OWN))
    edges = np.concatenate([np.zeros((len(seen), 1)), below, np.ones((len(seen), 1))], axis=1)
    return np.diff(edges, axis=1)


# ---- How often the test of every metric finds a difference that is not there, and what its interval holds.


ALPHA = 0.05
# For each metric and case: so many without a difference, and as many with one; a third of them for the power.
DATA_SETS = 300

SWAPS = 199  # Exchanges in each data set: fewer than usual, which costs a little power, and no level.

LARGE = 400_000  # Items in the data set that gives the true difference.

_Limits = Callable[[float], Interval]


@dataclass(frozen=True, slots=True, eq=False)
class _Tested:
    """What a test said of many data sets: p, and the limits of any level."""

    pvalue: Array
    limits: _Limits


def measure_metrics(
    *, data_sets: int = DATA_SETS, seed: int, n_jobs: int | None = None, store: str | Path | None = None
) -> dict[str, Json]:
    """Type I error, power, coverage and the error of a margin, of every metric in every case.

    For each metric and case so many data sets without a difference, and as many with one; what `store` has is not
    measured again. ``margin_share``: how often a model that is worse by exactly the margin is called non-inferior at
    level 0.05. ``jackknife_type1``: the Type I error of the jackknife alone, where it is half of the test.
    """
    cells = [(name, case) for name in metric_names() if _same_test(name) == name for case in CASES]
    work = StudyTrials(
        identity=("metrics", data_sets, SWAPS, LARGE, seed),
        start=partial(_start, tuple(cells), data_sets, seed),
        numbers=7 * data_sets,
        lower="data_sets",
    )
    found = do_trials(work, len(cells), Resources(n_jobs=n_jobs, store=store, progress=False))
    place = {cell: number for number, cell in enumerate(cells)}
    rows: list[Json] = [
        _row(name, case, {key: array[place[_same_test(name), case]] for key, array in found.items()})
        for name in metric_names()
        for case in CASES
    ]
    drawn = "two models that see a normal number with noise, the second with more where there is a difference"
    return {"population": drawn, "data_sets": data_sets, "swaps": SWAPS, "rows": rows}


def _same_test(name: str) -> str:
    """The metric that is measured in place of this one: shares of right and wrong labels all have the same test."""
    metric = known_metric(name)
    return "accuracy" if isinstance(metric, ItemMean) and metric.item in (right, wrong) else name


def _row(name: str, case: Case, found: dict[str, Array]) -> dict[str, Json]:
    """The row of a metric, which may have been measured under another name, and with the other sign."""
    metric, truth = _metric(_same_test(name)), float(found["truth"])
    covered = (found["low"] <= truth) & (truth <= found["high"])
    # b is worse by the margin exactly, so that calling it non-inferior is an error
    called = found["highest"] < truth if metric.higher_is_better else found["lowest"] > truth
    turned = _metric(name).higher_is_better != metric.higher_is_better
    return {
        "metric": name,
        "case": case.title,
        "n": case.n,
        "clusters": case.clusters,
        "test": _test(metric, case),
        "difference": round(-truth if turned else truth, 4),
        "type1": share(_flags(found["null"] < ALPHA)),
        "power": share(_flags(found["effect"] < ALPHA)),
        "coverage_share": share(_flags(covered)),
        "margin_share": share(_flags(called)),
        **({} if np.isnan(found["alone"]).any() else {"jackknife_type1": share(_flags(found["alone"] < ALPHA))}),
    }


def _metric(name: str) -> Metric:
    metric = known_metric(name)
    assert metric is not None  # the names are the catalogue's own
    return metric


def _test(metric: Metric, case: Case) -> str:
    """The test that such evidence gets."""
    if isinstance(metric, Auc):
        return "delong"
    if metric.needs is Needs.RISKS:
        return "rank_jackknife_t"
    shares = isinstance(metric, ItemMean) and metric.item is right
    if not isinstance(metric, ItemMean) and not _decided(metric):
        return "swap_permutation"
    if shares or _decided(metric):
        return "clustered_difference" if case.clusters else "mcnemar"
    return "clustered_t" if case.clusters else "paired_t"


def _decided(metric: Metric) -> bool:
    """Whether it is the accuracy of some of the items: recall, specificity."""
    return metric.decisive(Truth(values=np.arange(2), classes=(0, 1), positive=1)) is not None


def _start(cells: tuple[tuple[str, Case], ...], data_sets: int, seed: int) -> Callable[[int], dict[str, Array]]:
    """What measures one cell, by its number."""

    def cell(number: int) -> dict[str, Array]:
        name, case = cells[number]
        metric = _metric(name)
        null, effect = (
            [
                draw(metric, case, stream(seed, "metrics", name, case.title, worse, trial), worse=worse)
                for trial in range(data_sets)
            ]
            for worse in (False, True)
        )
        at_null, at_effect = _run(metric, case.groups, null, effect, max(data_sets // 3, 1))
        swapped = _test(metric, case) == "swap_permutation"
        both, one_sided = (at_effect.limits(level) for level in (1 - ALPHA, 1 - 2 * ALPHA))
        return {
            "null": at_null,
            "alone": _alone(metric, case.groups, null) if swapped else np.full(data_sets, np.nan),
            "effect": at_effect.pvalue,
            "low": np.asarray(both.low),
            "high": np.asarray(both.high),
            "lowest": np.asarray(one_sided.low),
            "highest": np.asarray(one_sided.high),
            "truth": np.asarray(_truth(metric, seed)),
        }

    return cell


@lru_cache(maxsize=4)
def _truth(metric: Metric, seed: int) -> float:
    """The true difference, from one large data set: clusters make items alike, but do not change what they are."""
    one = draw(
        metric, Case(title="large", n=LARGE, clusters=0), stream(seed, "metrics", metric.name, "truth"), worse=True
    )
    return metric.value(one.truth, one.a) - metric.value(one.truth, one.b)


def _run(
    metric: Metric, groups: Integers | None, null: list[Drawn], effect: list[Drawn], powers: int
) -> tuple[Array, _Tested]:
    """P-values without a difference, and what is said where there is one; p of the first `powers` sets only."""
    if isinstance(metric, Auc):
        at_null, at_effect = (_areas(metric, groups, sets) for sets in (null, effect))
    elif _decided(metric):
        at_null, at_effect = (_of_decisive(metric, groups, sets) for sets in (null, effect))
    elif isinstance(metric, ItemMean):
        by_item = _right_wrong if metric.item is right else _marks
        at_null, at_effect = (
            by_item(np.stack([_items(metric, one) for one in sets]), groups) for sets in (null, effect)
        )
    elif metric.needs is Needs.RISKS:
        at_null, at_effect = (_risks(metric, groups, sets) for sets in (null, effect))
    else:
        swapped = [np.array([_exchanged(metric, groups, one) for one in sets]) for sets in (null, effect[:powers])]
        return swapped[0], _Tested(swapped[1], _left_out(metric, groups, effect))
    return at_null.pvalue, _Tested(at_effect.pvalue[:powers], at_effect.limits)


def _items(metric: ItemMean, one: Drawn) -> Array:
    return metric.items(one.truth, one.a) - metric.items(one.truth, one.b)


def _exchanged(metric: Metric, groups: Integers | None, one: Drawn) -> float:
    statistic = measure(metric, one.truth, [one.a, one.b], groups)
    return max(swap_permutation(statistic, permutations=SWAPS).pvalue, float(jackknife_t(statistic).pvalue))


def _alone(metric: Metric, groups: Integers | None, sets: list[Drawn]) -> Array:
    """P-values of the jackknife, for who asks for it by its name."""
    return np.array([float(jackknife_t(measure(metric, one.truth, [one.a, one.b], groups)).pvalue) for one in sets])


def _left_out(metric: Metric, groups: Integers | None, sets: list[Drawn]) -> _Limits:
    statistics = (measure(metric, one.truth, [one.a, one.b], groups) for one in sets)
    drawn = [jackknife_t(statistic) for statistic in statistics]
    return lambda level: _together([one.confidence_interval(level) for one in drawn])


def _areas(metric: Auc, groups: Integers | None, sets: list[Drawn]) -> _Tested:
    found = [
        delong(one.truth.values, one.a, one.b, groups=groups, scheme=metric.scheme, weighted=metric.weighted)
        for one in sets
    ]
    pvalues = np.array([float(one.pvalue) for one in found])
    return _Tested(pvalues, lambda level: _together([one.confidence_interval(level) for one in found]))


def _risks(metric: Metric, groups: Integers | None, sets: list[Drawn]) -> _Tested:
    return _Tested(_alone(metric, groups, sets), _left_out(metric, groups, sets))


def _marks(differences: Array, groups: Integers | None) -> _Tested:
    found: StudentResult = paired_t(differences) if groups is None else clustered_t(differences, groups)
    return _Tested(np.asarray(found.pvalue), found.confidence_interval)


def _right_wrong(differences: Array, groups: Integers | None) -> _Tested:
    if groups is not None:
        found = clustered_outcomes(differences, groups)
        return _Tested(np.asarray(found.pvalue), found.confidence_interval)
    only_a, only_b = (np.sum(differences == sign, axis=1) for sign in (1, -1))
    # the procedures speak of error rates, and take those for right that both have alike
    tango = paired_difference(0 * only_a, only_b, only_a, differences.shape[1] - only_a - only_b, method="tango")
    return _Tested(
        np.asarray(mcnemar(only_b, only_a, method="midp").pvalue), lambda level: -tango.confidence_interval(level)
    )


def _of_decisive(metric: Metric, groups: Integers | None, sets: list[Drawn]) -> _Tested:
    """Right and wrong on the items that decide the metric, of which every data set has another number."""
    found = []
    for one in sets:
        decisive = metric.decisive(one.truth)
        told = [(output == one.truth.positive) == one.truth.is_positive for output in (one.a, one.b)]
        differences = (told[0].astype(np.float64) - told[1])[decisive]
        within = None if groups is None else np.unique(groups[decisive], return_inverse=True)[1]
        found.append(_right_wrong(differences[None], within))
    pvalues = np.concatenate([one.pvalue for one in found])
    return _Tested(pvalues, lambda level: _together([_first(one.limits(level)) for one in found]))


def _first(limits: Interval) -> Interval:
    return Interval(low=float(np.asarray(limits.low)[0]), high=float(np.asarray(limits.high)[0]))


def _together(limits: list[Interval]) -> Interval:
    return Interval(low=np.array([one.low for one in limits]), high=np.array([one.high for one in limits]))


def _flags(found: Array | Flags) -> Flags:
    return np.asarray(found, dtype=np.bool_).reshape(-1)
