"""Any Python function as a population."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.lab.populations.population import Sample, Source

__all__ = ["FromFunction"]


@dataclass(frozen=True, kw_only=True, repr=False)
class FromFunction(Source):
    """A function ``f(n, rng)`` that returns n examples: attributes X of shape (n, columns) and n labels y.

    Attributes
    ----------
    function
        Takes the number of examples and a `numpy.random.Generator`. X may be a table, an array or a data frame.

    Examples
    --------
    >>> coin = FromFunction(function=lambda n, rng: (rng.random((n, 2)), rng.integers(0, 2, n)))
    >>> coin.draw(5, np.random.default_rng(0)).X.shape
    (5, 2)
    """

    function: Callable[[int, np.random.Generator], object]

    @property
    def name(self) -> str:
        """The function's name."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    @property
    def content(self) -> object:
        """What a store files its data under."""
        return self.function

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """A data set of n examples."""
        from foldwise.core.tables import as_table

        drawn = self.function(n, rng)
        if not isinstance(drawn, tuple) or len(drawn) != 2:
            raise InvalidInput(f"population '{self.name}' must return a pair (X, y), got {type(drawn).__name__}")
        X, y = drawn[0], np.asarray(drawn[1])
        shape = np.shape(X)
        if len(shape) != 2 or shape[0] != n or y.shape != (n,):
            raise InvalidInput(
                f"population '{self.name}' must return X of shape ({n}, columns) and y of shape ({n},), "
                f"got {shape} and {y.shape}"
            )
        return Sample(X=as_table(X), y=y)

    def __repr__(self) -> str:
        return self.name
