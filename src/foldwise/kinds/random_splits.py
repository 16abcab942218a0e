"""Two learners on random divisions of one data set into training and test set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.types import Array
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.scores import Scores
from foldwise.inference.student import StudentResult
from foldwise.inference.t_over_splits import corrected_resampled_t, resampled_t
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.guarantee import STABLE, approximate, heuristic
from foldwise.kinds.procedure import Batch, Procedure, on_data
from foldwise.kinds.references import DIETTERICH, NADEAU_BENGIO
from foldwise.kinds.scores import ONE_SOURCE, OVERLAP, ScoreKind, student_power_of

if TYPE_CHECKING:
    from foldwise.resampling.plan import Plan

__all__ = ["KINDS", "PROCEDURES", "RANDOM_SPLITS"]


class RandomSplitScores(ScoreKind):
    """Splits drawn again and again; any two overlap."""

    name = "splits"
    words = "scores of shape (splits,) from random splits"
    assumes = (
        ONE_SOURCE,
        "two random splits correlate by the share of examples that is tested, n_test/(n_train + n_test)",
        "the mean difference over the splits is about normally distributed",
    )
    recommended = "corrected_resampled_t"
    because = "random splits overlap, and this test corrects the variance for it"
    grows_with = "splits"

    def natural(self, evidence: Evidence) -> bool:
        """One row of scores."""
        return isinstance(evidence, Scores) and len(evidence.shape) == 1

    def fits_shape(self, shape: tuple[int, ...]) -> bool:
        """One row of scores."""
        return len(shape) == 1

    def arranged(self, x: Array) -> Array:
        """One row: each run is a split."""
        return x.reshape(*x.shape[:-2], -1)

    def scored(self, scores: Array) -> Array:
        """Each run is a split."""
        return scores.ravel()

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """As many splits as repeated cross-validation has, each testing one part in `folds`."""
        from foldwise.resampling.random_splits import RandomSplits

        return RandomSplits(n=runs * folds, test_fraction=1 / folds, stratified=stratified)

    def shape(self, design: Design) -> Shape:
        """One part of a new dealing is tested each time."""
        return Shape(design.splits, design.parts, 1)

    def ratio(self, design: Design) -> float:
        """Of one split."""
        return design.n_test / (design.n - design.n_test)

    def n_train(self, design: Design) -> int:
        """All but the tested part."""
        return design.n - design.n_test

    def least_partitions(self) -> int:
        """One split says nothing about the variance between splits."""
        return 2


RANDOM_SPLITS = RandomSplitScores()
KINDS = (RANDOM_SPLITS,)


def _corrected(batch: Batch) -> StudentResult:
    return corrected_resampled_t(batch.data, test_train_ratio=batch.ratio)


PROCEDURES = (
    Procedure(
        name="resampled_t",
        title="resampled paired t test",
        kind=RANDOM_SPLITS,
        run=on_data(resampled_t),
        symbol="t",
        signed=True,
        reference=f"{DIETTERICH}, section 3.3",
        guarantee=heuristic(),
        power=student_power_of,
        warning=f"{OVERLAP}, the more the more splits are drawn (dietterich1998, section 3.3: never use it)",
    ),
    Procedure(
        name="corrected_resampled_t",
        title="corrected resampled t test",
        kind=RANDOM_SPLITS,
        run=_corrected,
        symbol="t",
        signed=True,
        reference=NADEAU_BENGIO,
        guarantee=approximate(STABLE, counted="sources"),
        power=student_power_of,
    ),
)
