"""What a trial looks like: how much data, and how it is resampled for each kind of test."""

from __future__ import annotations

import math
from dataclasses import dataclass

from foldwise.core.errors import InvalidInput
from foldwise.core.validation import integer
from foldwise.inference.catalogue import Needs

__all__ = ["Design"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Sizes of the resampling in each trial.

    Attributes
    ----------
    n
        Examples in one data set.
    runs, folds
        Of repeated cross-validation; `folds` also of a single one.
    splits
        Number of random splits for the resampled tests.
    parts
        A holdout or random split tests on one of this many parts of the data.
    repetitions
        How often the whole resampling is repeated on the same data set (for replicability).

    Examples
    --------
    >>> Design(n=300).n_test
    100
    """

    n: int = 300
    runs: int = 10
    folds: int = 10
    splits: int = 30
    parts: int = 3
    repetitions: int = 1

    def __post_init__(self) -> None:
        integer(self.n, "n", minimum=4)
        integer(self.runs, "runs", minimum=1)
        integer(self.folds, "folds", minimum=2)
        integer(self.splits, "splits", minimum=2)
        integer(self.repetitions, "repetitions", minimum=1)
        integer(self.parts, "parts", minimum=2)
        if max(self.folds, self.parts) > self.n:
            raise InvalidInput(f"folds and parts must be at most n = {self.n}, got {self.folds} and {self.parts}")

    @property
    def n_test(self) -> int:
        """Test examples in a holdout or a random split."""
        return self.n // self.parts

    def n_train(self, needs: Needs) -> int:
        """Training examples in the splits that this kind of test uses (one more where folds are uneven)."""
        if needs == "five_by_two":
            return self.n // 2
        if needs in ("kfold", "repeated_cv"):
            return self.n - math.ceil(self.n / self.folds)
        return self.n - self.n_test

    def ratio(self, needs: Needs) -> float:
        """n_test / n_train of the splits that this kind of test uses."""
        if needs == "five_by_two":
            return 1.0
        if needs in ("kfold", "repeated_cv"):
            return 1 / (self.folds - 1)
        return self.n_test / (self.n - self.n_test)

    def numbers(self, needs: Needs) -> int:
        """How many numbers this kind of evidence has in one trial and repetition."""
        return 4 if needs == "table" else self.fits(needs) // 2

    def fits(self, needs: Needs) -> int:
        """Number of trainings, of both learners together, that this kind of test costs."""
        splits = {"splits": self.splits, "kfold": self.folds, "five_by_two": 10, "repeated_cv": self.runs * self.folds}
        return 2 * splits.get(needs, 1)
