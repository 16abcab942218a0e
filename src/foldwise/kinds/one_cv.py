"""Two learners on the folds of one cross-validation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.types import Array
from foldwise.evidence.evidence import Evidence
from foldwise.inference.t_over_splits import kfold_cv_t
from foldwise.kinds.cross_validation import FoldKind
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.guarantee import heuristic
from foldwise.kinds.procedure import Procedure, on_data
from foldwise.kinds.references import DIETTERICH
from foldwise.kinds.scores import ONE_SOURCE, student_power_of

if TYPE_CHECKING:
    from foldwise.resampling.plan import Plan

__all__ = ["KINDS", "ONE_CV", "PROCEDURES"]


class OneCrossValidation(FoldKind):
    """k folds, each tested once; taken for this only where it is asked for."""

    name = "kfold"
    words = "scores of shape (folds,) or (1, folds) from one cross-validation"
    assumes = (
        ONE_SOURCE,
        "the differences on the folds are independent, which overlapping training sets do not quite grant",
        "the mean difference over the folds is about normally distributed",
    )
    recommended = "kfold_cv_t"
    because = "it was made for the folds of one cross-validation"
    grows_with = "folds"
    contained_in = "repeated_cv"

    def natural(self, evidence: Evidence) -> bool:
        """Never: the corrected test for repeated cross-validation serves one run as well."""
        return False

    def fits_shape(self, shape: tuple[int, ...]) -> bool:
        """One run."""
        return len(shape) == 1 or shape[0] == 1

    def arranged(self, x: Array) -> Array:
        """The only run."""
        return x[..., 0, :]

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """One cross-validation."""
        from foldwise.resampling.kfold import KFold

        return KFold(folds=folds, stratified=stratified)

    def shape(self, design: Design) -> Shape:
        """One run."""
        return Shape(1, design.folds, design.folds)

    def cut(self, larger: Array) -> Array:
        """The first run of repeated cross-validation is one cross-validation."""
        return larger[..., 0, :]


ONE_CV = OneCrossValidation()
KINDS = (ONE_CV,)

PROCEDURES = (
    Procedure(
        name="kfold_cv_t",
        title="k-fold cross-validated paired t test",
        kind=ONE_CV,
        run=on_data(kfold_cv_t),
        symbol="t",
        signed=True,
        reference=f"{DIETTERICH}, section 3.4",
        guarantee=heuristic(),
        power=student_power_of,
        warning="the training sets of the folds overlap, so that its Type I error is elevated "
        "(dietterich1998, section 3.4)",
    ),
)
