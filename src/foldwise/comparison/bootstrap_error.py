"""The .632 and .632+ bootstrap: apparent and out-of-bag error, put together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import DegenerateData, InvalidInput
from foldwise.core.types import Labels

INSIDE = 0.632
"""1 − 1/e to three digits, as the estimator's authors print it: the share of examples in a bootstrap sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrap632:
    """The two bootstrap estimates and what they are made of."""

    #: point632, point632plus: The .632 and the .632+ estimate
    point632: float
    point632plus: float
    apparent: float  #: Error on the training examples of the model trained on all of them
    out_of_bag: float  #: Leave-one-out bootstrap error
    no_information: float  #: Error if attributes and target were independent
    overfitting: float  #: Relative overfitting rate, from 0 (none) to 1 (as bad as no information)


def bootstrap632(apparent: float, out_of_bag: float, no_information: float) -> Bootstrap632:
    r"""Weigh apparent and out-of-bag error.

    Parameters
    ----------
    apparent
        Error on the training examples of the model trained on *all* examples; not of the bootstrap models.

    Notes
    -----
    With apparent error :math:`\overline{err}`, out-of-bag error :math:`e_1` and no-information rate γ [1]_, [2]_:

    .. math:: e_{.632} = .368\,\overline{err} + .632\,e_1

        e_{.632+} = e_{.632} + (e_1' - \overline{err})\,\frac{.368\cdot.632\,R'}{1 - .368\,R'}

    where :math:`e_1' = \min(e_1, \gamma)` and :math:`R' = (e_1'-\overline{err})/(\gamma-\overline{err})` if both
    :math:`e_1'` and γ exceed the apparent error, else 0 (equations 31 and 32 of [2]_).

    References
    ----------
    .. [1] Efron (1983), Estimating the error rate of a prediction rule, JASA 78, 316–331.
    .. [2] Efron & Tibshirani (1997), Improvements on cross-validation: the .632+ bootstrap method, JASA 92, 548–560.

    Examples
    --------
    A nearest neighbour on two classes that have nothing to do with the attributes: only .632+ sees it.

    >>> result = bootstrap632(0.0, 0.5, 0.5)
    >>> result.point632, result.point632plus
    (0.316, 0.5)
    """
    plain = (1 - INSIDE) * apparent + INSIDE * out_of_bag
    bounded = min(out_of_bag, no_information)
    rate = (bounded - apparent) / (no_information - apparent) if bounded > apparent else 0.0
    extra = (bounded - apparent) * (1 - INSIDE) * INSIDE * rate / (1 - (1 - INSIDE) * rate)
    return Bootstrap632(
        point632=plain,
        point632plus=plain + extra,
        apparent=apparent,
        out_of_bag=out_of_bag,
        no_information=no_information,
        overfitting=rate,
    )


def leave_one_out_bootstrap(losses: ArrayLike) -> float:
    """Mean over the examples of each one's mean loss in the samples that left it out.

    Parameters
    ----------
    losses
        Samples × examples; NaN where the example was in the sample.

    Notes
    -----
    Equation 17 of Efron & Tibshirani (1997). An example that no sample left out has no mean and doesn't count;
    with 100 samples the chance of that is 10⁻²⁰ per example.

    Examples
    --------
    >>> leave_one_out_bootstrap([[0, np.nan], [1, 1], [np.nan, 1]])
    0.75
    """
    table = np.asarray(losses, dtype=np.float64)
    if table.ndim != 2:
        raise InvalidInput(f"losses must have two axes (samples, examples), got shape {table.shape}")
    known = ~np.isnan(table)
    times = known.sum(axis=0)
    if not times.any():
        raise DegenerateData("no example was left out of any bootstrap sample")
    sums = np.where(known, table, 0.0).sum(axis=0)
    return float((sums[times > 0] / times[times > 0]).mean())


def no_information_rate(y: Labels, predicted: Labels, *, regression: bool = False) -> float:
    r"""Expected loss if every prediction met every target alike.

    Parameters
    ----------
    y, predicted
        Targets, and predictions of the model trained on all examples.
    regression
        Whether the loss is the squared difference instead of 0 or 1.

    Notes
    -----
    For classes :math:`\gamma = \sum_l p_l (1 - q_l)`, with shares :math:`p_l` of the targets and :math:`q_l` of the
    predictions (Efron & Tibshirani 1997, equation 27); for numbers the mean of :math:`(y_i - \hat y_j)^2` over all
    pairs, computed from means and variances.

    Examples
    --------
    >>> no_information_rate(np.array(["a", "a", "b", "b"]), np.array(["a", "a", "a", "b"]))
    0.5
    """
    if regression:
        shift = np.mean(y) - np.mean(predicted)
        return float(np.var(y) + np.var(predicted) + shift**2)
    labels = np.unique(y)
    p = np.array([(y == label).mean() for label in labels])
    q = np.array([(predicted == label).mean() for label in labels])
    return float(p @ (1 - q))
