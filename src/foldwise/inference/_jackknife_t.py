"""Student's t for the difference of two models' metrics, by leaving out one unit at a time."""

from __future__ import annotations

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.inference.clusters import variance_quality
from foldwise.inference.student import StudentResult, student_result
from foldwise.metrics.statistic import Statistic, spread

__all__ = [
    "jackknife_t",
    "unit_df",
]


# ---- Student's t for the difference of two models' metrics, by leaving out one unit at a time.


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
    effects = [(statistic.effects if statistic.settled else statistic.left_out(), statistic.counts)]
    if (supposed := statistic.with_supposed()) is not None:
        effects.append(supposed)
    known = [_known(of_models[0] - of_models[1], counts) for of_models, counts in effects]
    # what rounding leaves of effects that cancel is no spread
    noise = 16 * np.finfo(np.float64).eps * float(np.abs(statistic.values[:2]).max())
    error = max(error for error, _ in known)
    return student_result(
        np.asarray(statistic.values[0] - statistic.values[1]),
        np.asarray(error if error > noise else 0.0),
        min([unit_df(statistic), *(df for _, df in known)]),
        warn=False,
    )


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
