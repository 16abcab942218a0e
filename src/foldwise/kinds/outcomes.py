"""What the kinds of evidence share that come from predictions on one test set: who was right on which example."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Interval, Labels
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.outcomes import Outcomes
from foldwise.kinds.curves import PosteriorCurve
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.procedure import Procedure
from foldwise.kinds.resampled import Resampled
from foldwise.kinds.serial import serial_caveats

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan

__all__ = ["FIXED", "OutcomeKind", "curve_in_unit", "in_unit", "unseen_caveats"]

FIXED = "both models were fixed before they saw the test examples: nothing was tuned on them"
"""What all tests of fitted models assume."""


class OutcomeKind(Resampled[Outcomes]):
    """Two fitted models on one test set; learners are trained on two thirds of the data and tested on the rest."""

    counts_right_answers = True
    plots: ClassVar[tuple[str, ...]] = ("outcomes",)
    limit = "one test set: the answer is about these fitted models, not about the algorithms that trained them"

    @abstractmethod
    def fits_outcomes(self, outcomes: Outcomes) -> bool:
        """Whether these outcomes can be taken for this kind."""

    def fits(self, evidence: Evidence) -> bool:
        """Outcomes, of the right sort."""
        return isinstance(evidence, Outcomes) and self.fits_outcomes(evidence)

    def estimand(self, evidence: Outcomes, procedure: Procedure, names: tuple[str, str]) -> str:
        """About the fitted models, on examples like these."""
        return (
            f"over test examples like these, the {procedure.measure_words(evidence.metric)} of these two fitted "
            "models; another training set may give other models."
        )

    def caveats(self, evidence: Outcomes, procedure: Procedure, names: tuple[str, str], rope: float) -> list[str]:
        """What the predictions themselves make one notice."""
        caveats = serial_caveats(evidence)
        if evidence.n01 + evidence.n10 == 0:
            caveats.append(
                "the two classifiers are right and wrong on the same examples, so there is no evidence of a difference"
            )
        return caveats + unseen_caveats(names, evidence.unseen)

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """One holdout."""
        from foldwise.resampling.random_splits import Holdout

        return Holdout(stratified=stratified)

    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> Outcomes:
        """Who was right on the one test set."""
        if result.classes is None:
            raise InvalidInput("tests on predictions need classifiers, but the learners do regression")
        test = result.splits[0].test
        truth = result.y[test]
        right = [outcomes[0] == truth for outcomes in result.outcomes]
        return Outcomes.from_correct(right[0], right[1], groups=None if groups is None else np.asarray(groups)[test])

    def shape(self, design: Design) -> Shape:
        """One part of the data is tested, once."""
        return Shape(1, design.parts, 1)

    def ratio(self, design: Design) -> float:
        """Of the holdout."""
        return design.n_test / (design.n - design.n_test)

    def n_train(self, design: Design) -> int:
        """All but the tested part."""
        return design.n - design.n_test

    def numbers(self, design: Design) -> int:
        """The four counts."""
        return 4

    def measured(self, ids: NDArray[np.int64], right: tuple[NDArray[np.bool_], NDArray[np.bool_]]) -> Array:
        """The counts n00, n01, n10, n11 on the tested part."""
        a, b = (answers[ids >= 0] for answers in right)
        cells = [~a & ~b, ~a & b, a & ~b, a & b]
        return np.array([cell.sum() for cell in cells], dtype=np.float64)

    def mean_difference(self, data: Array) -> Array:
        """Difference of accuracies."""
        return np.asarray((data[:, 2] - data[:, 1]) / data.sum(axis=1))


def unseen_caveats(names: Sequence[str], unseen: Sequence[int]) -> list[str]:
    """Of which models how many predictions are labels that never occur in the truth; none where nobody counted."""
    return [
        f"{count} prediction{'s' * (count != 1)} of {name} {'are labels' if count != 1 else 'is a label'} that "
        f"never occur{'s' * (count == 1)} in the truth; counted as wrong"
        for name, count in zip(names, unseen, strict=bool(unseen))
        if count
    ]


def in_unit(gains: Interval, evidence: Outcomes) -> Interval:
    """An interval for the difference of right answers, in the metric's own unit and direction."""
    turned = gains if evidence.higher_is_better else -gains
    return Interval(low=evidence.scale * float(turned.low), high=evidence.scale * float(turned.high))


def curve_in_unit(gains: Array, density: Array, evidence: Outcomes) -> PosteriorCurve:
    """A density of the difference of right answers, in the metric's own unit and direction."""
    x, height = evidence.factor * gains + 0.0, density / evidence.scale
    order = slice(None) if evidence.higher_is_better else slice(None, None, -1)
    return PosteriorCurve(difference=x[order], height=height[order])
