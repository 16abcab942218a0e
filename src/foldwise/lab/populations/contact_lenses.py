"""Noisy contact-lens data: 24 equally likely cases of four nominal attributes, and classes that err at a given rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.core.types import Array, Labels
from foldwise.lab.populations.population import Enumerable, Sample

__all__ = ["ContactLenses"]

ATTRIBUTES = (
    ("age", ("young", "pre-presbyopic", "presbyopic")),
    ("spectacle-prescrip", ("myope", "hypermetrope")),
    ("astigmatism", ("no", "yes")),
    ("tear-prod-rate", ("reduced", "normal")),
)
SOFT, HARD, NONE = 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactLenses(Enumerable):
    """The contact-lens rules with noise in the class.

    Attributes
    ----------
    inherent_error
        Probability that an example has one of the two other classes instead of the right one, below 2/3.

    Notes
    -----
    The 24 combinations of attribute values are equally likely. The classes are soft (0), hard (1) and none (2), by
    Cendrowska's rules; [1]_, appendix B.2, uses inherent errors of 0.1, 5, 10 and 25 %.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II.

    Examples
    --------
    >>> population = ContactLenses(inherent_error=0.1)
    >>> round(population.true_error(population.rule(population.cases().values)), 12)
    0.1
    """

    inherent_error: float = 0.1

    name: ClassVar[str] = "contact-lenses"

    def __post_init__(self) -> None:
        if not 0 <= float(self.inherent_error) < 2 / 3:
            raise InvalidInput(f"inherent_error must be at least 0 and below 2/3, got {self.inherent_error!r}")

    @staticmethod
    def cases() -> Table:
        """The 24 combinations of attribute values."""
        grid = np.indices([len(values) for _, values in ATTRIBUTES]).reshape(len(ATTRIBUTES), -1).T
        return Table.build(grid, [values for _, values in ATTRIBUTES], [name for name, _ in ATTRIBUTES])

    @staticmethod
    def rule(values: Array) -> NDArray[np.int64]:
        """The right class of each row."""
        age, hypermetrope, astigmatic, normal = np.asarray(values, dtype=np.int64).T
        soft = np.where((age == 2) & (hypermetrope == 0), NONE, SOFT)
        hard = np.where((hypermetrope == 0) | (age == 0), HARD, NONE)
        return np.where(normal == 0, NONE, np.where(astigmatic == 1, hard, soft)).astype(np.int64)

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """A data set of n examples, drawn with replacement."""
        cases = self.cases()
        X = cases[rng.integers(0, len(cases), size=n)]
        right = self.rule(X.values)
        shift = np.where(rng.random(n) < self.inherent_error, rng.integers(1, 3, size=n), 0)
        return Sample(X=X, y=(right + shift) % 3)

    def true_error(self, predicted: Labels) -> float:
        """The error on the whole population of a rule that gives these classes to the 24 `cases`."""
        right = np.asarray(predicted) == self.rule(self.cases().values)
        return float(np.where(right, self.inherent_error, 1 - self.inherent_error / 2).mean())
