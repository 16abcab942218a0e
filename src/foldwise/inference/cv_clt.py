"""The central-limit z test of one cross-validation: every example is tested once, and counts as one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.types import Alternative
from foldwise.inference.cautious import cautious_result
from foldwise.inference.moments import moments, samples
from foldwise.inference.student import StudentResult

__all__ = ["cv_clt"]


def cv_clt(d: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Test whether the models of one k-fold cross-validation differ, from the differences on its examples.

    Parameters
    ----------
    d
        Differences a − b of the two learners' losses or scores on each example, shape (..., n); each example is tested
        by the models that were trained without its fold. Leading axes are separate experiments.
    alternative
        ``"two-sided"``, ``"less"`` (a − b is below 0) or ``"greater"``.

    Returns
    -------
    StudentResult
        With infinite degrees of freedom. Without variance nothing can be told: p = 1 and an unbounded interval.

    Notes
    -----
    :math:`z = \sqrt n\,\bar d / s(d)` is referred to the normal distribution [1]_. What it is about is the mean
    difference of the k models that were fitted, for learners that are stable: as a test of the algorithms it leaves
    out what another training set would change.

    References
    ----------
    .. [1] Bayle, Bayle, Janson & Mackey (2020), Cross-validation confidence intervals for test error, NeurIPS 33.

    Examples
    --------
    >>> result = cv_clt([1, 0, 0, 1, -1, 0, 1, 1, 0, 1])
    >>> float(round(result.statistic, 3)), float(round(result.pvalue, 4))
    (1.809, 0.0704)
    """
    x = samples(d, "d")
    m = moments(x)
    return cautious_result(m.mean, np.sqrt(m.variance / m.n), np.inf, alternative, differ=np.abs(x).max(axis=-1) > 0)
