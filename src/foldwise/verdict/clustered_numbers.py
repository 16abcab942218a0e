"""What the answers on clustered test items come to: the cluster-robust test, and what few clusters leave open."""

from __future__ import annotations

import math
from dataclasses import dataclass

from foldwise.core.types import Interval
from foldwise.evidence.outcomes import Outcomes
from foldwise.inference.catalogue import Procedure
from foldwise.inference.clustered_outcomes import ClusteredOutcomes
from foldwise.inference.detectable_difference import detectable_difference
from foldwise.inference.probabilities import Probabilities

__all__ = ["OutcomeNumbers", "clustered_numbers"]

KNOWN_SPREAD = 19
"""Degrees of freedom from which a standard error is known well enough to speak of power: 20 equal clusters.

Computed (`tests/verdict/test_few_clusters.py`): the real power at the difference said to be seen with power 0.8 lies,
for nine samples in ten, between .53 and .94 with 20 clusters and between .25 and .99 with 5.
"""

FEW = 10
"""Degrees of freedom below which the test's measured level is worth a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeNumbers:
    """What a test on outcomes and its interval say, as accuracy(a) − accuracy(b)."""

    statistic: float
    df: float | None
    pvalue: float
    interval: Interval
    probabilities: Probabilities
    detectable: float | None
    caveats: tuple[str, ...] = ()


def clustered_numbers(outcomes: Outcomes, procedure: Procedure, *, alpha: float, rope: float) -> OutcomeNumbers:
    """The cluster-robust test: test, interval and probabilities from one distribution."""
    result: ClusteredOutcomes = procedure.run(outcomes.differences, outcomes.groups)
    interval, chances = result.confidence_interval(1 - alpha), result.probabilities(rope)
    known = result.df > KNOWN_SPREAD - 1e-6 and result.standard_error > 0
    return OutcomeNumbers(
        statistic=float(result.statistic),
        df=float(result.df),
        pvalue=float(result.pvalue),
        interval=Interval(low=float(interval.low), high=float(interval.high)),
        probabilities=Probabilities(
            a_better=float(chances.a_better), equivalent=float(chances.equivalent), b_better=float(chances.b_better)
        ),
        detectable=float(detectable_difference(result.standard_error, result.df, alpha=alpha)) if known else None,
        caveats=tuple(_caveats(result, alpha)),
    )


def _caveats(result: ClusteredOutcomes, alpha: float) -> list[str]:
    caveats = []
    disagree = result.only_a + result.only_b > 0
    if result.ignorance >= alpha:
        needed = math.floor(-math.log2(alpha)) + 1
        caveats.append(
            f"{result.clusters} clusters can't show a difference at level {alpha:g} whatever is in them: at least "
            f"{needed} are needed, and the interval can't be trusted"
        )
    elif result.df < FEW:
        caveats.append(
            f"few clusters, or some much larger than others: they are worth about {result.df + 1:.2g} of equal size; "
            "at level 0.05 we measured Type I errors up to 0.07 with 5 to 10 equal clusters, and up to 0.09 with "
            "unequal ones, where each cluster is wholly on one side"
        )
    if disagree and result.between < result.standard_error:
        caveats.append(
            "the clusters differ by less than independent examples would, so that the standard error is that of "
            "independent examples"
        )
    if disagree and result.pvalue == result.independent < 1:
        caveats.append("p is that of McNemar's mid-p test, because the cluster-robust one is smaller")
    if disagree and result.df < KNOWN_SPREAD - 1e-6:
        caveats.append(
            "no smallest difference that this design sees: so few clusters leave the standard error too uncertain to "
            "speak of power"
        )
    return caveats
