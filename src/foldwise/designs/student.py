"""What a t-type test of given evidence finds: p, interval, probabilities and curve from one Student distribution."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from foldwise.core.errors import DegenerateVariance
from foldwise.core.types import Interval
from foldwise.designs.curves import PosteriorCurve, Power, StudentPower, difference_grid
from foldwise.designs.findings import Findings
from foldwise.designs.kind import PairTests
from foldwise.inference._correlated_bayesian_t import student_posterior
from foldwise.inference.probabilities import Probabilities
from foldwise.inference.student import StudentResult
from foldwise.inference.variance_split import VarianceSplit

KNOWN_SPREAD = 19
"""Degrees of freedom from which a standard error is known well enough to speak of power: 20 items or equal clusters.

Computed (`tests/comparison/test_few_clusters.py`): the real power at the difference said to be seen with power 0.8
lies, for nine samples in ten, between .53 and .94 with 20 clusters and between .25 and .99 with 5.
"""

PRACTICALLY_NORMAL = 1e6
"""Degrees of freedom whose Student distribution is a normal one to all digits that are shown."""

NO_POWER = "no detectable difference is given: with so few {} the standard error is too uncertain to compute power"
"""What is said below that, of items or clusters."""


def known_power(standard_error: float, df: float) -> StudentPower | None:
    """The power of a t-type test, where its standard error is known well enough."""
    known = standard_error > 0 and df > KNOWN_SPREAD - 1e-6
    return StudentPower(standard_error=standard_error, df=df) if known else None


def student_findings(
    result: StudentResult,
    *,
    alpha: float,
    rope: float,
    higher_is_better: bool,
    power: Power | None,
    variance: VarianceSplit | None = None,
    caveats: tuple[str, ...] = (),
) -> Findings:
    """The numbers of one comparison.

    Notes
    -----
    Differences that do not vary are no certainty: there is no interval of width 0, nobody wins, and p is 1, the p-value
    that rejects nothing.
    """
    # a normal distribution has no degrees of freedom to speak of
    estimate, df = float(result.estimate), None if np.isinf(result.df) else float(result.df)
    if result.degenerate:
        return Findings(estimate=estimate, statistic=math.nan, df=df, pvalue=1.0, caveats=caveats)
    interval = result.confidence_interval(1 - alpha)
    regions = student_posterior(result, rope=rope).probabilities
    a_better, same, b_better = map(float, (regions if higher_is_better else regions.mirrored()).as_tuple())
    return Findings(
        estimate=estimate,
        statistic=float(result.statistic),
        df=df,
        pvalue=float(result.pvalue),
        interval=Interval(low=float(interval.low), high=float(interval.high)),
        probabilities=Probabilities(a_better=a_better, equivalent=same, b_better=b_better),
        power=power,
        standard_error=float(result.standard_error),
        variance=variance,
        caveats=caveats,
    )


def student_curve(result: StudentResult, rope: float) -> PosteriorCurve | None:
    """The density behind the interval; None where the differences do not vary."""
    if result.degenerate:
        return None
    if np.isinf(result.df):
        result = replace(result, df=PRACTICALLY_NORMAL)
    posterior = student_posterior(result, rope=rope)
    reach = min(float(posterior.credible_interval(0.999).width) / 2, 6 * float(posterior.scale))
    grid = difference_grid(float(posterior.estimate), reach, rope)
    return PosteriorCurve(difference=grid, height=np.asarray(posterior.pdf(grid)))


@contextmanager
def constant_known() -> Iterator[None]:
    """No warning of differences that do not vary: a caveat says it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        yield


def student_tests(result: StudentResult) -> PairTests:
    """The tests of pairs in a batch."""
    known = np.asarray(result.standard_error) > 0
    return PairTests(
        estimate=np.asarray(result.estimate),
        pvalue=np.where(known, result.pvalue, 1.0),
        known=known,
        intervals=lambda level: student_intervals(result, level),
    )


def student_intervals(result: StudentResult, level: float) -> Interval:
    """The intervals of a batch; NaN where nothing varies."""
    with constant_known():
        found = result.confidence_interval(level)
    known = np.asarray(result.standard_error) > 0
    return Interval(low=np.where(known, found.low, np.nan), high=np.where(known, found.high, np.nan))
