"""The stability meter: how much of what two learners differ in, example by example, another partition changes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Numbers
from foldwise.core.validation import moderate, numbers

__all__ = ["UNSTABLE", "instability"]

UNSTABLE = 0.1
"""From here on predictions hang on single examples.

Seen with 10×10-fold cross-validation of 100 to 1000 examples: naive Bayes and a linear perceptron .03 to .09, nearest
neighbours .13 to .3, C4.5 .3 to .6.
"""


def instability(d: ArrayLike) -> Numbers:
    r"""Share of the variance of the differences on examples that comes from the partition.

    Parameters
    ----------
    d
        Differences a − b on each example in each run of repeated cross-validation, shape (..., runs, examples) with at
        least two runs: right(a) − right(b), or differences of losses. Leading axes are separate experiments.

    Returns
    -------
    float or ndarray
        From 0 (every run gives the same) to about 1; 0 where the two never differ.

    Notes
    -----
    :math:`s = \overline{\mathrm{Var}_r(d_{ri})} / \mathrm{Var}(d)`: the mean over examples of the variance over runs,
    over the variance of all differences. It costs no training beyond those of the repeated cross-validation.

    Examples
    --------
    >>> float(round(instability([[1, 0, -1, 0], [1, 0, 0, 0]]), 4))
    0.3478
    """
    x = numbers(d, "d", min_ndim=2)
    if x.shape[-2] < 2 or x.shape[-1] < 1:
        raise InvalidInput(f"d must have at least 2 runs of at least 1 example, got shape {x.shape}")
    moderate(x, "d")
    within = x.var(axis=-2, ddof=1).mean(axis=-1)
    total = x.var(axis=(-2, -1))
    return np.where(total > 0, within / np.where(total > 0, total, 1.0), 0.0)[()]
