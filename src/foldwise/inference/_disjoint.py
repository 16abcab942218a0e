"""The test over disjoint parts: each has a training set and a test set of its own, so that nothing is shared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.types import Alternative, Numbers
from foldwise.inference.many._sign_test import sign_test
from foldwise.inference.student import StudentResult, cautious_result, moments, samples

__all__ = [
    "DisjointResult",
    "disjoint",
]


# ---- The test over disjoint parts: each has a training set and a test set of its own, so that nothing is shared.


@dataclass(frozen=True, slots=True, kw_only=True)
class DisjointResult(StudentResult):
    """Outcome of the test over disjoint parts.

    Attributes
    ----------
    sign_pvalue
        p of the exact sign test over the parts that are not tied, which needs no assumption about the shape of the
        differences at all.
    """

    sign_pvalue: Numbers


def disjoint(x: ArrayLike, *, alternative: Alternative = "two-sided") -> DisjointResult:
    r"""Test whether two algorithms differ at this training size, from independent differences.

    Parameters
    ----------
    x
        Differences a − b on disjoint parts of the data, shape (..., parts); each part trains and tests both learners on
        examples that no other part sees. Leading axes are separate experiments.
    alternative
        ``"two-sided"``, ``"less"`` (a − b is below 0) or ``"greater"``.

    Returns
    -------
    DisjointResult
        Without variance nothing can be told: p = 1 and an unbounded interval.

    Notes
    -----
    The differences are independent and identically distributed whatever the learners are: Student's t over the parts,
    with parts − 1 degrees of freedom, and the exact sign test beside it.

    Examples
    --------
    >>> result = disjoint([0.1, 0.0, 0.2, 0.1, -0.1, 0.1])
    >>> float(round(result.pvalue, 4)), float(result.sign_pvalue)
    (0.1747, 0.375)
    """
    parts = samples(x)
    m = moments(parts)
    differ = np.abs(parts).max(axis=-1) > 0
    t = cautious_result(m.mean, np.sqrt(m.variance / m.n), m.n - 1.0, alternative, differ=differ)
    signs = sign_test(parts, np.zeros_like(parts), alternative=alternative)
    return DisjointResult(
        estimate=t.estimate,
        standard_error=t.standard_error,
        statistic=t.statistic,
        df=t.df,
        pvalue=t.pvalue,
        alternative=alternative,
        sign_pvalue=signs.pvalue,
    )
