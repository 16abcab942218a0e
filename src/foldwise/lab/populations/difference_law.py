"""The distribution of the difference in errors on a test set of two kinds of points, tabulated for quick drawing."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import fft, special

from foldwise.core.types import Array, Integers

__all__ = ["difference_law", "draw_differences"]


@lru_cache(maxsize=32)
def difference_law(size: int, a: tuple[float, float], b: tuple[float, float]) -> Array:
    """Distribution functions of errors(b) − errors(a), one row per number of points of the first kind.

    Parameters
    ----------
    size
        Points in the test set.
    a, b
        Error probabilities of each learner on points of the first and of the second kind.

    Returns
    -------
    ndarray of shape (size + 1, 2·size + 1)
        Row f has the values P(difference ≤ d) for d = −size … size, with f points of the first kind.

    Examples
    --------
    >>> difference_law(1, (0.0, 0.0), (1.0, 0.5)).tolist()
    [[0.0, 0.5, 1.0], [0.0, 0.0, 1.0]]
    """
    length = fft.next_fast_len(2 * size + 1, real=True)
    of_a, of_b = (_spectrum(size, p[0], length) * _spectrum(size, p[1], length)[::-1] for p in (a, b))
    # errors of b minus errors of a: the conjugate spectrum turns a's errors round
    probabilities = np.roll(fft.irfft(of_b * of_a.conj(), length), size, axis=-1)[:, : 2 * size + 1]
    table = np.cumsum(np.maximum(probabilities, 0), axis=-1)
    law: Array = np.round(table / table[:, -1:], 14)  # what the transform leaves of a zero is no probability
    law.setflags(write=False)
    return law


def draw_differences(law: Array, first: Integers, rng: np.random.Generator) -> Array:
    """Draw one difference for each number of points of the first kind, by inverting its distribution function."""
    rows, width = law.shape
    # rows shifted by their number make one increasing sequence, which a single search inverts for all rows
    ladder = (law + np.arange(rows)[:, None]).ravel()
    place = np.searchsorted(ladder, rng.random(np.shape(first)) + first, side="right")
    return np.asarray(place - first * width - (rows - 1), dtype=np.float64)


def _spectrum(size: int, p: float, length: int) -> NDArray[np.complex128]:
    """Transforms of the binomial distributions with 0, 1, … size trials."""
    n, k = np.arange(size + 1)[:, None], np.arange(size + 1)[None, :]
    ways = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(np.maximum(n - k, 0) + 1)
    pmf = np.where(k <= n, np.exp(ways + special.xlogy(k, p) + special.xlog1py(np.maximum(n - k, 0), -p)), 0.0)
    return np.asarray(fft.rfft(pmf, length))
