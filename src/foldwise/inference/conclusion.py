"""What one-sided limits say about a margin: superior, non-inferior, equivalent, inferior, or undecided."""

from __future__ import annotations

from typing import Literal, TypeAlias

from foldwise.core.types import Interval
from foldwise.core.validation import positive

__all__ = ["Conclusion", "conclusion"]

Conclusion: TypeAlias = Literal["superior", "non-inferior", "equivalent", "inferior", "undecided"]


def conclusion(
    limits: Interval | None,
    *,
    margin: float,
    higher_is_better: bool = True,
) -> Conclusion:
    r"""Conclude about a against b, the candidate against the baseline, from limits for the difference a − b.

    Parameters
    ----------
    limits
        The one-sided lower and the one-sided upper limit of level 1 − α: the two-sided interval of level 1 − 2α. None
        where the evidence has none.
    margin
        The largest difference that does not matter, above 0, in the unit of the limits.
    higher_is_better
        False for losses: a is better where a − b is negative.

    Returns
    -------
    Conclusion
        With L and U the limits for how much better a is, and m the margin: "superior" if L > m, "equivalent" if
        −m < L and U < m, "non-inferior" if L > −m only, "inferior" if U < −m, and otherwise "undecided".

    Notes
    -----
    Each claim is a one-sided test of level α [1]_; "equivalent" is two of them [2]_. Superior and equivalent imply
    non-inferior, and no two of superior, equivalent and inferior go together. Where a − b is turned round, superior
    becomes inferior and equivalent stays; non-inferior becomes undecided, since it says nothing in favour of b.

    The limits alone decide. A two-sided test of level α may show no difference where a one-sided limit of that level
    lies beyond a margin near 0, or where its p-value rests on another approximation than the limits: neither takes
    back what they show.

    References
    ----------
    .. [1] Piaggio, Elbourne, Pocock, Evans & Altman (2012), Reporting of noninferiority and equivalence randomized
       trials, JAMA 308, 2594-2604.
    .. [2] Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for assessing
       the equivalence of average bioavailability, Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.

    Examples
    --------
    >>> conclusion(Interval(low=-0.004, high=0.031), margin=0.01)
    'non-inferior'
    >>> conclusion(Interval(low=0.012, high=0.031), margin=0.01)
    'superior'
    """
    m = positive(margin, "margin")
    if limits is None:
        return "undecided"
    lead = limits if higher_is_better else -limits
    if lead.low > m:
        return "superior"
    if lead.low > -m:
        return "equivalent" if lead.high < m else "non-inferior"
    return "inferior" if lead.high < -m else "undecided"
