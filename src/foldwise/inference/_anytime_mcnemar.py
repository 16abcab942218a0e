"""McNemar's test for data that keep coming: valid however often one looks and whenever one stops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Numbers
from foldwise.core.validation import counts

__all__ = [
    "AnytimeMcNemarResult",
    "anytime_mcnemar",
]


# ---- McNemar's test for data that keep coming: valid however often one looks and whenever one stops.


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimeMcNemarResult(Shown):
    """Evidence at every look.

    Attributes
    ----------
    evalue
        Evidence against equal error rates at each look: its mean is 1 when they are equal, 20 is strong.
    pvalue
        Anytime-valid p-value at each look, 1/max of the evidence so far and at most 1. It never rises, and the
        probability that it ever falls to α is at most α when the error rates are equal.
    """

    evalue: Numbers
    pvalue: Numbers


def anytime_mcnemar(n01: ArrayLike, n10: ArrayLike) -> AnytimeMcNemarResult:
    r"""Test two classifiers on a growing test set, with a p-value that allows looking after every example.

    Parameters
    ----------
    n01, n10
        Number of examples so far that only A, or only B, got wrong; the last axis runs over the looks, in time,
        the leading ones are a batch. A single number is a single look.

    Returns
    -------
    AnytimeMcNemarResult
        Arrays over the looks. Without disagreements the evidence is 1 and p = 1.

    Notes
    -----
    With m = b + c disagreements, :math:`E=2^mB(b+\tfrac12,c+\tfrac12)/B(\tfrac12,\tfrac12)` is the likelihood
    ratio of a Beta(½, ½) mixture against a fair coin: a martingale with mean 1 under the null hypothesis, so that
    :math:`1/\max E` is a valid p-value at any stopping time (Ville's inequality). The price for that freedom is a
    larger p-value than McNemar's at a size fixed beforehand.

    References
    ----------
    .. [1] Ramdas, Grünwald, Vovk & Shafer (2023), Game-theoretic statistics and safe anytime-valid inference,
       Statistical Science 38, 576-601.

    Examples
    --------
    >>> result = anytime_mcnemar([0, 2, 4, 10], [0, 1, 1, 1])
    >>> result.evalue.round(3).tolist(), result.pvalue.round(3).tolist()
    ([1.0, 0.5, 0.875, 16.402], [1.0, 1.0, 1.0, 0.061])
    """
    only_a, only_b = _looks(n01, n10)
    log_evalue = (only_a + only_b) * np.log(2) + special.betaln(only_a + 0.5, only_b + 0.5) - np.log(np.pi)
    # betaln(½, ½) = log π up to rounding: nothing seen is no evidence
    log_evalue = np.where(only_a + only_b == 0, 0.0, log_evalue)
    best = np.maximum.accumulate(log_evalue, axis=-1) if log_evalue.ndim else log_evalue
    # more evidence than a double holds is inf, and p = 0
    with np.errstate(over="ignore", under="ignore"):
        return AnytimeMcNemarResult(evalue=np.exp(log_evalue)[()], pvalue=np.minimum(1, np.exp(-best))[()])


def _looks(n01: ArrayLike, n10: ArrayLike) -> tuple[Array, Array]:
    checked = {"n01": counts(n01, "n01"), "n10": counts(n10, "n10")}
    for name, array in checked.items():
        if array.ndim and (np.diff(array, axis=-1) < 0).any():
            raise InvalidInput(f"{name} must not fall from one look to the next, got {array.tolist()}")
    shapes = [array.shape for array in checked.values()]
    if shapes[0] != shapes[1]:
        raise InvalidInput(f"n01 and n10 must have the same shape, got {shapes[0]} and {shapes[1]}")
    return checked["n01"], checked["n10"]
