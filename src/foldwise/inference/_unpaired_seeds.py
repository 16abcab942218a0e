"""Each model trained several times with seeds of its own, every training marked on the same items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Numbers
from foldwise.core.validation import numbers
from foldwise.inference._crossed import MeanSquares, least_freedom, mean_squares
from foldwise.inference.student import StudentResult, student_result

__all__ = [
    "UnpairedSeedsResult",
    "unpaired_seeds",
]


# ---- Each model trained several times with seeds of its own, every training marked on the same items.


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpairedSeedsResult(Shown):
    """Outcome of the analysis.

    Attributes
    ----------
    student
        Estimate, standard error, t, degrees of freedom, p-value and interval.
    a, b
        The analysis of variance of each model's marks, with the components of variance of its seeds.
    item_term
        What the items, or the clusters, add to the squared standard error.
    """

    student: StudentResult
    a: MeanSquares
    b: MeanSquares
    item_term: Numbers


def unpaired_seeds(a: ArrayLike, b: ArrayLike, groups: ArrayLike | None = None) -> UnpairedSeedsResult:
    r"""Test whether two models are equally good over new items and new seeds, when their seeds have no common meaning.

    Parameters
    ----------
    a, b
        Marks of shape (..., seeds, items) on the same items, at least two seeds of each model, not necessarily equally
        many. Leading axes are separate experiments.
    groups
        The cluster of each item, where items come in clusters.

    Notes
    -----
    With :math:`d_j` the difference of the models' means over seeds on item j, and :math:`\bar a_i, \bar b_i` the means
    of single seeds over items, the squared standard error of the mean difference is
    :math:`s^2(d)/J+s^2(\bar a)/I_A+s^2(\bar b)/I_B`, with Satterthwaite's degrees of freedom of that sum [1]_, the
    least that are plausible (`least_freedom`). With clusters the first term is the CR2 variance of the items'
    differences, with its own degrees of freedom (`robust_variance`). What varies from cell to cell is in all
    three terms, so that it counts twice: the test is a little cautious.

    References
    ----------
    .. [1] Satterthwaite (1946), An approximate distribution of estimates of variance components, Biometrics
       Bulletin 2, 110-114.

    Examples
    --------
    >>> a = [[0.9, 0.7, 0.8, 0.6], [0.8, 0.7, 0.9, 0.7]]
    >>> b = [[0.6, 0.5, 0.8, 0.5], [0.7, 0.4, 0.7, 0.5], [0.5, 0.5, 0.8, 0.6]]
    >>> result = unpaired_seeds(a, b)
    >>> round(float(result.student.estimate), 4), round(float(result.student.pvalue), 4)
    (0.1708, 0.1447)
    """
    first, second = numbers(a, "a", min_ndim=2), numbers(b, "b", min_ndim=2)
    if first.shape[-1] != second.shape[-1] or first.shape[:-2] != second.shape[:-2]:
        raise InvalidInput(f"a and b must have the same items, shape (..., seeds, items), got {first.shape} and "
                           f"{second.shape}")  # fmt: skip
    of_a, of_b = mean_squares(first, "a", groups), mean_squares(second, "b", groups)
    x = first.mean(axis=-2) - second.mean(axis=-2)
    noise = 16 * np.finfo(np.float64).eps * np.maximum(np.abs(first).max((-2, -1)), np.abs(second).max((-2, -1)))
    mean = x.mean(axis=-1, keepdims=True)
    x = np.where(np.abs(x - mean) <= noise[..., None], mean, x)  # what is constant up to rounding is constant
    over_items = mean_squares(np.stack([x, x], axis=-2), "x", groups)  # one row twice: its items and nothing else
    terms = (
        (np.asarray(over_items.of_items) / (2 * over_items.items), over_items.item_df),
        *((np.asarray(one.of_seeds) / (one.items * one.seeds), one.seeds - 1) for one in (of_a, of_b)),
    )
    total = sum((term for term, _ in terms), np.zeros(()))
    student = student_result(np.asarray(x.mean(axis=-1)), np.sqrt(total), least_freedom(*terms))
    return UnpairedSeedsResult(student=student, a=of_a, b=of_b, item_term=terms[0][0][()])
