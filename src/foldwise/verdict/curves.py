"""Curves behind a comparison: the posterior of the difference, and the power of the design."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from foldwise.core.errors import DegenerateVariance
from foldwise.core.result import Result
from foldwise.core.types import Array
from foldwise.evidence.outcomes import Outcomes
from foldwise.evidence.scores import Scores
from foldwise.inference.clustered_outcomes import clustered_outcomes
from foldwise.inference.correlated_bayesian_t import correlated_bayesian_t
from foldwise.inference.detectable_difference import detectable_difference, student_power
from foldwise.inference.five_by_two_power import five_by_two_f_detectable_difference, five_by_two_f_power
from foldwise.inference.mcnemar_power import mcnemar_power
from foldwise.inference.paired_density import paired_density

if TYPE_CHECKING:
    from foldwise.verdict.comparison import Comparison

__all__ = ["Curve", "PosteriorCurve", "PowerCurve", "posterior_curve", "power_curve"]

POINTS = 201
"""Points of a curve; odd, so that a symmetric one has its middle."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve(Result):
    """A curve over the difference a − b.

    Attributes
    ----------
    difference, height
        Points of the curve.
    """

    page: ClassVar[str] = "curve"
    title: ClassVar[str]
    axis: ClassVar[str]

    difference: Array
    height: Array

    def _content(self) -> dict[str, Any]:
        return {"difference": self.difference.tolist(), self.axis: self.height.tolist()}

    def __str__(self) -> str:
        return f"{self.title}: {len(self.difference)} points"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PosteriorCurve(Curve):
    """Posterior density of the difference; the region of practical equivalence and 0 are among its points."""

    title: ClassVar[str] = "How probable each difference is"
    axis: ClassVar[str] = "density"

    @property
    def density(self) -> Array:
        """Height of the curve."""
        return self.height


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PowerCurve(Curve):
    """Probability that the test rejects, by the size of the true difference, from no difference on."""

    title: ClassVar[str] = "How surely each difference is found"
    axis: ClassVar[str] = "power"

    @property
    def power(self) -> Array:
        """Height of the curve."""
        return self.height


def posterior_curve(c: Comparison) -> PosteriorCurve | None:
    """The posterior behind ``c.rope_probabilities``; None where all of it is in one point."""
    if isinstance(c.evidence, Scores):
        return _scores_posterior(c, c.evidence)
    return (_clustered_posterior if c.test == "clustered_difference" else _outcomes_posterior)(c, c.evidence)


def power_curve(c: Comparison) -> PowerCurve | None:
    """The power of this design by the true difference; None where no detectable difference is known.

    Notes
    -----
    For the t-type tests the detectable difference is a known multiple of the standard error, which gives the latter
    back; for the combined F test it is one of the spread within replications.
    """
    if c.detectable_difference is None:
        return None
    if isinstance(c.evidence, Outcomes) and c.test.startswith("mcnemar"):
        return _mcnemar_curve(c, c.evidence)
    x = np.linspace(0, 2 * c.detectable_difference, POINTS)
    if not isinstance(c.df, (int, float)):
        within = (c.detectable_difference / float(five_by_two_f_detectable_difference(1.0, alpha=c.alpha))) ** 2
        return PowerCurve(difference=x, height=five_by_two_f_power(x, within, alpha=c.alpha))
    df = float(c.df)
    standard_error = c.detectable_difference / float(detectable_difference(1.0, df, alpha=c.alpha))
    return PowerCurve(difference=x, height=student_power(x, standard_error, df, alpha=c.alpha))


def _mcnemar_curve(c: Comparison, outcomes: Outcomes) -> PowerCurve:
    assert c.detectable_difference is not None
    # the discordance that the detectable difference was computed with: half a disagreement each way
    rate = (outcomes.n01 + outcomes.n10 + 1) / (outcomes.n + 2)
    x = np.linspace(0, min(2 * c.detectable_difference, rate), POINTS)
    method: Any = c.test.partition("_")[2] or "midp"
    return PowerCurve(difference=x, height=mcnemar_power(outcomes.n, rate, x, alpha=c.alpha, method=method))


def _outcomes_posterior(c: Comparison, outcomes: Outcomes) -> PosteriorCurve:
    cells = outcomes.n00, outcomes.n01, outcomes.n10, outcomes.n11
    # moments of p10 − p01 under Dirichlet(½ + counts), whose weights sum to n + 2
    mean = (outcomes.n10 - outcomes.n01) / (outcomes.n + 2)
    variance = ((outcomes.n01 + outcomes.n10 + 1) / (outcomes.n + 2) - mean**2) / (outcomes.n + 3)
    x = np.unique(np.clip(_grid(mean, 4 * math.sqrt(variance), c.rope), -1, 1))
    # the density speaks of error rates, a comparison of accuracies: the sign turns
    density = paired_density(-x, *cells)
    finite = np.isfinite(density)
    return PosteriorCurve(difference=x[finite], height=density[finite])


def _clustered_posterior(c: Comparison, outcomes: Outcomes) -> PosteriorCurve:
    result = clustered_outcomes(outcomes.differences, outcomes.groups)
    # few clusters spread their confidence thinly over all differences: a fine grid in the middle, a coarse one around
    fine = _grid(c.estimate, max(6 * float(result.standard_error), 4 / outcomes.n), c.rope)
    x = np.unique(np.clip(np.concatenate([fine, np.linspace(-1, 1, POINTS)]), -1, 1))
    # what Student's distribution puts beyond −1 and 1 lies on these ends: the first edge is just outside
    edges = np.concatenate([[np.nextafter(-1, -2)], (x[1:] + x[:-1]) / 2, [1.0]])
    return PosteriorCurve(difference=x, height=np.diff(result.cdf(edges)) / np.diff(edges))


def _scores_posterior(c: Comparison, scores: Scores) -> PosteriorCurve | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)  # among the caveats already
        x = scores.differences.ravel()
        df = scores.most_df(x.size - 1.0)
        posterior = correlated_bayesian_t(x, correlation=scores.correlation, rope=c.rope, df=df)
    if posterior.scale == 0:
        return None
    span = posterior.credible_interval(0.999)
    grid = _grid(float(posterior.estimate), min(float(span.width) / 2, 6 * float(posterior.scale)), c.rope)
    return PosteriorCurve(difference=grid, height=posterior.pdf(grid))


def _grid(mean: float, reach: float, rope: float) -> Array:
    low, high = min(mean - reach, -1.5 * rope, 0.0), max(mean + reach, 1.5 * rope, 0.0)
    # the limits of the region are points of the curve, so that its three parts meet
    return np.unique(np.concatenate([np.linspace(low, high, POINTS), [-rope, 0.0, rope]]))
