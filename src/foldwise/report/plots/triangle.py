"""The Bayesian triangle: where the posterior of (a better, same, b better) lies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from foldwise.core.units import probability
from foldwise.report.style import INK, RULE, SAME, A, B, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.core.types import Array
    from foldwise.inference.probabilities import Probabilities

__all__ = ["plot_triangle"]

_CORNERS = np.array([[0.0, 0.0], [0.5, np.sqrt(3) / 2], [1.0, 0.0]])
_MOST_POINTS = 2500


class Posterior(Protocol):
    """Any posterior over the three regions."""

    @property
    def draws(self) -> Array:
        """Shares of shape (draws, 3)."""

    @property
    def probabilities(self) -> Probabilities:
        """That each region has the largest share."""

    @property
    def rope(self) -> float:
        """Half the width of the region of practical equivalence."""


def plot_triangle(posterior: Posterior, ax: Axes | None = None, *, names: tuple[str, str] = ("a", "b")) -> Axes:
    """Draw posterior draws of the three shares in a triangle whose corners are certainty.

    Parameters
    ----------
    posterior
        From `bayesian_signed_rank`, `bayesian_sign_test` or `hierarchical_correlated_t`.
    ax
        Where to draw; a new figure when None.
    names
        The two learners.

    Returns
    -------
    Axes
        A point near a corner is a posterior draw in which that answer is almost certain; the lines inside part the
        triangle into the three regions by which answer is the most probable.
    """
    ax = new_axes(ax, width=4.6, height=4.3)
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set(xlim=(-0.25, 1.25), ylim=(-0.17, 1.05))
    points = posterior.draws.reshape(-1, 3)
    points = points[:: max(1, len(points) // _MOST_POINTS)]
    at = points @ _CORNERS
    winner = points.argmax(axis=1)
    for region, colour in enumerate((A, SAME, B)):
        own = at[winner == region]
        ax.plot(own[:, 0], own[:, 1], ".", color=colour, alpha=0.35, markersize=4, label=f"_draws {region}")
    outline = np.vstack([_CORNERS, _CORNERS[:1]])
    ax.plot(outline[:, 0], outline[:, 1], color=INK, linewidth=1.2, label="_triangle")
    centre = _CORNERS.mean(axis=0)
    for first, second in ((0, 1), (1, 2), (2, 0)):
        middle = (_CORNERS[first] + _CORNERS[second]) / 2
        ax.plot([centre[0], middle[0]], [centre[1], middle[1]], color=RULE, linewidth=1.0, label="_border")
    _corner_labels(ax, posterior, names)
    return ax


def _corner_labels(ax: Axes, posterior: Posterior, names: tuple[str, str]) -> None:
    a_better, same, b_better = (probability(float(p)) for p in posterior.probabilities.as_tuple())
    left, right = (plain(name, limit=20) for name in names)
    ax.text(0.0, -0.04, f"{left} better\n{a_better}", ha="center", va="top", color=A, fontsize=9.5)
    ax.text(1.0, -0.04, f"{right} better\n{b_better}", ha="center", va="top", color=B, fontsize=9.5)
    ax.text(0.5, 0.89, f"within {posterior.rope:g}\n{same}", ha="center", va="bottom", color=INK, fontsize=9.5)
