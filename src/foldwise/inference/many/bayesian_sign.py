"""The Bayesian sign test with a region of practical equivalence."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.random import stream
from foldwise.core.validation import integer, positive
from foldwise.inference.many.blocks import paired_differences
from foldwise.inference.many.regions import RegionPosterior, region_posterior, rope_width

__all__ = ["bayesian_sign_test"]


def bayesian_sign_test(
    a: ArrayLike, b: ArrayLike, *, rope: float = 0.01, prior: float = 1.0, draws: int = 20_000, seed: int = 0
) -> RegionPosterior:
    r"""How probable is it that a is mostly better, mostly the same, or mostly worse than b?

    Parameters
    ----------
    a, b
        Scores of the two learners on the same data sets, higher being better, shape (..., n).
    rope
        Differences of at most this size count as none.
    prior
        Weight of the prior, in data sets, all of it on equivalence.
    draws, seed
        Number of posterior draws and the seed they depend on.

    Returns
    -------
    RegionPosterior
        Of the shares of data sets on which a is better, equivalent, worse.

    Notes
    -----
    With n data sets of which :math:`n_a, n_e, n_b` fall into the regions, the shares are
    :math:`\theta \sim \mathrm{Dir}(n_a, n_e + s, n_b)`, s the prior's weight; their mean is
    :math:`(n_a, n_e + s, n_b)/(n + s)`.

    References
    ----------
    .. [1] Benavoli, Corani, Demšar & Zaffalon (2017), Time for a change: a tutorial for comparing multiple
       classifiers through Bayesian analysis, Journal of Machine Learning Research 18, section 4.1.

    Examples
    --------
    >>> result = bayesian_sign_test([0.9, 0.8, 0.7, 0.9, 0.6], [0.8, 0.6, 0.7, 0.5, 0.1])
    >>> result.expected.as_tuple()
    (np.float64(0.6666666666666666), np.float64(0.3333333333333333), np.float64(0.0))
    """
    width = rope_width(rope)
    weight = positive(prior, "prior")
    differences = paired_differences(a, b)
    better, worse = (differences > width).sum(axis=-1), (differences < -width).sum(axis=-1)
    counts = np.stack([better, differences.shape[-1] - better - worse + weight, worse], axis=-1).astype(float)
    # Dir(α) is a vector of Gamma(α) variables over their sum; Gamma(0) is 0
    size = (*counts.shape[:-1], integer(draws, "draws", minimum=1), 3)
    gammas = stream(seed, "bayesian_sign_test").standard_gamma(np.broadcast_to(counts[..., None, :], size))
    shares = gammas / gammas.sum(axis=-1, keepdims=True)
    return region_posterior(shares, rope=width, expected=counts / counts.sum(axis=-1, keepdims=True))
