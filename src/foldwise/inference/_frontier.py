"""Cost and quality of several models on the same items: who is on the frontier, by their joint law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.random import RandomState, seed_of, stream
from foldwise.core.types import Array, Flags
from foldwise.core.validation import fraction, numbers
from foldwise.inference.joint_differences import model_means

Status = Literal["on it", "dominated", "undecided"]

DRAWS = 4000
"""Draws of the joint law of all means."""

NOISE = 1e-12
"""Share of a mean below which a standard error is rounding."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FrontierResult(Shown):
    """Outcome of `frontier`, all in the order of the models."""

    quality: Array  #: Mean quality of each model
    cost: Array  #: Mean cost of each model
    status: tuple[Status, ...]
    probability: Array  #: Share of draws of the joint law in which nobody dominates the model
    better: Flags  #: Whether the row's model is shown to have the higher quality than the column's
    cheaper: Flags  #: Whether it is shown to cost less
    #: Whether the model is shown to be worse than no other by more than the margin; None where none was asked for
    near_best: Flags | None
    critical: float  #: Standard errors beyond which a difference is shown
    units: int  #: Items, or clusters of them

    @property
    def cheapest_near_best(self) -> int | None:
        """The cheapest of those that are near the best; None where none is shown to be."""
        if self.near_best is None or not self.near_best.any():
            return None
        return int(np.argmin(np.where(self.near_best, self.cost, np.inf)))


def frontier(
    quality: ArrayLike,
    cost: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    margin: float | None = None,
    alpha: float = 0.05,
    random_state: RandomState = 0,
) -> FrontierResult:
    r"""Find the models that no other dominates, being better and cheaper.

    Parameters
    ----------
    quality, cost
        Shape (models, items): quality, higher is better, and cost, lower is better.
    groups
        The cluster of each item.
    margin
        By how much a model may be worse than any other to count as near the best.
    alpha
        Level of everything that is shown, together.
    random_state
        Determines the draws.

    Notes
    -----
    All means of quality and cost have a joint covariance over items (or clusters). A difference is shown where it is
    more than c standard errors, c being the 1 − alpha quantile of the largest of all studentised differences, of
    quality and of cost, in draws of their joint law [1]_. A model is dominated where some other is shown to be better
    and cheaper, and on the frontier where it is shown to be better or cheaper than each of the others.

    References
    ----------
    .. [1] Hothorn, Bretz & Westfall (2008), Simultaneous inference in general parametric models, Biometrical Journal
       50.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> quality = rng.random((3, 400)) < np.array([[0.8], [0.6], [0.5]])
    >>> cost = rng.gamma(2, [[2.0], [1.0], [2.0]], (3, 400))
    >>> frontier(quality, cost).status
    ('on it', 'on it', 'dominated')
    """
    q, c = numbers(np.asarray(quality, dtype=np.float64), "quality"), numbers(cost, "cost")
    if q.ndim != 2 or q.shape != c.shape or len(q) < 2 or q.shape[1] < 2:
        raise InvalidInput(
            f"quality and cost must be models × items of the same models and items, 2 × 2 or more, got {q.shape} and "
            f"{c.shape}"
        )
    if margin is not None and not margin > 0:
        raise InvalidInput(f"margin must be above 0, got {margin!r}")
    level, k = fraction(alpha, "alpha"), len(q)
    joint = model_means(np.concatenate([q, -c]), groups)
    means, covariance = joint.means, joint.covariance
    first, second = np.triu_indices(k, 1)
    i, j = np.concatenate([first, first + k]), np.concatenate([second, second + k])
    difference = means[i] - means[j]
    variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
    scale = NOISE * np.maximum(np.abs(means[i]), np.abs(means[j]))
    error = np.sqrt(np.where(variance > scale**2, variance, 0.0))
    draws = _draws(covariance, joint.df, seed_of(random_state))
    moved = error > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        largest = np.abs((draws[:, i] - draws[:, j])[:, moved] / error[moved]).max(axis=1, initial=0.0)
    critical = float(np.quantile(largest, 1 - level)) if moved.any() else 0.0
    # a difference that is the same on every item is a price: it has no spread to be wrong by
    shown = np.where(moved, np.abs(difference) > critical * error, np.abs(difference) > scale)
    ahead = np.zeros((2 * k, 2 * k), dtype=np.bool_)
    ahead[i, j], ahead[j, i] = shown & (difference > 0), shown & (difference < 0)
    better, cheaper = ahead[:k, :k], ahead[k:, k:]
    dominated = np.asarray((better & cheaper).any(axis=0))
    safe = np.asarray((better | cheaper | np.eye(k, dtype=np.bool_)).all(axis=1))
    near = None
    if margin is not None:
        lead, width = np.zeros((k, k)), np.zeros((k, k))
        of_quality = slice(0, len(first))
        lead[first, second], width[first, second] = difference[of_quality], error[of_quality]
        lead, width = lead - lead.T, width + width.T
        near = np.asarray((lead - critical * width > -margin).all(axis=1))
    status: list[Status] = [
        "dominated" if worse else "on it" if sure else "undecided" for worse, sure in zip(dominated, safe, strict=True)
    ]
    return FrontierResult(
        quality=means[:k], cost=-means[k:], status=tuple(status), probability=_undominated(means + draws, k),
        better=better, cheaper=cheaper, near_best=near, critical=critical, units=joint.units,
    )  # fmt: skip


def _draws(covariance: Array, df: float, seed: int) -> Array:
    """Errors of all means: normal, with the spread that their degrees of freedom leave uncertain."""
    rng = stream(seed, "frontier")
    values, vectors = np.linalg.eigh(covariance)
    normal = rng.standard_normal((DRAWS, len(values))) * np.sqrt(np.clip(values, 0, None)) @ vectors.T
    return np.asarray(normal * np.sqrt(df / rng.chisquare(max(df, 1.0), (DRAWS, 1))))


def _undominated(draws: Array, k: int) -> Array:
    """Share of the draws in which no model is at least as good and as cheap, and more so in one."""
    out = np.empty(k)
    for m in range(k):
        q, c = draws[:, :k] - draws[:, [m]], draws[:, k:] - draws[:, [k + m]]
        out[m] = 1 - ((q >= 0) & (c >= 0) & ((q > 0) | (c > 0))).any(axis=1).mean()
    return out
