"""Two models on one test set, compared by any metric of all items: resampled, and exchanged between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Interval
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.outputs import Outputs
from foldwise.inference.paired_bootstrap import PairedBootstrapResult, paired_bootstrap
from foldwise.inference.probabilities import Probabilities
from foldwise.inference.swap_permutation import SwapPermutationResult, swap_permutation
from foldwise.kinds.curves import PosteriorCurve
from foldwise.kinds.findings import Findings
from foldwise.kinds.guarantee import approximate, unmeasured
from foldwise.kinds.outputs import OutputKind, few_units
from foldwise.kinds.power import StudentPower
from foldwise.kinds.procedure import Batch, Procedure
from foldwise.kinds.student import KNOWN_SPREAD, NO_POWER, known_power
from foldwise.metrics.auc import Auc

__all__ = ["KIND", "PROCEDURES", "Drawn"]

FEW = 10
"""Units on which the models differ, below which a bootstrap knows too little."""

STEPS = 60
"""Points of the curve: resamples are too few for more."""

CLOSE = "the test and the interval rest on different approximations and disagree here: a close call"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """What a test of this kind found, and the resamples behind the interval; of a − b, or of b − a if turned.

    Attributes
    ----------
    test
        The permutation test; None where the bootstrap itself is asked.
    bootstrap
        The resamples.
    turned
        Whether all is of b − a.
    """

    test: SwapPermutationResult | None
    bootstrap: PairedBootstrapResult
    turned: bool

    @property
    def pvalue(self) -> float:
        """Of the permutation test where there is one."""
        return self.bootstrap.pvalue if self.test is None else self.test.pvalue

    @property
    def statistic(self) -> float:
        """The difference in standard errors."""
        if self.test is not None:
            return self._mirrored(self.test.statistic)
        return self._mirrored(_ratio(self.bootstrap.estimate, self.bootstrap.standard_error))

    @property
    def estimate(self) -> float:
        """A − b."""
        return self._mirrored(self.bootstrap.estimate)

    def interval(self, level: float) -> Interval | None:
        """For a − b; None without a spread."""
        if self.bootstrap.degenerate:
            return None
        found = self.bootstrap.confidence_interval(level)
        return -found if self.turned else found

    def probabilities(self, rope: float, *, higher_is_better: bool) -> Probabilities | None:
        """That a is better, that they are equivalent, that b is better; None without a spread."""
        if self.bootstrap.degenerate:
            return None
        found = self.bootstrap.probabilities(rope)
        return found if higher_is_better != self.turned else found.mirrored()

    def _mirrored(self, value: float) -> float:
        return -value if self.turned and value else value


class Metrics(OutputKind):
    """Any metric; a model's outputs on an item could as well be the other's if nothing distinguishes the models."""

    name = "metric"
    words = "the outputs of both models on one test set, and a metric"
    recommended = "swap_permutation"
    because = (
        "the metric is no mean over items, so that no formula gives its law: p is the share of ways to exchange the "
        "two models' outputs that give such a difference, and the interval is that of the paired bootstrap (BCa); the "
        "same data always give the same answer."
    )

    def natural(self, evidence: Evidence) -> bool:
        """All but areas under ROC curves, which have a test of their own."""
        return isinstance(evidence, Outputs) and not isinstance(evidence.measure, Auc)

    def findings(self, evidence: Outputs, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """The test, the bootstrap's interval, and the probabilities of the same resamples."""
        drawn: Drawn = procedure.run(self.batch(evidence, alpha))
        interval = drawn.interval(1 - alpha)
        torn = interval is not None and (drawn.pvalue < alpha) == (0 in interval)
        return Findings(
            estimate=drawn.estimate,
            statistic=drawn.statistic,
            df=None,
            pvalue=drawn.pvalue,
            interval=interval,
            probabilities=drawn.probabilities(rope, higher_is_better=evidence.higher_is_better),
            power=procedure.power(evidence, drawn),
            caveats=(*_thin(evidence, drawn), *((CLOSE,) if torn else ())),
        )

    def posterior(self, evidence: Outputs, procedure: Procedure, *, alpha: float, rope: float) -> PosteriorCurve | None:
        """The confidence distribution of the bootstrap."""
        drawn: Drawn = procedure.run(self.batch(evidence, alpha))
        result = drawn.bootstrap
        if result.degenerate:
            return None
        low, high = result.differences[0], result.differences[-1]
        reach = 0.1 * (high - low)
        low, high = min(low - reach, -1.5 * rope), max(high + reach, 1.5 * rope)
        x = np.unique(np.concatenate([np.linspace(low, high, STEPS), [-rope, 0.0, rope]]))
        edges = np.concatenate([[x[0]], (x[1:] + x[:-1]) / 2, [x[-1]]])
        height = np.diff(np.asarray(result.cdf(edges))) / np.diff(edges)
        if evidence.turned:
            x, height = -x[::-1], height[::-1]
        return PosteriorCurve(difference=x, height=height)


KIND = Metrics()


@lru_cache(maxsize=1)
def _bootstrap(evidence: Outputs) -> PairedBootstrapResult:
    """The resamples; the answer, its limits and its picture ask for them one after the other."""
    return paired_bootstrap(evidence.statistic)


@lru_cache(maxsize=1)
def _exchanged(evidence: Outputs) -> SwapPermutationResult:
    return swap_permutation(evidence.statistic)


def _given(batch: Batch) -> Outputs:
    if not isinstance(batch.given, Outputs):
        raise InvalidInput("tests of a metric need the outputs of two models")
    return batch.given


def _run_swaps(batch: Batch) -> Drawn:
    evidence = _given(batch)
    return Drawn(test=_exchanged(evidence), bootstrap=_bootstrap(evidence), turned=evidence.turned)


def _run_bootstrap(batch: Batch) -> Drawn:
    evidence = _given(batch)
    return Drawn(test=None, bootstrap=_bootstrap(evidence), turned=evidence.turned)


def _power(_evidence: Outputs, drawn: Drawn) -> StudentPower | None:
    return known_power(drawn.bootstrap.standard_error, drawn.bootstrap.df)


def _thin(evidence: Outputs, drawn: Drawn) -> list[str]:
    """What little the test rests on."""
    statistic, units = evidence.statistic, "items" if evidence.groups is None else "clusters"
    caveats = few_units(evidence, drawn.bootstrap.df)
    differing = round(float(statistic.counts[statistic.differ].sum()))
    if 0 < differing < min(FEW, statistic.units):
        caveats.append(
            f"the models differ on {differing} {units} only: the interval and the probabilities rest on those, and "
            "know nothing of others"
        )
    if drawn.test is not None and not drawn.test.studentised:
        caveats.append(
            "the metric is a function of which nothing else is known: p supposes that the models' outputs could be "
            "exchanged, not only that their metrics are equal"
        )
    if not drawn.bootstrap.degenerate and drawn.bootstrap.df < KNOWN_SPREAD - 1e-6:
        caveats.append(NO_POWER.format(units))
    return caveats


def _ratio(estimate: float, error: float) -> float:
    return estimate / error if error else 0.0 if not estimate else math.copysign(math.inf, estimate)


PROCEDURES = (
    Procedure(
        name="swap_permutation",
        title="studentised swap permutation test",
        kind=KIND,
        run=_run_swaps,
        symbol="z",
        signed=True,
        reference="Chung & Romano (2013), Annals of Statistics 41",
        guarantee=approximate(),
        power=_power,
    ),
    Procedure(
        name="bootstrap",
        title="paired bootstrap (BCa)",
        kind=KIND,
        run=_run_bootstrap,
        symbol="z",
        signed=True,
        reference="Efron (1987), Journal of the American Statistical Association 82",
        guarantee=unmeasured("large samples, Type I error not measured"),
        power=_power,
    ),
)
