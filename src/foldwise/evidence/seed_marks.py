"""Marks of several trainings of two models, every one of them on the same items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import number_text
from foldwise.core.metric import Unit, resolve_direction, unit_of
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.core.validation import flag
from foldwise.evidence.evidence import EvidenceTable
from foldwise.evidence.labels import categories, group_index
from foldwise.evidence.mark_input import given_marks, marks_place
from foldwise.evidence.missing import MissingRule, MissingValues, Policy, settle_missing

__all__ = ["SeedMarks"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeedMarks:
    """What every training of each of two models scored on every item.

    Attributes
    ----------
    a, b
        Marks of shape (seeds, items); the models may have different numbers of seeds where these are not paired.
    paired
        Whether row i of both was trained with the same seed, so that the differences of the rows mean something.
    metric
        What the marks measure, for people to read.
    higher_is_better
        False for losses.
    direction_assumed
        Whether that is only assumed, because neither the metric's name nor anybody said so.
    missing
        What was missing, and what was done about it; None where nothing was.
    groups
        Index of the cluster of each item, or None where items are independent.
    trainings
        What the trainings differ by: seeds, or training sets.
    n_train
        Examples in one training, where that is known.

    Examples
    --------
    >>> marks = SeedMarks.build([[1, 0, 1], [1, 1, 1]], [[0, 0, 1], [0, 1, 1]])
    >>> marks.design, marks.differences.tolist()
    ('2 seeds × 3 items', [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    """

    a: Array
    b: Array
    paired: bool
    metric: str
    higher_is_better: bool
    direction_assumed: bool = False
    missing: MissingValues | None = None
    groups: Integers | None = None
    trainings: str = "seeds"
    n_train: float | None = None

    @classmethod
    def build(
        cls,
        marks_a: ArrayLike,
        marks_b: ArrayLike,
        *,
        paired: bool = True,
        metric: str = "mark",
        higher_is_better: bool | None = None,
        missing: Policy = "refuse",
        bounds: tuple[float, float] | None = None,
        groups: ArrayLike | None = None,
        trainings: str = "seeds",
        n_train: float | None = None,
    ) -> SeedMarks:
        """Check marks of shape (seeds, items): numbers, or words for right and wrong.

        Parameters
        ----------
        marks_a, marks_b
            Marks of the two models, a row for each training; NaN is a missing mark.
        paired
            Whether row i of both was trained with the same seed.
        metric, higher_is_better
            What the marks measure; without a direction the name tells.
        missing
            What to do about missing marks: ``"refuse"``, ``"drop"`` (the item, with all its marks) or ``"worst"``.
        bounds
            What no mark can be below or above, where the metric's name does not tell.
        groups
            The cluster of each item, where items come in clusters.
        trainings, n_train
            What the trainings differ by, and examples in one, where known.
        """
        a, b = _table(marks_a, "marks_a"), _table(marks_b, "marks_b")
        if a.shape[1] != b.shape[1]:
            raise InvalidInput(f"marks_b must have as many items as marks_a ({a.shape[1]}), got {b.shape[1]}")
        if flag(paired, "paired") and len(a) != len(b):
            raise InvalidInput(
                f"marks_b must have as many seeds as marks_a ({len(a)}) where seeds are paired, got {len(b)}: if they "
                "have no common meaning, give paired=False"
            )
        clusters = None if groups is None else _clusters(groups, a.shape[1])
        higher, assumed = resolve_direction(metric, higher_is_better)
        rule = MissingRule(policy=missing, metric=metric, higher_is_better=higher, bounds=bounds)
        a, b, whole, absent = _whole(a, b, rule)
        return cls(
            a=a,
            b=b,
            paired=bool(paired),
            metric=metric,
            higher_is_better=higher,
            direction_assumed=assumed,
            missing=absent,
            groups=None if clusters is None else np.unique(clusters[whole], return_inverse=True)[1],
            trainings=trainings,
            n_train=n_train,
        )

    @property
    def items(self) -> int:
        """Number of items."""
        return int(self.a.shape[1])

    @property
    def differences(self) -> Array:
        """A − b: of every seed on every item where seeds are paired, else of the means over seeds on every item."""
        return np.asarray(self.a - self.b if self.paired else self.a.mean(axis=0) - self.b.mean(axis=0))

    @property
    def _training(self) -> str:
        """What one of the trainings is called."""
        return self.trainings.removesuffix("s")

    @property
    def units(self) -> str:
        """What the items are a sample of: themselves, or clusters."""
        return "items" if self.groups is None else "clusters"

    @property
    def unit(self) -> Unit:
        """Fractions, percentages, or the metric's own unit."""
        return unit_of(self.metric, np.concatenate([self.a, self.b]))

    @property
    def means(self) -> tuple[float, float]:
        """Mean over seeds and items, of a and of b."""
        return float(self.a.mean()), float(self.b.mean())

    @property
    def design(self) -> str:
        """Seeds and items in words."""
        clusters = "" if self.groups is None else f" in {int(self.groups.max()) + 1} clusters"
        if self.paired:
            return f"{len(self.a)} {self.trainings} × {self.items} items{clusters}"
        return f"{len(self.a)} and {len(self.b)} {self.trainings} × {self.items} items{clusters}"

    @property
    def digest(self) -> str:
        """Equal exactly when the marks are, and what the seeds mean."""
        return digest([self.a, self.b, self.paired, *([] if self.groups is None else [self.groups])])

    @property
    def majority(self) -> float | None:
        """Marks do not know the classes."""
        return None

    def columns(self, names: tuple[str, str]) -> dict[str, Labels]:
        """One row per training and item; where seeds are not paired, one for each model."""
        if self.paired:
            seed, item = np.indices(self.a.shape).reshape(2, -1)
            return {self._training: seed, "item": item, names[0]: self.a.ravel(), names[1]: self.b.ravel()}
        places = [np.indices(part.shape).reshape(2, -1) for part in (self.a, self.b)]
        model = np.repeat(np.array(names, dtype=object), [self.a.size, self.b.size])
        seed, item = np.concatenate(places, axis=1)
        marks = np.concatenate([self.a.ravel(), self.b.ravel()])
        return {"model": model, self._training: seed, "item": item, self.metric: marks}

    def table(self, names: tuple[str, str]) -> EvidenceTable:
        """The mean over items of every training."""
        of_a, of_b = self.a.mean(axis=1), self.b.mean(axis=1)
        cells = [[number_text(float(mean), 4) for mean in means] for means in (of_a, of_b)]
        longest = max(map(len, cells))
        rows = tuple(
            (str(seed + 1), *(column[seed] if seed < len(column) else "" for column in cells))
            for seed in range(longest)
        )
        caption = f"mean {self.metric} over {self.items} items of every training"
        return EvidenceTable(columns=(self._training, *names), rows=rows, caption=caption)


def _table(values: ArrayLike, name: str) -> Array:
    if np.ndim(values) != 2:
        raise InvalidInput(f"{name} must have shape (seeds, items), got {np.shape(values)}")
    table = given_marks(values, name).values
    if len(table) < 2:
        raise InvalidInput(
            f"{name} must have at least 2 seeds, got {len(table)}: one training of each model is for compare_marks"
        )
    if table.shape[1] < 2:
        raise InvalidInput(f"{name} must have at least 2 items, got {table.shape[1]}")
    return table


def _whole(a: Array, b: Array, rule: MissingRule) -> tuple[Array, Array, Flags, MissingValues | None]:
    """The marks, the items that are kept, and what was missing: every training must mark every item."""
    by_item = {"marks_a": a.T, "marks_b": b.T}
    items = a.shape[1]
    settled = settle_missing(
        by_item,
        {name: np.isnan(part) for name, part in by_item.items()},
        rule,
        unit_of_row=np.arange(items),
        units=items,
        place=lambda name, where: marks_place(name, where[::-1]),
    )
    first, second = (part[settled.kept].T for part in settled.values)
    if first.shape[1] < 2:
        raise InvalidInput(
            f"marks_a and marks_b must have at least 2 items without missing marks, got {first.shape[1]}"
        )
    return np.ascontiguousarray(first), np.ascontiguousarray(second), settled.kept, settled.missing


def _clusters(groups: ArrayLike, items: int) -> Integers:
    named = categories(groups, "groups")
    if len(named) != items:
        raise InvalidInput(f"groups must name the cluster of each item ({items}), got {len(named)}")
    return group_index(named)
