"""The round-robin test: the variance of a cross-validated difference, from leaving out two blocks at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array, Numbers
from foldwise.core.validation import floats, integer, moderate, numbers, positive
from foldwise.inference.student import ROUNDING, StudentResult, cautious_result, fields_of

FEWEST = 3  # Blocks that leave a degree of freedom to the interaction.

COUNTED = 6  # Dealings that may add degrees of freedom: the data stay the same, however often they are dealt.

SHARED_AT_MOST = 2
"""Multiple of what blocks share that the variance may reach where the test blocks vary less; by measurement."""


class Parts(NamedTuple):
    """θ, V_J, s², V_T and κ of tables, per dealing or as means over the dealings."""

    estimate: Array
    jackknife: Array
    interaction: Array
    test_blocks: Array
    shared: Array

    def averaged(self) -> Parts:
        """The means over the dealings."""
        return Parts(*(part.mean(axis=-1) for part in self))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRobinResult(StudentResult):
    """Outcome of the round-robin test, with the parts of its variance, each a mean over the dealings."""

    jackknife: Numbers  #: V_J, the jackknife over blocks: on average never too small
    #: s², the mean square of what rows and columns do not explain: what the jackknife counts twice
    interaction: Numbers
    test_blocks: Numbers  #: V_T, the variance over test blocks alone: the least that is believed
    shared: Numbers  #: κ, the covariance of the interaction on the two blocks that one training is tested on

    @property
    def variance(self) -> Numbers:
        """The square of the standard error."""
        return self.standard_error**2


def round_robin(
    d: ArrayLike, *, df: float | None = None, pieces: int | None = None, alternative: Alternative = "two-sided"
) -> RoundRobinResult:
    r"""Test whether two learners differ, from trainings that leave out two of g blocks.

    Parameters
    ----------
    d
        Differences a − b, of shape (g, g) for one dealing of the examples into g blocks or (..., dealings, g, g);
        leading axes are separate experiments. ``d[b, c]`` is the difference on block c of the learners that saw
        neither b nor c. The diagonal is ignored, and may be NaN.
    df
        Degrees of freedom; from the data when not given.
    pieces
        Independent pieces of data that were dealt, examples or groups: no more than one less are the degrees of
        freedom. None where that is not known.

    Returns
    -------
    RoundRobinResult
        Without variance nothing can be told: statistic NaN (0 where all differences are 0), p = 1 and an unbounded
        interval, with a `DegenerateVariance` warning unless all differences are 0.

    Notes
    -----
    With r[b] the mean of row b (block b deleted), q[c] that of column c (block c tested) and θ that of all:

    - :math:`V_J = \frac{g-1}{g}\sum_b (r_b-\theta)^2` is the jackknife over blocks. By the Efron–Stein inequality [1]_
      its expectation is at least (g − 1)/g times the variance of r[b], the cross-validation of g − 1 blocks, for any
      learner; but it counts the interaction of training and test block twice.
    - :math:`d_{bc} = \theta + a_b + t_c` is fitted off the diagonal by least squares; the mean square of the
      residuals e, :math:`s^2` on g² − 3g + 1 degrees of freedom, estimates that interaction, and the mean of
      :math:`e_{bc}e_{cb}` on as many, :math:`\kappa`, what the two blocks tested by one training share of it.
    - :math:`V_T = \sum_c (q_c-\theta)^2/(g(g-1))` is the variance over test blocks alone.
    - :math:`V = V_J - s^2 + \frac{2g-1}{g(g-1)}\max(\kappa, 0)`, but not less than :math:`V_T` and not more than
      :math:`\max(\frac{2(g-1)}{g-2}V_T, 2\kappa)`.

    θ, V_J, s², V_T and κ are averaged over the R dealings; :math:`t = \theta/\sqrt V`, with
    :math:`g-1+(R'-1)\max(1, (g-1)w)` degrees of freedom, :math:`R' = \min(R, 6)` and :math:`w = \min(1, V_T/s^2)^3`.
    Each dealing estimates the variance over test blocks anew, with g − 1 degrees of freedom; the interaction is noise
    that the jackknife multiplies, and where it outweighs the test blocks, as with nearest neighbours and trees, the
    other dealings add little. This is our own test, and it has not been peer-reviewed: its Type I error was measured,
    not derived.

    References
    ----------
    .. [1] Efron & Stein (1981), The jackknife estimate of variance, Annals of Statistics 9.

    Examples
    --------
    >>> d = [[np.nan, 0.1, 0.3, 0.2], [0.0, np.nan, 0.2, 0.2], [0.1, 0.2, np.nan, 0.1], [0.0, 0.1, 0.3, np.nan]]
    >>> result = round_robin(d)
    >>> float(round(result.estimate, 3)), float(round(result.standard_error, 4)), float(result.df)
    (0.15, 0.0481, 3.0)
    """
    table = block_tables(d)
    parts = variance_parts(table).averaged()
    largest = np.abs(table).max(axis=(-3, -2, -1))
    error = standard_error(parts, table.shape[-1], largest)
    found = freedom(parts, shape=table.shape, pieces=pieces) if df is None else positive(df, "df")
    tested = cautious_result(np.asarray(parts.estimate), error, found, alternative, differ=largest > 0)
    return RoundRobinResult(
        **fields_of(tested), jackknife=parts.jackknife, interaction=parts.interaction, test_blocks=parts.test_blocks,
        shared=parts.shared,
    )  # fmt: skip


def block_tables(d: ArrayLike) -> Array:
    """The differences as (..., dealings, g, g) with zeros on the diagonal."""
    array = floats(d, "d")
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        raise InvalidInput(f"d must have shape (g, g) or (..., dealings, g, g), got shape {array.shape}")
    if array.shape[-1] < FEWEST:
        raise InvalidInput(f"d must have at least {FEWEST} blocks on its last two axes, got shape {array.shape}")
    if 0 in array.shape[:-2]:
        raise InvalidInput(f"d must have at least one dealing, got shape {array.shape}")
    table = numbers(np.where(np.eye(array.shape[-1], dtype=bool), 0.0, array), "d")
    moderate(table, "d")
    return table[None] if table.ndim == 2 else table


def variance_parts(table: Array) -> Parts:
    """θ, V_J, s², V_T and κ of each dealing, from a table with zeros on its diagonal."""
    g = table.shape[-1]
    deleted, tested = (table.sum(axis=axis) / (g - 1) for axis in (-1, -2))
    mean = deleted.mean(axis=-1)
    # r: how block b's absence changes the mean, as training data and as test data at once; q: how easy block c is
    r, q = deleted - mean[..., None], tested - mean[..., None]
    # the jackknife takes leaving a block out for drawing another one
    jackknife = (g - 1) / g * np.sum(r**2, axis=-1)
    test_blocks = np.sum(q**2, axis=-1) / (g * (g - 1))
    # least squares without the diagonal: its normal equations are those of row sums and column sums
    weight = (g - 1) / ((g - 1) ** 2 - 1)
    rows, columns = weight * ((g - 1) * r + q), weight * ((g - 1) * q + r)
    residual = table - mean[..., None, None] - rows[..., :, None] - columns[..., None, :]
    residual *= 1 - np.eye(g)
    left = g**2 - 3 * g + 1
    interaction = np.sum(residual**2, axis=(-2, -1)) / left
    shared = np.sum(residual * np.swapaxes(residual, -1, -2), axis=(-2, -1)) / left
    return Parts(mean, jackknife, interaction, test_blocks, shared)


def standard_error(parts: Parts, blocks: int, largest: Array) -> Array:
    """The root of V; 0 where it is the rounding of differences as large as `largest`."""
    g = blocks
    # of noise that whole trainings have V_J counts (g − 3)/(g − 1) too much, and s² is more than that by exactly this
    given_back = (2 * g - 1) / (g * (g - 1)) * np.maximum(parts.shared, 0.0)
    # examples that depend on each other completely have this multiple of V_T, which does not see it; more than that is
    # believed only of trainings that fail or succeed as a whole
    most = np.maximum(2 * (g - 1) / (g - 2) * parts.test_blocks, SHARED_AT_MOST * parts.shared)
    error = np.sqrt(np.clip(parts.jackknife - parts.interaction + given_back, parts.test_blocks, most))
    return np.where(error <= ROUNDING * largest, 0.0, error)


def freedom(parts: Parts, *, shape: tuple[int, ...], pieces: int | None) -> Array:
    """Degrees of freedom, from the means over the dealings of tables of this shape.

    Where nothing varies, another dealing adds no more than one.
    """
    dealings, blocks = shape[-3], shape[-1]
    larger = np.maximum(parts.interaction, parts.test_blocks)
    share = np.where(larger > 0, parts.test_blocks / np.where(larger > 0, larger, 1.0), 0.0)
    found = blocks - 1 + (min(dealings, COUNTED) - 1) * np.maximum(1.0, (blocks - 1) * share**3)
    most = np.inf if pieces is None else integer(pieces, "pieces", minimum=2) - 1
    return np.asarray(np.minimum(found, most))
