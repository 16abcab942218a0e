"""Two models in order of time: losses of forecasts, marks or right/wrong answers of successive periods."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from foldwise.core.types import Array
from foldwise.evidence.differences import item_differences
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.marks import Marks
from foldwise.inference._diebold_mariano import (
    STRETCHES,
    at_least_mcnemar,
    diebold_mariano,
    independent_stretches,
)
from foldwise.inference.student import StudentResult
from foldwise.kinds.findings import Findings
from foldwise.kinds.guarantee import approximate
from foldwise.kinds.marks import NORMAL, MarkKind, power_of
from foldwise.kinds.outcomes import FIXED
from foldwise.kinds.procedure import Procedure

__all__ = ["KIND", "PROCEDURES", "TimeOrder", "time_caveats"]

MEASURED = (0.059, "losses, autocorrelation to .95, 30+ periods; right and wrong .08")
"""Through the verb: `python benchmarks/levels_at_the_verbs.py time`, and `docs/explanation/time_order.md`."""

FEW_STRETCHES = 20
"""Independent stretches below which an answer says how many there are."""

NO_VERDICT = "too few independent stretches of time"
"""Why there is no verdict."""


class TimeOrder(MarkKind):
    """Values of one period after the other; those of one time were averaged."""

    name = "time_order"
    units = "independent stretches of time"
    words = "the marks of both models in order of time"
    assumes = (
        "differences may be correlated with those of neighbouring periods; their mean and spread do not change over "
        "time, and correlation fades well within the series",
        FIXED,
        NORMAL.replace("many items", "many periods"),
    )
    recommended = "diebold_mariano"
    simulated = False
    because = (
        "values of neighbouring periods are correlated, and the standard error accounts for it (Diebold & Mariano "
        "1995), by few cosines with Student's distribution on as many degrees of freedom (Lazarus, Lewis, Stock & "
        "Watson 2018), the fewer the longer correlation lasts; its 95 % interval is never narrower than that of the "
        "paired t test."
    )
    limit = "one stretch of time: the answer is about these models on periods like these, as long as nothing changes"

    def natural(self, evidence: Evidence) -> bool:
        """Marks with a time."""
        return isinstance(evidence, Marks) and evidence.times is not None and not evidence.splits

    def fits(self, evidence: Evidence) -> bool:
        """Only where times are known."""
        return self.natural(evidence)

    def findings(self, evidence: Marks, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """No verdict where the differences are too slow for their number."""
        found = super().findings(evidence, procedure, alpha=alpha, rope=rope)
        slow = found.probabilities is None and np.ptp(evidence.differences) > 0
        return replace(found, withheld=NO_VERDICT) if slow else found

    def result(self, evidence: Marks, procedure: Procedure, alpha: float) -> StudentResult:
        """With p not below McNemar's where values are right and wrong."""
        found = super().result(evidence, procedure, alpha)
        return at_least_mcnemar(found, evidence.differences) if evidence.right_wrong else found

    def estimand(self, evidence: Marks, procedure: Procedure, names: tuple[str, str]) -> str:
        """About the models, over periods."""
        each = ", each period counting once however many items it has" if evidence.averaged else ""
        return (
            f"over periods like these, {procedure.difference_words(evidence.metric, names, 'mean')}{each}; it is about "
            "these two models as they were used."
        )

    def caveats(self, evidence: Marks, procedure: Procedure, names: tuple[str, str], rope: float) -> list[str]:
        """Also what correlation over time makes one notice."""
        found = super().caveats(evidence, procedure, names, rope)
        return [*time_caveats(np.array([evidence.a, evidence.b]), evidence.averaged), *found]


KIND = TimeOrder()


def time_caveats(values: Array, averaged: int) -> list[str]:
    """What to know of models × periods: that items were averaged, and that periods are worth few independent ones."""
    models, periods = values.shape
    said = [f"{averaged} items were averaged by their time, and each of the {periods} periods counts once"]
    caveats = said if averaged else []
    x = item_differences(*(values[side] for side in np.triu_indices(models, 1)))
    x = x[np.ptp(x, axis=1) > 0]
    worth = independent_stretches(x) if len(x) else np.array([np.inf])
    none = int((worth < STRETCHES).sum())
    if none:
        pairs = "" if models == 2 else f" of {none} of the {models * (models - 1) // 2} pairs"
        caveats.append(
            f"no verdict{pairs}: neighbouring periods are so alike that {periods} are worth fewer than "
            f"{STRETCHES:g} independent ones; longer series, or several series as clusters (--group), can tell more"
        )
    elif worth.min() < FEW_STRETCHES:
        caveats.append(
            f"neighbouring periods are alike: {periods} of them are worth about {worth.min():.0f} independent ones"
        )
    return caveats


PROCEDURES = (
    Procedure(
        name="diebold_mariano",
        title="Diebold-Mariano test with cosine estimator",
        kind=KIND,
        run=lambda batch: diebold_mariano(batch.data),
        symbol="t",
        signed=True,
        reference="Lazarus, Lewis, Stock & Watson (2018), Journal of Business & Economic Statistics 36",
        power=power_of,
        guarantee=approximate(cited=MEASURED),
    ),
)
