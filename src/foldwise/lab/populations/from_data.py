"""What the populations that are made from a data set share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from foldwise.core.decisions import Decision
from foldwise.core.digest import array_digest, digest
from foldwise.core.errors import InvalidInput
from foldwise.lab.populations.population import Null, Sample, Source, at_most


@dataclass(frozen=True, kw_only=True, repr=False)
class FromData(Source):
    """A population made from a data set."""

    data: Any  #: Name or path of the data set, a `Dataset`, or a pair (X, y)
    data_dir: str | None = None  #: Folder to look in; None for the environment's
    target: str | None = None  #: The class column, where it has to be said
    keep: tuple[str, ...] = ()  #: Columns that stay although they look like identifiers or dates, as in `foldwise.load`

    name: ClassVar[str] = "data"

    @cached_property
    def whole(self) -> Sample:
        """The whole data set; classes are numbered as they are declared."""
        return self._read[0]

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(map(str, self._read[1]))

    @cached_property
    def _read(self) -> tuple[Sample, tuple[Decision, ...]]:
        if isinstance(self.data, tuple):
            return _from_arrays(self.data, self.keep)
        from foldwise.data.dataset import Dataset
        from foldwise.data.loading import load

        if isinstance(self.data, Dataset):
            if self.keep:
                raise InvalidInput(f"keep must be given to load where data is a data set, got {self.keep!r}")
            dataset = self.data
        else:
            dataset = load(self.data, data_dir=self.data_dir, target=self.target, keep=self.keep)
        if dataset.classes is None:
            raise InvalidInput(
                f"population '{self.name}' needs a data set with classes, but {dataset.name!r} has a numeric target"
            )
        codes = {label: code for code, label in enumerate(dataset.classes)}
        y = np.array([codes[label] for label in dataset.y.tolist()], dtype=np.int64)
        return Sample(X=dataset.X, y=y), dataset.decisions

    @property
    def size(self) -> int:
        return len(self.whole.y)

    @property
    def classes(self) -> int:
        return len(np.unique(self.whole.y))

    @property
    def content(self) -> str:
        """Digest of the data, so that a store never mixes two files of one name."""
        return digest([array_digest(self.whole.X.values), array_digest(self.whole.y), self.whole.X.categories])

    @property
    def title(self) -> str:
        return str(self.data) if isinstance(self.data, (str, Path)) else str(getattr(self.data, "name", "data"))

    def __repr__(self) -> str:
        where = "" if self.data_dir is None else f", data_dir={self.data_dir!r}"
        what = "" if self.target is None else f", target={self.target!r}"
        kept = f", keep={self.keep!r}" if self.keep else ""
        return f"{type(self).__name__}(data={self.title!r}{where}{what}{kept})"

    def __getstate__(self) -> dict[str, object]:
        """Workers load a named data set themselves rather than receive it with every task."""
        return {"data": self.data, "data_dir": self.data_dir, "target": self.target, "keep": self.keep}


def _from_arrays(pair: tuple[object, ...], keep: Sequence[str]) -> tuple[Sample, tuple[Decision, ...]]:
    from foldwise.core.table import as_table
    from foldwise.engine.attributes import choose_attributes
    from foldwise.engine.examples import as_attributes

    if len(pair) != 2:
        raise InvalidInput(f"data must be a name, a path, a Dataset or a pair (X, y), got {len(pair)} things")
    chosen = choose_attributes(as_attributes(pair[0]), {}, keep)
    table, labels = as_table(chosen.X) if chosen.table is None else chosen.table, np.asarray(pair[1])
    if labels.shape != (len(table),):
        raise InvalidInput(f"y must have one label for each of the {len(table)} rows of X, got shape {labels.shape}")
    return Sample(X=table, y=np.unique(labels, return_inverse=True)[1].astype(np.int64)), chosen.decisions


# ---- Any data set taken as the population, as Dietterich did with Letter and Pima.


@dataclass(frozen=True, kw_only=True, repr=False)
class Finite(FromData):
    """Data sets are drawn without replacement from a larger one; the rest tells the true error."""

    name: ClassVar[str] = "finite"

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        return self.split(n, rng)[0]

    def exam(self, n: int, n_test: int, rng: np.random.Generator) -> tuple[Sample, Sample]:
        sample, rest = self.split(n, rng)
        return sample, at_most(rest, n_test, rng)

    def split(self, n: int, rng: np.random.Generator) -> tuple[Sample, Sample]:
        """A data set of n examples, and the rest of the population."""
        if n >= self.size:
            raise InvalidInput(f"n must be below the {self.size} examples of {self.title!r}, got {n}")
        order = rng.permutation(self.size)
        return self.whole.rows(order[:n]), self.whole.rows(order[n:])


# ---- A null hypothesis on the user's own data: the examples stay, their labels become guesses.


@dataclass(frozen=True, kw_only=True, repr=False)
class Exchange(FromData):
    """The attributes of a data set with labels that say nothing: every two learners are equally good.

    Rows of X are drawn without replacement, and labels independently of them, each of the K classes with probability
    1/K. Whatever a classifier predicts, it is right with probability 1/K, so that all classifiers have the error
    1 − 1/K. Permuting the labels that are there would not do: with classes of unequal frequency a learner that
    predicts the larger class more often would be better, and the null hypothesis false. Stratified folds bring a little
    of that back, because the classes of one data set are never quite equally frequent (see `Null`).
    """

    name: ClassVar[str] = "exchange"

    @property
    def null(self) -> Null:
        """Holds for any learners, with random folds."""
        return Null.RANDOM_FOLDS

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        if n > self.size:
            raise InvalidInput(f"n must be at most the {self.size} examples of {self.title!r}, got {n}")
        rows = rng.permutation(self.size)[:n]
        return Sample(X=self.whole.X[rows], y=rng.integers(0, self.classes, size=n))


# ---- Any Python function as a population.


@dataclass(frozen=True, kw_only=True, repr=False)
class FromFunction(Source):
    """A function ``f(n, rng)`` that returns n examples: attributes X of shape (n, columns) and n labels y.

    >>> coin = FromFunction(function=lambda n, rng: (rng.random((n, 2)), rng.integers(0, 2, n)))
    >>> coin.draw(5, np.random.default_rng(0)).X.shape
    (5, 2)
    """

    #: Takes the number of examples and a `numpy.random.Generator`. X may be a table, an array or a data frame.
    function: Callable[[int, np.random.Generator], object]

    @property
    def name(self) -> str:
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    @property
    def content(self) -> object:
        return self.function

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        from foldwise.core.table import as_table

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
