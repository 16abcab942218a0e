"""Readers × cases: modalities compared over readers and cases (Obuchowski & Rockette; Dorfman, Berbaum & Metz)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags, Integers
from foldwise.core.validation import integer, numbers, one_of
from foldwise.inference.crossed_designs import least_freedom
from foldwise.inference.student import StudentResult, student_result
from foldwise.metrics.metric import Needs, Truth
from foldwise.metrics.ranking import Auc

FEW_READERS = 5  # Readers below which their spread is hardly known.

MANY = 1e6  # As many degrees of freedom as are no bound.

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
    freedom are the least that is plausible (`foldwise.inference.crossed_designs.least_freedom`). Without that, three
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
        least = least_freedom((of_readers, r - 1.0), (of_cases, np.minimum(most, MANY)))
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
