"""An interval for an error rate from cross-validation, which counts the overlap of the training sets."""

from __future__ import annotations

from scipy import special

from foldwise.core.types import Interval

__all__ = ["cross_validated_interval", "worth"]


def worth(folds: int) -> float:
    r"""How many independent test examples one cross-validated example is worth: :math:`1/(1+k/(k-1))`.

    Notes
    -----
    The corrected t test takes the variance of the mean over k folds to be :math:`(1/k + 1/(k-1))\,\sigma^2` instead
    of :math:`\sigma^2/k` [1]_: 2.1 times as much for ten folds, 3 times for two, twice for leave-one-out.

    References
    ----------
    .. [1] Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52.

    Examples
    --------
    >>> worth(2), round(worth(10), 3)
    (0.3333333333333333, 0.474)
    """
    return 1 / (1 + folds / (folds - 1))


def cross_validated_interval(errors: float, tested: int, *, folds: int, confidence_level: float) -> Interval:
    r"""Jeffreys' interval in which every example counts as `worth` of one.

    Parameters
    ----------
    errors, tested
        Errors among all examples, each tested once.
    folds
        Number of folds; as many as there are examples for leave-one-out.
    confidence_level
        Level of the interval.

    Notes
    -----
    The quantiles of Beta(w·errors + ½, w·(tested − errors) + ½), with a limit of 0 without errors and of 1 with
    errors only. At full worth the interval of level .95 held the error of the model trained on all examples in .84 to
    .93 of the samples of eight sources and learners, at this worth in .96 to .99, and its expectation in .95 to .99:
    see `foldwise.measuring.coverage`.

    Examples
    --------
    >>> interval = cross_validated_interval(6, 150, folds=10, confidence_level=0.95)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.011, 0.105)
    """
    share, tail = worth(folds), (1 - confidence_level) / 2
    a, b = share * errors + 0.5, share * (tested - errors) + 0.5
    low = 0.0 if errors == 0 else float(special.betaincinv(a, b, tail))
    high = 1.0 if errors == tested else float(special.betainccinv(a, b, tail))
    return Interval(low=low, high=high)
