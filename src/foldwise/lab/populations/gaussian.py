"""Martin and Hirschberg's populations: two normal classes on one attribute, with true errors known exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.core.types import Array, Labels
from foldwise.core.validation import numbers
from foldwise.lab.populations.population import Sample, Source

__all__ = ["Gaussian", "possible_boundaries"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaussian(Source):
    """Two equally likely classes, normal with the same variance on one attribute.

    Attributes
    ----------
    inherent_error
        Error of the best possible rule, from above 0 to 0.5; it sets the distance of the means.

    Notes
    -----
    Class 0 has mean −μ and class 1 mean μ, both variance 1, with Φ(−μ) the inherent error [1]_.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II, appendix B.1.

    Examples
    --------
    >>> population = Gaussian(inherent_error=0.1)
    >>> round(population.true_error(lambda x: (x > 0).astype(int), [0.0]), 12)
    0.1
    """

    inherent_error: float = 0.1

    name: ClassVar[str] = "gaussian"

    def __post_init__(self) -> None:
        if not 0 < float(self.inherent_error) <= 0.5:
            raise InvalidInput(f"inherent_error must be above 0 and at most 0.5, got {self.inherent_error!r}")

    @property
    def mean(self) -> float:
        """μ, the mean of class 1."""
        return -float(special.ndtri(self.inherent_error))

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """A data set of n examples, at least one of each class."""
        labels = rng.integers(0, 2, size=n)
        while labels.min() == labels.max():
            labels = rng.integers(0, 2, size=n)
        values = rng.standard_normal(n) + np.where(labels == 1, self.mean, -self.mean)
        return Sample(X=Table.build(values[:, None]), y=labels)

    def true_error(self, predict: Callable[[Array], Labels], boundaries: ArrayLike) -> float:
        """The error of a rule on the whole population, by integrating its decision regions.

        Parameters
        ----------
        predict
            Gives the class, 0 or 1, of each attribute value in an array.
        boundaries
            Every value at which the prediction might change; values at which it does not change do no harm. For
            nearest neighbours and trees see `possible_boundaries`.
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

    Examples
    --------
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
