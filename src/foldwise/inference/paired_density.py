"""The posterior density of the difference of two error rates, from one paired table: what a plot of it shows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Numbers
from foldwise.core.validation import numbers
from foldwise.inference.paired_table import paired_table

__all__ = ["paired_density"]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)
# quantiles of the discordance between which the quadrature runs in panels
CUTS = np.array([1e-14, 1e-6, 0.05, 0.5, 0.95, 1 - 1e-6, 1 - 1e-14])


def paired_density(difference: ArrayLike, n00: int, n01: int, n10: int, n11: int) -> Numbers:
    r"""Posterior density of Δ = error(A) − error(B) for one table of outcomes.

    Parameters
    ----------
    difference
        Where to evaluate it, between −1 and 1; any shape.
    n00, n01, n10, n11
        Number of test examples that both classifiers get wrong, only A, only B, neither.

    Returns
    -------
    float or ndarray
        The density; infinite at 0 where there is no disagreement at all.

    Notes
    -----
    Under Jeffreys' prior, as in `paired_posterior`, the discordance d and the share u of it that only A gets wrong are
    independent Beta variables, and Δ = d(2u − 1), hence

    .. math:: f(\Delta)=\int_{|\Delta|}^1 f_d(t)\,f_u\big(\tfrac12(1+\Delta/t)\big)\,\frac{dt}{2t} ,

    by Gauss–Legendre quadrature between quantiles of d.

    References
    ----------
    .. [1] Benavoli, Corani, Demšar & Zaffalon (2017), Time for a change: a tutorial for comparing multiple
       classifiers through Bayesian analysis, Journal of Machine Learning Research 18.

    Examples
    --------
    >>> round(float(paired_density(-0.15, 5, 10, 25, 60)), 3)
    7.067
    """
    delta = numbers(difference, "difference")
    if (np.abs(delta) > 1).any():
        raise InvalidInput(f"difference must be between -1 and 1, got {delta.flat[np.argmax(np.abs(delta))]:g}")
    table = paired_table(n00, n01, n10, n11)
    share = float(table.only_a) + 0.5, float(table.only_b) + 0.5
    discordance = sum(share), float(table.both_wrong + table.both_right) + 1
    density = _integrate(np.atleast_1d(delta).ravel(), share, discordance)
    if discordance[0] == 1:  # no disagreement: the density of d is positive at 0, and 1/t is not integrable there
        density = np.where(np.atleast_1d(delta).ravel() == 0, np.inf, density)
    return density.reshape(delta.shape)[()]


def _integrate(delta: Array, share: tuple[float, float], discordance: tuple[float, float]) -> Array:
    size = np.abs(delta)[:, None]
    edges = np.maximum(special.betaincinv(*discordance, CUTS), size)
    width = np.diff(edges)[..., None]
    # t = left + width·s² removes the root singularity of f_u at t = |Δ|, where u reaches 0 or 1
    s = (NODES + 1) / 2
    t = np.maximum(edges[:, :-1, None] + width * s**2, np.finfo(float).tiny)
    ratio = delta[:, None, None] / t
    log_density = _log_beta(t, 1 - t, *discordance) + _log_beta((1 + ratio) / 2, (1 - ratio) / 2, *share)
    return np.asarray((np.exp(log_density) / (2 * t) * width * s * WEIGHTS).sum(axis=(1, 2)))


def _log_beta(x: Array, complement: Array, a: float, b: float) -> Array:
    smallest = np.finfo(float).tiny  # a node may round onto the singular end of its panel
    inside = [special.xlogy(c - 1, np.maximum(part, smallest)) for c, part in ((a, x), (b, complement))]
    return np.asarray(inside[0] + inside[1] - special.betaln(a, b))
