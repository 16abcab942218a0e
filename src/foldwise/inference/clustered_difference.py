"""The paired difference when test items come in clusters: several images of one patient, sentences of one text."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.types import Alternative
from foldwise.core.validation import numbers, one_of
from foldwise.inference.clusters import find_clusters, variance_quality
from foldwise.inference.student import StudentResult, student_result

__all__ = ["clustered_difference"]

Method = Literal["CR2", "CR0"]


def clustered_difference(
    differences: ArrayLike, groups: ArrayLike, *, method: Method = "CR2", alternative: Alternative = "two-sided"
) -> StudentResult:
    r"""Test whether the mean difference is zero when items of one group resemble each other.

    Parameters
    ----------
    differences
        Per test item error(A) − error(B), that is −1, 0 or 1, or any other paired difference; the last axis
        runs over the items, the leading ones are a batch.
    groups
        The group of each item, as numbers or text; at least two groups.
    method
        ``"CR2"`` is unbiased when items are independent and takes Satterthwaite's degrees of freedom, which
        matters with few groups or unequal ones [1]_; ``"CR0"`` is the plain sandwich with G − 1 degrees.
    alternative
        Which side of zero the alternative hypothesis allows.

    Notes
    -----
    With residuals :math:`r_i=e_i-\bar e` and groups c of :math:`n_c` items, CR0 is
    :math:`SE^2=n^{-2}\sum_c(\sum_{i\in c}r_i)^2`; CR2 divides each square by :math:`1-n_c/n`, which is
    Bell and McCaffrey's correction for a model that has a mean only. Its degrees of freedom are
    :math:`n^2/(\sum n_c^2+((\sum w_c)^2-\sum w_c^2)/n^2)` with :math:`w_c=n_c^2/(1-n_c/n)`: G − 1 for groups of
    equal size. With one item per group CR2 is the paired t test.

    References
    ----------
    .. [1] Bell & McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage
       samples, Survey Methodology 28, 169-181.

    Examples
    --------
    >>> result = clustered_difference([1, 1, 0, 0, -1, 0], ["p", "p", "q", "q", "r", "r"])
    >>> round(float(result.estimate), 4), round(float(result.df), 4), round(float(result.pvalue), 4)
    (0.1667, 2.0, 0.7418)
    """
    one_of(method, "method", ("CR2", "CR0"))
    values = numbers(differences, "differences", min_ndim=1)
    n = values.shape[-1]
    clusters = find_clusters(groups, n)
    sizes = clusters.sizes
    shrink = 1 - sizes / n if method == "CR2" else np.ones_like(sizes)
    standard_error = np.sqrt((clusters.residual_sums(values) ** 2 / shrink).sum(axis=-1)) / n
    df = float(variance_quality(sizes, np.array(0.0))[1]) if method == "CR2" else len(sizes) - 1
    return student_result(np.asarray(values.mean(axis=-1)), np.asarray(standard_error), df, alternative)
