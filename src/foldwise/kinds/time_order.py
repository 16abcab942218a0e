"""Two models in order of time: losses of forecasts, marks or right/wrong answers of successive periods."""

from __future__ import annotations

import numpy as np

from foldwise.core.types import Array
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.marks import Marks
from foldwise.inference._diebold_mariano import at_least_mcnemar, diebold_mariano
from foldwise.inference.student import StudentResult
from foldwise.kinds.guarantee import approximate
from foldwise.kinds.marks import NORMAL, MarkKind, power_of
from foldwise.kinds.outcomes import FIXED
from foldwise.kinds.procedure import Procedure

__all__ = ["KIND", "PROCEDURES", "TimeOrder", "time_caveats"]

STRONG = 0.7
"""Lag-1 autocorrelation of what is seen from which on the test's level is worth a sentence."""

MEASURED = (
    "at level 0.05 we measured Type I errors of 0.10 (30 periods) to 0.06 (1000 periods) where neighbours correlate by "
    "0.8, and of 0.33 (30 and 100 periods), 0.23 (400) and 0.15 (1000) where they correlate by 0.95"
)
"""Through `compare_marks`: losses of autoregressive differences, 1000 to 2000 series each.

All figures are in `docs/explanation/time_order.md`; `tests/verdict/test_time_order.py` measures it with fewer.
"""


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
        "Watson 2018); its 95 % interval is never narrower than that of the paired t test."
    )
    limit = "one stretch of time: the answer is about these models on periods like these, as long as nothing changes"

    def natural(self, evidence: Evidence) -> bool:
        """Marks with a time."""
        return isinstance(evidence, Marks) and evidence.times is not None and not evidence.splits

    def fits(self, evidence: Evidence) -> bool:
        """Only where times are known."""
        return self.natural(evidence)

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
    """What to know of models × periods: that items were averaged, and correlation that is too strong for the test."""
    said = [f"{averaged} items were averaged by their time, and each of the {values.shape[1]} periods counts once"]
    caveats = said if averaged else []
    v = values - values.mean(axis=0)
    v = v - v.mean(axis=1, keepdims=True)
    total = float((v**2).sum())
    seen = float((v[:, 1:] * v[:, :-1]).sum()) / total if total > 0 else 0.0
    if seen > STRONG - 4 / values.shape[1]:  # the estimate from n periods is too small by some (1 + 3φ)/n
        caveats.append(
            f"differences of neighbouring periods correlate by {seen:.2f}, so that {values.shape[1]} of them tell "
            f"little: {MEASURED}"
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
        guarantee=approximate(cited=(0.103, "autocorrelation to .8, 30+ periods; .34 at .95")),
    ),
)
