"""Heuristic standard errors of a difference when there is only one sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Answers, Array, Numbers
from foldwise.core.validation import counts, numbers
from foldwise.inference.intervals.applicability import checked_counts

__all__ = ["SingleSampleHeuristic", "single_sample_se", "single_sample_ss"]

CAVEAT = (
    "One sample can't show how the difference varies from sample to sample: this standard error is a heuristic, "
    "biased towards significance, and no level can be attached to it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleSampleHeuristic(Shown):
    """A difference with a heuristic standard error; deliberately without a p-value.

    Attributes
    ----------
    estimate
        error(A) − error(B).
    standard_error
        The heuristic.
    statistic
        estimate / standard_error; 0 when both are 0, ±inf when only the standard error is.
    heuristic
        Always True.
    caveat
        Why no level can be attached.
    """

    estimate: Numbers
    standard_error: Numbers
    statistic: Numbers
    heuristic: bool
    caveat: str

    @property
    def apparent(self) -> Answers:
        """Whether the difference exceeds 2 standard errors: apparently, not measurably, significant."""
        return np.abs(self.statistic) > 2


def single_sample_se(errors_a: ArrayLike, errors_b: ArrayLike, n: ArrayLike) -> SingleSampleHeuristic:
    r"""The ±2-SE heuristic: the standard error of one rate stands for that of the difference.

    Parameters
    ----------
    errors_a, errors_b
        Number of errors of each classifier, for example over all folds of a cross-validation.
    n
        Number of examples.

    Notes
    -----
    :math:`SE=\sqrt{\varepsilon(1-\varepsilon)/N}` with ε the mean of the two rates, which tacitly assumes a
    correlation of ½ between them.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II, section 3.4.

    Examples
    --------
    >>> result = single_sample_se(30, 20, 100)
    >>> round(float(result.standard_error), 4), bool(result.apparent)
    (0.0433, True)
    """
    a, size_a = checked_counts(errors_a, n, ("errors_a", "n"))
    b, size_b = checked_counts(errors_b, n, ("errors_b", "n"))
    rate_a, rate_b = a / size_a, b / size_b
    rate = (rate_a + rate_b) / 2
    return _result(rate_a - rate_b, np.sqrt(rate * (1 - rate) / size_a))


def single_sample_ss(differences: ArrayLike, sizes: ArrayLike) -> SingleSampleHeuristic:
    r"""The paired-cv heuristic: the weighted variance of the differences over the folds of one cross-validation.

    Parameters
    ----------
    differences
        error(A) − error(B) on each fold, of shape (..., k) with k ≥ 2; both learners must have used the same folds.
    sizes
        Number of test examples of each fold, of shape (k,).

    Notes
    -----
    :math:`SS^2=\sum_j(\delta_j-x)^2m_j/((k-1)N)` with :math:`x=\sum_j m_j\delta_j/N`. Less biased than SE, but
    more variable.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II, section 3.4.

    Examples
    --------
    >>> result = single_sample_ss([0.1, 0.0, 0.2, 0.1], [10, 10, 10, 10])
    >>> round(float(result.estimate), 4), round(float(result.standard_error), 4)
    (0.1, 0.0408)
    """
    delta = numbers(differences, "differences", min_ndim=1)
    weight = counts(sizes, "sizes")
    folds = delta.shape[-1]
    if weight.shape != (folds,):
        raise InvalidInput(f"sizes must hold one size per fold, shape ({folds},), got shape {weight.shape}")
    if folds < 2 or (weight == 0).any():
        raise InvalidInput(f"sizes must name at least 2 folds of at least 1 example each, got {weight.tolist()}")
    total = weight.sum()
    estimate = np.asarray((delta * weight).sum(axis=-1) / total)
    squares = ((delta - estimate[..., None]) ** 2 * weight).sum(axis=-1)
    # equal differences have no variance, though their mean may miss them by a rounding error
    squares = np.where(np.ptp(delta, axis=-1) == 0, 0.0, squares)
    return _result(estimate, np.sqrt(squares / ((folds - 1) * total)))


def _result(estimate: Array, standard_error: Array) -> SingleSampleHeuristic:
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(estimate == 0, 0.0, estimate / standard_error)
    return SingleSampleHeuristic(
        estimate=estimate[()], standard_error=standard_error[()], statistic=statistic[()], heuristic=True, caveat=CAVEAT
    )
