"""Adjustment of p-values for the number of comparisons: Holm and others, Shaffer's, Bergmann and Hommel's."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.core.validation import numbers, one_of


def learner_pairs(
    k: int,
) -> tuple[np.ndarray[tuple[int], np.dtype[np.intp]], np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """Index of the first and the second learner of every pair."""
    return np.triu_indices(k, 1)


def pairs_of(matrix: ArrayLike, name: str = "pvalues") -> tuple[Array, int]:
    """The p-values above the diagonal of a symmetric matrix, and k; the diagonal itself is not looked at."""
    try:
        square = np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{name} must be a k × k matrix of numbers: {error}") from error
    if square.ndim != 2 or square.shape[0] != square.shape[1] or len(square) < 2:
        raise InvalidInput(f"{name} must be a k × k matrix for at least two learners, got shape {square.shape}")
    i, j = learner_pairs(len(square))
    if not np.array_equal(square[i, j], square[j, i], equal_nan=True):
        raise InvalidInput(f"{name} must be symmetric: the p-value of a pair does not depend on its order")
    p = square[i, j]
    bad = ~((p >= 0) & (p <= 1))
    if bad.any():
        place = f"{name}[{i[bad][0]}, {j[bad][0]}]"
        raise InvalidInput(f"{name} must lie between 0 and 1, but {place} is {p[bad][0]:g}")
    return p, len(square)


def from_pairs(values: Array, k: int, *, diagonal: float = 1.0) -> Array:
    """The symmetric matrix with these values above and below the diagonal."""
    matrix = np.full((k, k), diagonal)
    i, j = learner_pairs(k)
    matrix[i, j] = matrix[j, i] = values
    return matrix


# ---- Adjustment of p-values for the number of comparisons made.

Adjustment = Literal["holm", "hochberg", "hommel", "bonferroni", "bh", "by"]


def adjust(pvalues: ArrayLike, *, method: Adjustment = "holm") -> Array:
    r"""Adjust p-values for multiple comparisons.

    Parameters
    ----------
    pvalues
        Shape (..., m): m comparisons that are judged together; leading axes are separate families.
    method
        ``"bonferroni"`` and ``"holm"`` control the family-wise error whatever the dependence between comparisons;
        ``"hochberg"`` and ``"hommel"`` do under positive dependence and are sharper; ``"bh"`` (Benjamini–Hochberg)
        and ``"by"`` (Benjamini–Yekutieli) control the false discovery rate.

    Returns
    -------
    Array
        Adjusted p-values in the order of the input: reject those at or below α.

    Notes
    -----
    For ordered :math:`p_{(1)} \le \dots \le p_{(m)}`: Holm :math:`\max_{j \le i} (m-j+1)p_{(j)}`, Hochberg
    :math:`\min_{j \ge i} (m-j+1)p_{(j)}`, Benjamini–Hochberg :math:`\min_{j \ge i} m p_{(j)}/j`, Benjamini–Yekutieli
    the same times :math:`\sum_{j} 1/j`; Hommel by the algorithm of [1]_. All are cut at 1.

    References
    ----------
    .. [1] Wright (1992), Adjusted p-values for simultaneous inference, Biometrics 48.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03, 0.005]).round(3)
    array([0.03, 0.06, 0.06, 0.02])
    """
    one_of(method, "method", get_args(Adjustment))
    p = numbers(pvalues, "pvalues", min_ndim=1)
    if ((p < 0) | (p > 1)).any():
        raise InvalidInput(f"pvalues must lie between 0 and 1, got {p[(p < 0) | (p > 1)][0]:g}")
    if p.shape[-1] == 0:
        return p
    order = np.argsort(p, axis=-1, kind="stable")
    adjusted = np.empty_like(p)
    ascending = np.take_along_axis(p, order, axis=-1)
    # m·p/m may round to less than p, which no adjustment may fall below
    np.put_along_axis(adjusted, order, np.clip(_raw(ascending, method), ascending, 1.0), axis=-1)
    return adjusted


def _raw(p: Array, method: Adjustment) -> Array:
    """Adjusted p-values of ascending ones, before they are cut at 1."""
    m = p.shape[-1]
    left = np.arange(m, 0, -1.0)  # hypotheses that are left: m, m − 1, …, 1
    if method == "hommel":
        return _hommel(p)
    if method == "bonferroni":
        return np.asarray(m * p)
    if method == "holm":
        return np.maximum.accumulate(left * p, axis=-1)
    # step up: from the largest p-value down
    found = left * p if method == "hochberg" else m * p / left[::-1]
    stepped = np.minimum.accumulate(found[..., ::-1], axis=-1)[..., ::-1]
    return stepped * float((1 / left).sum()) if method == "by" else stepped


def _hommel(p: Array) -> Array:
    # closed testing with Simes' test of every intersection, in m² steps instead of 2^m (Wright 1992)
    m = p.shape[-1]
    simes = (m * p / np.arange(1, m + 1)).min(axis=-1, keepdims=True)
    adjusted = np.maximum(p, simes)
    for size in range(m - 1, 1, -1):
        lower, upper = p[..., : m - size + 1], p[..., m - size + 1 :]
        bound = (size * upper / np.arange(2, size + 1)).min(axis=-1, keepdims=True)
        low = np.minimum(size * lower, bound)
        high = np.broadcast_to(low[..., -1:], upper.shape)
        adjusted = np.maximum(adjusted, np.concatenate([low, high], axis=-1))
    return np.asarray(adjusted)


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
    # of the hypotheses that are left, so many can be true at once at most: the factor in place of Holm's
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
    """
    sets = [1, 1]
    for size in range(2, k + 1):
        bits = 0
        for j in range(1, size + 1):
            bits |= sets[size - j] << (j * (j - 1) // 2)
        sets.append(bits)
    return tuple(count for count, bit in enumerate(reversed(f"{sets[k]:b}")) if bit == "1")


# ---- Bergmann and Hommel's adjustment of all pairwise comparisons: the sharpest, for up to nine learners.

MOST_LEARNERS = 9


def bergmann_hommel(pvalues: ArrayLike) -> Array:
    r"""Adjust the p-values of all pairs of k ≤ 9 learners, using which of them can be equal together.

    Parameters
    ----------
    pvalues
        Symmetric k × k matrix; the diagonal is not looked at.

    Returns
    -------
    Array
        Adjusted p-values as a k × k matrix with 1 on the diagonal; never above Shaffer's.

    Notes
    -----
    A set I of pairs is exhaustive if exactly its hypotheses could be true: the pairs within the groups of some
    partition of the learners. A pair's adjusted p-value is :math:`\max\{|I| \min_{j \in I} p_j : I \ni i\}` over the
    exhaustive sets, at most 1. Nine learners have 21,147 partitions.

    References
    ----------
    .. [1] Bergmann & Hommel (1988), Improvements of general multiple test procedures for redundant systems of
       hypotheses, in Multiple hypotheses testing, Springer.
    .. [2] García & Herrera (2008), An extension on "Statistical comparisons of classifiers over multiple data sets"
       for all pairwise comparisons, Journal of Machine Learning Research 9.

    Examples
    --------
    >>> bergmann_hommel([[1, 0.01, 0.04], [0.01, 1, 0.03], [0.04, 0.03, 1]])[0]
    array([1.  , 0.03, 0.04])
    """
    p, k = pairs_of(pvalues)
    if k > MOST_LEARNERS:
        raise InvalidInput(
            f"bergmann_hommel takes at most {MOST_LEARNERS} learners, as the number of partitions explodes, got {k}; "
            "use shaffer or holm"
        )
    # a set of hypotheses that can be true together is rejected at size × its smallest p-value; each pair gets the
    # largest bound of all sets it is in
    together = _exhaustive_sets(k)
    smallest = np.where(together, p, np.inf).min(axis=1)
    bound = together.sum(axis=1) * smallest
    adjusted = np.where(together, bound[:, None], 0.0).max(axis=0)
    return from_pairs(np.minimum(1.0, adjusted), k)


@lru_cache(maxsize=MOST_LEARNERS)
def _exhaustive_sets(k: int) -> NDArray[np.bool_]:
    """One row per partition of k learners that has a pair: which pairs lie in the same group."""
    labels = np.zeros((1, 1), dtype=np.int8)
    for _ in range(k - 1):
        # the next learner joins one of the groups there are, or founds one
        choices = labels.max(axis=1) + 2
        grown = np.repeat(labels, choices, axis=0)
        starts = np.repeat(np.cumsum(choices) - choices, choices)
        labels = np.column_stack([grown, (np.arange(len(grown)) - starts).astype(np.int8)])
    i, j = learner_pairs(k)
    together = labels[:, i] == labels[:, j]
    return np.asarray(together[together.any(axis=1)])
