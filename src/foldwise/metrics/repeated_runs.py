"""Several runs of the same item: the best or the worst of k of them, without bias."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.core.validation import floats, integer, one_of


def of_k_runs(values: ArrayLike, k: int, *, take: Literal["best", "worst"] = "best") -> Array:
    r"""Expected largest (or smallest) value of k of each item's runs, one number per item.

    Parameters
    ----------
    values
        Shape (..., items, runs), higher is better; NaN where a run was not made. Runs that failed are values, not NaN.
    k
        How many of the runs count; each item needs at least so many.
    take
        "best": the largest of k runs, as when any of them may succeed (pass@k of right and wrong answers); "worst": the
        smallest, as when all of them must (pass^k).

    Notes
    -----
    The mean over all subsets of k of the n runs of an item, which is unbiased: with the sorted values
    :math:`v_{(1)}\le\dots\le v_{(n)}` it is :math:`\sum_i v_{(i)}\binom{i-1}{k-1}/\binom nk` [1]_. For right and wrong
    with c successes that is :math:`1-\binom{n-c}{k}/\binom nk` for the best and :math:`\binom ck/\binom nk` for the
    worst [2]_. Each is a number per item: two models are compared by these numbers, as by any others.

    References
    ----------
    .. [1] Chen et al. (2021), Evaluating large language models trained on code, arXiv 2107.03374.
    .. [2] Yao et al. (2024), tau-bench: a benchmark for tool-agent-user interaction in real-world domains, arXiv
       2406.12045.

    Examples
    --------
    >>> of_k_runs([[1, 0, 0, 1], [0, 0, 0, 0]], 2).round(3)
    array([0.833, 0.   ])
    >>> of_k_runs([[1, 0, 0, 1], [0, 0, 0, 0]], 2, take="worst").round(3)
    array([0.167, 0.   ])
    """
    given = floats(values, "values")
    one_of(take, "take", ("best", "worst"))
    integer(k, "k", minimum=1)
    if given.ndim < 2:
        raise InvalidInput(f"values must have shape (items, runs), got shape {given.shape}")
    if np.isinf(given).any():
        raise InvalidInput("values must be finite, or NaN where a run was not made")
    made = np.isfinite(given)
    count = made.sum(axis=-1)
    few = np.argwhere(count < k)
    if len(few):
        place = tuple(int(i) for i in few[0])
        raise InvalidInput(
            f"k must be at most the number of runs of each item, but item {place[-1]} has {int(count[place])} "
            f"and k is {k}; {len(few)} of {count.size} items have fewer than {k}"
        )
    # runs that were not made are sorted to the end, where their weight is 0
    # the i-th smallest is the largest of C(i−1, k−1) of the C(n, k) subsets
    order = np.sort(given if take == "best" else -given, axis=-1)
    weights = _weights(count, k, given.shape[-1])
    total = (np.where(weights > 0, order, 0.0) * weights).sum(axis=-1)
    return np.asarray(total if take == "best" else 0.0 - total)


def variance_over_runs(values: ArrayLike, k: int, *, take: Literal["best", "worst"] = "best") -> Array:
    """Variance that the runs of each item add to what `of_k_runs` gives for it, times their number n; NaN for n < 2k.

    The jackknife over the runs of an item, which is far too large for n near k. With the runs sorted, what is left
    without the i-th is a sum over those before it, whose ranks stay, and those behind it, whose ranks fall by one: two
    cumulative sums give all of them.

    >>> variance_over_runs([[1, 0, 0, 1]], 1).round(3)  # of the mean: the variance of the runs
    array([0.333])
    """
    given = floats(values, "values") * (1 if take == "best" else -1)
    count = np.isfinite(given).sum(axis=-1)
    order = np.nan_to_num(np.sort(given, axis=-1))
    kept = _weights(count - 1, k, given.shape[-1])
    moved = np.concatenate([np.zeros((*kept.shape[:-1], 1)), kept[..., :-1]], axis=-1)
    before = np.cumsum(kept * order, axis=-1) - kept * order
    behind = (moved * order).sum(axis=-1, keepdims=True) - np.cumsum(moved * order, axis=-1)
    there = np.arange(given.shape[-1]) < count[..., None]
    left = np.where(there, before + behind, 0.0)
    mean = left.sum(axis=-1) / np.maximum(count, 1)
    squares = np.where(there, (left - mean[..., None]) ** 2, 0.0).sum(axis=-1)
    return np.where(count >= 2 * k, (count - 1) * squares, np.nan)


def _weights(count: Array, k: int, width: int) -> Array:
    """Share of the subsets of k of n runs whose largest is the i-th smallest, by n: shape (*count.shape, width)."""
    rank = np.arange(1, width + 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        logs = _log_choose(rank - 1, k - 1) - _log_choose(count, k)[..., None]
    return np.where((rank >= k) & (rank <= count[..., None]), np.exp(logs), 0.0)


def _log_choose(n: ArrayLike, k: int) -> Array:
    n = np.asarray(n, dtype=np.float64)
    return np.asarray(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(np.maximum(n - k, 0) + 1))


def pass_at_k(right: ArrayLike, k: int) -> Array:
    """Probability that at least one of k runs succeeds, per item, from right (1) and wrong (0) runs.

    Examples
    --------
    >>> pass_at_k([[1, 0, 0]], 1).round(3)
    array([0.333])
    """
    return of_k_runs(_right(right), k, take="best")


def pass_all_k(right: ArrayLike, k: int) -> Array:
    """Probability that all of k runs succeed (pass^k), per item, from right (1) and wrong (0) runs.

    Examples
    --------
    >>> pass_all_k([[1, 1, 0]], 2).round(3)
    array([0.333])
    """
    return of_k_runs(_right(right), k, take="worst")


def _right(right: ArrayLike) -> Array:
    given = floats(right, "right")
    other = given[np.isfinite(given) & (given != 0) & (given != 1)]
    if other.size:
        raise InvalidInput(f"right must be 1 (success) or 0 (failure), or NaN where no run was made, got {other[0]:g}")
    return given
