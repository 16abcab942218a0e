"""Cost and quality of the models in files: the frontier, and the cheapest model that is nearly the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from foldwise.comparison.judgement import understand
from foldwise.comparison.judging import Given, read_given
from foldwise.comparison.pairing import Paired, pair_items
from foldwise.comparison.series_choice import choose
from foldwise.core.amounts import Amount, margin_in
from foldwise.core.decisions import Decision, decisions_from
from foldwise.core.errors import InvalidInput, parameter
from foldwise.core.labels import group_index
from foldwise.core.metric import COSTS, Unit, unit_of
from foldwise.core.random import RandomState, seed_of
from foldwise.core.result import Result
from foldwise.core.roles import Columns, normalised
from foldwise.core.types import Array, Json
from foldwise.evidence.missing import MissingRule, Policy
from foldwise.inference.joint_tests import FrontierResult
from foldwise.inference.joint_tests import frontier as by_joint_law
from foldwise.reading.reader import Reading
from foldwise.reading.series import ItemRows, Series


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frontier(Result):
    """Models by cost and quality; ``print`` it."""

    page: ClassVar[str] = "frontier"

    models: tuple[str, ...]
    metric: str
    cost: str  #: What the cost is called
    found: FrontierResult
    margin: float | None
    alpha: float
    unit: Unit
    higher_is_better: bool
    design: str
    understood: tuple[tuple[str, str], ...] = ()  #: What was read, as label and text
    decisions: tuple[Decision, ...] = ()
    seed: int = 0

    @property
    def quality(self) -> Array:
        """Mean of each model in the metric's own direction."""
        return self.found.quality if self.higher_is_better else -self.found.quality

    @property
    def on_it(self) -> tuple[str, ...]:
        """The models that are shown to be on the frontier, the cheapest first."""
        order = np.argsort(self.found.cost, kind="stable")
        return tuple(self.models[i] for i in order if self.found.status[i] == "on it")

    @property
    def choice(self) -> str | None:
        """The cheapest model that is not worse than any other by more than the margin."""
        place = self.found.cheapest_near_best
        return None if place is None else self.models[place]

    def _content(self) -> dict[str, Json]:
        near = self.found.near_best
        return {
            **{name: getattr(self, name) for name in _KEPT},
            "choice": self.choice,
            "on_frontier": list(self.on_it),
            "models": [
                {
                    "model": name, "quality": float(self.quality[i]), "cost": float(self.found.cost[i]),
                    "status": self.found.status[i], "probability": float(self.found.probability[i]),
                    "near_best": None if near is None else bool(near[i]),
                    "better_than": np.flatnonzero(self.found.better[i]).tolist(),
                    "cheaper_than": np.flatnonzero(self.found.cheaper[i]).tolist(),
                }
                for i, name in enumerate(self.models)
            ],
            "critical": self.found.critical,
            "units": self.found.units,
            "understood": [list(line) for line in self.understood],
        }  # fmt: skip

    @classmethod
    def restored(cls, kept: Mapping[str, Any]) -> Frontier:
        """The frontier that `to_dict` wrote."""
        rows = kept["models"]
        sign = 1.0 if kept["higher_is_better"] else -1.0
        shown = np.zeros((2, len(rows), len(rows)), dtype=np.bool_)
        for i, row in enumerate(rows):
            shown[0, i, row["better_than"]] = shown[1, i, row["cheaper_than"]] = True
        found = FrontierResult(
            quality=sign * np.array([row["quality"] for row in rows]), cost=np.array([row["cost"] for row in rows]),
            status=tuple(row["status"] for row in rows), probability=np.array([row["probability"] for row in rows]),
            better=shown[0], cheaper=shown[1], critical=kept["critical"], units=kept["units"],
            near_best=None if kept["margin"] is None else np.array([row["near_best"] for row in rows], dtype=np.bool_),
        )  # fmt: skip
        return cls(
            **{name: kept[name] for name in _KEPT},
            models=tuple(row["model"] for row in rows),
            found=found,
            understood=tuple((label, text) for label, text in kept["understood"]),
            decisions=decisions_from(kept.get("reading", ())),
        )


_KEPT = ("metric", "cost", "design", "alpha", "margin", "unit", "higher_is_better", "seed")
"""Fields that are kept as they are."""


def frontier(
    given: Given,
    *,
    cost: str | None = None,
    metric: str | None = None,
    columns: Columns | None = None,
    models: Sequence[str] = (),
    tasks: Sequence[str] = (),
    groups: str | None = None,
    missing: Policy = "refuse",
    margin: Amount | None = None,
    alpha: float = 0.05,
    random_state: RandomState = 0,
) -> Frontier:
    """Find the models on the frontier of cost and quality, and the cheapest that is nearly the best.

    Parameters
    ----------
    given
        Files or frames as `judge` takes them, whose items have a quality and a cost: promptfoo, inspect, tau-bench, or
        a table with columns such as score and cost.
    cost, metric
        Which metric is the cost (lower is better), and which the quality; without them by their names.
    columns, models, tasks, groups
        As in `judge`.
    missing
        ``"refuse"`` values that are missing, or ``"drop"`` such items for all models.
    margin
        By how much a model may be worse than any other: then the cheapest of these is named.
    alpha
        Level of everything that is shown, together.
    random_state
        Determines the draws of the joint law.

    Returns
    -------
    Frontier
        `on_it`, `choice`, and `found` with the numbers.
    """
    reading = read_given(given, columns, metric)
    series = _of_items(reading)
    price = _cost_of(series, cost)
    rest = [one for one in series if one.metric != price]
    if metric == price or not rest:
        raise InvalidInput(f"metric must be a quality beside the cost {price!r}, but there is no other")
    chosen = choose(rest, metric=metric, models=models, tasks=tasks)
    costs = choose([one for one in series if one.metric == price], metric=price, models=chosen.roles.names, tasks=tasks)
    parts = []
    right_wrong = True
    for task in dict.fromkeys(one.task for one in chosen.series):
        both = [
            _paired(
                [one for one in found.series if one.task == task],
                price,
                chosen.roles.names,
                groups,
                MissingRule(policy=missing, how="declared", metric=what, has_worst=False),
            )
            for found, what in ((chosen, "quality"), (costs, price))
        ]
        parts.append(_same_items(*both))
        right_wrong &= both[0].rows.right_wrong
    values, prices, labels = (np.concatenate([part[at] for part in parts], axis=-1) for at in range(3))
    if (prices < 0).any():
        model, _ = map(int, np.argwhere(prices < 0)[0])
        raise InvalidInput(
            f"{price} must be 0 or more, but an item of {chosen.roles.names[model]} has {prices.min():g}: leave the "
            "cell empty where it is not known"
        )
    understanding = understand(replace(reading, series=tuple(chosen.series)), chosen)
    higher = understanding.higher_is_better
    crossed = len(np.unique(labels)) < values.shape[1]
    first = chosen.series[0]
    shares = right_wrong and values.max() < 1.5  # averages of 0 and 1, up to rounding
    unit = "fraction" if shares else unit_of(first.metric, values, understanding.unit)
    seed = seed_of(random_state)
    width = None if margin is None else margin_in(margin, metric=first.metric, unit=unit)
    found = by_joint_law(
        values if higher else -values, prices, groups=group_index(labels) if crossed else None, margin=width,
        alpha=alpha, random_state=seed,
    )  # fmt: skip
    clusters = f" in {found.units} clusters" if crossed else ""
    return Frontier(
        models=chosen.roles.names, metric=first.metric, cost=price, found=found, margin=width, alpha=alpha, unit=unit,
        higher_is_better=higher, design=f"{values.shape[1]:,} items{clusters}", seed=seed,
        understood=tuple(understanding.lines()), decisions=understanding.reading,
    )  # fmt: skip


def _of_items(reading: Reading) -> list[Series]:
    found = [one for one in reading.series if isinstance(one.rows, ItemRows)]
    if not found:
        raise InvalidInput("cost and quality are compared on items, but these files have none")
    return found


def costs_in(given: Given, *, columns: Columns | None = None, cost: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Which of the metrics in files is the cost, and all of them."""
    series = _of_items(read_given(given, columns, None))
    return _cost_of(series, cost), tuple(dict.fromkeys(one.metric for one in series))


def _cost_of(series: Sequence[Series], cost: str | None) -> str:
    """The metric that is the cost: as asked for, or by its name."""
    there = dict.fromkeys(one.metric for one in series)
    if cost is not None:
        found = next((name for name in there if normalised(name) == normalised(cost)), None)
        if found is None:
            raise InvalidInput(f"cost must be among what the files measure, {', '.join(there)}, got {cost!r}")
        return found
    for word in COSTS:
        if (found := next((name for name in there if word in normalised(name)), None)) is not None:
            return found
    raise InvalidInput(
        f"no metric is called like a cost among {', '.join(there)}: name it with {parameter('cost', 'NAME')}; a column "
        "with text, such as $1, is none"
    )


def _paired(
    series: Sequence[Series], price: str, models: Sequence[str], groups: str | None, rule: MissingRule
) -> Paired:
    has = {one.model for one in series if np.isfinite(one.values).any()}
    lacking = [name for name in models if name not in has]
    if lacking:
        raise InvalidInput(f"every model must have its {price}, but {', '.join(lacking)} has none: leave it out")
    return pair_items(series, groups=groups, rule=rule, inner=True, models=models)


def _same_items(quality: Paired, cost: Paired) -> tuple[Array, Array, Any]:
    """Values and costs on the items that have both, and the cluster of each."""
    there = {key: at for at, key in enumerate(cost.keys)}
    kept = [(at, there[key]) for at, key in enumerate(quality.keys) if key in there]
    if len(kept) < 2:
        raise InvalidInput("cost and quality must be of the same items, but fewer than two have both")
    mine, theirs = (np.array(column) for column in zip(*kept, strict=True))
    labels = np.array(quality.groups or quality.keys, dtype=object)[mine]
    return quality.values[:, mine], cost.values[:, theirs], labels
