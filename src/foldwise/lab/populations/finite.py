"""Any data set taken as the population, as Dietterich did with Letter and Pima."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.lab.populations.from_data import FromData
from foldwise.lab.populations.population import Sample, at_most

__all__ = ["Finite"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Finite(FromData):
    """Data sets are drawn without replacement from a larger one; the rest tells the true error.

    Attributes
    ----------
    data, data_dir, target, keep
        As in `FromData`.
    """

    name: ClassVar[str] = "finite"

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """A data set of n examples."""
        return self.split(n, rng)[0]

    def exam(self, n: int, n_test: int, rng: np.random.Generator) -> tuple[Sample, Sample]:
        """A data set of n examples, and some of the rest."""
        sample, rest = self.split(n, rng)
        return sample, at_most(rest, n_test, rng)

    def split(self, n: int, rng: np.random.Generator) -> tuple[Sample, Sample]:
        """A data set of n examples, and the rest of the population."""
        if n >= self.size:
            raise InvalidInput(f"n must be below the {self.size} examples of {self.title!r}, got {n}")
        order = rng.permutation(self.size)
        return self.whole.rows(order[:n]), self.whole.rows(order[n:])
