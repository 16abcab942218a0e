"""Any data set taken as the population, as Dietterich did with Letter and Pima."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.lab.populations.population import Sample

__all__ = ["Finite"]


@dataclass(frozen=True, kw_only=True)
class Finite:
    """Data sets are drawn without replacement from a larger one; the rest tells the true error.

    Attributes
    ----------
    data
        Name or path of the data set.
    data_dir
        Folder to look in; None for the environment's.
    target
        The class column, where it has to be said.
    """

    data: str
    data_dir: str | None = None
    target: str | None = None

    name: ClassVar[str] = "finite"

    @cached_property
    def _loaded(self) -> Any:
        from foldwise.data import load

        return load(self.data, data_dir=self.data_dir, target=self.target)

    @property
    def content(self) -> str:
        """Digest of the data, so that a store never mixes two files of one name."""
        return str(self._loaded.hash)

    @cached_property
    def whole(self) -> Sample:
        """The population itself."""
        dataset = self._loaded
        if dataset.classes is None:
            raise InvalidInput(
                f"population 'finite' needs a data set with classes, but {self.data!r} has a numeric target"
            )
        codes = {label: code for code, label in enumerate(dataset.classes)}
        return Sample(X=dataset.X, y=np.array([codes[label] for label in dataset.y.tolist()], dtype=np.int64))

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """A data set of n examples."""
        return self.split(n, rng)[0]

    def split(self, n: int, rng: np.random.Generator) -> tuple[Sample, Sample]:
        """A data set of n examples, and the rest of the population."""
        whole = self.whole
        size = len(whole.y)
        if n >= size:
            raise InvalidInput(f"n must be below the {size} examples of {self.data!r}, got {n}")
        order = rng.permutation(size)
        return _rows(whole, order[:n]), _rows(whole, order[n:])

    def __getstate__(self) -> dict[str, Any]:
        """Workers load the data themselves rather than receive it with every task."""
        return {"data": self.data, "data_dir": self.data_dir, "target": self.target}


def _rows(sample: Sample, rows: Any) -> Sample:
    return Sample(X=sample.X[rows], y=sample.y[rows])
