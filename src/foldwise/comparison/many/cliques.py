"""Groups of learners that a set of pairwise tests does not tell apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["indistinct_groups"]

MOST_LEARNERS = 30


def indistinct_groups(different: NDArray[np.bool_]) -> list[list[int]]:
    """Maximal groups of at least two learners no two of which differ, in the order of their first members.

    Parameters
    ----------
    different
        Symmetric k × k: which pairs differ. Learners in the order of their ranks.

    Returns
    -------
    list
        Up to 30 learners: all maximal groups. Above, where there could be too many, those without gaps in the order.

    Examples
    --------
    >>> indistinct_groups(np.array([[False, False, True], [False, False, False], [True, False, False]]))
    [[0, 1], [1, 2]]
    """
    same = ~different.copy()
    np.fill_diagonal(same, False)
    k = len(same)
    if k > MOST_LEARNERS:
        return _runs(same)
    neighbours = [set(np.flatnonzero(row).tolist()) for row in same]
    groups = [sorted(group) for group in _maximal_cliques(neighbours, set(), set(range(k)), set())]
    return sorted(group for group in groups if len(group) > 1)


def _maximal_cliques(
    neighbours: list[set[int]], grown: set[int], candidates: set[int], done: set[int]
) -> Iterator[set[int]]:
    """Bron and Kerbosch's algorithm with Tomita's pivot."""
    if not candidates and not done:
        yield grown
        return
    pivot = max(candidates | done, key=lambda v: len(candidates & neighbours[v]))
    for v in sorted(candidates - neighbours[pivot]):
        yield from _maximal_cliques(neighbours, grown | {v}, candidates & neighbours[v], done & neighbours[v])
        candidates = candidates - {v}
        done = done | {v}


def _runs(same: NDArray[np.bool_]) -> list[list[int]]:
    """Those without gaps: from each start on, up to the first learner that differs from one of those before it."""
    k = len(same)
    place = np.arange(k)
    # the last learner before each one that it differs from
    nearest = np.where(~same & (place[:, None] < place), place[:, None], -1).max(axis=0)
    groups: list[list[int]] = []
    reached = 0
    for start in range(k):
        breaks = np.flatnonzero(nearest[start + 1 :] >= start)
        stop = start + 1 + int(breaks[0]) if breaks.size else k
        if stop - start > 1 and stop > reached:
            groups.append(list(range(start, stop)))
            reached = stop
    return groups
