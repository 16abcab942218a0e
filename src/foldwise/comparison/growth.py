"""Which tests can be given more and more evidence, with ``runs="auto"``."""

from __future__ import annotations

from foldwise.core.errors import InvalidInput
from foldwise.designs import Procedure, find_procedure, procedure_names
from foldwise.designs.resampled import Growth, Resampled

__all__ = ["growth_of"]

USUAL_FOLDS = 10
"""Folds with which any test can be run."""


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
    found = _growth(procedure, folds, alpha, limit)
    if found is None:
        able = [name for name in procedure_names() if _growth(find_procedure(name), USUAL_FOLDS, alpha, None)]
        words = f"{', '.join(able[:-1])} and {able[-1]}"
        raise InvalidInput(f"runs='auto' works with the tests {words}, got '{procedure.name}'")
    return found


def _growth(procedure: Procedure, folds: int, alpha: float, limit: int | None) -> Growth | None:
    if not isinstance(procedure.kind, Resampled):
        return None
    return procedure.kind.growth(procedure, folds=folds, alpha=alpha, limit=limit)
