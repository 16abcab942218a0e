"""Several models on the same items: Cochran's Q, a confidence set of the best, rank intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Integers, Numbers
from foldwise.core.validation import fraction, numbers
from foldwise.inference.joint_differences import JointDifferences, joint_differences, model_means, pair_variances


@dataclass(frozen=True, slots=True, kw_only=True)
class CochranQResult(Shown):
    """Outcome of Cochran's Q test."""

    statistic: Numbers  #: Q; 0 where no item tells any two models apart
    df: int  #: Number of models minus 1
    pvalue: Numbers  #: By the χ² approximation; 1 where no item tells any two models apart


def cochran_q(correct: ArrayLike) -> CochranQResult:
    r"""Test whether k classifiers have the same accuracy on the population behind one test set.

    Parameters
    ----------
    correct
        Shape (..., k, n): 1 or true where a model is right on an item, 0 where it is wrong; the items must be
        independent of each other.

    Returns
    -------
    CochranQResult
        With two models it is McNemar's uncorrected χ².

    Notes
    -----
    With :math:`C_j` right answers of model j, :math:`R_i` models that are right on item i, and N right answers in
    all, :math:`Q=(k-1)(k\sum C_j^2-N^2)/(kN-\sum R_i^2)`, which is referred to χ² with k − 1 degrees of freedom
    [1]_. Items on which all models are right, or all wrong, do not count. The approximation wants some 24 numbers
    (models × items that count) or more.

    References
    ----------
    .. [1] Cochran (1950), The comparison of percentages in matched samples, Biometrika 37, 256-266.

    Examples
    --------
    >>> result = cochran_q([[1, 1, 1, 1, 1, 0], [1, 0, 1, 1, 0, 0], [0, 0, 1, 0, 0, 0]])
    >>> round(float(result.statistic), 3), round(float(result.pvalue), 3)
    (6.0, 0.05)
    """
    right = numbers(correct, "correct", min_ndim=2)
    k, n = right.shape[-2:]
    if k < 2 or n < 1:
        raise InvalidInput(f"correct must be models × items, at least 2 × 1, got shape {right.shape}")
    if not ((right == 0) | (right == 1)).all():
        raise InvalidInput("correct must be 1 or 0, right or wrong, for each model and item")
    by_model, by_item = right.sum(axis=-1), right.sum(axis=-2)
    total = by_model.sum(axis=-1)
    # items that all get right, or all wrong, add nothing to either
    between = (k - 1) * (k * (by_model**2).sum(axis=-1) - total**2)
    within = k * total - (by_item**2).sum(axis=-1)
    statistic = np.where(within > 0, between / np.where(within > 0, within, 1.0), 0.0)
    return CochranQResult(statistic=statistic, df=k - 1, pvalue=special.chdtrc(k - 1, statistic))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestSetResult(Shown):
    """Outcome of asking of each model whether it may be the best."""

    means: Array  #: Mean of each model
    pvalue: Array  #: Of the hypothesis that no model is better than this one; 1 for the one with the best mean

    def members(self, confidence_level: float = 0.95) -> NDArray[np.bool_]:
        """Who may be the best: with this probability the best model is among them; never empty."""
        return np.asarray(self.pvalue >= 1 - fraction(confidence_level, "confidence_level"))


def best_set(
    values: ArrayLike, *, groups: ArrayLike | None = None, draws: int | None = None, seed: int = 0
) -> BestSetResult:
    r"""Find the models that may be the best on the population behind one test set.

    Parameters
    ----------
    values
        Shape (k, n): a number for each model and item, the higher the better.
    groups
        The cluster of each item, where items come in clusters.
    draws, seed
        Number of draws (by default 131072), and what determines them.

    Notes
    -----
    For each model m the hypothesis that no other is better is tested by the largest standardised mean difference,
    :math:`T_m=\max_{j\ne m}\bar d_{jm}/SE_{jm}`, whose law under the hypothesis is bounded by that of the largest of
    normal deviates with the covariance of the items (Gaussian multiplier bootstrap) [1]_; the set holds the models
    whose hypothesis is not rejected. No model has to be picked as the reference, and the set needs no adjustment for
    the number of models: it fails to hold the best one only if *its* hypothesis is rejected. In small samples a lead
    enters by its p-value in Student's distribution.

    References
    ----------
    .. [1] Lei (2020), Cross-validation with confidence, Journal of the American Statistical Association 115,
       1978-1997.

    Examples
    --------
    >>> right = [[1] * 60 + [0] * 20, [1] * 45 + [0] * 25 + [1] * 10, [1] * 40 + [0] * 40]
    >>> best_set(right).members().tolist()
    [True, True, False]
    """
    found = model_means(values, groups)
    if found.means.ndim != 1:
        raise InvalidInput(f"values must have shape (models, items), got {np.shape(values)}")
    error = np.sqrt(pair_variances(found.covariance))
    difference = found.means[:, None] - found.means
    size = np.where(error > 0, difference / np.where(error > 0, error, 1.0), 0.0)
    law = joint_differences(found.means, found.covariance, draws=draws, seed=seed)
    pvalue = best_set_pvalues(law, difference, 2 * special.stdtr(found.df, -np.abs(size)))
    return BestSetResult(means=found.means, pvalue=pvalue)


def best_set_pvalues(law: JointDifferences, difference: Array, pvalues: Array) -> Array:
    """Of each model, the p-value of the hypothesis that no other is better.

    `difference` (k, k) is how much the row's model is better than the column's, `pvalues` those of the pairs by
    whatever test.
    """
    # how surely the row's model leads the column's; those behind or level, and a model itself, do not lead
    leads = np.where(difference > 0, pvalues / 2, 1.0)
    return law.adjust_leads(leads.min(axis=0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankIntervals(Shown):
    """Least and greatest rank of each model, 1 for the best."""

    #: low, high: Shape (..., k)
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


# ---- Groups of models that pairwise tests do not distinguish.

MOST_LEARNERS = 30


def indistinct_groups(names: Sequence[str], different: NDArray[np.bool_]) -> tuple[tuple[str, ...], ...]:
    """Maximal groups of at least two models no two of which differ, in the order of their first members.

    `names`: of the models, in the order of their means or ranks. `different`: symmetric k × k: which pairs differ, in
    the same order.

    Up to 30 models: all maximal groups. Above, where there could be too many, those without gaps in the
    order.

    >>> indistinct_groups("abc", np.array([[False, False, True], [False, False, False], [True, False, False]]))
    (('a', 'b'), ('b', 'c'))
    """
    same = ~different.copy()
    np.fill_diagonal(same, False)
    k = len(same)
    if k > MOST_LEARNERS:
        groups = _runs(same)
    else:
        neighbours = [set(np.flatnonzero(row).tolist()) for row in same]
        groups = sorted(sorted(group) for group in _maximal_cliques(neighbours, set(), set(range(k)), set()))
    return tuple(tuple(names[i] for i in group) for group in groups if len(group) > 1)


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
