"""Two learners on five replications of two-fold cross-validation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.errors import InvalidInput
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.scores import Scores
from foldwise.inference.five_by_two_cv import FiveByTwoFResult, five_by_two_cv_f, five_by_two_cv_t
from foldwise.kinds.cross_validation import FoldKind
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.guarantee import heuristic
from foldwise.kinds.power import CombinedFPower
from foldwise.kinds.procedure import Estimand, Procedure, on_data
from foldwise.kinds.references import ALPAYDIN, DIETTERICH
from foldwise.kinds.scores import ONE_SOURCE, student_power_of

if TYPE_CHECKING:
    from foldwise.resampling.plan import Plan

__all__ = ["FIVE_BY_TWO", "KINDS", "PROCEDURES"]

DRAWS = 200
"""Draws in which five different halvings are looked for; fewer than five exist for 4 groups."""

FEWEST = 5
"""Examples that can be halved in five ways; four have three halvings."""


class FiveByTwoScores(FoldKind):
    """Five halvings; each half trains and tests."""

    name = "five_by_two"
    words = "scores of shape (5, 2) from five 2-fold cross-validations"
    assumes = (
        ONE_SOURCE,
        "the two halves of each replication give independent differences",
        "what holds for training on half of the data holds for training on all of it",
    )
    plots = ("differences", "heat_map")
    recommended = "five_by_two_cv_f"
    because = "it uses all ten differences of 5×2 cross-validation and does not depend on their order"

    def natural(self, evidence: Evidence) -> bool:
        """Five runs of two folds of two learners; more are compared as in any repeated cross-validation."""
        return isinstance(evidence, Scores) and self.fits_shape(evidence.shape) and len(evidence.names) == 2

    def fits_shape(self, shape: tuple[int, ...]) -> bool:
        """Five runs of two folds."""
        return shape == (5, 2)

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """Five halvings."""
        from foldwise.resampling.kfold import FiveByTwo

        return FiveByTwo(stratified=stratified)

    def shape(self, design: Design) -> Shape:
        """Five halvings, both halves tested."""
        if design.n < FEWEST:
            raise InvalidInput(f"n must be at least {FEWEST} for five different halvings, got {design.n}")
        return Shape(5, 2, 2)

    def ratio(self, design: Design) -> float:
        """Halves are equal."""
        return 1.0

    def n_train(self, design: Design) -> int:
        """One half."""
        return design.n // 2

    def least_partitions(self) -> int:
        """Five halvings that differ."""
        return 5

    def search_plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """More halvings than five, of which some repeat others."""
        from foldwise.resampling.kfold import RepeatedKFold

        return RepeatedKFold(runs=DRAWS, folds=2, stratified=stratified)

    def partitions_wanted(self, runs: int) -> int:
        """Five, however many are looked at."""
        return self.least_partitions()


FIVE_BY_TWO = FiveByTwoScores()
KINDS = (FIVE_BY_TWO,)


def _f_power(_evidence: Scores, result: FiveByTwoFResult) -> CombinedFPower:
    return CombinedFPower(within=float(result.within))


PROCEDURES = (
    Procedure(
        name="five_by_two_cv_t",
        title="5×2cv paired t test",
        kind=FIVE_BY_TWO,
        run=on_data(five_by_two_cv_t),
        symbol="t",
        signed=True,
        reference=f"{DIETTERICH}, section 3.5",
        guarantee=heuristic(),
        power=student_power_of,
        estimand=Estimand(how="first of the ten differences"),
        note="the statistic and the interval rest on the first of the ten differences alone, and change with their "
        "order",
    ),
    Procedure(
        name="five_by_two_cv_f",
        title="combined 5×2cv F test",
        kind=FIVE_BY_TWO,
        run=on_data(five_by_two_cv_f),
        symbol="F",
        signed=False,
        reference=ALPAYDIN,
        guarantee=heuristic(),
        power=_f_power,
    ),
)
