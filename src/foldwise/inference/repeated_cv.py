"""The ten tests from repeated cross-validation whose degrees of freedom Bouckaert calibrates."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array
from foldwise.core.validation import one_of
from foldwise.inference.degrees_of_freedom import ExplicitDf, calibrated_df
from foldwise.inference.student import StudentResult, matrices, moments

Variant = Literal[
    "use_all_data",
    "folds",
    "folds_averaged_var",
    "folds_averaged_t",
    "runs",
    "runs_averaged_var",
    "runs_averaged_t",
    "sorted_runs",
    "sorted_runs_averaged_var",
    "sorted_runs_averaged_t",
]
VARIANTS: tuple[Variant, ...] = get_args(Variant)


def repeated_cv_test(
    x: ArrayLike,
    *,
    variant: Variant = "use_all_data",
    df: ArrayLike | Literal["calibrated"] | None = None,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> StudentResult:
    r"""Test whether two learners differ, from r runs of k-fold cross-validation, in one of ten ways.

    With nominal degrees of freedom all of them take dependent results for independent and reject far too often.
    Calibrated, `use_all_data` is the paper's recommendation.

    Parameters
    ----------
    x
        Differences a − b, shape (..., runs, folds), at least 2 of each; leading axes are separate experiments.
    variant
        Which of the tests in the table below.
    df
        Degrees of freedom; None for the nominal ones, a number or an array that fits the leading axes of `x`, or
        ``"calibrated"`` for those that gave the test its level on data without a difference (see `calibrated_df`).
    alpha
        Level that calibrated degrees of freedom were found for; without meaning otherwise.

    Returns
    -------
    StudentResult
        For the averaged T tests the estimate is the mean of the groups' means weighted by 1/σ̂ of each, which is
        what their statistic tests.

    Notes
    -----
    With m the mean of all x, :math:`Z = m\sqrt{df+1}/\hat\sigma` is referred to Student's distribution with df
    degrees of freedom [1]_; df stands in both places. A group is a run (``folds``), the folds of one number
    (``runs``), or the values of one rank after sorting each run (``sorted_runs``).

    ===================== ============================================= ==================
    variant               σ̂²                                            nominal df
    ===================== ============================================= ==================
    ``use_all_data``      variance of all x                             runs·folds − 1
    ``…``                 variance of the group means                   groups − 1
    ``…_averaged_var``    mean of the variances within a group          groups − 1
    ``…_averaged_t``      (Z is the mean of the groups' own Z)          size of group − 1
    ===================== ============================================= ==================

    A σ̂ of 0 gives statistic 0 and p = 1 where m is 0, else ±inf and p = 0 with a `DegenerateVariance` warning;
    group means that differ by no more than rounding errors count as equal. The averaged T tests take the limit of
    giving every group without variance the same vanishing σ̂: such groups decide by the sign of the sum of their
    means; if that sum is 0, each counts as Z = 0.

    The order of the runs matters to none. The order of the folds within a run matters only to the three ``runs``
    variants.

    References
    ----------
    .. [1] Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests, ICML, Table 1.

    Examples
    --------
    >>> x = [[3.33, 10, -6.66], [6.66, 3.33, 0], [6.66, -10, -3.33]]
    >>> result = repeated_cv_test(x, variant="folds")
    >>> float(round(result.statistic, 3)), float(result.df), float(round(result.pvalue, 3))
    (0.654, 2.0, 0.58)
    """
    parts = repeated_cv_parts(x, variant=variant)
    if isinstance(df, str):
        one_of(df, "df", ["calibrated"])
        runs, folds = np.shape(x)[-2:]
        df = calibrated_df(variant, runs=runs, folds=folds, alpha=alpha)
    return parts.test(df, alternative=alternative)


def repeated_cv_parts(x: ArrayLike, *, variant: Variant = "use_all_data") -> ExplicitDf:
    """The parts of a repeated-cv test that do not depend on the degrees of freedom.

    Parameters
    ----------
    x, variant
        As for `repeated_cv_test`.

    Examples
    --------
    >>> parts = repeated_cv_parts([[0.1, 0.3], [0.0, 0.4]], variant="runs")
    >>> float(parts.estimate.round(2)), float(parts.sigma.round(3)), parts.nominal_df
    (0.2, 0.212, 1)
    """
    one_of(variant, "variant", VARIANTS)
    array = matrices(x)
    if min(array.shape[-2:]) < 2:
        raise InvalidInput(f"x must have at least 2 runs and 2 folds, got shape {array.shape}")
    everything = moments(array.reshape(*array.shape[:-2], -1), given=array)
    if variant == "use_all_data":
        sigma = np.sqrt(everything.variance)
        return ExplicitDf(estimate=everything.mean, sigma=sigma, nominal_df=everything.n - 1)
    # one group along each last axis: a run, a fold number or, in sorted runs, a rank
    groups = np.sort(array, axis=-1) if variant.startswith("sorted") else array
    if not variant.startswith("folds"):
        groups = np.swapaxes(groups, -1, -2)
    if variant.endswith("averaged_t"):
        return _averaged_t(groups)
    m = moments(groups)
    if variant.endswith("averaged_var"):
        sigma = np.asarray(np.sqrt(m.variance.mean(axis=-1)))
    else:
        # means that differ by no more than rounding errors are equal
        equal = np.ptp(m.mean, axis=-1) <= _rounding(groups, groups.shape[-1])
        sigma = np.where(equal, 0.0, np.sqrt(moments(m.mean).variance))
    vanishing = (sigma == 0) & (np.abs(everything.mean) <= _rounding(array, everything.n))
    return ExplicitDf(estimate=np.where(vanishing, 0.0, everything.mean), sigma=sigma, nominal_df=groups.shape[-2] - 1)


def _averaged_t(groups: Array) -> ExplicitDf:
    """Z = √(df+1) · mean(x̄ⱼ/σ̂ⱼ), written as estimate/sigma so that the interval dual to it follows."""
    m = moments(groups)
    constant = m.variance == 0
    weight = np.where(constant, 0.0, 1 / np.sqrt(np.where(constant, 1.0, m.variance)))
    total = weight.sum(axis=-1)
    estimate = (weight * m.mean).sum(axis=-1) / np.where(total > 0, total, 1.0)
    sigma = np.where(total > 0, groups.shape[-2] / np.where(total > 0, total, 1.0), 0.0)
    decided = np.where(constant, m.mean, 0.0).sum(axis=-1)
    decisive = np.abs(decided) > _rounding(groups, groups.shape[-2])
    return ExplicitDf(
        estimate=np.where(decisive, decided / np.maximum(constant.sum(axis=-1), 1), estimate),
        sigma=np.where(decisive, 0.0, sigma),
        nominal_df=m.n - 1,
    )


def _rounding(x: Array, terms: int) -> Array:
    """Bound on the rounding error of a mean of so many of an experiment's values."""
    return np.asarray(terms * np.finfo(np.float64).eps * np.abs(x).max(axis=(-2, -1)))
