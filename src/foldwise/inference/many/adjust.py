"""Adjustment of p-values for the number of comparisons made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.core.validation import numbers, one_of

__all__ = ["ADJUSTMENTS", "adjust"]

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
    one_of(method, "method", ADJUSTMENTS)
    p = numbers(pvalues, "pvalues", min_ndim=1)
    if ((p < 0) | (p > 1)).any():
        raise InvalidInput(f"pvalues must lie between 0 and 1, got {p[(p < 0) | (p > 1)][0]:g}")
    if p.shape[-1] == 0:
        return p
    order = np.argsort(p, axis=-1, kind="stable")
    adjusted = np.empty_like(p)
    ascending = np.take_along_axis(p, order, axis=-1)
    # m·p/m may round to less than p, which no adjustment may fall below
    np.put_along_axis(adjusted, order, np.clip(ADJUSTMENTS[method](ascending), ascending, 1.0), axis=-1)
    return adjusted


def _steps(p: Array) -> Array:
    """m, m − 1, …, 1."""
    return np.arange(p.shape[-1], 0, -1.0)


def _bonferroni(p: Array) -> Array:
    return np.asarray(p.shape[-1] * p)


def _holm(p: Array) -> Array:
    return np.maximum.accumulate(_steps(p) * p, axis=-1)


def _from_the_largest(x: Array) -> Array:
    return np.minimum.accumulate(x[..., ::-1], axis=-1)[..., ::-1]


def _hochberg(p: Array) -> Array:
    return _from_the_largest(_steps(p) * p)


def _bh(p: Array) -> Array:
    return _from_the_largest(p.shape[-1] * p / _steps(p)[::-1])


def _by(p: Array) -> Array:
    return _bh(p) * float((1 / _steps(p)).sum())


def _hommel(p: Array) -> Array:
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


ADJUSTMENTS: dict[str, Callable[[Array], Array]] = {
    "holm": _holm,
    "hochberg": _hochberg,
    "hommel": _hommel,
    "bonferroni": _bonferroni,
    "bh": _bh,
    "by": _by,
}
