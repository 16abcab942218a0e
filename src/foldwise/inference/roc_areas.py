"""Areas under ROC curves: DeLong's test of two, also for clusters and classes, and tests over readers and cases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array, Flags, Integers
from foldwise.core.validation import integer, numbers, one_of
from foldwise.inference.clusters import ClusterNumbers, find_clusters, variance_quality, working_correlation
from foldwise.inference.crossed_designs import least_freedom
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


# ---- Modalities compared over readers and cases.


FEW_READERS = 5  # Readers below which their spread is hardly known.

NO_BOUND = 1e6  # As many degrees of freedom as are no bound.

Covariance = Literal["unbiased", "jackknife"]
"""How the covariance of readers' estimates is estimated: from placements (DeLong), or by leaving out cases."""


def obuchowski_rockette(x: ArrayLike, covariance: ArrayLike, *, cases: int | None = None) -> StudentResult:
    r"""Test whether a mean over readers is zero, over new readers *and* new cases.

    Parameters
    ----------
    x
        Of each reader the difference of two modalities (or the value of one, for its interval), shape (..., readers).
    covariance
        Of these numbers as far as the cases make them vary, shape (..., readers, readers).
    cases
        Number of cases, or clusters of them, which bounds the degrees of freedom.

    Notes
    -----
    Readers are drawn, and so are cases, which all readers share: with :math:`s^2` the variance of `x` over r readers
    and :math:`\bar c` the mean covariance of two of them, not below 0, the squared standard error is
    :math:`s^2/r+\bar c`. Its degrees of freedom are Hillis's [3]_, :math:`(s^2/r+\bar c)^2/((s^2/r)^2/(r-1))`. For two
    modalities this is the analysis of variance of Obuchowski and Rockette [1]_, whose :math:`2(Cov_2-Cov_3)` is
    :math:`\bar c`; with covariances of the jackknife it is that of Dorfman, Berbaum and Metz [2]_.

    With fewer than five readers their spread may come out small by chance, and then seem not to matter: the degrees of
    freedom are the least that is plausible (`least_freedom`). Without that, three
    readers gave a Type I error of up to .09 at level .05.

    References
    ----------
    .. [1] Obuchowski & Rockette (1995), Hypothesis testing of diagnostic accuracy for multiple readers and multiple
       tests, Communications in Statistics, Simulation and Computation 24, 285-308.
    .. [2] Dorfman, Berbaum & Metz (1992), Receiver operating characteristic rating analysis, Investigative Radiology
       27, 723-731.
    .. [3] Hillis (2007), A comparison of denominator degrees of freedom methods for multiple observer ROC analysis,
       Statistics in Medicine 26, 596-619.

    Examples
    --------
    >>> x = [-0.028, -0.047, -0.018, -0.026, -0.1]
    >>> result = obuchowski_rockette(x, np.full((5, 5), 0.0002) + 0.0005 * np.eye(5))
    >>> round(float(result.estimate), 4), round(float(result.df), 1), round(float(result.pvalue), 2)
    (-0.0438, 14.6, 0.05)
    """
    values, c = numbers(x, "x", min_ndim=1), numbers(covariance, "covariance", min_ndim=2)
    r = values.shape[-1]
    if r < 2 or c.shape != (*values.shape, r):
        raise InvalidInput(
            f"x must be of at least 2 readers, and covariance of shape (..., readers, readers), got {values.shape} and "
            f"{c.shape}"
        )
    of_readers = values.var(axis=-1, ddof=1) / r
    noise = (16 * np.finfo(np.float64).eps * np.abs(values).max(axis=-1)) ** 2
    of_readers = np.where(of_readers <= noise, 0.0, of_readers)
    of_cases = np.maximum((c.sum(axis=(-2, -1)) - np.trace(c, axis1=-2, axis2=-1)) / (r * (r - 1)), 0.0)
    total = of_readers + of_cases
    most = np.inf if cases is None else max(integer(cases, "cases", minimum=1) - 1.0, 1.0)
    df = np.divide((r - 1) * total**2, of_readers**2, out=np.full(total.shape, np.inf), where=of_readers > 0)
    if r < FEW_READERS:
        least = least_freedom((of_readers, r - 1.0), (of_cases, np.minimum(most, NO_BOUND)))
        df = np.where(of_readers > 0, np.minimum(df, least), r - 1.0)
    return student_result(values.mean(axis=-1), np.sqrt(total), np.minimum(df, most), warn=False)


def case_effects(
    scores: Array, positive: Flags | None, groups: Integers | None = None, covariance: Covariance = "unbiased"
) -> tuple[Array, Array]:
    """Of each reader of each modality the estimate, and what each case, or cluster, adds to it.

    `scores` has shape (modalities, readers, cases). Without `positive` the estimate is the mean, else the area under
    the ROC curve. The products of the effects, summed over cases, are covariances of the estimates.
    """
    one_of(covariance, "covariance", ("unbiased", "jackknife"))
    n = scores.shape[-1]
    if positive is None:
        values = scores.mean(axis=-1)
        effects, sides = (scores - values[..., None]) / n, np.zeros(n, dtype=np.int64)
    else:
        area = Auc(name="roc_auc", needs=Needs.SCORES, scheme="binary", one_class=True)
        truth = Truth(values=positive.astype(np.int64), classes=(0, 1), positive=1)
        ones, rows = np.ones((1, n)), scores.reshape(-1, n)
        parts = [area.weighable(truth, row) for row in rows]
        values = np.array([part.values(ones)[0] for part in parts]).reshape(scores.shape[:-1])
        effects = np.array([part.effects(ones)[0] for part in parts]).reshape(scores.shape)
        sides = truth.values
    effects = np.where(np.abs(effects) <= 16 * np.finfo(np.float64).eps / n, 0.0, effects)
    if groups is not None:
        units = int(groups.max()) + 1
        sums = effects @ np.eye(units)[groups]
        return values, sums * np.sqrt(units / (units - 1))
    counts = np.bincount(sides).astype(np.float64)
    scale = counts / np.maximum(counts - 1, 1)
    factor = np.sqrt(scale) if covariance == "unbiased" else scale * np.sqrt((n - 1) / n)
    return values, effects * factor[sides]
