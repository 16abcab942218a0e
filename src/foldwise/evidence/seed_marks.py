"""Marks of several trainings of two or more models, every one of them on the same items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import number_text
from foldwise.core.metric import Unit, check_scales, measured_by, resolve_direction, unit_of
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.core.validation import flag
from foldwise.evidence.evidence import Evidence, EvidenceTable, as_argument, named_models
from foldwise.evidence.items import groups_of
from foldwise.evidence.mark_input import given_marks, marks_place
from foldwise.evidence.missing import MissingRule, MissingValues, Policy, settle_missing


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeedMarks(Evidence):
    """What every training of each model scored on every item.

    >>> marks = SeedMarks.build({"a": [[1, 0, 1], [1, 1, 1]], "b": [[0, 0, 1], [0, 1, 1]]})
    >>> marks.design, marks.differences.tolist()
    ('2 seeds × 3 items', [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    """

    #: Of each model marks of shape (seeds, items); different numbers of seeds where these are not paired
    values: tuple[Array, ...]
    #: Whether row i of all was trained with the same seed, so that the differences of the rows mean something
    paired: bool
    groups: Integers | None = None  #: Index of the cluster of each item, or None where items are independent
    trainings: str = "seeds"  #: What the trainings differ by: seeds, or training sets
    n_train: float | None = None  #: Examples in one training, where that is known

    @classmethod
    def build(
        cls, models: Mapping[str, ArrayLike], *, paired: bool = True, metric: str = "mark",
        higher_is_better: bool | None = None, missing: Policy = "refuse", bounds: tuple[float, float] | None = None,
        groups: ArrayLike | None = None, trainings: str = "seeds", n_train: float | None = None,
        called: Callable[[str], str] = as_argument,
    ) -> SeedMarks:  # fmt: skip
        """Check marks of shape (seeds, items): numbers, or words for right and wrong.

        A model has a row for each training; row i of all had the same seed if `paired`. NaN is missing: ``"refuse"``,
        ``"drop"`` (the item, with all its marks) or ``"worst"``, which `bounds` may tell. `trainings` says what the
        trainings differ by.
        """
        names = named_models(models)
        given = {
            called(name): _table(values, called(name)) for name, values in zip(names, models.values(), strict=True)
        }
        (first, a), *others = given.items()
        for name, b in others:
            if a.shape[1] != b.shape[1]:
                raise InvalidInput(f"{name} must have as many items as {first} ({a.shape[1]}), got {b.shape[1]}")
            if flag(paired, "paired") and len(a) != len(b):
                raise InvalidInput(
                    f"{name} must have as many seeds as {first} ({len(a)}) where seeds are paired, got {len(b)}: if "
                    "they have no common meaning, give paired=False"
                )
        clusters = None if groups is None else groups_of(groups, a.shape[1])
        metric = measured_by(metric, names)
        check_scales(metric, dict(zip(names, given.values(), strict=True)))
        higher, direction = resolve_direction(metric, higher_is_better)
        rule = MissingRule(policy=missing, metric=metric, higher_is_better=higher, bounds=bounds)
        values, whole, absent = _whole(given, rule)
        return cls(
            names=names,
            values=values,
            paired=bool(paired),
            metric=metric,
            higher_is_better=higher,
            direction=direction,
            missing=absent,
            groups=None if clusters is None else np.unique(clusters[whole], return_inverse=True)[1],
            trainings=trainings,
            n_train=n_train,
        )

    def pair(self, i: int, j: int) -> SeedMarks:
        names, values = (self.names[i], self.names[j]), (self.values[i], self.values[j])
        return replace(self, names=names, values=values, missing=self.missing_of(i, j))

    @property
    def numbers(self) -> tuple[Array, ...]:
        return self.values

    @property
    def items(self) -> int:
        return int(self.a.shape[1])

    @property
    def differences(self) -> Array:
        """Of two, a − b: of every seed on every item where seeds are paired, else of the means over seeds."""
        return np.asarray(self.a - self.b if self.paired else self.a.mean(axis=0) - self.b.mean(axis=0))

    @property
    def _training(self) -> str:
        return self.trainings.removesuffix("s")

    @property
    def units(self) -> str:
        """What the items are a sample of: themselves, or clusters."""
        return "items" if self.groups is None else "clusters"

    @property
    def unit(self) -> Unit:
        return unit_of(self.metric, np.concatenate(self.values), self.declared_unit)

    @property
    def means(self) -> Array:
        return np.array([part.mean() for part in self.values])

    @property
    def design(self) -> str:
        clusters = "" if self.groups is None else f" in {int(self.groups.max()) + 1} clusters"
        seeds = [len(part) for part in (self.values[:1] if self.paired else self.values)]
        return f"{' and '.join(map(str, seeds))} {self.trainings} × {self.items} items{clusters}"

    @property
    def digest(self) -> str:
        return digest([*self.values, self.paired, *([] if self.groups is None else [self.groups])])

    def columns(self) -> dict[str, Labels]:
        if self.paired:
            seed, item = np.indices(self.a.shape).reshape(2, -1)
            marks = dict(zip(self.names, (part.ravel() for part in self.values), strict=True))
            return {self._training: seed, "item": item, **marks}
        model = np.repeat(np.array(self.names, dtype=object), [part.size for part in self.values])
        seed, item = np.concatenate([np.indices(part.shape).reshape(2, -1) for part in self.values], axis=1)
        every = np.concatenate([part.ravel() for part in self.values])
        return {"model": model, self._training: seed, "item": item, self.metric: every}

    def table(self) -> EvidenceTable:
        cells = [[number_text(float(mean), 4) for mean in part.mean(axis=1)] for part in self.values]
        rows = tuple(
            (str(seed + 1), *(column[seed] if seed < len(column) else "" for column in cells))
            for seed in range(max(map(len, cells)))
        )
        caption = f"mean {self.metric} over {self.items} items of every training"
        return EvidenceTable(columns=(self._training, *self.names), rows=rows, caption=caption)


def _table(values: ArrayLike, name: str) -> Array:
    if np.ndim(values) != 2:
        raise InvalidInput(f"{name} must have shape (seeds, items), got {np.shape(values)}")
    table = given_marks(values, name).values
    if len(table) < 2:
        raise InvalidInput(
            f"{name} must have at least 2 seeds, got {len(table)}: one training of each model is for "
            "compare_predictions without seeds"
        )
    if table.shape[1] < 2:
        raise InvalidInput(f"{name} must have at least 2 items, got {table.shape[1]}")
    return table


def _whole(given: Mapping[str, Array], rule: MissingRule) -> tuple[tuple[Array, ...], Flags, MissingValues | None]:
    """The marks, the items that are kept, and what was missing: every training must mark every item."""
    by_item = {name: part.T for name, part in given.items()}
    settled = settle_missing(by_item, rule, place=lambda name, where: marks_place(name, where[::-1]))
    kept = tuple(np.ascontiguousarray(part[settled.kept].T) for part in settled.values)
    if kept[0].shape[1] < 2:
        raise InvalidInput(
            f"{' and '.join(given)} must have at least 2 items without missing marks, got {kept[0].shape[1]}"
        )
    return kept, settled.kept, settled.missing
