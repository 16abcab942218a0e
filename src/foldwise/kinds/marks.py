"""Two models marked on the same independent items: graded answers, losses, any numbers."""

from __future__ import annotations

import warnings
from typing import ClassVar

import numpy as np

from foldwise.core.errors import DegenerateVariance
from foldwise.core.metric import direction_caveats, unit_caveats
from foldwise.core.types import Array
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.marks import Marks
from foldwise.inference.student import StudentResult, student_result
from foldwise.inference.t_over_splits import paired_t
from foldwise.inference.variance_split import VarianceSource, VarianceSplit
from foldwise.kinds.curves import PosteriorCurve
from foldwise.kinds.design import Design
from foldwise.kinds.findings import Findings
from foldwise.kinds.guarantee import ASSUMING_INDEPENDENCE, approximate
from foldwise.kinds.outcomes import FIXED, unseen_caveats
from foldwise.kinds.power import StudentPower
from foldwise.kinds.procedure import Batch, Procedure
from foldwise.kinds.serial import serial_caveats
from foldwise.kinds.simulated import Simulated
from foldwise.kinds.student import KNOWN_SPREAD, NO_POWER, known_power, student_curve, student_findings

__all__ = ["KIND", "NORMAL", "PROCEDURES", "MarkKind", "power_of"]

FEW = 10
"""Items, or clusters worth so many, below which the shape of the differences matters."""

SURE = 0.95
"""How sure a share is whose upper limit is told."""

NORMAL = "the mean difference is about normally distributed: many items, or differences without far outliers"
"""What all t tests of marks assume."""


class MarkKind(Simulated[Marks]):
    """What the kinds share whose evidence are marks."""

    grows_with: ClassVar[str | None] = "n"
    units: ClassVar[str]
    """What the degrees of freedom count."""
    plots: ClassVar[tuple[str, ...]] = ("item_differences",)
    limit = "one set of items: the answer is about these fitted models, not about the algorithms that trained them"

    def fits(self, evidence: Evidence) -> bool:
        """Marks."""
        return isinstance(evidence, Marks)

    def batch(self, evidence: Marks, alpha: float) -> Batch:
        """Differences with their clusters, and the marks themselves for tests that are not of the differences alone."""
        x, groups, tasks = evidence.differences, evidence.groups, evidence.tasks
        return Batch(data=x, alpha=alpha, groups=groups, tasks=tasks, given=evidence)

    def findings(self, evidence: Marks, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """Everything from the Student distribution of the test."""
        result = self.result(evidence, procedure, alpha)
        return student_findings(
            result,
            alpha=alpha,
            rope=rope,
            higher_is_better=evidence.higher_is_better,
            power=power_of(evidence, result),
            variance=_split(evidence, result, self.units),
            caveats=(*self.ignored(evidence, procedure), *_few(result, self.units)),
        )

    def ignored(self, evidence: Marks, procedure: Procedure) -> tuple[str, ...]:
        """What the test does not look at."""
        return ()

    def posterior(self, evidence: Marks, procedure: Procedure, *, alpha: float, rope: float) -> PosteriorCurve | None:
        """The distribution that the interval comes from."""
        return student_curve(self.result(evidence, procedure, alpha), rope)

    def result(self, evidence: Marks, procedure: Procedure, alpha: float) -> StudentResult:
        """What the test finds."""
        return _run(procedure, self.batch(evidence, alpha))

    def estimand(self, evidence: Marks, procedure: Procedure, names: tuple[str, str]) -> str:
        """About the fitted models, on items like these."""
        over = "" if evidence.trials is None else " and over their trials"
        return (
            f"over items like these{over}, {procedure.difference_words(evidence.metric, names, 'mean')}; it is about "
            "these two fitted models, and another training set may give other models."
        )

    def caveats(self, evidence: Marks, procedure: Procedure, names: tuple[str, str], rope: float) -> list[str]:
        """What the marks themselves make one notice."""
        caveats = [*serial_caveats(evidence), *_constant(evidence), *_trials(evidence)]
        caveats += unseen_caveats(names, evidence.unseen)
        if evidence.missing is not None:
            caveats.append(evidence.missing.words(names))
        metric, higher = evidence.metric, evidence.higher_is_better
        caveats += direction_caveats(metric, higher)
        return caveats + unit_caveats(evidence.unit, rope, (evidence.a, evidence.b))

    def numbers(self, design: Design) -> int:
        """One difference per item."""
        return design.n

    def mean_difference(self, data: Array) -> Array:
        """Mean over the items."""
        return np.asarray(data.mean(axis=-1))

    def trainings(self, design: Design) -> int:
        """Once, before."""
        return 1


class IndependentMarks(MarkKind):
    """Items that do not come in clusters; trials of an item are averaged first."""

    name = "marks"
    units = "items"
    words = "the marks of both models on the same items"
    assumes = ("the items are independent draws from the source that matters, and none was trained on", FIXED, NORMAL)
    recommended = "paired_t"
    because = "both models were marked on the same items, so that the differences on them are the sample"

    def natural(self, evidence: Evidence) -> bool:
        """Items that have neither clusters nor an order of time."""
        return isinstance(evidence, Marks) and evidence.groups is None and evidence.times is None

    def ignored(self, evidence: Marks, procedure: Procedure) -> tuple[str, ...]:
        """Clusters, where there are some."""
        if evidence.groups is None:
            return ()
        said = "its interval and the probabilities take the items as independent although they come in clusters"
        return (f"{procedure.title}, {said}",)


KIND = IndependentMarks()


def power_of(_evidence: Marks, result: StudentResult) -> StudentPower | None:
    """What the design can see, where the standard error is known well enough."""
    return known_power(float(result.standard_error), float(result.df))


def _run(procedure: Procedure, batch: Batch) -> StudentResult:
    if batch.data.shape[-1] == 1:  # one item has a difference, and no spread
        return student_result(batch.data[0], np.array(0.0), 0.0, warn=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)  # among the caveats
        result: StudentResult = procedure.run(batch)
    return result


def _few(result: StudentResult, units: str) -> list[str]:
    caveats = []
    if not result.degenerate and result.df < FEW - 1:
        caveats.append(
            f"few {units}: p, interval and probabilities hold only as far as differences are about normally distributed"
        )
    if not result.degenerate and result.df < KNOWN_SPREAD - 1e-6:
        caveats.append(NO_POWER.format(units))
    return caveats


def _split(evidence: Marks, result: StudentResult, units: str) -> VarianceSplit | None:
    """Items (or clusters) and trials as sources of the variance.

    With K trials Var(d̄) = (Var_data + Var_pred/K)/n. Trials are independent draws of each model, so that Var_pred is
    the sum of the two variances within items.
    """
    trials = evidence.trials
    if trials is None or result.degenerate or np.isnan(trials.share):
        return None
    of_trials = trials.share / evidence.n
    of_items = max(float(result.standard_error) ** 2 - of_trials, 0.0)
    count = evidence.n if evidence.groups is None else int(evidence.groups.max()) + 1
    return VarianceSplit(
        standard_error=float(result.standard_error),
        sources=(
            VarianceSource(name=units, variance=of_items * count, adds=of_items, over=(units,)),
            VarianceSource(name="trials", variance=sum(trials.pooled), adds=of_trials, over=(units, "trials")),
        ),
    )


def _constant(evidence: Marks) -> list[str]:
    x, groups = evidence.differences, evidence.groups
    if len(x) == 1:
        return ["one item shows no spread, so that nothing can be said of other items"]
    if not x.any() and evidence.times is not None:
        return ["both models are the same in every period, so that these marks can't tell how they differ in others"]
    if not x.any():
        count, units = (len(x), "items") if groups is None else (int(groups.max()) + 1, "clusters")
        # none of so many: the exact upper limit of the share
        share = 1 - (1 - SURE) ** (1 / count)
        return [
            f"both models have the same mark on all {len(x)} items: {100 * SURE:g} % sure, they differ on fewer than "
            f"{100 * share:.2g} % of such {units}, by how much these marks can't tell"
        ]
    if np.ptp(x) == 0:
        return ["the difference is the same on every item, so its spread is unknown, and with it whether it is chance"]
    return []


def _trials(evidence: Marks) -> list[str]:
    if evidence.trials is None or evidence.trials.equal:
        return []
    return [f"items were tried unequally often ({evidence.trials.words}): each counts once, whatever its trials"]


PROCEDURES = (
    Procedure(
        name="paired_t",
        title="paired t test over items",
        kind=KIND,
        run=lambda batch: paired_t(batch.data),
        symbol="t",
        signed=True,
        reference="Student (1908), Biometrika 6",
        guarantee=approximate(beside=ASSUMING_INDEPENDENCE),
        power=power_of,
    ),
)
