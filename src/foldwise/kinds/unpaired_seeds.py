"""Two models, each trained several times with seeds of its own, every training marked on the same items."""

from __future__ import annotations

from typing import Any

import numpy as np

from foldwise.core.types import Array
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.seed_marks import SeedMarks
from foldwise.inference.crossed_designs import unpaired_seeds
from foldwise.inference.student import StudentResult
from foldwise.inference.variance_split import VarianceSource, VarianceSplit
from foldwise.kinds.crossed import HIGHEST, SATTERTHWAITE, SeedKind, seed_power, sources_of
from foldwise.kinds.design import Design
from foldwise.kinds.guarantee import approximate
from foldwise.kinds.procedure import Batch, Procedure

__all__ = ["KINDS", "PROCEDURES", "UNPAIRED_SEEDS"]


class UnpairedSeeds(SeedKind):
    """Seeds of one model have nothing to do with those of the other."""

    name = "unpaired_seeds"
    words = "the marks of both models on the same items, each trained several times with seeds of its own"
    recommended = "unpaired_seeds"
    because = (
        "each model was trained with seeds of its own, and all trainings were marked on the same items: seeds of "
        "either and items are samples, and it reckons with all three"
    )

    def fits(self, evidence: Evidence) -> bool:
        """Seeds that are not paired."""
        return isinstance(evidence, SeedMarks) and not evidence.paired

    def batch(self, evidence: SeedMarks, alpha: float) -> Batch:
        """The marks of both models, those of b below those of a; `groups` tells the rows apart."""
        rows = np.repeat([0, 1], [len(evidence.a), len(evidence.b)])
        return Batch(data=np.concatenate([evidence.a, evidence.b]), alpha=alpha, groups=rows, given=evidence)

    def numbers(self, design: Design) -> int:
        """A mark of either model for every seed and item."""
        return 2 * design.runs * design.n

    def mean_difference(self, data: Array) -> Array:
        """Of the means over seeds and items."""
        a, b = np.split(data.mean(axis=-1), 2, axis=-1)
        return np.asarray(a.mean(axis=-1) - b.mean(axis=-1))

    def drawn(self, data: Array, design: Design, alpha: float) -> Batch:
        """Equally many seeds of both."""
        return Batch(data=data, alpha=alpha, groups=np.repeat([0, 1], data.shape[-2] // 2))

    def analysed(self, evidence: SeedMarks) -> tuple[StudentResult, VarianceSplit]:
        """Item-wise differences of means over seeds, and both models' seeds."""
        result, units = unpaired_seeds(evidence.a, evidence.b, evidence.groups), evidence.units
        seeds, rest = sources_of(result.a, result.b, units=units)
        adds = max(float(result.item_term) - rest.adds, 0.0)
        items = VarianceSource(name=units, variance=adds * result.a.items, adds=adds, over=(units,))
        error = float(result.student.standard_error)
        return result.student, VarianceSplit(standard_error=error, sources=(seeds, items, rest))


UNPAIRED_SEEDS = UnpairedSeeds()
KINDS = (UNPAIRED_SEEDS,)


def _run(batch: Batch) -> Any:
    if isinstance(batch.given, SeedMarks):
        return unpaired_seeds(batch.given.a, batch.given.b, batch.given.groups).student
    first = np.asarray(batch.groups) == 0
    return unpaired_seeds(batch.data[..., first, :], batch.data[..., ~first, :]).student


PROCEDURES = (
    Procedure(
        name="unpaired_seeds",
        title="analysis of unpaired seeds and items",
        kind=UNPAIRED_SEEDS,
        run=_run,
        symbol="t",
        signed=True,
        reference=SATTERTHWAITE,
        guarantee=approximate(cited=(HIGHEST, "2 to 10 seeds")),
        power=seed_power,
    ),
)
