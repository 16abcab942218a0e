"""The answer to "is one learner better than the other?", with everything that led to it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from foldwise.comparison.claims import Claim, found_words
from foldwise.comparison.frames import new_frame
from foldwise.comparison.kept import kept_evidence
from foldwise.comparison.pair import Pair, chances_dict
from foldwise.comparison.replication import Replication
from foldwise.core.decisions import Decision, together
from foldwise.core.metric import Unit, metric_words
from foldwise.core.types import Interval, Json
from foldwise.core.units import difference_text
from foldwise.designs import Findings, Kind, Procedure
from foldwise.designs.curves import PosteriorCurve, PowerCurve, power_curve, seen_with
from foldwise.evidence.evidence import Evidence
from foldwise.inference.margins import Conclusion, conclusion
from foldwise.inference.probabilities import Probabilities
from foldwise.inference.variance_split import VarianceSplit

__all__ = ["TwoModels"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoModels:
    """Outcome of comparing two learners; ``print`` it for a short verdict.

    Attributes
    ----------
    names
        The two learners, a and b.
    procedure, findings
        The test, and what it found; most of their parts are attributes of the comparison too: `test`, `title`,
        `estimate`, `interval`, `statistic`, `df`, `pvalue`, `rope_probabilities`, `detectable_difference` …
    alpha, rope
        Significance level, and half-width of the region of practical equivalence.
    margin, limits
        The difference that a may not be worse by, where one was given, and the one-sided limits of level
        1 − `limits_alpha` for a − b that `conclusion` rests on; None where there are none.
    limits_alpha
        Level of the conclusion: `alpha`, or its part where several metrics or tasks share it, so that all conclusions
        hold together (Bonferroni).
    estimand, reason
        What the answer is about, and why this test was chosen.
    evidence
        The outcomes or scores themselves: `means`, `metric`, `higher_is_better`, `design` come from there.
    caveats
        Sentences a careful reader should know.
    replicability
        Verdicts over other partitionings, where they were asked for.
    subject, repeat
        On what data, and the command that gives the same answer again, when there is one.
    fits, found
        Number of trainings behind it, and how many of them came from a store.
    found_made
        When the oldest and the newest of those from a store were made; None if there is none.
    seed, data_digest
        What determined the splits, and the hash of the data set, where they are known.
    baseline
        For accuracy (or error): what always answering the most frequent class scores, the class being the most frequent
        of each training set, or of the test set where only predictions are known; None for other scores and for marks.
    robust_pvalue
        Of the default test of algorithms, the p-value of the influence-robust test on the same trainings: `better` is
        None where the two disagree. None for other tests, and for scores that are not means over examples.
    settled
        Of ``runs="auto"``, folds and independent pieces of data by which the scale of the test was fixed.
    frames
        The package ("polars") of the series or frames that were given, whose frames `to_frame` gives.
    decisions
        What was decided when files or columns were read; `reading` has these with direction and unit.
    """

    layout: ClassVar[str] = "comparison"
    """Which page shows it."""

    names: tuple[str, str]
    procedure: Procedure
    findings: Findings
    alpha: float
    rope: float
    estimand: str
    reason: str
    evidence: Evidence = field(repr=False)
    limits_alpha: float
    margin: float | None = None
    limits: Interval | None = None
    caveats: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    replicability: Replication | None = None
    subject: str = ""
    repeat: str | None = None
    fits: int = 0
    found: int = 0
    found_made: tuple[str, str] | None = None
    seed: int | None = None
    data_digest: str | None = None
    baseline: float | None = None
    robust_pvalue: float | None = None
    settled: dict[str, int | None] | None = None
    frames: str = ""

    @property
    def reading(self) -> tuple[Decision, ...]:
        """What was decided on the way to the evidence, and how each decision came about."""
        return together(self.evidence.decisions, self.decisions)

    @property
    def kind(self) -> Kind[Any]:
        """The kind of evidence it rests on."""
        return self.procedure.kind

    @property
    def test(self) -> str:
        """The test's name in the catalogue."""
        return self.procedure.name

    @property
    def title(self) -> str:
        """The test in words."""
        return self.procedure.title

    @property
    def symbol(self) -> str:
        """Letter of its statistic."""
        return self.procedure.symbol

    @property
    def reference(self) -> str:
        """Where it comes from."""
        return self.procedure.reference

    @property
    def guarantee(self) -> str:
        """What the test guarantees, in a few words: exact, approximate or a heuristic, with what was measured."""
        return self.procedure.guaranteed

    @property
    def estimate(self) -> float:
        """The difference a − b as the test estimates it, in the score's own unit."""
        return self.findings.estimate

    @property
    def interval(self) -> Interval | None:
        """Confidence interval of level 1 − alpha for that difference, or None where there is none."""
        return self.findings.interval

    @property
    def common(self) -> bool:
        """Whether some common difference fits the evidence."""
        return self.findings.common

    @property
    def statistic(self) -> float:
        """As the test gives it; NaN where the differences do not vary."""
        return self.findings.statistic

    @property
    def df(self) -> float | tuple[float, float] | None:
        """Degrees of freedom."""
        return self.findings.df

    @property
    def pvalue(self) -> float:
        """As the test gives it; 1 where the differences do not vary."""
        return self.findings.pvalue

    @property
    def rope_probabilities(self) -> Probabilities | None:
        """Posterior probabilities that the region of practical equivalence leaves; None where nothing can be told."""
        return self.findings.probabilities

    @property
    def detectable_difference(self) -> float | None:
        """The true difference that this design would detect with power 0.8, where it can be computed."""
        return seen_with(self.findings.power, self.alpha)

    @property
    def variance(self) -> VarianceSplit | None:
        """Where the variance of the difference comes from, and what more of each would buy, where that is known."""
        return self.findings.variance

    @property
    def means(self) -> tuple[float, float]:
        """Mean score of a and of b, or what else of each the test estimates (trimmed means)."""
        a, b = self.procedure.values(self.evidence) or self.evidence.means
        return float(a), float(b)

    @property
    def metric(self) -> str:
        """What the scores measure."""
        return self.evidence.metric

    @property
    def higher_is_better(self) -> bool:
        """False for losses."""
        return self.evidence.higher_is_better

    @property
    def design(self) -> str:
        """How the evidence came about."""
        return self.evidence.design

    @property
    def reject(self) -> bool:
        """Whether the test finds a difference at level alpha."""
        return self.pvalue < self.alpha

    @property
    def contested(self) -> bool:
        """Whether the test finds a difference that the robust check does not."""
        return self.reject and self.robust_pvalue is not None and self.robust_pvalue >= self.alpha

    @property
    def better(self) -> str | None:
        """Name of the better one; None when no difference, or none in one direction, is shown."""
        if not self.reject or not self.common or self.estimate == 0 or self.contested:
            return None
        return self.names[(self.estimate > 0) != self.higher_is_better]

    @property
    def models(self) -> tuple[str, str]:
        """The two."""
        return self.names

    @property
    def control(self) -> None:
        """There is one pair."""

    @property
    def best(self) -> str | None:
        """The better one."""
        return self.better

    @property
    def best_set(self) -> tuple[str, ...]:
        """Those that may be the best."""
        return self.names if self.better is None else (self.better,)

    @property
    def ranks(self) -> dict[str, tuple[int, int]]:
        """Of each the least and the greatest rank that the test leaves."""
        return {name: (1, 2) if self.better is None else (place := 2 - (name == self.better), place)
                for name in self.names}  # fmt: skip

    @property
    def pairs(self) -> tuple[Pair]:
        """The two."""
        a, b = self.names
        pair = Pair(
            a=a, b=b, metric=self.metric, means=self.means, estimate=self.estimate, interval=self.interval,
            pvalue=self.pvalue, adjusted=self.pvalue, better=self.better, practically_same=self.practically_same,
            margin=self.margin, limits=self.limits, candidate=None if self.margin is None else a,
            conclusion=self.conclusion, replicability=self.replicability, level=self.alpha,
            _found=lambda: self.findings,
        )  # fmt: skip
        return (pair,)

    @property
    def limits_level(self) -> float:
        """The level of each of the one-sided limits."""
        return 1 - self.limits_alpha

    @property
    def conclusion(self) -> Conclusion | None:
        """Whether a, the candidate, is "superior", "non-inferior", "equivalent" or "inferior" to b, or "undecided".

        None where no margin was given; `foldwise.inference.conclusion` has the rules.
        """
        if self.margin is None:
            return None
        return conclusion(self.limits, margin=self.margin, higher_is_better=self.higher_is_better)

    @property
    def practically_same(self) -> bool:
        """Whether the posterior puts more than 1 − alpha on the region of practical equivalence."""
        return self.rope_probabilities is not None and bool(self.rope_probabilities.equivalent > 1 - self.alpha)

    @property
    def unit(self) -> Unit:
        """The score's unit: "fraction" (shown in percent), "percent", or "own"."""
        return self.evidence.unit

    @property
    def direction_assumed(self) -> bool:
        """Whether `higher_is_better` is only assumed, because neither the metric's name nor anybody said so."""
        return self.evidence.direction_assumed

    @property
    def evidence_digest(self) -> str:
        """Digest of the scores or outcomes: equal exactly when the evidence is."""
        return self.evidence.digest

    def claims(self) -> tuple[Claim]:
        """What is claimed of a, the candidate, against b, the baseline: what a pipeline may stop at."""
        claim = Claim(
            candidate=self.names[0],
            baseline=self.names[1],
            better=self.better,
            conclusion=self.conclusion,
            margin="" if self.margin is None else difference_text(self.margin, self.unit),
            found=self._found(),
        )
        return (claim,)

    def _found(self) -> str:
        """The difference a − b with its interval, in a few words."""
        estimand = self.procedure.estimand
        measure = self.procedure.measure_words(self.metric)
        if estimand is not None and self.procedure.values(self.evidence) is None:
            measure = f"{metric_words(self.metric)}, {estimand.how or estimand.called}"
        return found_words(measure, self.estimate, self.interval, self.unit, 1 - self.alpha)

    def replace(self, **changes: Any) -> TwoModels:
        """The same comparison with other words around it (names, subject, repeat, more caveats)."""
        return replace(self, **changes)

    def _kept(self) -> Json:
        return kept_evidence(self.evidence)

    def _content(self) -> dict[str, Json]:
        """All of it but the raw evidence, ready for JSON (an infinite statistic becomes None)."""
        return {
            "settings": {
                "of": "two models",
                "models": list(self.names),
                "settled": dict(self.settled) if self.settled else None,
                **{name: getattr(self, name) for name in ("test", "alpha", "rope", "margin", "limits_alpha")},
            },
            "subject": self.subject,
            "repeat": self.repeat,
            "test": self.test,
            "title": self.title,
            "estimate": _finite(self.estimate),
            "interval": _interval_dict(self.interval, 1 - self.alpha),
            "margin": self.margin,
            "limits": _interval_dict(self.limits, self.limits_level),
            "limits_alpha": self.limits_alpha,
            "conclusion": self.conclusion,
            "common": self.common,
            "statistic": _finite(self.statistic),
            "df": list(self.df) if isinstance(self.df, tuple) else self.df,
            "pvalue": self.pvalue,
            "alpha": self.alpha,
            "reject": self.reject,
            "better": self.better,
            "best_set": list(self.best_set),
            "ranks": {name: list(span) for name, span in self.ranks.items()},
            "means": dict(zip(self.names, self.means, strict=True)),
            "baseline": self.baseline,
            "rope": self.rope,
            "rope_probabilities": None if self.rope_probabilities is None else chances_dict(self.rope_probabilities),
            "replicability": None if self.replicability is None else self.replicability.to_dict(),
            "detectable_difference": self.detectable_difference,
            "robust_pvalue": self.robust_pvalue,
            "variance": None if self.variance is None else self.variance.to_dict(),
            "metric": self.metric,
            "higher_is_better": self.higher_is_better,
            "direction_assumed": self.direction_assumed,
            "unit": self.unit,
            "estimand": self.estimand,
            "reason": self.reason,
            "reference": self.reference,
            "fits": self.fits,
            "found": self.found,
            "found_made": None if self.found_made is None else list(self.found_made),
        }

    def evidence_frame(self) -> Any:
        """The evidence as a table of the kind that was given, else of pandas, polars or pyarrow, as it is installed."""
        return new_frame(self.evidence.called(self.names).columns(), like=self.frames)

    def posterior(self) -> PosteriorCurve | None:
        """Posterior density of the difference a − b; None where the differences do not vary."""
        return self.kind.posterior(self.evidence, self.procedure, alpha=self.alpha, rope=self.rope)

    def power_curve(self) -> PowerCurve | None:
        """Power of this design by the true difference; None where no detectable difference is known."""
        return None if self.findings.power is None else power_curve(self.findings.power, self.alpha)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _interval_dict(interval: Interval | None, level: float) -> dict[str, float] | None:
    return None if interval is None else {"low": float(interval.low), "high": float(interval.high), "level": level}
