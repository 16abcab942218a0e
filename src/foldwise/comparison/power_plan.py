"""`plan`: how many units find a difference, and which items people should label."""

from __future__ import annotations

import csv
import io
import math
import os
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, ClassVar, Literal

import numpy as np

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.judgement import Judgement
from foldwise.comparison.power_models import ItemRuns, Labels, Mcnemar, PowerModel, RepeatedCv, TwoRates, Wilcoxon
from foldwise.core.errors import InvalidInput
from foldwise.core.files import write_whole
from foldwise.core.formatting import number_text
from foldwise.core.random import stream
from foldwise.core.result import Result
from foldwise.core.types import Json
from foldwise.core.validation import fraction, integer, one_of, positive
from foldwise.designs.human_labels import JudgedItems
from foldwise.evidence.items import Items

MOST = 10**15  # Larger sizes are not searched: whole numbers beyond are no longer exact in double precision.
EXACT_UP_TO = 1_000_000  # Up to this size the smallest one is found exactly, beyond it to one in a million.
FAR = 1e12  # Differences without bound are searched up to here.

CURVE_POINTS = 12

Solved = Literal["size", "difference", "power"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerPlan(Result):
    """What a comparison of a given size can see."""

    page: ClassVar[str] = "power_plan"

    #: test, unit: The test, and what `size` counts
    test: str
    unit: str
    #: size, difference, power: Two were given, one was found
    size: int
    difference: float
    power: float
    solved_for: Solved  #: Which one was found
    alpha: float  #: Significance level
    curve: tuple[tuple[int, float], ...]  #: Pairs of size and power at this difference
    assumptions: tuple[str, ...]  #: What the figures rest on
    #: Of items that are tried several times: runs of each item, items of each cluster (1 without clusters), how many
    #: items (or clusters) these need, and what that costs
    designs: tuple[tuple[int, int, int, float], ...] = ()

    def _content(self) -> dict[str, Json]:
        """All of it, ready for JSON; `rows` is the curve."""
        rows = [{"size": size, "power": power} for size, power in self.curve]
        return {**super(PowerPlan, self)._content(), "rows": rows}

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        power, difference = f"power {self.power:.2f}", number_text(self.difference, 4)
        if self.solved_for == "size":
            found = f"{self.size} {self.unit} find a difference of {difference} with {power}"
        elif self.solved_for == "power":
            found = f"With {self.size} {self.unit}, a difference of {difference} is found with {power}"
        else:
            found = f"With {self.size} {self.unit}, the detectable difference with {power} is {difference}"
        return f"{found} ({self.test}, alpha {number_text(self.alpha, 4)})."


def plan(
    test: str = "mcnemar",
    *,
    size: int | None = None,
    difference: float | None = None,
    power: float | None = None,
    alpha: float = 0.05,
    discordance: float | None = None,
    rate: float | None = None,
    sigma: float | None = None,
    folds: int = 10,
    pilot: Any = None,
    runs: int | None = None,
    items: int | None = None,
    cost: tuple[float, ...] = (0.0, 1.0),
) -> PowerPlan:
    """How many examples, runs or data sets are needed; or what a given number can see.

    Parameters
    ----------
    test
        "mcnemar" (size: test examples), "two_rates" (examples in each of two test sets),
        "corrected_repeated_cv_t" (runs), "wilcoxon" (data sets), "ppi" (items that people label) or "paired_t" (items
        that are tried several times); the last two take a `pilot`.
    size, difference, power
        Give two, or one besides the default power of 0.8; the missing one is found.
    alpha
        Significance level.
    discordance
        For McNemar: share of examples that exactly one classifier gets wrong.
    rate
        For two rates: error rate of the worse classifier.
    sigma
        For repeated cross-validation: standard deviation of the difference between folds; for Wilcoxon: between
        data sets.
    folds, pilot
        Folds of each run; or the differences of a pilot study, of shape (runs, folds), in place of `sigma`. For "ppi"
        and "paired_t" an earlier comparison of two models, as `judge` and `compare_predictions` give it.
    runs
        For "paired_t": how often each item will be tried, by default as in the pilot.
    items
        For "paired_t" of clusters: how many items each of them will have, by default as in the pilot.
    cost
        For "paired_t": what a new item costs, and each run of it by both models, and after these what a new cluster
        costs; where the size is searched, the answer lists how many items or clusters other numbers of runs, and of
        items of each cluster, need, and what each costs.

    Examples
    --------
    >>> plan("mcnemar", difference=0.05, discordance=0.1).size
    305
    """
    model = _model(
        test, discordance=discordance, rate=rate, sigma=sigma, folds=folds, pilot=pilot, runs=runs, items=items
    )
    level = fraction(alpha, "alpha")
    if size is not None:
        integer(size, "size", minimum=model.least)
    if difference is not None and positive(difference, "difference") > model.largest:
        raise InvalidInput(f"difference must be at most {model.largest:g} for this design, got {difference:g}")
    wanted = None if power is None else fraction(power, "power")
    if size is not None and difference is not None:
        if wanted is not None:
            raise InvalidInput("give two of size, difference and power, not all three")
        return _answer(test, model, size, difference, level, "power")
    wanted = 0.8 if wanted is None else wanted
    if difference is not None:
        found = _answer(test, model, _size(model, difference, wanted, level), difference, level, "size")
        return replace(found, designs=_designs(model, difference, wanted, level, cost)) if test == "paired_t" else found
    if size is not None:
        return _answer(test, model, size, _difference(model, size, wanted, level), level, "difference")
    raise InvalidInput("give the size or the difference (or both, for the power)")


def _model(
    test: str, *, discordance: float | None, rate: float | None, sigma: float | None, folds: int, pilot: Any,
    runs: int | None, items: int | None,
) -> PowerModel:  # fmt: skip
    one_of(test, "test", ("mcnemar", "two_rates", "corrected_repeated_cv_t", "wilcoxon", "ppi", "paired_t"))
    if test in ("ppi", "paired_t"):
        evidence = _piloted(_needed(pilot, "pilot", test))
        if test == "paired_t":
            return ItemRuns.of(evidence, runs, items)
        return Labels.of(evidence) if isinstance(evidence, JudgedItems) else Labels.unseen(evidence)
    if test == "mcnemar":
        return Mcnemar(discordance=_needed(discordance, "discordance", test))
    if test == "two_rates":
        return TwoRates(rate=_needed(rate, "rate", test))
    if test == "wilcoxon":
        return Wilcoxon(sigma=_needed(sigma, "sigma", test))
    if pilot is not None:
        return RepeatedCv.from_pilot(pilot)
    return RepeatedCv(sigma=_needed(sigma, "sigma or pilot", test), folds=folds)


def _piloted(pilot: Any) -> Items:
    """The evidence of an earlier comparison of two models on items."""
    found = pilot.main if isinstance(pilot, Judgement) else pilot
    if not isinstance(found, Comparison) or len(found.models) != 2 or len(found.metrics) != 1:
        raise InvalidInput(
            "pilot must be an earlier comparison of two models by one metric, as judge or compare_predictions gives it"
        )
    evidence = found.parts[0].evidence
    if not isinstance(evidence, Items):
        raise InvalidInput(f"pilot must be a comparison on items, got {found.design}")
    return evidence


RUNS = (1, 2, 3, 4, 5, 6, 8, 10, 16)  # Runs of each item that a plan looks at.
PER_CLUSTER = (1, 2, 3, 5, 10, 20)  # Items of each cluster that a plan looks at, beside those of the pilot.


def _designs(
    model: PowerModel, difference: float, wanted: float, alpha: float, cost: tuple[float, ...]
) -> tuple[tuple[int, int, int, float], ...]:
    """How many items, or clusters, each number of runs and of items of a cluster needs, and what that costs."""
    assert isinstance(model, ItemRuns)
    if not 2 <= len(cost) <= 3:
        raise InvalidInput(f"cost must be of an item and of a run, and perhaps of a cluster, got {len(cost)} numbers")
    of_item, of_run, of_cluster = (positive(price, "cost") if price else 0.0 for price in (*cost, 0.0)[:3])
    found = []
    for per in sorted({*PER_CLUSTER, round(model.per)}) if model.unit == "clusters" else (1,):
        for runs in RUNS:
            size = _size(replace(model, runs=runs, per=per), difference, wanted, alpha)
            found.append((runs, per, size, size * (of_cluster + per * (of_item + runs * of_run))))
    return tuple(found)


_MEANS = {
    "discordance": ", the share of items on which exactly one model is right, such as 0.1",
    "rate": ", the error rate of the worse model, such as 0.2",
}


def _needed(value: Any, name: str, test: str) -> Any:
    if value is None:
        raise InvalidInput(f"test {test!r} needs {name}{_MEANS.get(name, '')}")
    return value


def _answer(test: str, model: PowerModel, size: int, difference: float, alpha: float, solved: Solved) -> PowerPlan:
    return PowerPlan(
        test=test,
        unit=model.unit,
        size=size,
        difference=difference,
        power=model.power(size, difference, alpha),
        solved_for=solved,
        alpha=alpha,
        curve=tuple((n, model.power(n, difference, alpha)) for n in _sizes(model.least, size)),
        assumptions=model.assumptions,
    )


def _sizes(least: int, size: int) -> list[int]:
    """Sizes around the one asked for, evenly spread on a logarithmic scale."""
    low, high = max(least, size // 8), max(4 * size, least + 8)
    step = (high / low) ** (1 / (CURVE_POINTS - 1))
    return sorted({round(low * step**i) for i in range(CURVE_POINTS)} | {size})


def _size(model: PowerModel, difference: float, wanted: float, alpha: float) -> int:
    """The smallest size with this power; exact tests' power is not quite monotone, so a few smaller ones are tried."""
    if model.power_at_most(difference, alpha) <= wanted:
        raise InvalidInput(
            f"no number of {model.unit} finds a difference of {number_text(difference, 6)} with power {wanted:g}"
        )

    def power(size: int) -> float:
        return model.power(size, difference, alpha)

    low, high = 0, model.least
    at_low, at_high = 0.0, power(high)
    while at_high < wanted:
        if high == MOST:
            needs = f"needs more than {number_text(MOST, 1)} {model.unit}"
            raise InvalidInput(f"finding a difference of {number_text(difference, 6)} with power {wanted:g} {needs}")
        low, at_low, high = high, at_high, min(2 * high, MOST)
        at_high = power(high)
    interpolate = True
    while high - low > max(1, high // EXACT_UP_TO):
        width = high - low
        middle = _between(low, high, at_low, at_high, wanted) if interpolate else (low + high) // 2
        at_middle = power(middle)
        if at_middle >= wanted:
            high, at_high = middle, at_middle
        else:
            low, at_low = middle, at_middle
        interpolate = high - low <= width / 2
    if high > EXACT_UP_TO:
        return high
    tried = range(max(model.least, high - 10), high)
    return next((n for n in tried if power(n) >= wanted), high)


def _between(low: int, high: int, at_low: float, at_high: float, wanted: float) -> int:
    """A size inside with about this power, whose normal quantile is about linear in the root of the size."""
    normal = NormalDist()
    if not 0 < at_low < wanted < at_high < 1:
        return (low + high) // 2
    below, goal, above = (normal.inv_cdf(share) for share in (at_low, wanted, at_high))
    root = math.sqrt(low) + (math.sqrt(high) - math.sqrt(low)) * (goal - below) / (above - below)
    # a step beyond it, so that the next bracket is short on this side too
    return min(max(math.ceil(root**2 * (1 + 1e-7)), low + 1), high - 1)


def _difference(model: PowerModel, size: int, wanted: float, alpha: float) -> float:
    high = min(model.largest, 1.0)
    bounded = math.isfinite(model.largest)
    while (reached := model.power(size, high, alpha)) < wanted and not bounded and high < FAR:
        high *= 2
    if reached < wanted:
        reach = f"not even {number_text(high, 6)}" if bounded else "however large"
        raise InvalidInput(f"{size} {model.unit} find no difference with power {wanted:g}, {reach}")
    low = 0.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if model.power(size, middle, alpha) >= wanted else (middle, high)
    return high


def draw_labels(study: Judgement, plan: PowerPlan, path: str | os.PathLike[str], *, seed: int = 0) -> PowerPlan:
    """Write a random sample of the items that have no label yet, a row per item and model, and say so in the plan.

    Labels that are there count: they must be a random sample too, so that old and new ones together are one.
    """
    evidence = study.main.parts[0].evidence
    assert isinstance(evidence, Items)
    known = np.isfinite(evidence.human).all(axis=0) if isinstance(evidence, JudgedItems) else np.zeros(evidence.n, bool)
    there, wanted = int(known.sum()), min(plan.size, evidence.n)
    if there >= wanted:
        raise InvalidInput(f"pilot has {there} labelled items already, and {wanted} are needed: nothing to draw")
    keys = np.arange(1, evidence.n + 1) if evidence.items is None else evidence.items
    drawn = np.sort(stream(seed, "labels").choice(np.flatnonzero(~known), wanted - there, replace=False))
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    # without the judge's scores, which people should not know
    rows.writerow(["model", "item", "human"])
    rows.writerows([name, keys[place], ""] for place in drawn for name in evidence.names)
    write_whole(path, text.getvalue())
    told = (
        f"{len(drawn)} items were drawn at random (seed {seed}) from the {evidence.n - there:,} without a label and "
        f"written to {os.fspath(path)}, a row for each model's answer; label all of them"
    )
    return replace(plan, assumptions=(told, *plan.assumptions))
