"""Would other dealings give the same verdict? The Monte-Carlo error of the round-robin statistic over dealings."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.core.validation import fraction, positive
from foldwise.inference.partition_stability import SETTLED, PartitionStability, stability_of
from foldwise.inference.round_robin import Parts, block_tables, freedom, standard_error, variance_parts

__all__ = ["dealing_stability"]

SURE = 0.995
"""Quantile of Student's distribution that counts as settled: 99 % two-sided, however few dealings there are."""


def dealing_stability(
    d: ArrayLike, *, df: float | None = None, pieces: int | None = None, alpha: float = 0.05
) -> PartitionStability:
    r"""Measure how much the verdict of the round-robin test depends on how the examples were dealt.

    Parameters
    ----------
    d
        Differences of shape (..., dealings, g, g) as `round_robin` takes them, at least two dealings.
    df, pieces
        Degrees of freedom of the test, or what bounds them, as `round_robin` takes them.
    alpha
        Significance level.

    Notes
    -----
    Dealings of the same data are independent draws. With t the statistic over all R of them and :math:`t_{(j)}` the one
    without dealing j, the jackknife standard error is :math:`\sqrt{\tfrac{R-1}{R}\sum_j(t_{(j)}-\bar t)^2}`. It comes
    from few dealings, so that the distance that settles a verdict is a quantile of Student's distribution with R − 1
    degrees of freedom. Where there is no variance, the statistic counts as 0: nothing can be told, however often the
    examples are dealt.

    Examples
    --------
    >>> d = np.random.default_rng(0).normal(0.5, 0.1, size=(6, 4, 4))
    >>> bool(dealing_stability(d).settled)
    True
    """
    tables = block_tables(d)
    dealings = tables.shape[-3]
    if dealings < 2:
        raise InvalidInput(f"d must have at least 2 dealings to compare them, got shape {tables.shape}")
    parts, largest = variance_parts(tables), np.abs(tables).max(axis=(-3, -2, -1))
    means, blocks = parts.averaged(), tables.shape[-1]
    own = freedom(means, shape=tables.shape, pieces=pieces) if df is None else np.asarray(positive(df, "df"))
    statistic = _statistic(means, blocks, largest)
    without = Parts(*((part.sum(axis=-1, keepdims=True) - part) / (dealings - 1) for part in parts))
    return stability_of(
        statistic,
        _statistic(without, blocks, largest[..., None]),
        df=own[()],
        alpha=fraction(alpha, "alpha"),
        needed=max(SETTLED, float(special.stdtrit(dealings - 1, SURE))),
    )


def _statistic(parts: Parts, blocks: int, largest: Array) -> Array:
    """θ/√V; 0 without variance."""
    error = standard_error(parts, blocks, largest)
    return np.where(error > 0, parts.estimate / np.where(error > 0, error, 1.0), 0.0)
