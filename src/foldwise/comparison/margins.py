"""The margin of a comparison: what is asked of it, and the one-sided limits that answer."""

from __future__ import annotations

import numpy as np

from foldwise.core.amounts import Amount, check_amount, margin_in
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Interval
from foldwise.designs import Procedure
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.score_table import ScoreTable

__all__ = ["check_margin", "margin_of", "one_sided_limits"]


def check_margin(margin: Amount | None, alpha: float) -> None:
    """Refuse what can't be a margin, or a level that leaves no one-sided limits, before anything is measured."""
    if margin is None:
        return
    if alpha >= 0.5:
        raise InvalidInput(f"alpha must be below 0.5 where a margin is given, got {alpha:g}")
    check_amount(margin, "margin", above=True)


def margin_of(
    margin: Amount | None,
    evidence: Evidence | ScoreTable,
    alpha: float,
    *,
    largest: float | None = None,
) -> float | None:
    """The margin in the unit of what was measured.

    Parameters
    ----------
    margin
        As somebody wrote it; None where nobody did.
    evidence
        What was measured.
    alpha
        The level.
    largest
        The largest difference there can be, where that is known beforehand.
    """
    check_margin(margin, alpha)
    if margin is None:
        return None
    means = np.nanmean(evidence.means, axis=0) if isinstance(evidence, ScoreTable) else evidence.means
    return margin_in(
        margin, metric=evidence.metric, unit=evidence.unit, means=means[~np.isnan(means)].tolist(), largest=largest
    )


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
