"""Martin and Hirschberg's populations: two normal classes on one attribute, with true errors known exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.core.types import Array, Labels
from foldwise.core.validation import numbers
from foldwise.lab.populations.population import Enumerable, Sample, Source, at_most


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaussian(Source):
    """Two equally likely classes, normal with the same variance on one attribute.

    Class 0 has mean −μ and class 1 mean μ, both variance 1, with Φ(−μ) the inherent error (Martin & Hirschberg 1996).

    Martin & Hirschberg (1996), Small sample statistics for classification error rates II, appendix B.1.

    >>> population = Gaussian(inherent_error=0.1)
    >>> round(population.true_error(lambda x: (x > 0).astype(int), [0.0]), 12)
    0.1
    """

    #: Error of the best possible rule, from above 0 to 0.5; it sets the distance of the means
    inherent_error: float = 0.1

    name: ClassVar[str] = "gaussian"

    def __post_init__(self) -> None:
        if not 0 < float(self.inherent_error) <= 0.5:
            raise InvalidInput(f"inherent_error must be above 0 and at most 0.5, got {self.inherent_error!r}")

    @property
    def mean(self) -> float:
        return -float(special.ndtri(self.inherent_error))

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        labels = rng.integers(0, 2, size=n)
        while labels.min() == labels.max():
            labels = rng.integers(0, 2, size=n)
        values = rng.standard_normal(n) + np.where(labels == 1, self.mean, -self.mean)
        return Sample(X=Table.build(values[:, None]), y=labels)

    def true_error(self, predict: Callable[[Array], Labels], boundaries: ArrayLike) -> float:
        """The error of a rule on the whole population, by integrating its decision regions.

        `predict`: gives the class, 0 or 1, of each attribute value in an array. `boundaries`: every value at which the
        prediction might change; values at which it does not change do no harm. For nearest neighbours and trees see
        `possible_boundaries`.
        """
        cuts = np.unique(numbers(boundaries, "boundaries"))
        edges = np.concatenate([[-np.inf], cuts, [np.inf]])
        classes = np.asarray(predict(_inside(cuts)))
        missed = special.ndtr(edges[1:, None] - self._means) - special.ndtr(edges[:-1, None] - self._means)
        return float(np.where(classes == 1, missed[:, 0], missed[:, 1]).sum() / 2)

    @property
    def _means(self) -> Array:
        return np.array([-self.mean, self.mean])


def possible_boundaries(values: ArrayLike) -> Array:
    """Where a nearest-neighbour rule or a tree trained on these values could change its prediction.

    The order of the neighbours changes only halfway between two training values; trees cut at training values or
    halfway between them.

    >>> possible_boundaries([0.0, 1.0, 4.0]).tolist()
    [0.0, 0.5, 1.0, 2.0, 2.5, 4.0]
    """
    x = np.unique(numbers(values, "values"))
    halfway = (x[:, None] + x[None, :]) / 2
    return np.unique(halfway)


def _inside(cuts: Array) -> Array:
    """One value from each interval between the cuts, the two unbounded ones included."""
    if cuts.size == 0:
        return np.zeros(1)
    return np.concatenate([[cuts[0] - 1], (cuts[:-1] + cuts[1:]) / 2, [cuts[-1] + 1]])


# ---- Noisy contact-lens data: 24 equally likely cases, and classes that err at a given rate.


ATTRIBUTES = (
    ("age", ("young", "pre-presbyopic", "presbyopic")), ("spectacle-prescrip", ("myope", "hypermetrope")),
    ("astigmatism", ("no", "yes")), ("tear-prod-rate", ("reduced", "normal")),
)  # fmt: skip
SOFT, HARD, NONE = 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactLenses(Enumerable):
    """The contact-lens rules with noise in the class.

    The 24 combinations of attribute values are equally likely. The classes are soft (0), hard (1) and none (2), by
    Cendrowska's rules; Martin & Hirschberg (1996), appendix B.2, uses inherent errors of 0.1, 5, 10 and 25 %.

    >>> population = ContactLenses(inherent_error=0.1)
    >>> round(population.true_error(population.rule(population.cases().values)), 12)
    0.1
    """

    #: Probability that an example has one of the two other classes instead of the right one, below 2/3
    inherent_error: float = 0.1

    name: ClassVar[str] = "contact-lenses"

    def __post_init__(self) -> None:
        if not 0 <= float(self.inherent_error) < 2 / 3:
            raise InvalidInput(f"inherent_error must be at least 0 and below 2/3, got {self.inherent_error!r}")

    @staticmethod
    def cases() -> Table:
        grid = np.indices([len(values) for _, values in ATTRIBUTES]).reshape(len(ATTRIBUTES), -1).T
        return Table.build(grid, [values for _, values in ATTRIBUTES], [name for name, _ in ATTRIBUTES])

    @staticmethod
    def rule(values: Array) -> NDArray[np.int64]:
        age, hypermetrope, astigmatic, normal = np.asarray(values, dtype=np.int64).T
        soft = np.where((age == 2) & (hypermetrope == 0), NONE, SOFT)
        hard = np.where((hypermetrope == 0) | (age == 0), HARD, NONE)
        return np.where(normal == 0, NONE, np.where(astigmatic == 1, hard, soft)).astype(np.int64)

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        cases = self.cases()
        X = cases[rng.integers(0, len(cases), size=n)]
        right = self.rule(X.values)
        shift = np.where(rng.random(n) < self.inherent_error, rng.integers(1, 3, size=n), 0)
        return Sample(X=X, y=(right + shift) % 3)

    def true_error(self, predicted: Labels) -> float:
        """The error on the whole population of a rule that gives these classes to the 24 `cases`."""
        right = np.asarray(predicted) == self.rule(self.cases().values)
        return float(np.where(right, self.inherent_error, 1 - self.inherent_error / 2).mean())


# ---- A surrogate of the EXP6 problem: two attributes, six classes with curved boundaries.


SIDE = 15.0  # Both attributes range from 0 to this.


@dataclass(frozen=True, slots=True, kw_only=True)
class Exp6(Source):
    """Points uniform on a square, in six classes with curved boundaries: a surrogate of EXP6.

    Dietterich (1998) used Kong's EXP6, two attributes on [0, 15]² and six classes, whose boundaries are not published
    there. The boundaries here are ours: two waves cut the square into three bands, a slanted parabola cuts the lower
    two, and a disc lies across the upper one. What they share with the original is the number of attributes and
    classes, the range, and that nearest neighbour beats C4.5. Results on it are comparable in kind only.
    """

    name: ClassVar[str] = "exp6"

    @staticmethod
    def rule(values: Array) -> NDArray[np.int64]:
        x, y = np.asarray(values, dtype=np.float64).T
        band = (y > 5 + 1.5 * np.sin(x)).astype(np.int64) + (y > 10 + 1.5 * np.cos(0.8 * x))
        right = x > 7 + 0.08 * (y - 6) ** 2
        disc = (x - 9) ** 2 + (y - 12) ** 2 < 7
        return np.asarray(np.where(band == 2, 4 + disc, 2 * band + right), dtype=np.int64)

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        points = rng.random((n, 2)) * SIDE
        return Sample(X=Table.build(points), y=self.rule(points))

    def calibration(self) -> Sample:
        """The grid of 151 × 151 points on which true errors are measured."""
        return _grid()

    def exam(self, n: int, n_test: int, rng: np.random.Generator) -> tuple[Sample, Sample]:
        return self.draw(n, rng), at_most(self.calibration(), n_test, rng)


@cache
def _grid() -> Sample:
    axis = np.linspace(0, SIDE, 151)
    points = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    return Sample(X=Table.build(points), y=Exp6.rule(points))
