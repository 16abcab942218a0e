"""A null hypothesis on the user's own data: the examples stay, their labels become guesses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.lab.populations.from_data import FromData
from foldwise.lab.populations.null import Null
from foldwise.lab.populations.population import Sample

__all__ = ["Exchange"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Exchange(FromData):
    """The attributes of a data set with labels that say nothing: every two learners are equally good.

    Attributes
    ----------
    data, data_dir, target, keep
        As in `FromData`.

    Notes
    -----
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
        """A data set of n examples."""
        if n > self.size:
            raise InvalidInput(f"n must be at most the {self.size} examples of {self.title!r}, got {n}")
        rows = rng.permutation(self.size)[:n]
        return Sample(X=self.whole.X[rows], y=rng.integers(0, self.classes, size=n))
