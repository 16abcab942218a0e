"""The 2×2 table of two classifiers on one test set, as every paired procedure reads it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.core.validation import counts

__all__ = ["PairedTable", "paired_table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTable:
    """Checked counts of one table, or arrays of them, all of one shape.

    Attributes
    ----------
    both_wrong, only_a, only_b, both_right
        Number of test examples that both classifiers, only A, only B, or neither gets wrong.
    n
        Their sum: the size of the test set.
    """

    both_wrong: Array
    only_a: Array
    only_b: Array
    both_right: Array
    n: Array

    @property
    def difference(self) -> Array:
        """Error rate of A minus error rate of B; the examples both get wrong cancel."""
        return np.asarray((self.only_a - self.only_b) / self.n)


def paired_table(n00: ArrayLike, n01: ArrayLike, n10: ArrayLike, n11: ArrayLike) -> PairedTable:
    """Check the four counts, broadcast them to one shape and refuse empty test sets.

    Parameters
    ----------
    n00, n01, n10, n11
        Number of test examples that both classifiers get wrong, only A, only B, neither.

    Examples
    --------
    >>> float(paired_table(5, 10, 25, 60).difference)
    -0.15
    """
    given = {"n00": n00, "n01": n01, "n10": n10, "n11": n11}
    checked = [counts(value, name) for name, value in given.items()]
    try:
        both_wrong, only_a, only_b, both_right = np.broadcast_arrays(*checked)
    except ValueError as error:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(given, checked, strict=True))
        raise InvalidInput(f"the four counts must broadcast to one shape, got {shapes}") from error
    n = both_wrong + only_a + only_b + both_right
    if (n == 0).any():
        where = tuple(int(i) for i in np.argwhere(n == 0)[0])
        raise InvalidInput(f"n00 + n01 + n10 + n11 must be at least 1, but it is 0{f' at {where}' if where else ''}")
    return PairedTable(both_wrong=both_wrong, only_a=only_a, only_b=only_b, both_right=both_right, n=n)
