"""A check whether values that are taken as independent resemble their neighbours in the order in which they came."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.random import stream
from foldwise.core.types import Array
from foldwise.core.validation import numbers

ORDERS = 1999
"""Random orders that are drawn where the normal approximation finds something."""

LOOK = 0.01
"""The p-value of the normal approximation from which on orders are drawn."""

MOST_NUMBERS = 20_000
"""Values up to which orders are drawn; beyond, an inequality takes their place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialCorrelation(Shown):
    """Lag-1 autocorrelation of differences between models."""

    correlation: float  #: Of neighbours, pooled over all pairs of models
    pvalue: float  #: How probable one at least so high is in a random order of the items


def serial_correlation(values: ArrayLike) -> SerialCorrelation:
    """Test whether differences between models are positively correlated from item to item.

    Parameters
    ----------
    values
        Models × items, in the order given; of two models only their difference counts.

    Notes
    -----
    With v the values less their mean over the models and over the items, r₁ = Σ v_t·v_{t+1} / Σ v_t², summed over
    models: the lag-1 autocorrelation of all differences pooled. Where r₁·√n is beyond chance by the normal
    approximation, its place among 1999 random orders of the items is the p-value: exact however few items differ. For
    many items Bernstein's inequality bounds the p-value instead. Items sorted by outcome, each combination of values
    in one run, tell nothing of time: p is 1.

    Examples
    --------
    >>> found = serial_correlation([[0.0] * 60, list(np.sin(np.arange(60) / 5))])
    >>> round(found.correlation, 2), found.pvalue
    (0.97, 0.0005)
    """
    given = numbers(values, "values", min_ndim=2)
    v = given - given.mean(axis=0)
    v = v - v.mean(axis=1, keepdims=True)
    n, total = v.shape[1], float((v**2).sum())
    if n < 3 or total <= 1e-24 * max(float((given**2).sum()), 1e-300) or _sorted_by_outcome(given):
        return SerialCorrelation(correlation=0.0, pvalue=1.0)
    r = float((v[:, 1:] * v[:, :-1]).sum()) / total
    normal = float(special.ndtr(-r * np.sqrt(n)))
    if normal > LOOK:
        return SerialCorrelation(correlation=r, pvalue=normal)
    if v.size > MOST_NUMBERS:
        largest = float((v**2).sum(axis=0).max()) * n / total
        s = r * n
        return SerialCorrelation(
            correlation=r, pvalue=max(normal, float(np.exp(-(s**2) / (2 * (n + largest * s / 3)))))
        )
    return SerialCorrelation(correlation=r, pvalue=_place(v, r * total))


FIRST = 4096
"""Runs that are looked at before all are."""


def _sorted_by_outcome(values: Array) -> bool:
    changes = (values[:, 1:] != values[:, :-1]).any(axis=0)
    begins = values[:, np.flatnonzero(np.concatenate([[True], changes]))]
    if begins.shape[1] == values.shape[1]:
        return False
    # in any order but a sorted one the first runs repeat each other: the others need not be sorted to see it
    return all(len(np.unique(part, axis=1).T) == part.shape[1] for part in (begins[:, :FIRST], begins))


def _place(v: Array, found: float) -> float:
    rng = stream(0, "serial correlation")
    beyond = 0
    for _ in range(ORDERS):
        w = v[:, rng.permutation(v.shape[1])]
        beyond += float(np.vdot(w[:, 1:], w[:, :-1])) >= found * (1 - 1e-12)
    return (1 + beyond) / (1 + ORDERS)
