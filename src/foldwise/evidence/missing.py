"""Values that are missing: an absent row, an empty cell, NaN and a failed trial are the same thing, decided once.

A policy says what becomes of them. ``"refuse"`` ends with a sentence. ``"drop"`` leaves an item out, for all models,
where any value of any model is missing on it: to leave out the failed trial alone would favour the model that failed.
``"worst"`` puts the worst possible value of the metric in the place of each missing value, before trials are averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from foldwise.core.decisions import Decision, How
from foldwise.core.errors import InvalidInput
from foldwise.core.metric_range import worst_value
from foldwise.core.types import Array, Flags, Integers
from foldwise.core.validation import one_of

__all__ = ["POLICIES", "MissingRule", "MissingValues", "Policy", "Settled", "settle_missing"]

Policy = Literal["refuse", "drop", "worst"]
"""What to do about missing values."""

POLICIES: tuple[Policy, ...] = ("refuse", "drop", "worst")


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingRule:
    """What becomes of missing values of a metric.

    Attributes
    ----------
    policy
        One of `POLICIES`.
    metric, higher_is_better
        What the values measure.
    bounds
        What no value can be below or above, where that was said.
    """

    policy: Policy = "refuse"
    metric: str = "mark"
    higher_is_better: bool = True
    bounds: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        one_of(self.policy, "missing", POLICIES)

    def worst(self, values: Sequence[Array]) -> float:
        """The worst possible value; refused where the metric has none."""
        known = np.concatenate([part.ravel() for part in values])
        return worst_value(self.metric, known, higher_is_better=self.higher_is_better, bounds=self.bounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingValues:
    """Values that were not there, and what was done about them.

    Attributes
    ----------
    policy
        "drop" or "worst".
    counts
        How many values each model lacked.
    items
        Items (or other units) that were left out for all models.
    value
        What was put in their place.
    """

    policy: Policy
    counts: tuple[int, ...]
    items: int = 0
    value: float | None = None

    def words(self, names: Sequence[str], unit: str = "item") -> str:
        """What was missing, of every model, and what was done about it.

        Examples
        --------
        >>> MissingValues(policy="drop", counts=(2, 0), items=1).words(["a", "b"])
        'missing values: a 2, b 0; 1 item left out for all models, which favours a model that fails on hard items'
        """
        told = ", ".join(f"{name} {count}" for name, count in zip(names, self.counts, strict=True))
        if self.policy == "worst":
            return f"missing values: {told}; each counts as the worst possible value, {self.value:g}"
        left = f"{self.items} {unit}{'s' * (self.items != 1)} left out for all models"
        return f"missing values: {told}; {left}, which favours a model that fails on hard {unit}s"

    def decision(self, names: Sequence[str], how: How, unit: str = "item") -> Decision:
        """The same as a decision of the reading."""
        return Decision(what="missing", value=self.words(names, unit), how=how, change="missing (--missing)")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settled:
    """Values after the policy.

    Attributes
    ----------
    values
        Of each model, as they were given; missing ones filled where the policy fills them.
    kept
        Which units are kept.
    missing
        What was missing; None where nothing was.
    """

    values: tuple[Array, ...]
    kept: Flags
    missing: MissingValues | None


def settle_missing(
    values: Mapping[str, Array],
    gone: Mapping[str, Flags],
    rule: MissingRule,
    *,
    unit_of_row: Integers,
    units: int,
    place: Callable[[str, Integers], str],
) -> Settled:
    """Do about missing values what the rule says: the only place where that happens.

    Parameters
    ----------
    values
        Of each model, by the name that messages give it: one row per item or trial, one column per trial in the row.
    gone
        Where a value is missing. What only fills up a row is not.
    rule
        The policy, and the metric whose worst value is taken.
    unit_of_row, units
        The item of each row, and how many there are.
    place
        What messages call a row and column of a model.
    """
    counts = {name: int(flags.sum()) for name, flags in gone.items()}
    kept = np.ones(units, dtype=np.bool_)
    if not any(counts.values()):
        return Settled(values=tuple(values.values()), kept=kept, missing=None)
    told = tuple(counts.values())
    if rule.policy == "refuse":
        name = next(name for name, count in counts.items() if count)
        where = place(name, np.argwhere(gone[name])[0])
        listed = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise InvalidInput(
            f"no value may be missing, but {where} is missing (in all: {listed}): leave such items out for all models "
            "with missing='drop' (--missing drop), or take the worst possible value with missing='worst'"
        )
    if rule.policy == "worst":
        worst = rule.worst(tuple(values.values()))
        filled = tuple(np.where(gone[name], worst, part) for name, part in values.items())
        return Settled(values=filled, kept=kept, missing=MissingValues(policy="worst", counts=told, value=worst))
    for flags in gone.values():
        kept[unit_of_row[flags.any(axis=1)]] = False
    lost = MissingValues(policy="drop", counts=told, items=int(units - kept.sum()))
    return Settled(values=tuple(values.values()), kept=kept, missing=lost)
