"""How the evidence of a test grows with ``runs="auto"``, and when its verdict is settled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from foldwise.inference.stability import PartitionStability, partition_stability
from foldwise.inference.student import StudentResult, moments, student_result
from foldwise.kinds.procedure import Batch, Procedure

__all__ = ["FIRST_RUNS", "Growth", "fixed_procedure", "fixed_scale"]

FIRST_RUNS = 10
"""Runs to begin with, and the number that the degrees of freedom are fixed at."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Growth:
    """What adding partitions to the evidence of a test needs.

    Attributes
    ----------
    procedure
        The test, with its scale and degrees of freedom fixed.
    partition
        What one partition is called.
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
    partition: str
    first: int
    cost: float
    alpha: float
    stability: Callable[..., PartitionStability]

    def most(self, runs: int) -> int:
        """Partitions that cost as much as so many runs of cross-validation."""
        return max(self.first, int(runs / self.cost))


def fixed_scale(procedure: Procedure, *, folds: int, alpha: float, limit: int | None, partition: str) -> Growth | None:
    """Growth by runs of cross-validation, for tests that have a law of settled scale; None for the others."""
    if procedure.settled is None:
        return None
    fixed, multiplier, df = fixed_procedure(procedure, procedure.settled, folds, 1 / (folds - 1))
    freedom = df if limit is None else min(df, limit - 1)
    stability = partial(partition_stability, multiplier=multiplier, df=freedom)
    return Growth(procedure=fixed, partition=partition, first=FIRST_RUNS, cost=1, alpha=alpha, stability=stability)


def fixed_procedure(
    procedure: Procedure, settled: Callable[[int, float], tuple[float, float]], folds: int, ratio: float
) -> tuple[Procedure, float, float]:
    """The test with its scale and degrees of freedom fixed, so that more runs do not manufacture significance.

    Returns the procedure, the multiplier of mean/σ̂, and the degrees of freedom: those that it is `settled` at with the
    first ten runs. Where there are fewer than ten partitions, those there are count.
    """
    run = partial(_fixed, settled, folds, ratio)
    return replace(procedure, run=run, warning=None), *settled(FIRST_RUNS * folds, ratio)


def _fixed(
    settled: Callable[[int, float], tuple[float, float]], folds: int, ratio: float, batch: Batch
) -> StudentResult:
    *leading, runs, _ = batch.data.shape
    multiplier, df = settled(min(runs, FIRST_RUNS) * folds, ratio)
    m = moments(batch.data.reshape(*leading, -1))
    return student_result(m.mean, np.sqrt(m.variance) / multiplier, df)
