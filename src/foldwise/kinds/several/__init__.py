"""Kinds of evidence about several models or learners: one file each."""

from __future__ import annotations

from foldwise.evidence.evidence import SeveralEvidence
from foldwise.kinds.catalogue import DATA_SETS
from foldwise.kinds.kind import Basis
from foldwise.kinds.several import clusters, marks, outputs, random_splits, repeated_cv, right_wrong
from foldwise.kinds.several.basis import AnyBasis, PairTests, SeveralBasis

__all__ = ["MANY_KINDS", "SEVERAL", "AnyBasis", "PairTests", "SeveralBasis", "basis_of"]

SEVERAL: tuple[AnyBasis, ...] = (
    marks.OF_TASKS,
    marks.IN_TIME,
    right_wrong.BASIS,
    clusters.BASIS,
    marks.INDEPENDENT,
    marks.CLUSTERED,
    outputs.ANY_METRIC,
    outputs.AREAS,
    repeated_cv.BASIS,
    random_splits.BASIS,
)
"""Every kind of evidence about several models on the same items or folds."""

MANY_KINDS: tuple[Basis, ...] = (DATA_SETS, *SEVERAL)
"""Every kind of evidence about more than two."""


def basis_of(evidence: SeveralEvidence) -> AnyBasis:
    """The kind that the evidence is."""
    return next(basis for basis in SEVERAL if basis.natural(evidence))
