"""Two learners on the folds of repeated cross-validation: what a comparison does by default."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from foldwise.core.errors import InvalidInput
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.scores import Scores
from foldwise.inference.repeated_cv import VARIANTS, Variant, repeated_cv_test
from foldwise.inference.student import StudentResult
from foldwise.inference.t_over_splits import corrected_repeated_cv_t
from foldwise.kinds.cross_validation import FoldKind
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.growth import Growth, fixed_scale
from foldwise.kinds.guarantee import STABLE, approximate, heuristic
from foldwise.kinds.procedure import Batch, Estimand, Procedure
from foldwise.kinds.references import BOUCKAERT, BOUCKAERT_FRANK
from foldwise.kinds.scores import ONE_SOURCE, OVERLAP, student_power_of

if TYPE_CHECKING:
    from foldwise.resampling.plan import Plan

__all__ = ["KINDS", "PROCEDURES", "REPEATED_CV"]


CALIBRATED = 10.0
"""Degrees of freedom of `use_all_data` for any number of runs (bouckaert2003)."""


class RepeatedCrossValidation(FoldKind):
    """k-fold cross-validation on several random partitions."""

    name = "repeated_cv"
    words = "scores of shape (runs, folds) from repeated cross-validation"
    assumes = (
        ONE_SOURCE,
        "the differences of any two folds correlate by the share of examples that is tested, 1/folds",
        "the mean difference over runs and folds is about normally distributed",
    )
    plots = ("differences", "heat_map")
    recommended = "corrected_repeated_cv_t"
    because = "the folds of repeated cross-validation overlap, and this test corrects the variance for it"
    grows_with = "runs"

    def natural(self, evidence: Evidence) -> bool:
        """Runs of folds, but for five of two with two learners."""
        if not isinstance(evidence, Scores) or len(evidence.shape) != 2:
            return False
        return len(evidence.names) > 2 or evidence.shape != (5, 2)

    def fits_shape(self, shape: tuple[int, ...]) -> bool:
        """Runs of folds."""
        return len(shape) == 2

    def plots_of(self, evidence: Scores) -> tuple[str, ...]:
        """A map of one run would be a row."""
        return super().plots_of(evidence) if evidence.shape[0] > 1 else super().plots_of(evidence)[:1]

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """Repeated cross-validation."""
        from foldwise.resampling.kfold import RepeatedKFold

        return RepeatedKFold(runs=runs, folds=folds, stratified=stratified)

    def growth(self, procedure: Procedure, *, folds: int, alpha: float, limit: int | None) -> Growth | None:
        """By runs."""
        return fixed_scale(procedure, folds=folds, alpha=alpha, limit=limit, partition=self.partition)

    def shape(self, design: Design) -> Shape:
        """All folds of all runs; leave-one-out is one partition, however often it is dealt."""
        if design.folds == design.n and design.runs > 1:
            raise InvalidInput(
                f"runs must be 1 where folds = n = {design.n}: leave-one-out has one partition, got {design.runs} runs"
            )
        return Shape(design.runs, design.folds, design.folds)


REPEATED_CV = RepeatedCrossValidation()
KINDS = (REPEATED_CV,)


def _corrected(batch: Batch) -> StudentResult:
    return corrected_repeated_cv_t(batch.data, test_train_ratio=batch.ratio)


def _corrected_law(n: int, ratio: float) -> tuple[float, float]:
    return 1 / math.sqrt(1 / n + ratio), n - 1.0


def _calibrated_law(n: int, _ratio: float) -> tuple[float, float]:
    df = min(CALIBRATED, n - 1.0)
    return math.sqrt(df + 1), df


def _variant(variant: Variant, df: float | Literal["calibrated"] | None, batch: Batch) -> StudentResult:
    return repeated_cv_test(batch.data, variant=variant, df=df, alpha=batch.alpha)


def _with_df(variant: Variant, procedure: Procedure, option: str) -> Procedure:
    """A variant with other degrees of freedom: ``calibrated`` or ``df=NUMBER``."""
    df: float | Literal["calibrated"] = "calibrated"
    if option != "calibrated":
        try:
            df = float(option.removeprefix("df="))
        except ValueError as error:
            raise InvalidInput(
                f"after '{procedure.name}:' must stand 'calibrated' or 'df=NUMBER', got {option!r}"
            ) from error
    words = "calibrated df" if df == "calibrated" else f"{df:g} df"
    return replace(
        procedure,
        name=f"{procedure.name}:{option}",
        title=f"{procedure.title}, {words}",
        run=partial(_variant, variant, df),
        guarantee=approximate(STABLE, counted="sources") if df == "calibrated" else heuristic("chosen df"),
        warning=None,
    )


_WEIGHTED = Estimand(how="mean of the differences, weighted by how little they vary")
"""Of a mean of t statistics: the interval that is dual to it lies around a weighted mean."""

PROCEDURES = (
    Procedure(
        name="corrected_repeated_cv_t",
        title="corrected repeated k-fold cv t test",
        kind=REPEATED_CV,
        run=_corrected,
        symbol="t",
        signed=True,
        reference=BOUCKAERT_FRANK,
        guarantee=approximate(STABLE, counted="sources"),
        power=student_power_of,
        settled=_corrected_law,
    ),
    *(
        Procedure(
            name=variant,
            title=f"repeated cv test, {variant.replace('_', ' ')}",
            kind=REPEATED_CV,
            run=partial(_variant, variant, None),
            symbol="t",
            signed=True,
            reference=f"{BOUCKAERT}, section 3",
            guarantee=heuristic(),
            power=student_power_of,
            settled=_calibrated_law if variant == "use_all_data" else None,
            estimand=_WEIGHTED if variant.endswith("averaged_t") else None,
            with_option=partial(_with_df, variant),
            warning=f"with its nominal degrees of freedom {OVERLAP} (bouckaert2003; ask for '{variant}:calibrated')",
        )
        for variant in VARIANTS
    ),
)
