"""The answer to "is one learner better than the other?", with everything that led to it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

from foldwise.core.digest import digest
from foldwise.core.metric import Unit, unit_of
from foldwise.core.result import Result
from foldwise.core.types import Interval
from foldwise.evidence.outcomes import Outcomes
from foldwise.evidence.scores import Scores
from foldwise.inference.probabilities import Probabilities
from foldwise.report.text import verdict_text
from foldwise.verdict.curves import PosteriorCurve, PowerCurve, posterior_curve, power_curve
from foldwise.verdict.frames import evidence_frame

__all__ = ["Comparison"]

Side = Literal["a", "b"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison(Result):
    """Outcome of comparing two learners; ``print`` it for a short verdict.

    Attributes
    ----------
    names
        The two learners, a and b.
    test, title, symbol, reference
        The test's name in the catalogue, in words, its statistic's letter, and where it comes from.
    estimate
        Mean of a − b in the score's own unit.
    interval
        Confidence interval of level 1 − alpha for that difference, or None where none is defined.
    common
        False where the test rejects every difference, so that the interval is empty: the learners differ, but not by
        a common amount, and neither is better.
    statistic, df, pvalue
        As the test gives them; NaN and p = 1 where the differences do not vary, so that nothing can be told.
    alpha, reject
        Significance level, and whether the p-value is below it.
    better
        "a" or "b" when the test rejects, otherwise None.
    means
        Mean score of a and of b.
    baseline
        For accuracy (or error): what always answering the most frequent class scores, the class being the most frequent
        of each training set, or of the test set where only predictions are known; None for other scores and for marks.
    rope, rope_probabilities
        Half-width of the region of practical equivalence, and the posterior probabilities it gives; None where
        the differences do not vary.
    replicability
        Verdicts over other partitionings, where they were asked for.
    detectable_difference
        The true difference that this design would detect with power 0.8, where it can be computed.
    metric, higher_is_better
        What the scores measure.
    design, subject, estimand, reason
        How the evidence came about, on what data, what the answer is about, and why this test was chosen.
    evidence
        The outcomes or scores themselves.
    caveats
        Sentences a careful reader should know.
    repeat
        The command that gives the same answer again, when there is one.
    fits, found
        Number of trainings behind it, and how many of them came from a store.
    found_made
        When the oldest and the newest of those from a store were made; None if there is none.
    seed, data_digest
        What determined the splits, and the hash of the data set, where they are known.
    """

    page: ClassVar[str] = "comparison"

    names: tuple[str, str]
    test: str
    title: str
    symbol: str
    reference: str
    estimate: float
    interval: Interval | None
    statistic: float
    df: float | tuple[float, float] | None
    pvalue: float
    alpha: float
    means: tuple[float, float]
    rope: float
    rope_probabilities: Probabilities | None
    detectable_difference: float | None
    metric: str
    higher_is_better: bool
    design: str
    estimand: str
    reason: str
    evidence: Outcomes | Scores = field(repr=False)
    common: bool = True
    caveats: tuple[str, ...] = ()
    replicability: Any = None
    subject: str = ""
    repeat: str | None = None
    fits: int = 0
    found: int = 0
    found_made: tuple[str, str] | None = None
    seed: int | None = None
    data_digest: str | None = None
    baseline: float | None = None

    @property
    def reject(self) -> bool:
        """Whether the test finds a difference at level alpha."""
        return self.pvalue < self.alpha

    @property
    def better(self) -> Side | None:
        """Who wins, "a" or "b"; None when no difference, or none in one direction, is shown."""
        if not self.reject or not self.common or self.estimate == 0:
            return None
        return "a" if (self.estimate > 0) == self.higher_is_better else "b"

    @property
    def practically_same(self) -> bool:
        """Whether the posterior puts more than 1 − alpha on the region of practical equivalence."""
        return self.rope_probabilities is not None and self.rope_probabilities.equivalent > 1 - self.alpha

    @property
    def unit(self) -> Unit:
        """The score's unit: "fraction" (shown in percent), "percent", or "own"."""
        return self.evidence.unit if isinstance(self.evidence, Scores) else unit_of(self.metric)

    @property
    def direction_assumed(self) -> bool:
        """Whether `higher_is_better` is only assumed, because neither the metric's name nor anybody said so."""
        return isinstance(self.evidence, Scores) and self.evidence.direction_assumed

    @property
    def better_name(self) -> str | None:
        """The winner's name; None when no difference is shown."""
        return None if self.better is None else self.names["ab".index(self.better)]

    @property
    def evidence_digest(self) -> str:
        """Digest of the scores or outcomes: equal exactly when the evidence is."""
        parts = ("correct_a", "correct_b", "groups") if isinstance(self.evidence, Outcomes) else ("a", "b")
        return digest([getattr(self.evidence, part) for part in parts])

    def renamed(self, **changes: Any) -> Comparison:
        """The same comparison with other words around it (names, subject, repeat, more caveats)."""
        return replace(self, **changes)

    def _content(self) -> dict[str, Any]:
        """All of it but the raw evidence, ready for JSON (an infinite statistic becomes None)."""
        return {
            "names": list(self.names),
            "test": self.test,
            "title": self.title,
            "estimate": _finite(self.estimate),
            "interval": _interval_dict(self.interval, 1 - self.alpha),
            "common": self.common,
            "statistic": _finite(self.statistic),
            "df": list(self.df) if isinstance(self.df, tuple) else self.df,
            "pvalue": self.pvalue,
            "alpha": self.alpha,
            "reject": self.reject,
            "better": self.better,
            "better_name": self.better_name,
            "means": list(self.means),
            "baseline": self.baseline,
            "rope": self.rope,
            "rope_probabilities": _probabilities_dict(self.rope_probabilities),
            "replicability": None if self.replicability is None else self.replicability.to_dict(),
            "detectable_difference": self.detectable_difference,
            "metric": self.metric,
            "higher_is_better": self.higher_is_better,
            "direction_assumed": self.direction_assumed,
            "unit": self.unit,
            "design": self.design,
            "subject": self.subject,
            "estimand": self.estimand,
            "reason": self.reason,
            "reference": self.reference,
            "caveats": list(self.caveats),
            "repeat": self.repeat,
            "fits": self.fits,
            "found": self.found,
            "found_made": None if self.found_made is None else list(self.found_made),
        }

    def to_frame(self) -> Any:
        """The evidence as a table (pandas, polars or pyarrow: the first one installed)."""
        return evidence_frame(self.evidence, self.names)

    def posterior(self) -> PosteriorCurve | None:
        """Posterior density of the difference a − b; None where the differences do not vary."""
        return posterior_curve(self)

    def power_curve(self) -> PowerCurve | None:
        """Power of this design by the true difference; None where no detectable difference is known."""
        return power_curve(self)

    def __str__(self) -> str:
        return verdict_text(self)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _interval_dict(interval: Interval | None, level: float) -> dict[str, float] | None:
    return None if interval is None else {"low": interval.low, "high": interval.high, "level": level}


def _probabilities_dict(p: Probabilities | None) -> dict[str, float] | None:
    return None if p is None else {"a_better": p.a_better, "equivalent": p.equivalent, "b_better": p.b_better}
