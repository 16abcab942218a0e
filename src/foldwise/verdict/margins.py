"""The margin of a comparison: what is asked of it, and the one-sided limits that answer."""

from __future__ import annotations

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Interval
from foldwise.core.validation import positive
from foldwise.evidence.evidence import Evidence
from foldwise.kinds import Procedure

__all__ = ["check_margin", "one_sided_limits"]


def check_margin(margin: float | None, alpha: float) -> float | None:
    """The margin, refused where it is not above 0 or where the level leaves no one-sided limits."""
    if margin is None:
        return None
    if alpha >= 0.5:
        raise InvalidInput(f"alpha must be below 0.5 where a margin is given, got {alpha:g}")
    return positive(margin, "margin")


def one_sided_limits(
    evidence: Evidence, procedure: Procedure, *, alpha: float, rope: float, margin: float | None
) -> Interval | None:
    """The limits of level 1 − alpha on either side, by the test's own interval; None where none are asked for or known.

    Notes
    -----
    Exchanging a and b mirrors the interval of every test, so that each of its ends errs as often as the other: the
    two-sided interval of level 1 − 2α consists of the two one-sided limits of level 1 − α.
    """
    if margin is None:
        return None
    return procedure.kind.findings(evidence, procedure, alpha=2 * alpha, rope=rope).interval
