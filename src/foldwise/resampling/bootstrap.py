"""The bootstrap: train on a sample with replacement, test on what it left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Integers, Json
from foldwise.core.validation import integer
from foldwise.resampling.cases import Cases
from foldwise.resampling.plan import Plan

__all__ = ["Bootstrap"]


@dataclass(frozen=True, slots=True)
class Bootstrap(Plan):
    """Samples of n examples drawn with replacement; the examples not drawn are tested.

    Parameters
    ----------
    n
        Number of samples; adding some leaves the earlier ones as they are.

    Notes
    -----
    A sample that leaves nothing out (likely for a handful of examples only) is drawn again. Where groups are given,
    as many groups as there are get drawn with replacement, each with all its examples.

    References
    ----------
    .. [1] Efron (1983), Estimating the error rate of a prediction rule, JASA 78, 316–331.

    Examples
    --------
    >>> split = Bootstrap(100).split(99, 50, seed=0)
    >>> split.n_train, bool(np.isin(split.test, split.train).any())
    (50, False)
    """

    n: int = 100

    def __post_init__(self) -> None:
        integer(self.n, "n", minimum=1)

    @property
    def identity(self) -> dict[str, Json]:
        """Nothing but the name."""
        return {"plan": "bootstrap"}

    def describe(self) -> str:
        """For example "100 bootstrap samples"."""
        return f"{self.n} bootstrap samples" if self.n > 1 else "one bootstrap sample"

    def _shape(self, cases: Cases) -> tuple[int, int]:
        if cases.groups is not None and not cases.groups.any():
            raise InvalidInput("groups must be at least 2, got 1")
        return self.n, 1

    def _assign(self, run: int, cases: Cases, seed: int) -> Integers:
        """The units (groups or examples) that are drawn, in order."""
        rng = stream(seed, "bootstrap", run)
        units = cases.n if cases.groups is None else int(cases.groups.max()) + 1
        while True:
            drawn: Integers = np.sort(rng.integers(units, size=units))
            if len(np.unique(drawn)) < units:
                return drawn

    def _cut(self, assignment: Integers, fold: int, cases: Cases) -> tuple[Integers, Integers]:
        groups = np.arange(cases.n) if cases.groups is None else cases.groups
        times = np.bincount(assignment, minlength=int(groups.max()) + 1)[groups]
        return np.repeat(np.arange(cases.n), times), np.flatnonzero(times == 0)
