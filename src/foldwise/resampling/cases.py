"""What a plan needs to know about the examples: how many, of which class, in which group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Integers, Labels
from foldwise.core.validation import integer, unmasked

__all__ = ["Cases"]


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """The examples as a plan sees them.

    Attributes
    ----------
    n
        Number of examples.
    y
        The targets, or None when only the number of examples is known.
    groups
        Per example the index of its group, or None without groups.
    """

    n: int
    y: Labels | None
    groups: Integers | None

    @classmethod
    def of(cls, y_or_n: ArrayLike, groups: ArrayLike | None = None) -> Cases:
        """Check the targets (or the number of examples) and the groups.

        Examples
        --------
        >>> Cases.of(["a", "b", "a"], groups=[7, 7, 9]).groups
        array([0, 0, 1])
        """
        if isinstance(y_or_n, (int, np.integer)):
            n, y = integer(y_or_n, "the number of examples", minimum=2), None
        else:
            unmasked(y_or_n, "y")
            y = np.asarray(y_or_n)
            if y.ndim != 1 or len(y) < 2:
                raise InvalidInput(f"y must have one axis with at least 2 examples, got shape {y.shape}")
            n = len(y)
        return cls(n, y, None if groups is None else _codes(groups, "groups", n))

    def classes(self) -> tuple[Labels, Integers]:
        """The classes and, per example, the index of its class; refuses targets that are not classes."""
        if self.y is None:
            raise InvalidInput("a stratified plan needs y, but only the number of examples was given")
        if self.y.dtype.kind == "f" and not np.array_equal(self.y, np.floor(self.y)):
            bad = self.y[self.y != np.floor(self.y)][0]
            raise InvalidInput(f"a stratified plan needs classes, but y has the value {bad:g}; use stratified=False")
        names, codes = _unique(self.y, "y")
        return names, codes

    def strata(self, stratified: bool) -> Integers:
        """Per example the index of its class, or all 0 when the plan is not stratified."""
        return self.classes()[1] if stratified else np.zeros(self.n, dtype=np.int64)


def _codes(values: ArrayLike, name: str, n: int) -> Integers:
    unmasked(values, name)
    array = np.asarray(values)
    if array.shape != (n,):
        raise InvalidInput(f"{name} must have one value per example, shape ({n},), got shape {array.shape}")
    return _unique(array, name)[1]


def _unique(array: Labels, name: str) -> tuple[Labels, Integers]:
    try:
        names, codes = np.unique(array, return_inverse=True)
    except TypeError as error:
        raise InvalidInput(f"{name} must hold values of one kind that can be sorted: {error}") from error
    return names, codes.astype(np.int64, copy=False)
