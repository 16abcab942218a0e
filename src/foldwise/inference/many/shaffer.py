"""Shaffer's static adjustment of all pairwise comparisons."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.types import Array
from foldwise.inference.many.pair_matrix import from_pairs, pairs_of

__all__ = ["shaffer"]


def shaffer(pvalues: ArrayLike) -> Array:
    r"""Adjust the p-values of all pairs of k learners, using that not every subset of them can be equal.

    Parameters
    ----------
    pvalues
        Symmetric k × k matrix; the diagonal is not looked at.

    Returns
    -------
    Array
        Adjusted p-values as a k × k matrix with 1 on the diagonal; never above Holm's.

    Notes
    -----
    :math:`p_{(i)}` is multiplied by :math:`t_i`, the largest number of hypotheses not above m − i + 1 that can be
    true together. The possible numbers are :math:`S(k) = \bigcup_{j=1}^{k} \{\binom j2 + x : x \in S(k-j)\}` with
    :math:`S(0) = S(1) = \{0\}`.

    References
    ----------
    .. [1] Shaffer (1986), Modified sequentially rejective multiple test procedures, Journal of the American
       Statistical Association 81.
    .. [2] García & Herrera (2008), An extension on "Statistical comparisons of classifiers over multiple data sets"
       for all pairwise comparisons, Journal of Machine Learning Research 9.

    Examples
    --------
    >>> shaffer([[1, 0.01, 0.04], [0.01, 1, 0.03], [0.04, 0.03, 1]])[0]
    array([1.  , 0.03, 0.04])
    """
    p, k = pairs_of(pvalues)
    order = np.argsort(p, kind="stable")
    possible = np.array(_true_counts(k))
    remaining = np.arange(len(p), 0, -1)
    factor = possible[np.searchsorted(possible, remaining, side="right") - 1]
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(np.maximum(factor, 1) * p[order]))
    return from_pairs(adjusted, k)


@lru_cache(maxsize=64)
def _true_counts(k: int) -> tuple[int, ...]:
    """How many of the pairs of k learners can be equal at the same time.

    Sets of counts are the bits of whole numbers, so that adding to all members is one shift: 300 learners have 44850
    pairs.

    Examples
    --------
    >>> _true_counts(4)
    (0, 1, 2, 3, 6)
    """
    sets = [1, 1]
    for size in range(2, k + 1):
        bits = 0
        for j in range(1, size + 1):
            bits |= sets[size - j] << (j * (j - 1) // 2)
        sets.append(bits)
    return tuple(count for count, bit in enumerate(reversed(f"{sets[k]:b}")) if bit == "1")
