"""The ten tests from repeated cross-validation, and the degrees of freedom that calibrate them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, TypedDict, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Answers, Array, Json
from foldwise.core.validation import fraction, integer, numbers, one_of
from foldwise.inference.student import ALTERNATIVES, StudentResult, matrices, moments, ratios, samples, student_result


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplicitDf(Shown):
    r"""The parts of :math:`Z = \text{estimate}\cdot\sqrt{df+1}/\text{sigma}` that do not depend on df.

    They are computed from the scores once; a whole range of df is then one broadcast over them.

    Examples
    --------
    >>> parts = explicit_df([[0.02, 0.05, -0.01, 0.04], [0.01, 0.02, 0.00, 0.01]])
    >>> parts.test(np.array([[2.0], [3.0]])).pvalue.round(3)
    array([[0.243, 0.168],
           [0.155, 0.092]])
    """

    estimate: Array  #: The difference that the numerator estimates, a − b; one per experiment
    sigma: Array  #: The standard deviation that the test puts under it
    nominal_df: int  #: Degrees of freedom that theory would give if the scores were independent

    def test(self, df: ArrayLike | None = None, *, alternative: Alternative = "two-sided") -> StudentResult:
        """The test with these degrees of freedom (nominal ones if None), both in Z and in its distribution.

        An array `df` must broadcast with the experiments: shape (99, 1) tests all of them at 99 values.
        """
        freedom = self._df(df)
        standard_error = np.asarray(self.sigma / np.sqrt(freedom + 1))
        estimate = np.broadcast_to(self.estimate, standard_error.shape)
        return student_result(estimate, standard_error, freedom, alternative)

    def rejects(
        self, df: ArrayLike | None = None, *, alpha: float = 0.05, alternative: Alternative = "two-sided"
    ) -> Answers:
        """Whether the test rejects at level `alpha`: `test`'s p-value is below it, without computing that.

        One quantile for each df instead of one probability for each df and experiment: what a calibration over
        thousands of experiments needs. A sigma of 0 rejects unless the estimate is 0 (or on the other side), in
        silence.
        """
        one_of(alternative, "alternative", ALTERNATIVES)
        level = fraction(alpha, "alpha")
        freedom = self._df(df)
        tail = level / 2 if alternative == "two-sided" else level
        # one quantile per df in place of a p-value per df and experiment
        reach = -special.stdtrit(freedom, tail) * self.sigma / np.sqrt(freedom + 1)
        if alternative == "two-sided":
            return np.asarray(np.abs(self.estimate) > reach)[()]
        return np.asarray(self.estimate < -reach if alternative == "less" else self.estimate > reach)[()]

    def _df(self, df: ArrayLike | None) -> Array:
        return numbers(self.nominal_df if df is None else df, "df", above=0)


def explicit_df(x: ArrayLike) -> ExplicitDf:
    r"""The parts of the k-fold cv t test, or of the resampled t test, for any degrees of freedom.

    Parameters
    ----------
    x
        Differences a − b, shape (..., n) with n ≥ 2: the folds of one cross-validation or n random splits.

    Notes
    -----
    :math:`Z = \bar x\sqrt{df+1}/\hat\sigma` is referred to Student's distribution with df degrees of freedom [1]_;
    at df = n − 1 it is `kfold_cv_t` or `resampled_t`.

    References
    ----------
    .. [1] Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests, ICML, section 2.
    """
    m = moments(samples(x))
    return ExplicitDf(estimate=m.mean, sigma=np.sqrt(m.variance), nominal_df=m.n - 1)


def explicit_df_corrected(x: ArrayLike, *, test_train_ratio: ArrayLike) -> ExplicitDf:
    r"""The parts of the corrected resampled t test, in the form of Bouckaert's paper, for any degrees of freedom.

    Parameters
    ----------
    x
        Differences a − b of n ≥ 2 random splits, shape (..., n).
    test_train_ratio
        Size of a test set divided by the size of a training set, above 0.

    Notes
    -----
    :math:`Z = \bar x/\sqrt{(1/n + n_2/n_1)\sum_i(x_i-\bar x)^2/(df+1)}`, as [1]_ prints it but for the mean, whose
    1/n is missing there. Because the sum of squares is divided by df + 1 and not by n − 1, Z at df = n − 1 is
    :math:`\sqrt{n/(n-1)}` times Nadeau and Bengio's statistic (`corrected_resampled_t`).

    References
    ----------
    .. [1] Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests, ICML, section 2.2.

    Examples
    --------
    >>> parts = explicit_df_corrected([0.02, 0.05, -0.01, 0.04], test_train_ratio=1 / 9)
    >>> float(round(parts.test(3).statistic, 3))
    1.816
    """
    ratio = ratios(test_train_ratio)
    m = moments(samples(x))
    sigma = np.sqrt((1 / m.n + ratio) * m.variance * (m.n - 1))
    estimate, sigma = np.broadcast_arrays(m.mean, sigma)
    return ExplicitDf(estimate=estimate, sigma=sigma, nominal_df=m.n - 1)


# ---- Calibrated degrees of freedom of the repeated-cv tests: those at which a test holds its level.
#
# The values come with the package as `calibrated_df.json`, which `python benchmarks/measuring calibrated` made:
# as in Bouckaert's paper, with naive Bayes and C4.5 on data sets of 300 examples whose class nothing predicts. The
# paper itself recommends 10 degrees of freedom for `use_all_data` at 10×10, and finds "circa 11" for all six tests.

FILE = "calibrated_df.json"

CALIBRATABLE = (
    "use_all_data", "folds_averaged_var", "folds_averaged_t", "runs_averaged_var", "runs_averaged_t", "sorted_runs",
)  # fmt: skip
"""Variants to which degrees of freedom can give their level."""

NOT_CALIBRATABLE = ("folds", "runs", "sorted_runs_averaged_var", "sorted_runs_averaged_t")
"""Variants to which none do (bouckaert2003 section 4, last two paragraphs)."""


def calibrated_df(variant: str, *, runs: int, folds: int, alpha: float = 0.05) -> float:
    """Degrees of freedom at which a repeated-cv test holds its level.

    Parameters
    ----------
    variant
        One of the variants of `repeated_cv_test`.
    runs, folds
        The scheme of cross-validation.
    alpha
        The level: one that is stored, or any between two that are.

    Returns
    -------
    float
        Refused with `InvalidInput` where no value is known, or where none exists.

    Notes
    -----
    The calibrated value is the largest df whose Type I error, on data without a difference, is at most alpha [1]_.
    Between two stored levels it is the smaller of their two values. For other learners or sizes of data set calibrate
    with `foldwise.lab.calibrate`.

    References
    ----------
    .. [1] Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests, ICML, sections 4
       and 6.

    Examples
    --------
    >>> 9 <= calibrated_df("use_all_data", runs=10, folds=10) <= 11
    True
    """
    one_of(variant, "variant", (*CALIBRATABLE, *NOT_CALIBRATABLE))
    integer(runs, "runs", minimum=2)
    integer(folds, "folds", minimum=2)
    level = fraction(alpha, "alpha")
    if variant in NOT_CALIBRATABLE:
        raise InvalidInput(f"df='calibrated' is impossible for variant {variant!r}: no df gives it its level")
    known = _table()
    first, last = known["runs"]
    by_level = {float(text): tests[variant] for text, tests in known["df"].get(str(folds), {}).items()}
    if not (by_level and min(by_level) <= level <= max(by_level) and first <= runs <= last):
        raise InvalidInput(
            f"df='calibrated' is known for {_known()}, got {runs} runs of {folds} folds at alpha = {level:g}: find the "
            f"number by foldwise lab calibrate --tests {variant} --runs {runs} --folds {folds} --alpha {level:g}, and "
            f"give it as df ({variant}:df=NUMBER)"
        )
    around = max(x for x in by_level if x <= level), min(x for x in by_level if x >= level)
    found = min(float(by_level[x].split()[runs - first]) for x in around)
    if found == 0:
        raise InvalidInput(
            f"df='calibrated' is impossible for {runs} runs of {folds} folds at alpha = {level:g}: no df gives "
            f"variant {variant!r} its level"
        )
    return found


def calibration_stamp() -> dict[str, Json]:
    """How the table was made: population, learners, n, trials, seed, version."""
    return dict(_table()["stamp"])


class _Table(TypedDict):
    """What the file holds: values of df as text, run after run, by folds, level and variant."""

    stamp: dict[str, Json]
    runs: tuple[int, int]
    df: dict[str, dict[str, dict[str, str]]]


@cache
def _table() -> _Table:
    table: _Table = json.loads(files("foldwise.inference").joinpath(FILE).read_text(encoding="utf-8"))
    return table


def _known() -> str:
    """The schemes of the table as a phrase."""
    known = _table()
    folds, levels = ", ".join(known["df"]), list(next(iter(known["df"].values())))
    return f"{known['runs'][0]} to {known['runs'][1]} runs of {folds} folds at alpha from {levels[0]} to {levels[-1]}"


# ---- The ten tests from repeated cross-validation whose degrees of freedom Bouckaert calibrates.


Variant = Literal[
    "use_all_data", "folds", "folds_averaged_var", "folds_averaged_t", "runs", "runs_averaged_var", "runs_averaged_t",
    "sorted_runs", "sorted_runs_averaged_var", "sorted_runs_averaged_t",
]  # fmt: skip
VARIANTS: tuple[Variant, ...] = get_args(Variant)


def repeated_cv_test(
    x: ArrayLike, *, variant: Variant = "use_all_data", df: ArrayLike | Literal["calibrated"] | None = None,
    alternative: Alternative = "two-sided", alpha: float = 0.05,
) -> StudentResult:  # fmt: skip
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
