"""Replicability: would the same test on the same data, partitioned anew, say the same again?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Answers, Numbers
from foldwise.core.validation import counts


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicabilitySummary(Shown):
    """Replicability over several data sets."""

    data_sets: int  #: How many there are
    R: float  #: Mean of R over them
    #: consistent, almost_consistent: On how many of them the test is consistent, or almost
    consistent: int
    almost_consistent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicabilityResult(Shown):
    """Replicability of a test on each data set."""

    R: Numbers  #: The estimated probability that two runs of the test on the same data agree; from about ½ to 1
    consistent: Answers  #: Whether all repetitions agree
    almost_consistent: Answers  #: Whether at most one repetition disagrees with the rest

    def summary(self) -> ReplicabilitySummary:
        """The same over all data sets together."""
        return ReplicabilitySummary(
            data_sets=int(np.size(self.R)),
            R=float(np.mean(self.R)),
            consistent=int(np.sum(self.consistent)),
            almost_consistent=int(np.sum(self.almost_consistent)),
        )


def replicability(rejections: ArrayLike, repetitions: ArrayLike) -> ReplicabilityResult:
    r"""How well a test agrees with itself when it is repeated on the same data with other random partitions.

    Parameters
    ----------
    rejections
        How often the test rejected on each data set; any shape. (Counting acceptances gives the same result.)
    repetitions
        How often it was run, at least 2.

    Returns
    -------
    ReplicabilityResult
        One value for each data set; its `summary()` is over all of them.

    Notes
    -----
    With k rejections in n repetitions, :math:`R = (k(k-1) + (n-k)(n-k-1))/(n(n-1))` is the share of the pairs of
    repetitions that agree. Consistent: k is 0 or n; almost consistent: k ≤ 1 or k ≥ n − 1 [1]_.

    References
    ----------
    .. [1] Bouckaert & Frank (2004), Evaluating the replicability of significance tests for comparing learning
       algorithms, PAKDD, section 2.

    Examples
    --------
    >>> result = replicability([10, 9, 5, 0], 10)
    >>> result.R.round(3).tolist()
    [1.0, 0.8, 0.444, 1.0]
    >>> result.summary().consistent
    2
    """
    k, n = np.broadcast_arrays(counts(rejections, "rejections"), counts(repetitions, "repetitions"))
    if k.size == 0:
        raise InvalidInput("rejections must have at least 1 value, got none")
    if (n < 2).any():
        raise InvalidInput(f"repetitions must be at least 2, got {n.min():g}")
    above = k > n
    if above.any():
        raise InvalidInput(f"rejections must be at most repetitions = {n[above][0]:g}, got {k[above][0]:g}")
    r = (k * (k - 1) + (n - k) * (n - k - 1)) / (n * (n - 1))
    fewer = np.minimum(k, n - k)
    return ReplicabilityResult(
        R=np.asarray(r)[()], consistent=np.asarray(fewer == 0)[()], almost_consistent=np.asarray(fewer <= 1)[()]
    )
