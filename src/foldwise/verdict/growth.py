"""How the evidence of a test grows with ``runs="auto"``, and when its verdict is settled."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.inference.dealing_stability import dealing_stability
from foldwise.inference.moments import moments
from foldwise.inference.partition_stability import PartitionStability, partition_stability
from foldwise.inference.student import StudentResult, student_result
from foldwise.kinds import Batch, Procedure
from foldwise.kinds.resampled import AnyResampled, resampled

__all__ = ["FIRST_RUNS", "Growth", "fixed_procedure", "growth_of"]

FIRST_RUNS = 10
"""Runs to begin with, and the number that the degrees of freedom are fixed at."""

FIRST_DEALINGS = 5
"""Dealings of a round robin to begin with: with fewer their own spread is hardly known."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Growth:
    """What adding partitions to the evidence of a test needs.

    Attributes
    ----------
    procedure
        The test, with its scale and degrees of freedom fixed.
    first
        Partitions to begin with.
    cost
        What a partition costs, in runs of cross-validation.
    alpha
        Level of the test.
    stability
        How far a verdict at a level is from hinging on the partitioning, from differences whose first axis are
        partitions.
    """

    procedure: Procedure
    first: int
    cost: float
    alpha: float
    stability: Callable[..., PartitionStability]

    @property
    def kind(self) -> AnyResampled:
        """The kind of evidence that grows."""
        return resampled(self.procedure)

    def most(self, runs: int) -> int:
        """Partitions that cost as much as so many runs of cross-validation."""
        return max(self.first, int(runs / self.cost))


def growth_of(procedure: Procedure, *, folds: int, alpha: float, limit: int | None = None) -> Growth:
    """How the evidence of this test grows; refused for tests whose evidence does not.

    Parameters
    ----------
    procedure
        A test of the catalogue.
    folds, alpha
        Folds (or blocks), and the level.
    limit
        Number of independent pieces of data, where it bounds the degrees of freedom.
    """
    if procedure.name.partition(":")[0] == "round_robin":
        df = float(procedure.run(Batch(data=np.eye(folds))).df)  # of whatever differences
        stability = partial(dealing_stability, df=df)
        cost = (folds - 1) / 2
        return Growth(procedure=procedure, first=FIRST_DEALINGS, cost=cost, alpha=alpha, stability=stability)
    fixed, multiplier, df = fixed_procedure(procedure, folds, 1 / (folds - 1))
    freedom = df if limit is None else min(df, limit - 1)
    stability = partial(partition_stability, multiplier=multiplier, df=freedom)
    return Growth(procedure=fixed, first=FIRST_RUNS, cost=1, alpha=alpha, stability=stability)


def fixed_procedure(procedure: Procedure, folds: int, ratio: float) -> tuple[Procedure, float, float]:
    """The test with its scale and degrees of freedom fixed, so that more runs do not manufacture significance.

    Returns the procedure, the multiplier of mean/σ̂, and the degrees of freedom: for `corrected_repeated_cv_t` those of
    the first ten runs, for `use_all_data` the calibrated 10 (bouckaert2003). Where there are fewer than ten
    partitions, those there are count.
    """
    if procedure.name != "corrected_repeated_cv_t" and not procedure.name.startswith("use_all_data"):
        raise InvalidInput(
            "runs='auto' works with the tests corrected_repeated_cv_t, use_all_data and round_robin, got "
            f"'{procedure.name}'"
        )

    def constants(runs: int) -> tuple[float, float]:
        n = min(runs, FIRST_RUNS) * folds
        if procedure.name == "corrected_repeated_cv_t":
            return 1 / math.sqrt(1 / n + ratio), n - 1.0
        df = min(10.0, n - 1.0)
        return math.sqrt(df + 1), df

    def run(batch: Batch) -> StudentResult:
        multiplier, df = constants(len(batch.data))
        m = moments(batch.data.reshape(-1))
        return student_result(m.mean, np.sqrt(m.variance) / multiplier, df)

    return replace(procedure, run=run, warning=None), *constants(FIRST_RUNS)
