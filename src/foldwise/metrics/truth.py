"""What is true of each item: a class, or a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags, Integers

__all__ = ["POSITIVE", "Truth"]

POSITIVE = (("0", "1"), ("-1", "1"), ("false", "true"), ("no", "yes"), ("n", "y"), ("negative", "positive"),
            ("neg", "pos"), ("absent", "present"))  # fmt: skip
"""Pairs of labels of which the second is the positive one, in lower case."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Truth:
    """The truth about the items of one test set, checked and coded.

    Attributes
    ----------
    values
        Per item the number of its class, or for regression the number itself.
    classes
        The labels, which the numbers of classes count; empty for regression. Labels that only a model says are among
        them, so that their outputs have a number too.
    positive
        Number of the class that metrics of one class are about, None where there is none.

    Examples
    --------
    >>> truth = Truth(values=np.array([0, 1, 1]), classes=("no", "yes"), positive=1)
    >>> truth.is_positive.tolist(), len(truth)
    ([False, True, True], 3)
    """

    values: NDArray[Any]
    classes: tuple[Any, ...] = ()
    positive: int | None = None

    def __len__(self) -> int:
        return len(self.values)

    @property
    def codes(self) -> Integers:
        """Number of the class of each item."""
        return self.values.astype(np.int64, copy=False)

    @property
    def numbers(self) -> Array:
        """The true numbers, for regression."""
        return self.values.astype(np.float64, copy=False)

    @property
    def is_positive(self) -> Flags:
        """Whether each item is of the positive class."""
        return np.asarray(self.values == self.positive_code)

    @property
    def positive_code(self) -> int:
        """Number of the positive class."""
        if self.positive is None:
            raise InvalidInput("positive must name the class that the metric is about, got None")
        return self.positive

    def take(self, index: NDArray[Any]) -> Truth:
        """The truth about some of the items, in this order, however often each."""
        return Truth(values=self.values[index], classes=self.classes, positive=self.positive)

    def twice(self) -> Truth:
        """The truth about all items, and about all of them once more."""
        return Truth(values=np.concatenate([self.values] * 2), classes=self.classes, positive=self.positive)
