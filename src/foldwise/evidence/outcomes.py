"""Per-example outcomes of two classifiers on one test set."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.categories import Categories
from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import Unit
from foldwise.core.types import Labels
from foldwise.evidence.evidence import EvidenceTable
from foldwise.evidence.labels import categories, check_alike, coded, group_index, marks

__all__ = ["Outcomes", "right_wrong_scale"]

SCALES = (1.0, 100.0)
"""What a right answer counts in the codings that people use: 0 and 1, 0 and 100."""


def right_wrong_scale(values: ArrayLike) -> float | None:
    """What a right answer (or an error) counts where all values say right or wrong, in whatever coding; else None.

    Examples
    --------
    >>> right_wrong_scale([0, 1, 1]), right_wrong_scale([0, 100]), right_wrong_scale([0, 0.5, 1])
    (1.0, 100.0, None)
    """
    array = np.asarray(values)
    return next((scale for scale in SCALES if bool(((array == 0) | (array == scale)).all())), None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcomes:
    """Which test examples each of two classifiers got right.

    Attributes
    ----------
    correct_a, correct_b
        One truth value per test example.
    groups
        Index of the cluster that each example belongs to, or None when the examples are independent.
    unseen
        How many predictions of A and of B are labels that never occur in the truth (they count as errors).
    majority
        Share of the most frequent label of the truth: the accuracy of always answering it; None where only right and
        wrong are known.
    metric
        What the share of right answers is called, or of wrong ones where lower is better.
    higher_is_better
        False where errors were counted: the means are shares of wrong answers then, and differences turn.
    direction_assumed
        Whether it is only assumed that 1 is right and 0 is wrong, because nobody said so.
    scale
        What a right answer (an error) counts: 1, or 100 where marks are 0 and 100.

    Examples
    --------
    >>> outcomes = Outcomes.from_predictions([0, 1, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1])
    >>> outcomes.n00, outcomes.n01, outcomes.n10, outcomes.n11
    (1, 1, 1, 1)
    """

    correct_a: NDArray[np.bool_]
    correct_b: NDArray[np.bool_]
    groups: NDArray[np.int64] | None = None
    unseen: tuple[int, int] = (0, 0)
    majority: float | None = None
    metric: str = "accuracy"
    higher_is_better: bool = True
    direction_assumed: bool = False
    scale: float = 1.0

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike | Categories,
        pred_a: ArrayLike | Categories,
        pred_b: ArrayLike | Categories,
        *,
        groups: ArrayLike | Categories | None = None,
    ) -> Outcomes:
        """Compare two classifiers' predictions with the truth, example by example."""
        truth, a, b = categories(y_true, "y_true"), categories(pred_a, "pred_a"), categories(pred_b, "pred_b")
        for name, predicted in (("pred_a", a), ("pred_b", b)):
            _same_length(truth, predicted, name)
        distinct, codes = coded(truth, a, b)
        counts, *found = (np.bincount(column, minlength=len(distinct)) for column in codes)
        seen = [{distinct[i] for i in np.flatnonzero(count)} for count in (counts, *found)]
        check_alike(len(truth), seen[0], {"pred_a": seen[1], "pred_b": seen[2]})
        correct_a, correct_b = (column == codes[0] for column in codes[1:])
        unseen_a, unseen_b = (int(count[counts == 0].sum()) for count in found)
        return cls(
            correct_a=correct_a,
            correct_b=correct_b,
            groups=None if groups is None else _group_index(groups, truth),
            unseen=(unseen_a, unseen_b),
            majority=int(counts.max()) / len(truth),
        )

    @classmethod
    def from_correct(
        cls,
        correct_a: ArrayLike | Categories,
        correct_b: ArrayLike | Categories,
        *,
        groups: ArrayLike | Categories | None = None,
    ) -> Outcomes:
        """From marks that say which examples each classifier got right."""
        a, b = marks(correct_a, "marks_a"), marks(correct_b, "marks_b")
        _same_length(a, b, "marks_b", "marks_a")
        return cls(correct_a=a, correct_b=b, groups=None if groups is None else _group_index(groups, a))

    @property
    def n(self) -> int:
        """Number of test examples."""
        return len(self.correct_a)

    @property
    def n00(self) -> int:
        """Both wrong."""
        return int(np.sum(~self.correct_a & ~self.correct_b))

    @property
    def n01(self) -> int:
        """Only A wrong."""
        return int(np.sum(~self.correct_a & self.correct_b))

    @property
    def n10(self) -> int:
        """Only B wrong."""
        return int(np.sum(self.correct_a & ~self.correct_b))

    @property
    def n11(self) -> int:
        """Both right."""
        return int(np.sum(self.correct_a & self.correct_b))

    @property
    def gains(self) -> NDArray[np.float64]:
        """Per example, right(A) − right(B): 1, 0 or −1."""
        return self.correct_a.astype(np.float64) - self.correct_b

    @property
    def factor(self) -> float:
        """From a difference of right answers to one in the metric's own unit and direction."""
        return self.scale if self.higher_is_better else -self.scale

    @property
    def differences(self) -> NDArray[np.float64]:
        """Per example, a − b in the metric's own unit."""
        return self.factor * self.gains + 0.0

    @property
    def cells(self) -> tuple[int, int, int, int]:
        """n00, n01, n10, n11."""
        return self.n00, self.n01, self.n10, self.n11

    @property
    def unit(self) -> Unit:
        """Shares of 1, or of 100."""
        return "fraction" if self.scale == 1 else "percent"

    @property
    def means(self) -> tuple[float, float]:
        """Share of right answers of A and of B, or of wrong ones where lower is better."""
        right = float(self.correct_a.mean()), float(self.correct_b.mean())
        a, b = right if self.higher_is_better else (1 - right[0], 1 - right[1])
        return self.scale * a, self.scale * b

    @property
    def design(self) -> str:
        """The test set in words."""
        clusters = "" if self.groups is None else f" in {int(self.groups.max()) + 1} clusters"
        return f"{self.n} test example{'' if self.n == 1 else 's'}{clusters}"

    @property
    def digest(self) -> str:
        """Equal exactly when the outcomes and clusters are."""
        return digest([self.correct_a, self.correct_b, self.groups])

    def columns(self, names: tuple[str, str]) -> dict[str, Labels]:
        """One row per test example."""
        columns: dict[str, Labels] = {names[0]: self.correct_a, names[1]: self.correct_b}
        return columns if self.groups is None else columns | {"group": self.groups}

    def table(self, names: tuple[str, str]) -> EvidenceTable:
        """The four counts with their sums."""
        a, b = names
        n00, n01, n10, n11 = self.cells
        rows = (
            (f"{a} right", str(n11), str(n10), str(n11 + n10)),
            (f"{a} wrong", str(n01), str(n00), str(n01 + n00)),
            ("all", str(n11 + n01), str(n10 + n00), str(self.n)),
        )
        return EvidenceTable(columns=("test examples", f"{b} right", f"{b} wrong", "all"), rows=rows)


def _same_length(first: Sized, other: Sized, name: str, as_long_as: str = "y_true") -> None:
    if len(other) != len(first):
        raise InvalidInput(f"{name} must be as long as {as_long_as} ({len(first)}), got {len(other)}")


def _group_index(groups: ArrayLike | Categories, truth: Sized) -> NDArray[np.int64]:
    names = categories(groups, "groups")
    _same_length(truth, names, "groups")
    return group_index(names)
