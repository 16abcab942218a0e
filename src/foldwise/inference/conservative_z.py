"""The conservative Z test: the variance comes from disjoint halves of the data, which have more of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative
from foldwise.core.validation import moderate, numbers
from foldwise.inference.cautious import ROUNDING, cautious_result
from foldwise.inference.student import StudentResult

__all__ = ["conservative_z"]


def conservative_z(x: ArrayLike, halves: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Test whether two learners differ, with a variance that is too large rather than too small.

    Parameters
    ----------
    x
        Differences a − b on random splits of all examples, shape (..., splits); leading axes are separate experiments.
    halves
        Differences on random splits of two disjoint halves of the examples, halved again and again: (..., halvings, 2,
        splits). The test sets are as large as those of `x`, the training sets smaller.
    alternative
        ``"two-sided"``, ``"less"`` (a − b is below 0) or ``"greater"``.

    Returns
    -------
    StudentResult
        With infinite degrees of freedom. Without variance nothing can be told: p = 1 and an unbounded interval.

    Notes
    -----
    With :math:`\hat\mu_m` and :math:`\hat\mu_m^c` the means over the splits of the two halves,
    :math:`\hat\sigma^2 = \frac{1}{2M}\sum_m (\hat\mu_m-\hat\mu_m^c)^2` is an unbiased estimate of the variance of the
    same estimate on half the data, which is larger than on all of it [1]_. :math:`z = \bar x/\hat\sigma` is referred
    to the normal distribution.

    References
    ----------
    .. [1] Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52.

    Examples
    --------
    >>> result = conservative_z([0.1, 0.2], [[[0.1, 0.2], [0.0, 0.1]], [[0.2, 0.2], [0.1, 0.0]]])
    >>> float(round(result.estimate, 3)), float(round(result.standard_error, 4))
    (0.15, 0.0901)
    """
    splits, parts = numbers(x, "x", min_ndim=1), numbers(halves, "halves", min_ndim=3)
    if parts.shape[-2] != 2 or 0 in parts.shape or 0 in splits.shape or parts.shape[:-3] != splits.shape[:-1]:
        raise InvalidInput(
            f"halves must have shape (..., halvings, 2, splits) for x of shape (..., splits), got {parts.shape} and "
            f"{splits.shape}"
        )
    for name, values in (("x", splits), ("halves", parts)):
        moderate(values, name)
    apart = np.diff(parts.mean(axis=-1), axis=-1)[..., 0]
    error = np.sqrt(np.mean(apart**2, axis=-1) / 2)
    largest = np.maximum(np.abs(splits).max(axis=-1), np.abs(parts).max(axis=(-3, -2, -1)))
    error = np.where(error <= ROUNDING * largest, 0.0, error)
    return cautious_result(np.asarray(splits.mean(axis=-1)), error, np.inf, alternative, differ=largest > 0)
