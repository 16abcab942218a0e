"""Bayesian networks of a class and binary attributes: naive Bayes plus acyclic arrows between attributes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Array
from foldwise.core.validation import integer

__all__ = ["Network", "random_network"]

Bits = NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True, eq=False)
class Network:
    """A class with probability ½ that is a parent of every binary attribute.

    Attributes
    ----------
    parents
        Per attribute the attributes, all of lower number, that it depends on besides the class.
    tables
        Per attribute the probability of 1 for each combination of class and parents, the class being the highest
        bit and the last parent the lowest.
    """

    parents: tuple[tuple[int, ...], ...]
    tables: tuple[Array, ...]

    @property
    def attributes(self) -> int:
        """Number of attributes."""
        return len(self.parents)

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Bits, Bits]:
        """N examples: attributes of shape (n, attributes) and classes, each 0 or 1."""
        y = rng.integers(0, 2, size=n, dtype=np.uint8)
        X = np.empty((n, self.attributes), dtype=np.uint8)
        uniform = rng.random((n, self.attributes))
        for a in range(self.attributes):
            X[:, a] = uniform[:, a] < self._probability(a, X, y)
        return X, y

    @cached_property
    def cases(self) -> Bits:
        """All 2^attributes combinations of attribute values."""
        grid = np.indices([2] * self.attributes, dtype=np.uint8)
        return grid.reshape(self.attributes, -1).T

    @cached_property
    def probabilities(self) -> Array:
        """The probability of each case with each class, of shape (cases, 2); it sums to 1."""
        both = [np.full(len(self.cases), label, dtype=np.uint8) for label in (0, 1)]
        return np.stack([self._likelihood(self.cases, y) / 2 for y in both], axis=1)

    def _likelihood(self, X: Bits, y: Bits) -> Array:
        product = np.ones(len(y))
        for a in range(self.attributes):
            one = self._probability(a, X, y)
            product *= np.where(X[:, a] == 1, one, 1 - one)
        return product

    def _probability(self, attribute: int, X: Bits, y: Bits) -> Array:
        """Of the attribute being 1 in each row, given the row's class and earlier attributes."""
        place = y.astype(np.int64)
        for parent in self.parents[attribute]:
            place = 2 * place + X[:, parent]
        return self.tables[attribute][place]


def random_network(attributes: int = 10, *, arrows: int, seed: int) -> Network:
    """A network with so many arrows at random places and uniform random probabilities.

    Parameters
    ----------
    attributes
        Number of attributes.
    arrows
        Arrows between attributes; each points from a lower to a higher number, so that there is no cycle.
    seed
        Determines the network.

    Examples
    --------
    >>> network = random_network(3, arrows=3, seed=0)
    >>> network.parents
    ((), (0,), (0, 1))
    >>> float(network.probabilities.sum().round(12))
    1.0
    """
    integer(attributes, "attributes", minimum=1)
    pairs = [(parent, child) for child in range(attributes) for parent in range(child)]
    if integer(arrows, "arrows", minimum=0) > len(pairs):
        raise InvalidInput(f"arrows must be at most {len(pairs)} for {attributes} attributes, got {arrows}")
    rng = stream(seed, "network", attributes, arrows)
    chosen = sorted(rng.choice(len(pairs), size=arrows, replace=False).tolist())
    parents: list[list[int]] = [[] for _ in range(attributes)]
    for parent, child in (pairs[place] for place in chosen):
        parents[child].append(parent)
    return Network(
        parents=tuple(map(tuple, parents)),
        tables=tuple(rng.random(2 ** (len(found) + 1)) for found in parents),
    )
