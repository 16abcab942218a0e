"""The joint law of the statistics of all pairs of models when the signs of items, or of clusters, are exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from foldwise.core.random import stream
from foldwise.core.types import Array
from foldwise.core.validation import integer
from foldwise.inference.joint_differences import Indices
from foldwise.inference.model_means import pair_variances

__all__ = ["FlippedLaw", "flipped_law"]

FLIPS = 10_000
"""Sign flips by default; where there are no more than this in all, each is taken once."""

MOST_NUMBERS = 2_000_000
"""Flips × items and flips × pairs that are looked at together."""

ROUNDING = 1 - 1e-9
"""Statistics that differ by less than this are the same."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlippedLaw:
    """What the sign flips say, the observed signs among them.

    Attributes
    ----------
    largest
        The largest absolute statistic of all pairs under each flip; ascending.
    pvalue
        Of each pair alone: the share of the flips whose statistic is at least as large.
    exact
        Whether these are all flips that there are.
    """

    largest: Array
    pvalue: Array
    exact: bool

    def adjusted(self, statistic: Array) -> Array:
        """The share of the flips whose largest statistic is at least as large."""
        below = np.searchsorted(self.largest, np.abs(statistic) * ROUNDING, side="left")
        return np.asarray(1 - below / len(self.largest))

    def critical(self, alpha: float) -> float:
        """The size beyond which the adjusted p-value is below alpha; infinite where no flip allows that."""
        rank = int(np.ceil(alpha * len(self.largest)))
        return float(self.largest[-rank]) if rank > 1 else np.inf


def flipped_law(
    sums: Array, sizes: Array, first: Indices, second: Indices, *, draws: int | None = None, seed: int = 0
) -> FlippedLaw:
    r"""Flip the signs of all models' values on an item, or a cluster, together, and compute all statistics anew.

    Parameters
    ----------
    sums, sizes
        Sum of the values of k models over each unit, of shape (k, units), and number of items in each unit.
    first, second
        The models of each pair.
    draws, seed
        Number of random flips, and what determines them; all flips are taken where there are no more than this.

    Notes
    -----
    With :math:`u_c` the difference of a pair summed over unit c, signs :math:`s_c`, :math:`p_c=n_c/n` and
    :math:`S=\sum s_cu_c`, the squared standard error is :math:`n^{-2}\sum(s_cu_c-p_cS)^2/(1-p_c)`
    :math:`=n^{-2}(\sum u_c^2/(1-p_c)-2S\sum s_cu_cp_c/(1-p_c)+S^2\sum p_c^2/(1-p_c))`. Its first sum does not change,
    and the others are differences of one number per model: no pair has to be formed item by item.

    Examples
    --------
    >>> law = flipped_law(np.array([[1.0, 1, 1], [0, 0, 0.5]]), np.ones(3), np.array([0]), np.array([1]))
    >>> law.exact, law.pvalue.tolist()
    (True, [0.25])
    """
    units = len(sizes)
    draws = integer(FLIPS if draws is None else draws, "draws", minimum=100)
    exact = units < 60 and 2**units <= draws
    share = sizes / sizes.sum()
    weights = share / (1 - share)
    square = pair_variances((sums / (1 - share)) @ sums.T)[first, second]
    square_of_sum = float((share * weights).sum())

    def statistics(signs: Array) -> Array:
        total, weighted = signs @ sums.T, signs @ (sums * weights).T
        s, w = (x[:, first] - x[:, second] for x in (total, weighted))
        variance = square - 2 * s * w + s**2 * square_of_sum
        varies = variance > 1e-12 * square
        size = np.abs(s) / np.sqrt(np.where(varies, variance, 1.0))
        return np.where(varies, size, np.where(s == 0, 0.0, np.inf))

    observed = statistics(np.ones((1, units)))[0]
    blocks = _all_signs(units) if exact else _random_signs(units, draws, max(units, len(first)), seed)
    largest, counts = [], np.zeros(len(first))
    for signs in blocks:
        found = statistics(signs)
        counts += (found >= observed * ROUNDING).sum(axis=0)
        largest.append(found.max(axis=1))
    together = np.sort(np.concatenate(largest))
    return FlippedLaw(largest=together, pvalue=counts / len(together), exact=exact)


def _all_signs(units: int) -> Iterator[Array]:
    """Every flip once."""
    places = np.arange(units)
    for start in range(0, 2**units, 4096):
        numbers = np.arange(start, min(2**units, start + 4096))
        yield np.where((numbers[:, None] >> places) & 1, -1.0, 1.0)


def _random_signs(units: int, draws: int, width: int, seed: int) -> Iterator[Array]:
    """The observed signs, then random ones."""
    yield np.ones((1, units))
    rng = stream(seed, "sign flips")
    size = max(1, MOST_NUMBERS // width)
    for start in range(0, draws, size):
        bits = rng.integers(0, 2, (min(size, draws - start), units), dtype=np.int8)
        yield np.where(bits, -1.0, 1.0)
