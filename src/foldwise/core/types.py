"""Small types that several rooms share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foldwise.core.display import Shown

Alternative = Literal["two-sided", "less", "greater"]
"""Which side of zero the alternative hypothesis allows; SciPy's names."""

Array = NDArray[np.float64]  # An array of float64.

Integers = NDArray[np.int64]  # An array of int64: counts, row numbers, classes as codes.

Flags = NDArray[np.bool_]  # An array of truth values.

Labels = NDArray[Any]  # An array of whatever the user's labels are: text, numbers, objects.

Numbers = float | Array
"""A number, or an array of them: procedures answer for one experiment or for a batch, as their input is."""

Counts = int | Integers  # A count, or an array of them for a batch.

Answers = bool | Flags  # Whether something holds, or an array of truth values for a batch.

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""What can be written as JSON."""


class Estimator(Protocol):
    """What is trained and compared: any object with scikit-learn's interface, ours or foreign.

    What it takes and returns is its own affair: tables, frames, arrays.
    """

    def fit(self, X: Any, y: Any) -> Any:
        """Learn from examples and their labels."""

    def predict(self, X: Any) -> Any:
        """The predicted label of each example."""

    def get_params(self, deep: bool = ...) -> dict[str, Any]:
        """What it was made with, and, if `deep`, what those within it were made with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval(Shown):
    """A closed interval, or an array of them when the limits are arrays.

    >>> 0.5 in Interval(low=0.0, high=1.0)
    True
    """

    low: Numbers
    high: Numbers

    def __contains__(self, value: float) -> bool:
        return bool(self.low <= value <= self.high)

    def __neg__(self) -> Interval:
        return Interval(low=-self.high, high=-self.low)

    @property
    def width(self) -> Numbers:
        return self.high - self.low

    def floats(self) -> Interval:
        """That of one experiment, in Python's own numbers."""
        return Interval(low=float(self.low), high=float(self.high))
