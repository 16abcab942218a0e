"""Values and predictions that are missing: an absent row, an empty cell, NaN, a failed trial; decided in one place.

A policy says what becomes of them. ``"refuse"`` ends with a sentence. ``"drop"`` leaves an item out, for all models,
where any value of any model is missing on it: to leave out the failed trial alone would favour the model that failed.
``"worst"`` puts the worst possible value of the metric in the place of each missing value, before trials are averaged;
for predictions that is a wrong label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from foldwise.core.categories import Categories, failure_words
from foldwise.core.decisions import Decision, How
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import is_none, number_of
from foldwise.core.metric import Unit, worst_value
from foldwise.core.types import Array, Flags, Integers
from foldwise.core.validation import one_of

Policy = Literal["refuse", "drop", "worst"]  # What to do about missing values.

POLICIES: tuple[Policy, ...] = ("refuse", "drop", "worst")
_OTHER = {"drop": "worst", "worst": "drop"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingRule:
    """What becomes of missing values of a metric."""

    policy: Policy = "refuse"  #: One of `POLICIES`
    #: metric, higher_is_better: What the values measure
    metric: str = "mark"
    higher_is_better: bool = True
    bounds: tuple[float, float] | None = None  #: What no value can be below or above, where that was said
    unit: Unit | None = None  #: The unit of the values, where that was said
    how: How = "declared"  #: Whether somebody asked for the policy, or nobody did
    has_worst: bool = True  #: Whether a worst possible value may be asked for

    def __post_init__(self) -> None:
        one_of(self.policy, "missing", POLICIES)

    def worst(self, values: Sequence[Array]) -> float:
        """The worst possible value; refused where the metric has none."""
        known = np.concatenate([part.ravel() for part in values])
        return worst_value(
            self.metric, known, higher_is_better=self.higher_is_better, bounds=self.bounds, unit=self.unit
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingValues:
    """Values that were not there, and what was done about them."""

    policy: Policy  #: "drop" or "worst"
    counts: tuple[int, ...]  #: How many values each model lacked
    items: int = 0  #: Items (or other units) that were left out for all models
    value: float | None = None  #: What was put in their place; None where that was not the same everywhere
    unit: str = "item"  #: What was left out for all models: "item", "split", "data set"
    how: How = "declared"  #: Whether somebody asked for that, or nobody did

    @classmethod
    def total(cls, parts: Iterable[MissingValues | None]) -> MissingValues | None:
        """What was missing in several places together; None where nothing was."""
        found = [part for part in parts if part is not None]
        if not found:
            return None
        values = {part.value for part in found}
        return replace(
            found[0],
            counts=tuple(sum(counts) for counts in zip(*(part.counts for part in found), strict=True)),
            items=sum(part.items for part in found),
            value=values.pop() if len(values) == 1 else None,
        )

    def words(self, names: Sequence[str]) -> str:
        """What was missing, of every model, and what was done about it.

        >>> MissingValues(policy="drop", counts=(2, 0), items=1).words(["a", "b"])
        'missing values: a 2, b 0; 1 item left out for all models, which favours a model that fails on hard items'
        """
        done = self._done
        favours = "" if self.policy == "worst" else f", which favours a model that fails on hard {self.unit}s"
        return f"missing values: {self._told(names)}; {done}{favours}"

    def decision(self, names: Sequence[str]) -> Decision:
        """The same as a decision of the reading.

        >>> MissingValues(policy="worst", counts=(2, 0), value=0.0).decision(["a", "b"]).value
        'each missing value counts as the worst possible value, 0 (a 2, b 0)'
        """
        done = self._done if self.policy == "drop" else self._done.replace("each", "each missing value")
        change = f"missing='{_OTHER[self.policy]}' (--missing {_OTHER[self.policy]})"
        lost = "missing values: " if self.policy == "drop" else ""
        return Decision(what="missing", value=f"{lost}{done} ({self._told(names)})", how=self.how, change=change)

    @property
    def _done(self) -> str:
        if self.policy == "worst":
            return "each counts as the worst possible value" + ("" if self.value is None else f", {self.value:g}")
        return f"{self.items} {self.unit}{'s' * (self.items != 1)} left out for all models"

    def _told(self, names: Sequence[str]) -> str:
        return ", ".join(f"{name} {count}" for name, count in zip(names, self.counts, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settled:
    values: tuple[Array, ...]  #: Of each model, as they were given; missing ones filled where the policy fills them
    kept: Flags  #: Which units are kept
    missing: MissingValues | None  #: What was missing; None where nothing was


def settle_missing(
    values: Mapping[str, Array], rule: MissingRule, *, place: Callable[[str, Integers], str], unit: str = "item",
    gone: Mapping[str, Flags] | None = None, unit_of_row: Integers | None = None,
) -> Settled:  # fmt: skip
    """Do about missing values what the rule says: the only place where that happens.

    `values` has one row per item or trial and a column per trial in the row; `gone` is NaN, unless some NaN only fills
    up a row. `unit_of_row` is the item of each row, where it has several, `place` what messages call a row and column
    of a model, and `unit` what is left out for all models: "item", "split", "data set".
    """
    gone = {name: np.isnan(part) for name, part in values.items()} if gone is None else gone
    unit_of_row = np.arange(len(next(iter(values.values())))) if unit_of_row is None else unit_of_row
    units = int(unit_of_row.max(initial=-1)) + 1
    counts = {name: int(flags.sum()) for name, flags in gone.items()}
    lost = MissingValues(policy=rule.policy, counts=tuple(counts.values()), unit=unit, how=rule.how)
    kept = np.ones(units, dtype=np.bool_)
    if not any(counts.values()):
        return Settled(values=tuple(values.values()), kept=kept, missing=None)
    if rule.policy == "refuse":
        name = next(name for name, count in counts.items() if count)
        where = place(name, np.argwhere(gone[name])[0])
        listed = ", ".join(f"{name} {count}" for name, count in counts.items())
        other = ", or take the worst possible value with missing='worst'" if rule.has_worst else ""
        raise InvalidInput(
            f"no {'value' if rule.has_worst else rule.metric} may be missing, but {where} is missing (in all: "
            f"{listed}): leave such {unit}s out for all models with missing='drop' (--missing drop){other}"
        )
    if rule.policy == "worst":
        worst = rule.worst(tuple(values.values()))
        filled = tuple(np.where(gone[name], worst, part) for name, part in values.items())
        return Settled(values=filled, kept=kept, missing=replace(lost, value=worst))
    for flags in gone.values():
        kept[unit_of_row[flags.any(axis=1)]] = False
    left_out = replace(lost, items=int(units - kept.sum()))
    return Settled(values=tuple(values.values()), kept=kept, missing=left_out)


NO_ANSWER = "(no answer)"
"""The label that no truth has: what a missing answer is where there are more than two classes."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SettledOutputs:
    #: truth, outputs: Of the items that count
    truth: Any
    outputs: dict[str, Any]
    beside: dict[str, Any]  #: What else there is of each item: clusters, times; None where there is nothing
    missing: MissingValues | None  #: What was missing; None where nothing was


def settle_outputs(
    truth: Any, outputs: Mapping[str, Any], rule: MissingRule, *, no_labels: str = "", **beside: Any
) -> SettledOutputs:
    """Do about missing predictions what the rule says.

    NaN, None and, in a file, an empty cell is missing, and so is "timeout" or "N/A" where no class of the truth is
    called so; "refuse" leaves NaN and None as they are, for those who read labels and numbers and refuse them.
    `no_labels` is a metric without a worst prediction; `beside` is what else there is of each item.

    >>> found = settle_outputs(["x", "y"], {"a": ["x", None], "b": ["x", "y"]}, MissingRule(policy="worst"))
    >>> found.outputs["a"].tolist(), found.missing.counts
    (['x', 'x'], (1, 0))
    """
    words = failure_words(truth, outputs.values())
    if rule.policy == "refuse":
        for name, values in outputs.items() if words else ():
            _refuse_failures(name, values, words)
    gone = {} if rule.policy == "refuse" else {name: _gone(values, words) for name, values in outputs.items()}
    as_given = SettledOutputs(truth=truth, outputs=dict(outputs), beside=beside, missing=None)
    if not any(flags.any() for flags in gone.values()) or len({len(truth), *map(len, gone.values())}) > 1:
        return as_given  # unequal lengths are refused where outputs are read
    settled = settle_missing(
        {name: np.where(flags, np.nan, 1.0)[:, None] for name, flags in gone.items()},
        replace(rule, metric="accuracy", higher_is_better=True),
        place=lambda name, where: f"{name}[{int(where[0])}]",
    )
    if rule.policy == "worst":
        if no_labels:
            raise InvalidInput(
                f"missing='worst' needs metrics of labels, for which it is a wrong one, got {no_labels!r}: leave items "
                "out with missing='drop' (--missing drop)"
            )
        wrong = {name: _wrong(truth, values, gone[name], name) for name, values in outputs.items()}
        return replace(as_given, outputs=wrong, missing=settled.missing)
    if not settled.kept.any():
        raise InvalidInput("no item has a prediction of every model: missing='drop' leaves nothing to compare")
    return SettledOutputs(
        truth=_taken(truth, settled.kept),
        outputs={name: _taken(values, settled.kept) for name, values in outputs.items()},
        beside={name: None if values is None else _taken(values, settled.kept) for name, values in beside.items()},
        missing=settled.missing,
    )


def _refuse_failures(name: str, values: Any, words: frozenset[str]) -> None:
    failed = _gone(values, words)
    if isinstance(values, np.ma.MaskedArray) or not failed.any():
        return
    said = list(values)
    first = next(said[row] for row in np.flatnonzero(failed) if said[row] in words)
    raise InvalidInput(
        f"no prediction may be missing, but {name} says {first!r}, which is no class of the truth (in all "
        f"{failed.sum()}): count such predictions as wrong with missing='worst' (--missing worst), or leave the items "
        "out for all models with missing='drop' (--missing drop)"
    )


def _gone(values: Any, words: frozenset[str] = frozenset()) -> Flags:
    """Where nothing was said, or one of these words."""
    if isinstance(values, Categories):
        return np.array([not label or label in words for label in values.labels])[values.codes]
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values)
        return np.asarray(mask.any(axis=1) if mask.ndim == 2 else mask) | _gone(values.filled(), words)
    array = np.asarray(values)
    if array.dtype.kind == "f":
        return np.asarray(np.isnan(array).reshape(len(array), -1).any(axis=1))
    gaps = (is_none(value) or (isinstance(value, str) and value in words) for value in array.tolist())
    return np.fromiter(gaps, np.bool_, len(array))


def _taken(values: Any, kept: Flags) -> Any:
    """The rows that are kept, as numbers where all that is left are."""
    if isinstance(values, Categories):
        return Categories.of([label for label, there in zip(values, kept.tolist(), strict=True) if there])
    array = np.asarray(values)[kept]
    left = array.tolist()
    return np.array(left) if array.ndim == 1 and all(isinstance(one, (int, float)) for one in left) else array


def _wrong(truth: Any, values: Any, gone: Flags, name: str) -> Any:
    """The labels, and a wrong one in each gap: the other class of two, else one that no truth has."""
    if not gone.any():
        return values
    true = list(truth) if isinstance(truth, Categories) else np.asarray(truth).tolist()
    said = list(values) if isinstance(values, Categories) else np.asarray(values).tolist()
    known = [one for one, lost in zip(said, gone, strict=True) if not lost]
    broken = next((one for one in known if one not in true and _no_label(one)), None)
    if broken is not None:
        raise InvalidInput(
            f"missing='worst' needs labels, for which it is a wrong one, but {name} holds numbers such as {broken}: "
            "leave items out with missing='drop' (--missing drop)"
        )
    classes = list(dict.fromkeys(true))
    other = {classes[0]: classes[1], classes[1]: classes[0]} if len(classes) == 2 else {}
    filled = [other.get(right, NO_ANSWER) if lost else one for one, lost, right in zip(said, gone, true, strict=True)]
    if isinstance(values, Categories):
        return Categories.of(filled)
    found = np.empty(len(filled), dtype=object)
    found[:] = filled
    return found


def _no_label(label: object) -> bool:
    value = number_of(label)
    return isinstance(label, (list, tuple)) or (value is not None and value != int(value))
