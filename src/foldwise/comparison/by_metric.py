"""What was found by one metric: evidence, procedure, every pair, and what follows from them about k >= 2 models."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from foldwise.comparison.claims import Claim, found_words
from foldwise.comparison.evidence_json import kept_evidence
from foldwise.comparison.pair import Forwarded, OnePair, Pair, finite, interval_dict
from foldwise.comparison.results import new_frame
from foldwise.core.decisions import Decision, How, together
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import Unit, metric_words
from foldwise.core.types import Array, Interval, Json
from foldwise.core.units import asked_text, with_sign
from foldwise.designs import DATA_SETS, Procedure
from foldwise.designs.adjustments import Adjustment
from foldwise.designs.findings import PosteriorCurve, PowerCurve, power_curve
from foldwise.evidence.evidence import Evidence, EvidenceTable
from foldwise.evidence.items import Items
from foldwise.evidence.score_table import ScoreTable
from foldwise.evidence.scores import Scores
from foldwise.inference.many.mean_ranks import OmnibusResult
from foldwise.inference.several_models import CochranQResult
from foldwise.inference.stability import SETTLED

if TYPE_CHECKING:
    from foldwise.comparison.over_data_sets import OverDataSets
    from foldwise.designs.data_sets import PairPosterior

POWER, MOST_TIMES = 0.8, 20
"""How surely as many examples as are said to be needed would show a difference, and times as many that are told."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricComparison(OnePair):
    """A comparison of two or more models by one metric."""

    #: The outcomes, scores, votes …, or the table of scores on data sets: names, metric and means come from there
    evidence: Evidence | ScoreTable = field(repr=False)
    #: The test of each pair; most of its parts are attributes of the comparison too: `test`, `title`, `reference` …
    procedure: Any  # a Procedure, or over data sets a PairwiseTest
    pairs: tuple[Pair, ...]  #: Every pair compared, or every model against the control
    adjusted_by: Adjustment  #: How the p-values were adjusted for the number of pairs; its name is `adjustment`
    #: alpha, rope, level: Level for all pairs together, the difference up to which models are practically the same, and
    #: the level of one pair that simultaneous intervals have
    alpha: float
    rope: float
    level: float
    limits_alpha: float
    #: margin, limits_alpha: The difference that a candidate may not be worse by, where one was given, and the level of
    #: the conclusions: `alpha`, or its part where several metrics or tasks share it, so that all conclusions hold
    #: together
    margin: float | None = None
    control: str | None = None  #: The model that the others were compared with, or None
    #: Of each model, the least and the greatest rank that the pairs and the set of the best leave; 1 is best, and is
    #: left exactly to the members of `best_set`
    ranks: dict[str, tuple[int, int]]
    #: Of each of three and more models, the p-value of the hypothesis that nobody is better, in the order of `names`;
    #: with a control, that the control is not better, or for the control itself that none of the others is
    best_pvalues: Array | None = None
    #: Groups of models of which no two are shown to differ, best first; none with a control
    tie_groups: tuple[tuple[str, ...], ...] = ()
    #: A test that all are the same: Cochran's Q for right and wrong answers to independent items, over data sets the
    #: one that was asked for; otherwise None
    omnibus: CochranQResult | OmnibusResult | None = None
    #: What there is over data sets: mean ranks, the test that all are the same …; None elsewhere
    over: OverDataSets | None = None
    #: estimand, reason: What the answer is about, and why this test was chosen
    estimand: str
    reason: str
    caveats: tuple[str, ...] = ()  #: Sentences a careful reader should know
    #: What was decided when files or columns were read; `reading` has these with direction and unit
    decisions: tuple[Decision, ...] = ()
    #: subject, repeat: On what data, and the command that gives the same answer again, when there is one
    subject: str = ""
    repeat: str | None = None
    #: fits, found, found_made: Number of trainings behind it, how many of them came from a store, and from when these
    #: are
    fits: int = 0
    found: int = 0
    found_made: tuple[str, str] | None = None
    #: seed, data_digest: What determined splits and draws, and the hash of the data set, where they are known
    seed: int | None = None
    data_digest: str | None = None
    #: For accuracy (or error): what always answering the most frequent class scores, the class being the most frequent
    #: of each training set, or of the test set where only predictions are known; None for other scores and for marks
    baseline: float | None = None
    #: Beside the influence-robust test, the same comparison by the corrected repeated k-fold cv t test on the same
    #: trainings; None for other tests
    classical: MetricComparison | None = field(default=None, repr=False)
    #: Of ``runs="auto"``, folds and independent pieces of data by which the scale of the test was fixed
    settled: dict[str, int | None] | None = None
    frames: str = ""  #: The package ("polars") of the series or frames that were given, whose frames `to_frame` gives

    # ---- Of the evidence.

    @property
    def reading(self) -> tuple[Decision, ...]:
        """What was decided on the way to the evidence, and how each decision came about."""
        return together(self.evidence.decisions, self.decisions)

    names = Forwarded[tuple[str, ...]]("evidence", "The models, in the order given.")

    @property
    def models(self) -> tuple[str, ...]:
        return self.names

    metric = Forwarded[str]("evidence", "What was measured.")
    higher_is_better = Forwarded[bool]("evidence", "The direction.")
    direction = Forwarded[How](
        "evidence", "How that came about: declared, by the metric's name, from the file, or assumed."
    )
    unit = Forwarded[Unit]("evidence", 'The metric\'s unit: "fraction" (shown in percent), "percent", or "own".')
    design = Forwarded[str]("evidence", "How the evidence came about.")

    @property
    def shown_unit(self) -> Unit:
        """The unit in which differences are shown; those of a table are shown as they are given."""
        return "own" if self.over is not None and self.unit == "fraction" else self.unit

    @property
    def table(self) -> ScoreTable:
        assert isinstance(self.evidence, ScoreTable)
        return self.evidence

    @property
    def data_sets(self) -> OverDataSets:
        """What there is over data sets, where that is what was compared."""
        assert self.over is not None
        return self.over

    @property
    def evidence_digest(self) -> str:
        return self.evidence.digest

    @property
    def means(self) -> dict[str, float]:
        """Mean of each model, or what else the test of two estimates of each (trimmed means)."""
        if self.is_pair:
            return dict(zip(self.names, self.pairs[0].means, strict=True))
        means = np.nanmean(self.evidence.means, axis=0) if self.over is not None else self.evidence.means
        return dict(zip(self.names, np.asarray(means).tolist(), strict=True))

    @property
    def mean_intervals(self) -> Interval:
        """Of each model's mean alone, of level 1 − alpha, in the order of `names`; NaN where nothing can be told.

        Over data sets Student's, of new data sets like these.
        """
        if self.over is not None:
            known = np.isfinite(self.evidence.means).sum(axis=0)
            enough = np.maximum(known, 2)
            centre, spread = (take(self.evidence.means, axis=0) for take in (np.nanmean, np.nanvar))
            reach = special.stdtrit(enough - 1, 1 - self.alpha / 2) * np.sqrt(spread / (enough - 1))
            reach = np.where(known > 1, reach, np.nan)
            return Interval(low=centre - reach, high=centre + reach)
        return _mean_intervals(self.kind, self.evidence, self.procedure, 1 - self.alpha)

    def evidence_frame(self) -> Any:
        """The evidence as a table of the kind that was given, else of pandas, polars or pyarrow, as it is installed."""
        return new_frame(self.evidence.columns(), like=self.frames)

    def units_table(self) -> EvidenceTable:
        """The evidence for people to read, where it is not a table of data sets."""
        assert isinstance(self.evidence, Evidence)
        return self.evidence.table()

    # ---- Of the procedure.

    @property
    def kind(self) -> Any:
        return DATA_SETS if self.over is not None else self.procedure.kind

    called = Forwarded[str]("kind", "What is compared: models, learners.")

    @property
    def test(self) -> str:
        return str(self.procedure.name)

    @property
    def title(self) -> str:
        title = str(self.procedure.title)
        return self.evidence.said(title) if isinstance(self.evidence, Items) else title

    symbol = Forwarded[str]("procedure", "Letter of the test's statistic.")
    reference = Forwarded[str]("procedure", "Where the test comes from.")

    @property
    def sources(self) -> tuple[str, ...]:
        """Where the test and what belongs to it come from."""
        return (self.reference, *self.procedure.also)

    @property
    def alone_sources(self) -> tuple[str, ...]:
        """Where the interval of each mean alone comes from, where that is not where the test does."""
        return () if self.over is not None else self.kind.mean_references

    @property
    def adjustment(self) -> str:
        return self.adjusted_by.name

    @property
    def guarantee(self) -> str:
        """What the test of a pair guarantees, in a few words, and how several were adjusted."""
        count = len(self.pairs)
        return str(self.kind.guaranteed(self.evidence, self.procedure)) + (
            f"; {self.adjusted_by.title} for {count} pairs" if count > 1 else ""
        )

    # ---- Of the answer.

    @property
    def is_pair(self) -> bool:
        """Whether two models are compared by a test of two: anything but data sets."""
        return len(self.names) == 2 and self.over is None

    def _one_pair(self, name: str) -> Pair:
        if len(self.pairs) != 1:
            raise AttributeError(f"a comparison of {len(self.names)} models has no single {name!r}: see pairs")
        return self.pairs[0]

    @property
    def limits_level(self) -> float:
        return 1 - self.limits_alpha

    @property
    def reject(self) -> bool:
        """Whether the test of two models finds a difference at level alpha."""
        return self.pvalue < self.alpha

    @property
    def contested(self) -> tuple[Pair, ...]:
        """The pairs of which the classical test finds a difference, and this one does not."""
        beside = () if self.classical is None else zip(self.pairs, self.classical.pairs, strict=True)
        return tuple(pair for pair, other in beside if pair.better is None and other.better is not None)

    def needed_examples(self, pair: Pair, level: float | None = None) -> int | None:
        """How many examples would show the difference of a pair with power 0.8, if it stays; None where unknown.

        That is beyond twenty times as many, or where the examples were not counted. At the pair's level, or another.
        """
        if not isinstance(self.evidence, Scores):
            return None
        n_train, n_test, error = self.evidence.n_train, self.evidence.n_test, pair.standard_error
        if n_train is None or n_test is None or not error or not pair.estimate or not isinstance(pair.df, float):
            return None
        reach = float(special.stdtrit(pair.df, 1 - (level or pair.level) / 2) + special.stdtrit(pair.df, POWER))
        times = (reach * error / pair.estimate) ** 2
        count = (n_train + n_test) * times
        return None if times > MOST_TIMES else math.ceil(count / 10) * 10

    def depends_on_runs(self, pair: Pair) -> bool:
        """Whether other partitions might well decide otherwise: the statistic is near its threshold."""
        if self.settled is not None or not pair.standard_error or not isinstance(pair.df, float):
            return False
        assert isinstance(self.evidence, Scores)
        i, j = self.names.index(pair.a), self.names.index(pair.b)
        runs = (self.evidence.values[i] - self.evidence.values[j]).mean(axis=-1)
        gap = abs(pair.estimate) - pair.standard_error * float(special.stdtrit(pair.df, 1 - pair.level / 2))
        return abs(gap) < SETTLED * float(runs.std(ddof=1)) / math.sqrt(len(runs))

    def influence_weight(self, pair: Pair) -> tuple[float, float] | None:
        """What an example counts as training data of the pair, of what it counts as test data; and its error.

        None where the influence of examples was not looked at, or nothing varies.
        """
        if self.classical is None or not isinstance(self.evidence, Scores):
            return None
        evidence = self.evidence.pair(self.names.index(pair.a), self.names.index(pair.b))
        found = self.procedure.run(self.kind.batch(evidence, self.alpha))
        return None if math.isnan(found.weight) else (float(found.weight), float(found.weight_error))

    @property
    def common(self) -> bool:
        """Whether some common difference of two models fits the evidence."""
        return self.findings.common

    @property
    def ranking(self) -> tuple[str, ...]:
        """The models from the best mean, over data sets mean rank, to the worst."""
        if self.over is not None:
            worse = self.over.mean_ranks
        else:
            worse = -self.evidence.means if self.higher_is_better else self.evidence.means
        return tuple(self.names[i] for i in np.argsort(worse, kind="stable"))

    @property
    def best_set(self) -> tuple[str, ...]:
        """The models that cannot be ruled out as the best, best mean first."""
        return tuple(name for name in (self.names if self.is_pair else self.ranking) if self.ranks[name][0] == 1)

    @property
    def best(self) -> str | None:
        """The model that is shown to be better than each it was compared with; None when there is none."""
        won = self.beaten()
        if self.control is not None:
            return self.control if len(won[self.control]) == len(self.names) - 1 else None
        # not always the one with the best mean rank: a pair is judged by its own differences
        return next((name for name, others in won.items() if len(others) == len(self.names) - 1), None)

    def beaten(self) -> dict[str, list[str]]:
        """For each model, best first, those that it is shown to be better than, in the same order."""
        place = {name: position for position, name in enumerate(self.ranking)}
        found: dict[str, list[str]] = {name: [] for name in place}
        for pair in self.pairs:
            if pair.better is not None and pair.worse is not None:
                found[pair.better].append(pair.worse)
        return {name: sorted(others, key=place.__getitem__) for name, others in found.items()}

    def pair(self, a: str, b: str) -> Pair:
        """The comparison of two models, in the order in which it was made."""
        for pair in self.pairs:
            if {pair.a, pair.b} == {a, b}:
                return pair
        raise KeyError((a, b))

    @property
    def ordered_pairs(self) -> list[Pair]:
        """The pairs, smallest adjusted p-value first."""
        return sorted(self.pairs, key=lambda pair: (pair.adjusted, pair.pvalue))

    def posterior(self, a: str | None = None, b: str | None = None) -> PosteriorCurve | PairPosterior | None:
        """Posterior density of the difference a − b of two models; None where the differences do not vary.

        Over data sets draws of the three answers for two learners, as `OverDataSets.posterior` gives them.
        """
        if self.over is not None:
            return self.over.posterior(a, b)
        found: PosteriorCurve | None = self.kind.posterior(
            self.evidence, self.procedure, alpha=self.alpha, rope=self.rope
        )
        return found

    def power_curve(self) -> PowerCurve | None:
        """Power of this design by the true difference; None where no detectable difference is known."""
        return None if self.findings.power is None else power_curve(self.findings.power, self.alpha)

    # ---- What a gate asks.

    def claims(self) -> tuple[Claim, ...]:
        """What is claimed of each candidate against its baseline: the control, or the second of two models."""
        if self.control is None and len(self.names) > 2:
            raise InvalidInput(
                f"control must name the baseline that the other {len(self.names) - 1} {self.called} are compared with"
            )
        return tuple(self._claim(pair) for pair in self.pairs)

    def _claim(self, pair: Pair) -> Claim:
        turned = pair.a == self.control
        candidate, baseline = (pair.b, pair.a) if turned else (pair.a, pair.b)
        return Claim(
            candidate=candidate,
            baseline=baseline,
            better=pair.better,
            conclusion=pair.conclusion,
            margin="" if self.margin is None else asked_text(self.margin, self.shown_unit),
            found=self._found_words(pair, turned=turned),
        )

    def _found_words(self, pair: Pair, *, turned: bool) -> str:
        """The difference, candidate − baseline, in a few words."""
        estimate = -pair.estimate if turned else pair.estimate
        if self.over is not None:
            wins, losses = (pair.losses, pair.wins) if turned else (pair.wins, pair.losses)
            words = found_words(f"mean {metric_words(self.metric)}", estimate, None, self.shown_unit, 1 - self.alpha)
            return f"{words}, wins–ties–losses {wins}–{pair.ties}–{losses}, p {with_sign(pair.adjusted)}"
        interval = pair.interval if pair.interval is None or not turned else -pair.interval
        words = found_words(self.measured_words(), estimate, interval, self.unit, 1 - self.alpha)
        return words if self.is_pair else f"{words}, p {with_sign(pair.adjusted)}"

    def measured_words(self) -> str:
        """What was compared, as the test estimates it of two models: "accuracy", "20 % trimmed mean score"."""
        assert isinstance(self.procedure, Procedure)
        estimand = self.procedure.estimand
        if not self.is_pair or estimand is None or self.means_belong:
            return self.procedure.measure_words(self.metric) if self.is_pair else metric_words(self.metric)
        return f"{metric_words(self.metric)}, {estimand.how or estimand.called}"

    @property
    def means_belong(self) -> bool:
        """Whether the estimate is the difference of the two means: not where the test makes it in another way."""
        return self.procedure.values(self.evidence) is not None

    # ---- The same with other words around it, and as JSON.

    def replace(self, **changes: Any) -> MetricComparison:
        """The same comparison with other words around it (subject, repeat, more caveats)."""
        return replace(self, **changes)

    def adding(self, *notes: str) -> MetricComparison:
        """The same with more caveats before its own, those that it does not have yet."""
        new = tuple(note for note in notes if note not in self.caveats)
        return replace(self, caveats=(*new, *self.caveats)) if new else self

    def with_pairs(self, change: Callable[[Pair], Pair]) -> MetricComparison:
        """The same with each pair changed, and the ranks of two models as their pair now leaves them."""
        pairs = tuple(map(change, self.pairs))
        ranks = ranks_of_two(pairs[0]) if self.is_pair else self.ranks
        return replace(self, pairs=pairs, ranks=ranks)

    def _kept(self) -> Json:
        return kept_evidence(self.evidence)

    def _content(self) -> dict[str, Json]:
        """All of it but the raw evidence, ready for JSON (what is not finite becomes None)."""
        said = {
            "settings": self._settings(),
            **{name: getattr(self, name) for name in PLAIN},
            "means": self.means,
            "ranking": list(self.ranking),
            "best_set": list(self.best_set),
            "ranks": {name: list(span) for name, span in self.ranks.items()},
            "tie_groups": [list(group) for group in self.tie_groups],
            "kind": self.kind.name,
            "omnibus": _omnibus(self.omnibus),
            "classical": None if self.classical is None else self.classical._beside(),
            "n_comparisons": len(self.pairs),
            "found_made": None if self.found_made is None else list(self.found_made),
        }
        if self.over is not None:
            return said | self.over.to_dict()
        said |= self.kind.told(self.evidence)
        return said | (self._of_two() if self.is_pair else self._of_several())

    def _beside(self) -> dict[str, Json]:
        """What another test finds on the same evidence, in short."""
        rows = [
            {name: getattr(pair, name) for name in ("a", "b", "pvalue", "adjusted", "better")} for pair in self.pairs
        ]
        return {"test": self.test, "title": self.title, "reference": self.reference, "pairs": rows}

    def _settings(self) -> dict[str, Json]:
        """All that the procedure needs to be run again on the evidence."""
        return {
            **{name: getattr(self, name) for name in ("test", "control", "alpha", "rope", "margin", "limits_alpha")},
            "adjust": self.adjustment,
            "seed": self.seed,
            "settled": dict(self.settled) if self.settled else None,
            "replicability": [pair.replicability and pair.replicability.to_dict() for pair in self.pairs],
            **({} if self.over is None else self.over.settings()),
        }

    def _of_two(self) -> dict[str, Json]:
        (pair,) = self.pairs
        told = pair.to_dict()
        parts = ("estimate", "statistic", "df", "pvalue", "rope_probabilities", "detectable_difference", "conclusion",
                 "replicability")  # fmt: skip
        return {
            **{name: told[name] for name in parts},
            "interval": _with_level(pair.interval, 1 - self.alpha),
            "limits": _with_level(pair.limits, self.limits_level),
            "common": self.common,
            "reject": self.reject,
            "better": pair.better,
            "variance": None if self.variance is None else self.variance.to_dict(),
        }

    def _of_several(self) -> dict[str, Json]:
        assert self.best_pvalues is not None
        return {
            "mean_intervals": self._mean_spans(),
            "best_pvalues": dict(zip(self.names, self.best_pvalues.tolist(), strict=True)),
        }

    def _mean_spans(self) -> dict[str, Json]:
        spans = self.mean_intervals
        limits = zip(self.names, np.asarray(spans.low), np.asarray(spans.high), strict=True)
        return {name: None if math.isnan(low) else [float(low), float(high)] for name, low, high in limits}


PLAIN = (
    "subject", "repeat", "test", "title", "metric", "higher_is_better", "unit", "best", "control",
    "adjustment", "alpha", "rope", "level", "margin", "limits_alpha", "baseline", "estimand", "reason",
    "reference", "seed", "data_digest", "fits", "found",
)  # fmt: skip
"""What JSON has under the name of the attribute."""


@lru_cache(maxsize=8)
def _mean_intervals(kind: Any, evidence: Any, procedure: Any, level: float) -> Interval:
    found: Interval = kind.mean_intervals(evidence, procedure, level)
    return found


def ranks_of_two(pair: Pair) -> dict[str, tuple[int, int]]:
    """Of two models the least and the greatest rank that their test leaves."""
    if pair.better is None:
        return {pair.a: (1, 2), pair.b: (1, 2)}
    return {name: (1, 1) if name == pair.better else (2, 2) for name in (pair.a, pair.b)}


def _with_level(interval: Interval | None, level: float) -> Json:
    told = interval_dict(interval)
    return None if told is None else {**told, "level": level}


def _omnibus(found: CochranQResult | OmnibusResult | None) -> Json:
    if found is None:
        return None
    told: dict[str, Json] = {
        "statistic": finite(float(found.statistic)),
        "df": int(found.df),
        "pvalue": float(found.pvalue),
    }
    if isinstance(found, OmnibusResult):
        return {"test": found.test, **told, "df_error": found.df_error}
    return {"test": "cochran_q", **told}
