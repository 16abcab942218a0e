"""Two classifiers on one test set of independent examples: a right/wrong table of four counts."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from foldwise.evidence.evidence import Evidence
from foldwise.evidence.outcomes import Outcomes
from foldwise.inference._difference_of_proportions import DifferenceOfProportionsResult, difference_of_proportions
from foldwise.inference._mcnemar import McNemarResult, Method, mcnemar
from foldwise.inference._paired_difference import paired_difference
from foldwise.inference._paired_posterior import paired_density, paired_posterior
from foldwise.inference.probabilities import Probabilities
from foldwise.kinds.curves import PosteriorCurve, difference_grid
from foldwise.kinds.findings import Findings
from foldwise.kinds.guarantee import approximate, exact, heuristic
from foldwise.kinds.outcomes import FIXED, OutcomeKind, curve_in_unit, in_unit
from foldwise.kinds.power import McNemarPower, scaled
from foldwise.kinds.procedure import Batch, Procedure
from foldwise.kinds.references import DIETTERICH

__all__ = ["KIND", "PROCEDURES"]


class RightWrong(OutcomeKind):
    """Independent test examples: all that counts is on how many each classifier is right."""

    name = "table"
    words = "the predictions of both classifiers on one test set"
    assumes = ("the test examples are independent draws from the source that matters, and none was trained on", FIXED)
    recommended = "mcnemar"
    because = (
        "both classifiers saw the same test examples, so only those on which they disagree carry information; mid-p "
        "keeps its level without the exact test's caution (Fagerland, Lydersen & Laake 2013). The interval is "
        "Tango's score interval."
    )

    def natural(self, evidence: Evidence) -> bool:
        """Examples that do not come in clusters."""
        return isinstance(evidence, Outcomes) and evidence.groups is None

    def fits_outcomes(self, outcomes: Outcomes) -> bool:
        """Any; where they come in clusters a caveat says that these are ignored."""
        return True

    def batch(self, evidence: Outcomes, alpha: float) -> Batch:
        """The four counts."""
        return Batch(data=np.array(evidence.cells, dtype=np.float64), alpha=alpha)

    def findings(self, evidence: Outcomes, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """The test, Tango's interval and the Dirichlet posterior."""
        result = procedure.run(self.batch(evidence, alpha))
        # the procedures speak of error rates, a comparison of right answers: the sign turns
        tango = -paired_difference(*evidence.cells, method="tango").confidence_interval(1 - alpha)
        interval, pvalue = in_unit(tango, evidence), float(result.pvalue)
        sign = -1 if procedure.signed and evidence.higher_is_better else 1
        return Findings(
            estimate=evidence.factor * (evidence.n10 - evidence.n01) / evidence.n + 0.0,
            statistic=sign * float(result.statistic),
            df=result.df,
            pvalue=pvalue,
            interval=interval,
            probabilities=_probabilities(evidence, rope / evidence.scale),
            power=scaled(procedure.power(evidence, result), evidence.scale),
            caveats=(*_ignored(evidence, procedure), *((_CLOSE,) if (pvalue < alpha) == (0 in interval) else ())),
        )

    def posterior(
        self, evidence: Outcomes, procedure: Procedure, *, alpha: float, rope: float
    ) -> PosteriorCurve | None:
        """Of p10 − p01 under Dirichlet(½ + counts), whose weights sum to n + 2."""
        n = evidence.n
        mean = (evidence.n10 - evidence.n01) / (n + 2)
        variance = ((evidence.n01 + evidence.n10 + 1) / (n + 2) - mean**2) / (n + 3)
        x = np.unique(np.clip(difference_grid(mean, 4 * math.sqrt(variance), rope / evidence.scale), -1, 1))
        # the density speaks of error rates, a comparison of accuracies: the sign turns
        density = np.asarray(paired_density(-x, *evidence.cells))
        finite = np.isfinite(density)
        return curve_in_unit(x[finite], density[finite], evidence)


KIND = RightWrong()

_CLOSE = "the test and the interval rest on different approximations and disagree here: a close call"


def _ignored(evidence: Outcomes, procedure: Procedure) -> tuple[str, ...]:
    if evidence.groups is None:
        return ()
    return (
        f"{procedure.title}, its interval and the probabilities take the examples as independent although they "
        "come in clusters",
    )


def _probabilities(evidence: Outcomes, rope: float) -> Probabilities:
    posterior = paired_posterior(*evidence.cells, rope=rope)
    return Probabilities(
        a_better=float(posterior.below), equivalent=float(posterior.within), b_better=float(posterior.above)
    )


def _mcnemar(method: Method, batch: Batch) -> McNemarResult:
    return mcnemar(batch.data[..., 1], batch.data[..., 2], method=method)


def _proportions(batch: Batch) -> DifferenceOfProportionsResult:
    return difference_of_proportions(*np.moveaxis(batch.data, -1, 0))


def _mcnemar_power(method: Method, evidence: Outcomes, _result: McNemarResult) -> McNemarPower:
    # half a disagreement each way, as the posterior of the reported probabilities assumes: never a rate of 0
    rate = (evidence.n01 + evidence.n10 + 1) / (evidence.n + 2)
    return McNemarPower(n=evidence.n, rate=rate, method=method)


def _entry(name: str, method: Method, title: str, symbol: str) -> Procedure:
    return Procedure(
        name=name,
        title=f"McNemar's test ({title})",
        kind=KIND,
        run=partial(_mcnemar, method),
        symbol=symbol,
        signed=False,
        reference=f"{DIETTERICH}, section 3.1",
        guarantee=exact("random sampling of items") if method == "exact" else approximate(),
        power=partial(_mcnemar_power, method),
    )


PROCEDURES = (
    _entry("mcnemar", "midp", "mid-p", "smaller count"),
    _entry("mcnemar_corrected", "corrected", "χ² with continuity correction", "χ²"),
    _entry("mcnemar_uncorrected", "uncorrected", "χ² without correction", "χ²"),
    _entry("mcnemar_exact", "exact", "exact", "smaller count"),
    Procedure(
        name="difference_of_proportions",
        title="test for the difference of two proportions",
        kind=KIND,
        run=_proportions,
        symbol="z",
        signed=True,
        reference=f"{DIETTERICH}, section 3.2",
        guarantee=heuristic(),
        power=lambda _evidence, _result: None,
        warning="it takes the two error rates as independent although both come from the same test examples, "
        "so that its Type I error is not alpha (dietterich1998, section 3.2)",
    ),
)
