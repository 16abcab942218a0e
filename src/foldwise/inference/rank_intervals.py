"""Between which ranks each of several models lies, given which pairs are shown to differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Integers

__all__ = ["RankIntervals", "rank_intervals"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankIntervals(Shown):
    """Least and greatest rank of each model, 1 for the best.

    Attributes
    ----------
    low, high
        Shape (..., k).
    """

    low: Integers
    high: Integers


def rank_intervals(better: ArrayLike) -> RankIntervals:
    r"""Bound the rank of each model by the pairs that are shown to differ.

    Parameters
    ----------
    better
        Shape (..., k, k): whether the row's model is shown to be better than the column's.

    Notes
    -----
    A model that j others are shown to beat has rank j + 1 or worse, and one that is shown to beat j others has rank
    k − j or better. If the chance of any false claim among the pairs is at most alpha, all these intervals hold at
    once with probability 1 − alpha [1]_, [2]_; models that are truly equal share the ranks that they take up.

    References
    ----------
    .. [1] Al Mohamad, Goeman & van Zwet (2022), Simultaneous confidence intervals for ranks with application to
       ranking institutions, Biometrics 78, 238-247.
    .. [2] Mogstad, Romano, Shaikh & Wilhelm (2024), Inference for ranks with applications to mobility across
       neighbourhoods and academic achievement across countries, Review of Economic Studies 91, 476-518.

    Examples
    --------
    >>> found = rank_intervals([[0, 0, 1], [0, 0, 1], [0, 0, 0]])
    >>> found.low.tolist(), found.high.tolist()
    ([1, 1, 3], [2, 2, 3])
    """
    beats = np.asarray(better, dtype=bool)
    if beats.ndim < 2 or beats.shape[-1] != beats.shape[-2]:
        raise InvalidInput(f"better must be models × models, got shape {beats.shape}")
    if (beats & np.swapaxes(beats, -1, -2)).any():
        raise InvalidInput("better must not say of two models that each is better than the other, or than itself")
    k = beats.shape[-1]
    return RankIntervals(low=1 + beats.sum(axis=-2), high=k - beats.sum(axis=-1))
