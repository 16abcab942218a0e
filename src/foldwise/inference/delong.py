"""DeLong's test of two correlated areas under ROC curves, also for clusters of items and for several classes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array, Integers
from foldwise.core.validation import numbers
from foldwise.inference.clusters import Clusters, find_clusters, variance_quality, working_correlation
from foldwise.inference.student import StudentResult, student_result
from foldwise.metrics.auc import Auc, Contest, Scheme
from foldwise.metrics.metric import Needs
from foldwise.metrics.sorting import ascending
from foldwise.metrics.truth import Truth

__all__ = ["DeLongResult", "delong"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeLongResult(StudentResult):
    """Outcome of DeLong's test.

    Attributes
    ----------
    area_a, area_b
        The two areas; `estimate` is their difference.
    clusters
        Number of clusters, None where items are independent.
    """

    area_a: float
    area_b: float
    clusters: int | None


def delong(
    y_true: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    scheme: Scheme = "binary",
    weighted: bool = False,
    alternative: Alternative = "two-sided",
) -> DeLongResult:
    r"""Test whether two models' scores have the same area under the ROC curve, on the same items.

    Parameters
    ----------
    y_true
        Of two classes: whether each item is positive (1, True) or not (0, False). Of K classes: their numbers from 0
        to K − 1.
    scores_a, scores_b
        The scores of the positive class, shape (items,); of K classes, one column per class, shape (items, K).
    groups
        The cluster of each item, where items come in clusters.
    scheme
        "binary"; "ovr": the mean over classes of each against the rest; "ovo": the mean over pairs of classes of Hand
        and Till's area.
    weighted
        Whether areas count by the number of items of their class, or pair of classes.
    alternative
        Which side of zero the alternative hypothesis allows.

    Notes
    -----
    The placement of a positive item is the share of the negative items that are scored lower, ties counting half, and
    that of a negative item the share of the positive ones that are scored higher; their means are the area. With the
    differences :math:`d` of the two models' placements and :math:`\Delta` of their areas, the variance is
    :math:`\sum_+(d-\Delta)^2/(m(m-1))+\sum_-(d-\Delta)^2/(n(n-1))` [1]_, by ranks in O(n log n) [2]_. Of clusters the
    sums of an item's cluster take its place, with the cross product of a cluster's positive and negative items [3]_;
    Student's distribution then has Satterthwaite's degrees of freedom at the correlation that the items show. Means of
    several areas [4]_ have the variance of the sum of all their placements, the classes being drawn with the items.

    References
    ----------
    .. [1] DeLong, DeLong & Clarke-Pearson (1988), Comparing the areas under two or more correlated receiver operating
       characteristic curves, Biometrics 44, 837-845.
    .. [2] Sun & Xu (2014), Fast implementation of DeLong's algorithm, IEEE Signal Processing Letters 21, 1389-1393.
    .. [3] Obuchowski (1997), Nonparametric analysis of clustered ROC curve data, Biometrics 53, 567-578.
    .. [4] Hand & Till (2001), A simple generalisation of the area under the ROC curve for multiple class
       classification problems, Machine Learning 45, 171-186.

    Examples
    --------
    >>> result = delong([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6], [2, 1, 5, 3, 4, 6])
    >>> round(float(result.area_a), 3), round(float(result.area_b), 3), round(float(result.pvalue), 2)
    (0.889, 0.778, 0.48)
    """
    metric = Auc(name="auc", needs=Needs.SCORES, scheme=scheme, weighted=weighted)
    a, b = numbers(scores_a, "scores_a"), numbers(scores_b, "scores_b")
    truth = _truth(y_true, a, b, scheme)
    contests = metric.contests(truth)
    clusters = None if groups is None else find_clusters(groups, len(truth))
    with ThreadPoolExecutor(2) as pool:  # sorting, which takes most of the time, lets other threads work
        (area_a, of_a), (area_b, of_b) = pool.map(lambda scores: _mean_area(contests, scores, weighted), (a, b))
    error, df = _spread(_exact(of_a - of_b), truth, clusters)
    result = student_result(_exact(area_a - area_b), np.asarray(error), df, alternative, warn=False)
    fields = {name: getattr(result, name) for name in StudentResult.__dataclass_fields__}
    count = None if clusters is None else len(clusters.sizes)
    return DeLongResult(**fields, area_a=area_a, area_b=area_b, clusters=count)


def _mean_area(contests: list[Contest], scores: Array, weighted: bool) -> tuple[float, Array]:
    """The mean of the areas, and what each item adds to it beyond the mean, over all contests."""
    counted = np.array([np.count_nonzero(contest.counted) for contest in contests], dtype=np.float64)
    weights = counted / counted.sum() if weighted else np.full(len(contests), 1 / len(contests))
    if len(contests) == 1:
        return placements(contests[0], contests[0].scores(scores))
    areas, whole = np.empty(len(contests)), np.zeros(len(scores))
    for place, contest in enumerate(contests):
        areas[place], part = placements(contest, contest.scores(scores))
        whole += weights[place] * part
    mean = float(weights @ areas)
    if weighted:  # the number of items of a class is chance too
        terms = zip(contests, areas, strict=True)
        whole += np.asarray(sum(contest.counted * (area - mean) for contest, area in terms) / counted.sum())
    return mean, whole


def _spread(parts: Array, truth: Truth, clusters: Clusters | None) -> tuple[float, float]:
    """Standard error and degrees of freedom, from what each item adds to the difference.

    Squares within a class are scaled by the number of units with items of it, products of two classes by that of all.
    A class in one unit alone shows no spread: the standard error is infinite.
    """
    whole = parts if clusters is None else clusters.sums(parts)
    among_all = len(whole) / (len(whole) - 1)
    variance = among_all * float(whole @ whole)
    for code in range(len(truth.classes)):
        its = truth.values == code
        own, there = parts * its, its
        if clusters is not None:
            own, there = clusters.sums(own), clusters.sums(its.astype(np.float64)) > 0
        units = int(np.count_nonzero(there))
        if units == 1 and parts.any():
            return np.inf, np.inf
        variance += (units / (units - 1) - among_all) * float(own @ own) if units > 1 else 0.0
    error = float(np.sqrt(max(variance, 0.0)))
    if clusters is None:
        return error, np.inf
    return error, float(variance_quality(clusters.sizes, working_correlation(parts, clusters))[1])


def placements(contest: Contest, scores: Array) -> tuple[float, Array]:
    """The area, and what each item adds to it beyond the mean.

    Counts are taken in the order of the scores, in which equal ones share the mean of theirs. The arrays may be large,
    and are reused.
    """
    order, ordered = ascending(scores)
    up, down = contest.positive[order], contest.negative[order]
    lower, higher = np.cumsum(down, dtype=np.float64), np.cumsum(up, dtype=np.float64)
    ups, downs = higher[-1], lower[-1]
    _share_ties(ordered, lower, higher)
    area = float(lower @ up / (ups * downs))
    lower /= downs
    lower -= area
    lower /= ups
    higher /= -ups
    higher += 1 - area
    higher /= downs
    lower *= up
    higher *= down
    lower += higher
    part = np.empty_like(lower)
    part[order] = lower
    return area, part


def _share_ties(ordered: Array, *cumulated: Array) -> None:
    """Let equal scores count half of each other: the mean of what is cumulated before and after them."""
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
    if len(ends) == len(ordered):
        return
    sizes = np.diff(ends, prepend=-1)
    for counts in cumulated:
        after = counts[ends]
        counts[:] = np.repeat((after + np.append(0.0, after[:-1])) / 2, sizes)


def _exact(value: Array | float) -> Array:
    """What rounding alone tells from 0 is 0; areas and placements are at most 1."""
    array = np.asarray(value, dtype=np.float64)
    array[np.abs(array) <= 16 * np.finfo(np.float64).eps / max(array.size, 1)] = 0.0
    return array


def _truth(y_true: ArrayLike, a: Array, b: Array, scheme: Scheme) -> Truth:
    """The classes, each of which must occur."""
    given = np.asarray(y_true)
    codes: Integers = given.view(np.int8) if given.dtype == np.bool_ else numbers(given, "y_true").astype(np.int64)
    shape = codes.shape if scheme == "binary" else (*codes.shape, a.shape[-1])
    for name, scores in (("scores_a", a), ("scores_b", b)):
        if scores.shape != shape or codes.ndim != 1:
            raise InvalidInput(f"{name} must have shape {shape} for y_true of shape {codes.shape}, got {scores.shape}")
    k = 2 if scheme == "binary" else a.shape[-1]
    strange = (codes < 0) | (codes >= k)
    if strange.any():
        stranger = int(codes[np.argmax(strange)])
        raise InvalidInput(f"y_true must hold numbers of classes from 0 to {k - 1}, got {stranger}")
    absent = [code for code in range(k) if not (codes == code).any()]
    if absent:
        raise InvalidInput(f"y_true must hold every class for an area under the ROC curve, but {absent[0]} is absent")
    return Truth(values=codes, classes=tuple(range(k)), positive=1 if scheme == "binary" else None)
