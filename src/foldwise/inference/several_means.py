"""Means of several parts: whether independent estimates are of one value, and the mean of tasks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Integers
from foldwise.core.validation import numbers
from foldwise.evidence.items import task_means
from foldwise.inference.joint_differences import ModelMeans
from foldwise.inference.student import StudentResult, student_result


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualMeansResult(Shown):
    """Outcome of Welch's test."""

    statistic: float
    df: tuple[float, float]
    pvalue: float
    estimate: float  #: The common value, weighted by precision


def equal_means(estimates: ArrayLike, standard_errors: ArrayLike, df: ArrayLike) -> EqualMeansResult:
    r"""Test whether independent estimates with standard errors of their own are of one value.

    Parameters
    ----------
    estimates, standard_errors
        Two or more, each with its standard error above 0.
    df
        Degrees of freedom of each standard error.

    Notes
    -----
    With weights :math:`w_s=1/SE_s^2` and the weighted mean :math:`\tilde m`,

    .. math:: F = \frac{\sum w_s (m_s - \tilde m)^2 / (S - 1)}{1 + 2\,(S - 2)\,\Lambda / (S^2 - 1)}, \qquad
              \Lambda = \sum_s (1 - w_s / W)^2 / \nu_s

    with S − 1 and :math:`(S^2-1)/(3\Lambda)` degrees of freedom [1]_: of means of independent items it is R's
    ``oneway.test``.

    References
    ----------
    .. [1] Welch (1951), On the comparison of several mean values: an alternative approach, Biometrika 38.

    Examples
    --------
    >>> found = equal_means([0.2, 0.0, 0.1], [0.05, 0.05, 0.05], [40, 40, 40])
    >>> round(found.statistic, 2), round(found.pvalue, 3)
    (3.97, 0.023)
    """
    m, error, nu = (numbers(given, name) for given, name in
                    ((estimates, "estimates"), (standard_errors, "standard_errors"), (df, "df")))  # fmt: skip
    if m.ndim != 1 or len(m) < 2 or not m.shape == error.shape == nu.shape:
        raise InvalidInput(
            f"estimates, standard_errors and df must be as many, two or more, got shapes {m.shape}, {error.shape} and "
            f"{nu.shape}"
        )
    if not ((error > 0) & (nu > 0)).all():
        raise InvalidInput("standard_errors and df must be above 0")
    count = len(m)
    weight = error**-2
    total = weight.sum()
    common = float(weight @ m / total)
    spread = float(((1 - weight / total) ** 2 / nu).sum())
    between = float((weight * (m - common) ** 2).sum()) / (count - 1)
    statistic = between / (1 + 2 * (count - 2) / (count**2 - 1) * spread)
    second = (count**2 - 1) / (3 * spread)
    pvalue = float(special.fdtrc(count - 1, second, statistic))
    return EqualMeansResult(statistic=statistic, df=(count - 1.0, second), pvalue=pvalue, estimate=common)


# ---- The mean of tasks, each counting once, where items or clusters of them may occur in several tasks.


_ALONE = "tasks must each have at least two items or groups of them, else their spread is unknown"


def mean_of_tasks(x: ArrayLike, tasks: ArrayLike, groups: ArrayLike | None = None) -> StudentResult:
    r"""Test whether the mean over tasks of the mean difference on each is zero.

    Parameters
    ----------
    x
        Differences a − b, shape (..., n), of all items of all tasks; leading axes are separate experiments.
    tasks
        The task of each item; tasks are fixed, items are the sample.
    groups
        The item, or the cluster, that each of them belongs to: those of one are correlated, also where they are
        in different tasks. Without it all are independent.

    Notes
    -----
    A regression on the tasks' indicators, whose coefficients are averaged, with the CR2 variance over groups [1]_: with
    the residual sums :math:`S_{ct}` of group c in task t, :math:`n_{ct}` items of :math:`n_t` there, and T tasks,

    .. math:: V = \sum_c \Bigl(\sum_t \frac{S_{ct}}{T n_t \sqrt{1 - n_{ct}/n_t}}\Bigr)^2

    As in `clustered_t` it is divided by its expected share, and its degrees of freedom are Satterthwaite's, at the
    correlation within groups that the items show; and it is never below the variance of independent items.

    References
    ----------
    .. [1] Bell & McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage
       samples, Survey Methodology 28, 169-181.

    Examples
    --------
    >>> result = mean_of_tasks([1, 0, 2, 1, 0, 0, 1, 0, 0], [0, 0, 0, 1, 1, 1, 1, 1, 1])
    >>> round(float(result.estimate), 4), round(float(result.standard_error), 4)
    (0.6667, 0.3073)
    """
    values = numbers(x, "x", min_ndim=1)
    task = np.unique(np.asarray(tasks), return_inverse=True)[1]
    unit = None if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
    if unit is None or int(unit.max(initial=0)) + 1 == len(unit):
        return _independent(values, task)
    counts = _table(unit, task)
    if (counts.sum(axis=0) == counts.max(axis=0)).any():
        raise InvalidInput(_ALONE)
    means = task_means(values, task)
    flat = values.reshape(-1, values.shape[-1])
    found = np.array([_variance(row, task, unit, counts) for row in flat]).reshape(*values.shape[:-1], 2)
    return student_result(means.mean(axis=-1), np.sqrt(found[..., 0]), found[..., 1])


def _independent(values: Array, task: Integers) -> StudentResult:
    """The same in closed form where every item is a unit: CR2 is then the sum of the tasks' own variances."""
    sizes = np.bincount(task)
    if sizes.min() < 2:
        raise InvalidInput(_ALONE)
    means = task_means(values, task)
    left = values - means[..., task]
    noise = 16 * np.finfo(np.float64).eps * np.abs(values).max(axis=-1, initial=0.0, keepdims=True)
    left = np.where(np.abs(left) <= noise, 0.0, left)
    of_tasks = task_means(left**2, task) / (sizes - 1)
    total = of_tasks.sum(axis=-1)
    spread = (of_tasks**2 / (sizes - 1)).sum(axis=-1)
    df = np.where(total > 0, total**2 / np.where(spread > 0, spread, 1.0), 1.0)
    return student_result(means.mean(axis=-1), np.sqrt(total) / len(sizes), df)


def model_task_means(values: Array, tasks: Integers, groups: Integers | None = None) -> ModelMeans:
    """Means over tasks of k models, of shape (k, n), and their covariance over items or groups."""
    unit = np.arange(len(tasks)) if groups is None else groups
    counts = _table(unit, tasks)
    sizes = counts.sum(axis=0)
    factor = 1 / (counts.shape[1] * sizes) / np.sqrt(1 - counts / sizes)
    means = task_means(values, tasks)
    parts = np.array([(factor * _table(unit, tasks, row)).sum(axis=1) for row in values - means[:, tasks]])
    units = len(counts)
    return ModelMeans(
        means=means.mean(axis=1), covariance=parts @ parts.T, df=float(max(units - len(sizes), 1)), units=units
    )


def _table(unit: Integers, task: Integers, weights: Array | None = None) -> Array:
    units, tasks = int(unit.max()) + 1, int(task.max()) + 1
    found = np.bincount(unit * tasks + task, weights=weights, minlength=units * tasks)
    return found.reshape(units, tasks).astype(np.float64)


def _variance(x: Array, task: Integers, unit: Integers, counts: Array) -> tuple[float, float]:
    """The squared standard error, and its degrees of freedom."""
    sizes, tasks = counts.sum(axis=0), counts.shape[1]
    left = x - task_means(x, task)[task]
    left = np.where(np.abs(left) <= 16 * np.finfo(np.float64).eps * np.abs(x).max(initial=0.0), 0.0, left)
    variance = np.bincount(task, weights=left**2) / (sizes - 1)
    if not variance.any():
        return 0.0, 1.0
    # each unit adds its deviations in all of its tasks, freed of its share in their means (CR2)
    factor = 1 / (tasks * sizes) / np.sqrt(1 - counts / sizes)
    found = float(((factor * _table(unit, task, left)).sum(axis=1) ** 2).sum())
    share, df = _quality(counts, factor, variance, _correlation(left, variance, task, unit))
    independent = float((variance / sizes).sum()) / tasks**2
    return max(found / min(share, 1.0), independent), df


def _correlation(left: Array, variance: Array, task: Integers, unit: Integers) -> float:
    """How alike the items of one group are, within and across tasks, kept within 0 and 1."""
    scale = np.sqrt(variance)[task]
    z = np.divide(left, scale, out=np.zeros_like(left), where=scale > 0)
    sizes = np.bincount(unit).astype(np.float64)
    pairs = float((sizes**2 - sizes).sum())
    if pairs == 0:
        return 0.0
    products = float((np.bincount(unit, weights=z) ** 2).sum() - (z**2).sum())
    return min(max(products / pairs, 0.0), 1.0)


def _quality(counts: Array, factor: Array, variance: Array, rho: float) -> tuple[float, float]:
    """The expectation of CR2 as a share of the true variance, and its degrees of freedom, at this correlation.

    The covariance of the groups' contributions is a diagonal matrix and one of rank 2T; traces are sums over groups.
    """
    sizes, tasks = counts.sum(axis=0), counts.shape[1]
    spread = counts * np.sqrt(variance)
    own = rho * spread * (spread * factor).sum(axis=1, keepdims=True) + (1 - rho) * counts * variance * factor
    total = rho * spread.T @ spread + (1 - rho) * np.diag(sizes * variance)
    weight = factor * counts / sizes
    diagonal = (factor * own).sum(axis=1)
    beside = -2 * (own * weight).sum(axis=1) + ((weight @ total) * weight).sum(axis=1)
    expected = float((diagonal + beside).sum())
    # tr(DKDK) without a matrix of units × units: K is diagonal but for a part of the rank of 2 × tasks
    both = np.hstack([own, weight])
    nothing, one = np.zeros((tasks, tasks)), np.eye(tasks)
    inner = np.block([[nothing, -one], [-one, total]]) @ (both.T @ both)
    squares = float((diagonal**2 + 2 * diagonal * beside).sum() + np.trace(inner @ inner))
    true = float((total / np.outer(sizes, sizes)).sum()) / tasks**2
    return expected / true, expected**2 / squares
