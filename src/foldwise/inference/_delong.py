"""DeLong's test of two correlated areas under ROC curves, also for clusters of items and for several classes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array, Flags, Integers
from foldwise.core.validation import numbers
from foldwise.inference.clusters import ClusterNumbers, find_clusters, variance_quality, working_correlation
from foldwise.inference.student import StudentResult, fields_of, student_result
from foldwise.metrics.metric import Needs, Truth
from foldwise.metrics.ranking import Auc, Scheme, Versus
from foldwise.metrics.weighable import ascending

MANY = 50_000  # Items from which both models are sorted at once.


@dataclass(frozen=True, slots=True, kw_only=True)
class DeLongResult(StudentResult):
    """Outcome of DeLong's test."""

    #: area_a, area_b: The two areas; `estimate` is their difference
    area_a: float
    area_b: float
    clusters: int | None  #: Number of clusters, None where items are independent


def delong(
    truth: ArrayLike, scores_a: ArrayLike, scores_b: ArrayLike, *, groups: ArrayLike | None = None,
    scheme: Scheme = "binary", weighted: bool = False, alternative: Alternative = "two-sided",
) -> DeLongResult:  # fmt: skip
    r"""Test whether two models' scores have the same area under the ROC curve, on the same items.

    Parameters
    ----------
    truth
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
    classes = _truth(truth, a, b, scheme)
    clusters = None if groups is None else find_clusters(groups, len(classes))
    # the two mean areas, and what each item adds to their difference beyond the mean, over all contests
    contests = metric.contests(classes)
    counted = np.array([np.count_nonzero(contest.counted) for contest in contests], dtype=np.float64)
    weights = counted / counted.sum() if weighted else np.full(len(contests), 1 / len(contests))
    areas, parts = np.empty((len(contests), 2)), np.zeros(len(a))
    with ThreadPoolExecutor(2) if len(a) >= MANY else nullcontext() as pool:
        at_once = map if pool is None else pool.map  # sorting, which takes most of the time, lets other threads work
        for place, contest in enumerate(contests):
            twice = at_once(partial(_twice_lower, contest), (contest.scores(a), contest.scores(b)))
            areas[place], part = _contested(contest, *twice)
            parts = part if len(contests) == 1 else parts + weights[place] * part
    means = weights @ areas
    if weighted:  # the number of items of a class is chance too
        beyond = (areas - means) @ np.array([1.0, -1.0])
        terms = zip(contests, beyond, strict=True)
        parts = parts + np.asarray(sum(contest.counted * area for contest, area in terms) / counted.sum())
    area_a, area_b, parts = float(means[0]), float(means[1]), _exact(parts)
    error, df = _spread(parts, classes) if clusters is None else _clustered_spread(parts, classes, clusters)
    result = student_result(_exact(area_a - area_b), np.asarray(error), df, alternative, warn=False)
    count = None if clusters is None else len(clusters.sizes)
    return DeLongResult(**fields_of(result), area_a=area_a, area_b=area_b, clusters=count)


def _contested(contest: Versus, twice_a: Integers, twice_b: Integers) -> tuple[tuple[float, float], Array]:
    """The two areas of one contest, and what each item adds to their difference beyond the mean."""
    ups, downs = float(np.count_nonzero(contest.positive)), float(np.count_nonzero(contest.negative))
    pairs = 2 * ups * downs
    # whole numbers to the end: equal areas are equal to the bit
    above_a, above_b = (int((twice * contest.positive).sum(dtype=np.int64)) for twice in (twice_a, twice_b))
    difference = (above_a - above_b) / pairs
    side = contest.positive.view(np.int8) + contest.negative.view(np.int8) * np.int8(2)
    part = twice_a - twice_b
    part = part * np.array([0.0, 1 / pairs, -1 / pairs])[side]
    part -= np.array([0.0, difference / ups, difference / downs])[side]
    return (above_a / pairs, above_b / pairs), part


def _twice_lower(contest: Versus, scores: Array) -> Integers:
    """Per item twice the number of the other side's items that are scored lower, equal ones counting half."""
    order, greater = ascending(scores)
    narrow = np.int32 if len(scores) < 1 << 30 else np.int64  # half as wide is faster
    up: Integers = contest.positive[order].astype(narrow)
    down: Integers = contest.negative[order].astype(narrow)
    lower, higher = (_twice(np.cumsum(side, dtype=narrow), greater) for side in (down, up))
    lower *= up
    higher *= down
    lower += higher
    twice = np.empty_like(lower)
    twice[order] = lower
    return twice


def _twice(cumulated: Integers, greater: Flags) -> Integers:
    """Twice what is cumulated up to each item; equal ones share what is cumulated before and after them."""
    if greater.all():
        return cumulated + cumulated
    starts = np.flatnonzero(greater)
    ends = np.append(starts[1:], len(cumulated))
    after = cumulated[ends - 1]
    before = np.append(after[:1] - after[:1], after[:-1])
    return np.repeat(before + after, ends - starts)


def _spread(parts: Array, truth: Truth) -> tuple[float, float]:
    """Standard error of a sum over independent items, each scaled by the number of items of its class.

    A class of one item shows no spread: the standard error is infinite.
    """
    units = np.bincount(truth.codes)
    if (units == 1).any() and parts.any():
        return np.inf, np.inf
    squares = np.bincount(truth.codes, weights=parts * parts)
    return float(np.sqrt(squares @ (units / np.maximum(units - 1, 1)))), np.inf


def _clustered_spread(parts: Array, truth: Truth, clusters: ClusterNumbers) -> tuple[float, float]:
    """Standard error of a sum over clusters, and its degrees of freedom.

    Squares within a class are scaled by the number of clusters with items of it, products of two classes by that of
    all. A class in one cluster alone shows no spread: the standard error is infinite.
    """
    whole = clusters.sums(parts)
    among_all = len(whole) / (len(whole) - 1)
    variance = among_all * float(whole @ whole)
    for code in range(len(truth.classes)):
        its = truth.values == code
        own = clusters.sums(parts * its)
        units = int(np.count_nonzero(clusters.sums(its.astype(np.float64))))
        if units == 1 and parts.any():
            return np.inf, np.inf
        variance += (units / (units - 1) - among_all) * float(own @ own) if units > 1 else 0.0
    quality = variance_quality(clusters.sizes, working_correlation(parts, clusters))
    return float(np.sqrt(max(variance, 0.0))), float(quality[1])


def _exact(value: Array | float) -> Array:
    """What rounding alone tells from 0 is 0; areas and placements are at most 1."""
    array = np.asarray(value, dtype=np.float64)
    array[np.abs(array) <= 16 * np.finfo(np.float64).eps / max(array.size, 1)] = 0.0
    return array


def _truth(truth: ArrayLike, a: Array, b: Array, scheme: Scheme) -> Truth:
    """The classes, each of which must occur."""
    given = np.asarray(truth)
    whole = given.dtype.kind in "bi"
    codes: Integers = given.astype(np.int64, copy=False) if whole else numbers(given, "truth").astype(np.int64)
    shape = codes.shape if scheme == "binary" else (*codes.shape, a.shape[-1])
    for name, scores in (("scores_a", a), ("scores_b", b)):
        if scores.shape != shape or codes.ndim != 1:
            raise InvalidInput(f"{name} must have shape {shape} for truth of shape {codes.shape}, got {scores.shape}")
    k = 2 if scheme == "binary" else a.shape[-1]
    if codes.size and (codes.min() < 0 or codes.max() >= k):
        stranger = int(codes[np.argmax((codes < 0) | (codes >= k))])
        raise InvalidInput(f"truth must hold numbers of classes from 0 to {k - 1}, got {stranger}")
    absent = np.flatnonzero(np.bincount(codes, minlength=k) == 0)
    if len(absent):
        raise InvalidInput(f"truth must hold every class for an area under the ROC curve, but {absent[0]} is absent")
    return Truth(values=codes, classes=tuple(range(k)), positive=1 if scheme == "binary" else None)
