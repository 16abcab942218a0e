"""Tests of any metric of two models: jackknife t and exchange of outputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Array, Flags
from foldwise.core.validation import integer
from foldwise.inference.clusters import variance_quality
from foldwise.inference.student import StudentResult, student_result
from foldwise.metrics.statistic import Statistic, blocks, spread


def swapped_counts(counts: Array, draws: int, rng: np.random.Generator) -> Array:
    """In how many units of each kind the outputs are exchanged, each with probability one half."""
    whole = counts.astype(np.int64)
    if (whole == 1).all():
        return rng.integers(0, 2, size=(draws, len(whole)), dtype=np.int8).astype(np.float64)
    return rng.binomial(whole, 0.5, size=(draws, len(whole))).astype(np.float64)


def all_swaps(counts: Array, differ: Flags) -> Array:
    """Every way to exchange outputs in the units where they differ, as numbers of exchanged units of each kind.

    All ways are equally probable, so that ways that give the same numbers occur as often as there are.
    """
    kinds = np.repeat(np.flatnonzero(differ), counts[differ].astype(np.int64))
    ways = np.arange(1 << len(kinds))
    swaps = np.zeros((len(ways), len(counts)))
    for bit, kind in enumerate(kinds):
        swaps[:, kind] += (ways >> bit) & 1
    return swaps


NOT_LEFT_OUT = 5_000, 1_000  # Kinds of unit, and units that carry the variance, from which the derivative will do.

SAME = 1e-9  # Statistics that differ by less than this share of their size are the same.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SwapPermutationResult(Shown):
    """Outcome of the swap permutation test."""

    estimate: float  #: Metric of the first model minus that of the second
    standard_error: float  #: From the effects of the units on it
    #: estimate / standard_error, or the estimate itself where it is not studentised; 0 where the estimate is 0
    statistic: float
    pvalue: float  #: Two-sided: the share of exchanged sets whose statistic is as far from 0, this one among them
    permutations: int  #: Number of sets that were exchanged; all there are where `exact`
    exact: bool  #: Whether every way to exchange was looked at
    studentised: bool  #: Whether every set was judged by its own standard error
    normal: bool  #: Whether p is that of the normal limit, because there are too many units to exchange: no sets then


def swap_permutation(statistic: Statistic, *, permutations: int | None = None, seed: int = 0) -> SwapPermutationResult:
    """Exchange the two models' outputs within units, items or whole clusters, at random.

    Parameters
    ----------
    statistic
        The metric of two models (`foldwise.metrics.catalogue.measure`); of more, the first two are compared.
    permutations
        Number of exchanged sets; by default 9,999, and fewer where that would take long. If there are no more ways to
        exchange than that, all of them are looked at.
    seed
        The same seed and the same data give the same answer.

    Notes
    -----
    If the two models' outputs on a unit could as well be the other's, all ways to exchange them are equally probable,
    and the test is exact. Divided by its own standard error [1]_ the difference has, with many units, the same law
    where the metrics are equal and nothing else is, so that the test holds its level there too. Of random exchanges,
    the set as it is counts among them, so that p is never 0 [2]_. A metric of sums needs none of the items: how many
    units of a kind are exchanged is binomial. Hundreds of units that are all different, and share the variance
    among them, are not exchanged: the normal limit of the studentised difference is taken.

    References
    ----------
    .. [1] Chung & Romano (2013), Exact and asymptotically robust permutation tests, Annals of Statistics 41, 484-507.
    .. [2] Phipson & Smyth (2010), Permutation p-values should never be zero, Statistical Applications in Genetics and
       Molecular Biology 9, 39.

    Examples
    --------
    >>> from foldwise.metrics.catalogue import known_metric
    >>> from foldwise.metrics.function import measure
    >>> from foldwise.metrics.metric import Truth
    >>> truth = Truth(values=np.arange(40) % 2, classes=("no", "yes"), positive=1)
    >>> outputs = [truth.values, (np.arange(40) % 5 < 4) * truth.values]
    >>> result = swap_permutation(measure(known_metric("f1"), truth, outputs))
    >>> round(result.estimate, 3), result.pvalue, result.exact
    (0.111, 0.125, True)
    """
    if len(statistic.values) < 2:
        raise InvalidInput(f"statistic must be of at least 2 models, got {len(statistic.values)}")
    asked = statistic.draws - 1 if permutations is None else integer(permutations, "permutations", minimum=99)
    estimate = float(statistic.values[0] - statistic.values[1])
    error = float(spread(statistic.effects[0] - statistic.effects[1], statistic.counts))
    if statistic.settled:
        z = estimate / error
        return SwapPermutationResult(
            estimate=estimate, standard_error=error, statistic=z, pvalue=float(2 * special.ndtr(-abs(z))),
            permutations=0, exact=False, studentised=True, normal=True
        )  # fmt: skip
    # exchanging outputs that are the same changes nothing: with m units that differ there are 2^m ways, and all of them
    # are looked at where they are no more than the random ones would be
    differing = min(float(statistic.counts[statistic.differ].sum()), 60.0)
    exact = 2.0**differing <= asked + 1
    differences, errors = _exchanged(statistic, asked, seed, exact=exact)
    studentised = errors is not None
    observed = _ratio(np.array([estimate]), np.array([error]) if studentised else None)[0]
    reached = int((np.abs(_ratio(differences, errors)) >= abs(observed) * (1 - SAME)).sum())
    count = len(differences)
    return SwapPermutationResult(
        estimate=estimate, standard_error=error, statistic=float(observed),
        pvalue=reached / count if exact else (reached + 1) / (count + 1), permutations=count, exact=exact,
        studentised=studentised, normal=False,
    )  # fmt: skip


def _exchanged(statistic: Statistic, asked: int, seed: int, *, exact: bool) -> tuple[Array, Array | None]:
    if exact:
        found = statistic.exchanged(all_swaps(statistic.counts, statistic.differ))
        return found.differences, found.standard_errors
    rng, differences, errors = stream(seed, "swap permutation"), [], []
    for part in blocks(asked, statistic.width):
        found = statistic.exchanged(swapped_counts(statistic.counts, part.stop - part.start, rng))
        differences.append(found.differences)
        if found.standard_errors is not None:
            errors.append(found.standard_errors)
    return np.concatenate(differences), np.concatenate(errors) if errors else None


def _ratio(differences: Array, errors: Array | None) -> Array:
    """Differences by their standard errors; no difference is 0 even without a spread, rounding apart."""
    noise = 64 * np.finfo(np.float64).eps
    exact = np.where(np.abs(differences) <= noise, 0.0, differences)
    if errors is None:
        return exact
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(exact == 0, 0.0, exact / np.where(errors <= noise, 0.0, errors))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BootstrapResult(Shown):
    """Outcome of the paired bootstrap."""

    estimate: float  #: Metric of the first model minus that of the second
    standard_error: float  #: Standard deviation over the resamples
    pvalue: float  #: Two-sided: the share of resamples as far from their mean as the estimate is from 0
    distances: Array  #: Of each resample how far its difference is from their mean, ascending

    def half_width(self, level: float) -> float:
        """What the interval reaches to either side of the estimate: it holds 0 exactly where p is above 1 − level."""
        draws = len(self.distances)
        reached = int(np.floor((1 - level) * (draws + 1) + 1e-9))
        return float(self.distances[draws - reached]) if 0 < reached <= draws else float("inf")


def _resampled_counts(counts: Array, draws: int, rng: np.random.Generator) -> Array:
    """How often each kind of unit occurs when as many units as there are are drawn with replacement."""
    units, kinds = round(float(counts.sum())), len(counts)
    if kinds < units / 2:
        return rng.multinomial(units, counts / counts.sum(), size=draws).astype(np.float64)
    # nearly every unit is of its own kind: drawing units one by one is faster than binomials kind by kind
    kind_of = np.repeat(np.arange(kinds), counts.astype(np.int64))
    found = np.empty((draws, kinds))
    for row in found:
        row[:] = np.bincount(kind_of[rng.integers(0, units, units)], minlength=kinds)
    return found


def paired_bootstrap(statistic: Statistic, *, resamples: int | None = None, seed: int = 0) -> BootstrapResult:
    """Draw units, items or whole clusters, with replacement, the same for both models.

    Parameters
    ----------
    statistic
        The metric of two models (`foldwise.metrics.catalogue.measure`); of more, the first two are compared.
    resamples
        Number of resamples; by default 10,000, and fewer where that would take long.
    seed
        The same seed and the same data give the same answer.

    Notes
    -----
    The law of the difference around its own mean over the resamples stands for the law of the estimate around the
    truth [1]_, [2]_, which is how sacrebleu computes p. The interval is made of the same distances, to both sides
    alike, so that the two agree. With few units it is too narrow: resamples of n units vary by (n − 1)/n of what they
    should. (sacrebleu takes the mean of the absolute differences for their centre: its p is that of one side.)

    References
    ----------
    .. [1] Efron & Tibshirani (1993), An introduction to the bootstrap, Chapman & Hall.
    .. [2] Koehn (2004), Statistical significance tests for machine translation evaluation, EMNLP.

    Examples
    --------
    >>> from foldwise.metrics.counts import count_metric, no_truth
    >>> from foldwise.metrics.function import measure
    >>> words = np.arange(40) % 7 + 5.0
    >>> a, b = (np.column_stack([errors, words]) for errors in (np.arange(40) % 3 == 0, np.arange(40) % 2))
    >>> result = paired_bootstrap(measure(count_metric("wer", ["errors", "words"]), no_truth(40), [a, b]))
    >>> round(result.estimate, 4), result.pvalue > 0.05, result.half_width(0.95) > abs(result.estimate)
    (-0.019, True, True)
    """
    if len(statistic.values) < 2:
        raise InvalidInput(f"statistic must be of at least 2 models, got {len(statistic.values)}")
    draws = statistic.draws if resamples is None else integer(resamples, "resamples", minimum=99)
    rng, found = stream(seed, "paired bootstrap"), []
    for part in blocks(draws, statistic.width):
        values = statistic.weighted(_resampled_counts(statistic.counts, part.stop - part.start, rng))
        found.append(values[:, 0] - values[:, 1])
    differences = np.concatenate(found)
    differences = differences[np.isfinite(differences)]  # a resample without one of the classes has none
    if not differences.size:
        raise InvalidInput("no resample of the items has a value of the metric")
    # the law of resample − mean of resamples stands for that of estimate − truth, which is 0 under the null hypothesis
    estimate = float(statistic.values[0] - statistic.values[1])
    noise = 64 * np.finfo(np.float64).eps * float(np.abs(statistic.values[:2]).max())
    distances = np.sort(np.abs(differences - differences.mean()))
    distances = np.where(distances <= noise, 0.0, distances)
    reached = int((distances >= abs(estimate) * (1 - SAME)).sum())
    return BootstrapResult(
        estimate=estimate, standard_error=float(differences.std(ddof=1)) if len(differences) > 1 else 0.0,
        pvalue=(reached + 1) / (len(distances) + 1) if distances[-1] > 0 else 1.0, distances=distances,
    )  # fmt: skip


def bootstrap_spread(statistic: Statistic, *, seed: int = 0) -> tuple[Array, Flags]:
    """Standard error of each model's metric over resamples of units, and which models have none.

    Of a quantile, such as a median, leaving out one unit at a time gives no standard error that can be relied on, and
    resamples do (Efron 1979). Where no resample is above the value, or none is below it, as with a maximum, resamples
    do not tell its law either (Bickel & Freedman 1981): these models are the second array's True.
    """
    rng = stream(seed, "bootstrap spread")
    parts = blocks(statistic.draws, statistic.width)
    drawn = [statistic.weighted(_resampled_counts(statistic.counts, part.stop - part.start, rng)) for part in parts]
    found = np.concatenate(drawn)
    found = found[np.isfinite(found).all(axis=1)]  # a resample without one of the classes has none
    if len(found) < 2:
        return np.full(len(statistic.values), np.nan), np.zeros(len(statistic.values), dtype=bool)
    noise = 64 * np.finfo(np.float64).eps * np.abs(statistic.values)
    above, below = (found > statistic.values + noise).any(axis=0), (found < statistic.values - noise).any(axis=0)
    units = statistic.units  # resamples of n units vary by (n − 1)/n of what they should
    return found.std(axis=0, ddof=1) * np.sqrt(units / max(units - 1, 1)), above != below


def jackknife_t(statistic: Statistic) -> StudentResult:
    r"""Estimate the difference of two models' metrics, with the jackknife's standard error.

    Parameters
    ----------
    statistic
        The metric of two models (`foldwise.metrics.catalogue.measure`); of more, the first two are compared.

    Returns
    -------
    StudentResult
        Test, interval and probabilities come from one Student distribution: the interval contains its estimate and
        widens with its level whatever the units.

    Notes
    -----
    The units' effects *l* on the difference are those of leaving out one item, or one cluster [1]_; with thousands of
    units that share the variance, their derivatives. A standard error is known as well as the units that carry it are
    many: its degrees of freedom are :math:`2n/(\hat\kappa-1)` with :math:`\hat\kappa=n\sum l^4/(\sum l^2)^2`, at most
    n − 1, or what clusters of unequal size are worth.

    Of labels it is known what an item can do that was not seen: one model right, the other wrong. Half an item of each
    sort (both models, positive and negative truth: two items in all) is added to the standard error, as Bonett and
    Price [2]_ add them to a table of two proportions; without them, a few positives on which the models happen to
    agree would pass for certainty. The wider of the two answers is taken.

    References
    ----------
    .. [1] Efron & Stein (1981), The jackknife estimate of variance, Annals of Statistics 9, 586-596.
    .. [2] Bonett & Price (2012), Adjusted Wald confidence interval for a difference of binomial proportions based on
       paired data, Journal of Educational and Behavioral Statistics 37, 479-488.

    Examples
    --------
    >>> from foldwise.metrics.catalogue import known_metric
    >>> from foldwise.metrics.function import measure
    >>> from foldwise.metrics.metric import Truth
    >>> truth = Truth(values=np.arange(200) % 2, classes=("no", "yes"), positive=1)
    >>> a, b = (np.where(np.arange(200) % wrong == 0, 1 - truth.values, truth.values) for wrong in (9, 5))
    >>> result = jackknife_t(measure(known_metric("f1"), truth, [a, b]))
    >>> round(float(result.estimate), 3), round(float(result.pvalue), 2)
    (0.086, 0.02)
    """
    if len(statistic.values) < 2:
        raise InvalidInput(f"statistic must be of at least 2 models, got {len(statistic.values)}")
    # the largest of the standard errors counts, and the fewest degrees of freedom
    effects = [(statistic.effects if statistic.carried_by(*NOT_LEFT_OUT) else statistic.left_out(), statistic.counts)]
    if (supposed := statistic.with_supposed()) is not None:
        effects.append(supposed)
    known = [_known(of_models[0] - of_models[1], counts) for of_models, counts in effects]
    # what rounding leaves of effects that cancel is no spread
    noise = 16 * np.finfo(np.float64).eps * float(np.abs(statistic.values[:2]).max())
    error = max(error for error, _ in known)
    return student_result(
        np.asarray(statistic.values[0] - statistic.values[1]), np.asarray(error if error > noise else 0.0),
        min([unit_df(statistic), *(df for _, df in known)]), warn=False,
    )  # fmt: skip


def _known(effects: Array, counts: Array) -> tuple[float, float]:
    """The standard error from the effects of units, and by how many units it is known."""
    largest = float(np.abs(effects).max(initial=0.0))
    if largest == 0:
        return 0.0, np.inf
    squares = (effects / largest) ** 2  # of order 1: fourth powers of small effects would vanish
    second, fourth = float((counts * squares).sum()), float((counts * squares**2).sum())
    kurtosis = float(counts.sum()) * fourth / second**2
    return float(spread(effects, counts)), max(1.0, 2 * float(counts.sum()) / max(kurtosis - 1, 1e-9))


def unit_df(statistic: Statistic) -> float:
    """Degrees of freedom of a standard error over units; unequal clusters are worth fewer than they are."""
    if statistic.sizes is None:
        return max(statistic.units - 1.0, 1.0)
    sizes = np.repeat(statistic.sizes, statistic.counts.astype(np.int64))
    return float(variance_quality(sizes, np.array(1.0))[1])
