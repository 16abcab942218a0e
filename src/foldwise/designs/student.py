"""Kinds whose tests are of the t type: p, interval, probabilities and curve come from one Student distribution."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from foldwise.core.errors import DegenerateVariance
from foldwise.core.types import Interval
from foldwise.designs.findings import PRACTICALLY_NORMAL, Findings, PosteriorCurve, Power, StudentPower, difference_grid
from foldwise.designs.kind import Batch, E, Kind, PairTests, Procedure
from foldwise.inference.crossed_designs import VarianceSplit
from foldwise.inference.equivalence import Probabilities, student_posterior
from foldwise.inference.student import StudentResult

KNOWN_SPREAD = 19
"""Degrees of freedom from which a standard error is known well enough to speak of power: 20 items or equal clusters.

Computed (`tests/comparison/test_few_clusters.py`): the real power at the difference said to be seen with power 0.8
lies, for nine samples in ten, between .53 and .94 with 20 clusters and between .25 and .99 with 5.
"""

NO_POWER = "no detectable difference is given: with so few {} the standard error is too uncertain to compute power"
"""What is said below that, of items or clusters."""


class StudentKind(Kind[E]):
    """A kind whose tests give a `StudentResult`: what they find follows from it alone."""

    def result(self, evidence: E, procedure: Procedure, batch: Batch) -> StudentResult:
        """What the test finds of differences, or of the values of a model, behind any leading axes."""
        found: StudentResult = quietly(procedure, batch)
        return found

    def analysed(self, evidence: E, procedure: Procedure, batch: Batch) -> tuple[StudentResult, VarianceSplit | None]:
        """The test of two models, and where its variance comes from, where the evidence can tell."""
        return self.result(evidence, procedure, batch), None

    def about(self, evidence: E, procedure: Procedure, result: Any) -> list[str]:
        """What a reader should know of these numbers."""
        return []

    def findings(self, evidence: E, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        result, variance = self.analysed(evidence, procedure, self.batch(evidence, alpha))
        return student_findings(
            result,
            alpha=alpha,
            rope=rope,
            higher_is_better=evidence.higher_is_better,
            power=None if result.degenerate else procedure.power(evidence, result),
            variance=variance,
            caveats=tuple(self.about(evidence, procedure, result)),
        )

    def posterior(self, evidence: E, procedure: Procedure, *, alpha: float, rope: float) -> PosteriorCurve | None:
        return student_curve(self.analysed(evidence, procedure, self.batch(evidence, alpha))[0], rope)


def known_power(_evidence: object, result: StudentResult) -> StudentPower | None:
    """The power of a t-type test, where its standard error is known well enough."""
    return power_with(float(result.standard_error), float(result.df))


def power_with(error: float, df: float) -> StudentPower | None:
    known = 0 < error < math.inf and df > KNOWN_SPREAD - 1e-6
    return StudentPower(standard_error=error, df=min(df, PRACTICALLY_NORMAL)) if known else None


def known_df(df: float) -> float | None:
    """Degrees of freedom as they are told: a normal distribution has none to speak of."""
    return None if np.isinf(df) else df


def student_findings(
    result: StudentResult, *, alpha: float, rope: float, higher_is_better: bool, power: Power | None,
    variance: VarianceSplit | None = None, caveats: tuple[str, ...] = (),
) -> Findings:  # fmt: skip
    """The numbers of one comparison.

    Differences that do not vary are no certainty: there is no interval of width 0, nobody wins, and p is 1, the p-value
    that rejects nothing.
    """
    estimate, df = float(result.estimate), known_df(float(result.df))
    if result.degenerate:
        return Findings(estimate=estimate, statistic=math.nan, df=df, pvalue=1.0, caveats=caveats)
    return Findings(
        estimate=estimate,
        statistic=float(result.statistic),
        df=df,
        pvalue=float(result.pvalue),
        interval=result.confidence_interval(1 - alpha).floats(),
        probabilities=student_probabilities(result, rope, higher_is_better=higher_is_better),
        power=power,
        standard_error=float(result.standard_error),
        variance=variance,
        caveats=caveats,
    )


def student_probabilities(result: StudentResult, rope: float, *, higher_is_better: bool) -> Probabilities:
    """Those that the region of practical equivalence leaves of the distribution behind the interval."""
    regions = student_posterior(result, rope=rope).probabilities
    return (regions if higher_is_better else regions.mirrored()).floats()


def student_curve(result: StudentResult, rope: float) -> PosteriorCurve | None:
    """The density behind the interval; None where the differences do not vary, or nothing is known of how they do."""
    if result.degenerate or np.isinf(result.standard_error):
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


def quietly(procedure: Procedure, batch: Batch) -> Any:
    """The result of a test whose lack of variance is said among the caveats."""
    with constant_known():
        return procedure.run(batch)


def student_tests(result: StudentResult) -> PairTests:
    known = np.asarray(result.standard_error) > 0
    return PairTests(
        estimate=np.asarray(result.estimate), pvalue=np.where(known, result.pvalue, 1.0), known=known,
        intervals=lambda level: student_intervals(result, level),
    )  # fmt: skip


def student_intervals(result: StudentResult, level: float) -> Interval:
    """The intervals of a batch; NaN where nothing varies."""
    with constant_known():
        found = result.confidence_interval(level)
    known = np.asarray(result.standard_error) > 0
    return Interval(low=np.where(known, found.low, np.nan), high=np.where(known, found.high, np.nan))
