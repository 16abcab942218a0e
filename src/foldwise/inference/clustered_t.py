"""The paired t test over items in clusters, guarded against certainty that few or unequal clusters do not give."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.types import Alternative
from foldwise.core.validation import numbers
from foldwise.inference.clusters import find_clusters, robust_variance
from foldwise.inference.moments import moments
from foldwise.inference.student import StudentResult, student_result

__all__ = ["clustered_t"]


def clustered_t(x: ArrayLike, groups: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Test whether the mean of paired differences is zero when items of one cluster resemble each other.

    Parameters
    ----------
    x
        Differences a − b, shape (..., n); leading axes are separate experiments on the same items.
    groups
        The cluster of each item, as numbers or text; at least two clusters.
    alternative
        Which side of zero the alternative hypothesis allows.

    Returns
    -------
    StudentResult
        Its standard error is 0 only where all differences are the same.

    Notes
    -----
    `clustered_difference` (CR2 with Satterthwaite's degrees of freedom [1]_) with two guards:

    - CR2 is unbiased when items are independent, and too small when clusters differ in size and their items are alike:
      it is divided by its expected share, and the degrees of freedom are taken, at the intraclass correlation that the
      items show (`working_correlation`). For clusters of one size nothing changes.
    - Clusters may have equal means by chance: the standard error is never below that of `paired_t`, which takes the
      items as independent.

    References
    ----------
    .. [1] Bell & McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage
       samples, Survey Methodology 28, 169-181.

    Examples
    --------
    >>> result = clustered_t([0.2, 0.3, 0.1, 0.0, -0.1, 0.4], ["p", "p", "q", "q", "r", "r"])
    >>> round(float(result.estimate), 4), round(float(result.df), 4), round(float(result.pvalue), 4)
    (0.15, 2.0, 0.1885)
    """
    values = numbers(x, "x", min_ndim=1)
    n = values.shape[-1]
    clusters = find_clusters(groups, n)
    m = moments(values)
    between, df = robust_variance(values, clusters)
    return student_result(m.mean, np.sqrt(np.maximum(between, m.variance / n)), df, alternative)
