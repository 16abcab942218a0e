"""The answer to "which of these models is best?" on one test set or data set, with everything that led to it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from foldwise.comparison.claims import Claim, found_words
from foldwise.comparison.frames import new_frame
from foldwise.comparison.kept import kept_evidence
from foldwise.comparison.pair import Pair
from foldwise.core.decisions import Decision, together
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import Unit, metric_words
from foldwise.core.types import Array, Interval, Json
from foldwise.core.units import asked_text, with_sign
from foldwise.designs import Procedure
from foldwise.designs.kind import AnyKind
from foldwise.evidence.evidence import Evidence
from foldwise.inference.several_models import CochranQResult

__all__ = ["ModelsComparison"]


_ADJUSTED = {"holm": "Holm-adjusted", "max_t": "max-T-adjusted"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelsComparison:
    """Outcome of comparing several models on the same items, or learners on one data set; ``print`` it for a verdict.

    Attributes
    ----------
    evidence
        What it rests on: `names`, `metric`, `means`, `design` come from there.
    basis
        The kind of that evidence.
    pairs
        Every pair compared, or every model against the control.
    mean_intervals
        Of each model's mean alone, of level 1 − alpha, in the order of `names`; NaN where nothing can be told.
    best_pvalues
        Of each model, the p-value of the hypothesis that nobody is better, in the order of `names`; with a control,
        that the control is not better, or for the control itself that none of the others is.
    ranks
        Of each model, the least and the greatest rank that the pairs and the set of the best leave; 1 is best, and is
        left exactly to the members of `best_set`.
    tie_groups
        Groups of models of which no two are shown to differ, best first; none with a control.
    omnibus
        Cochran's Q for right and wrong answers to independent items, otherwise None.
    control
        The model that the others were compared with, or None.
    adjustment
        How the p-values were adjusted: "holm" or "max_t" …
    alpha, rope, level
        Level for all pairs together, the difference up to which models are practically the same, and the level of
        one pair that the simultaneous intervals have.
    margin
        The largest difference that does not matter, where it was asked whether candidates keep to it; or None.
    caveats
        Sentences a careful reader should know.
    seed
        Seed of the splits, or of the draws.
    subject, repeat
        On what data, and the command that gives the same answer again, when there is one.
    fits, found, found_made
        Number of trainings behind it, how many of them came from a store, and from when these are.
    data_digest
        The hash of the data set, where it is known.
    baseline
        For accuracy (or error): what always answering the most frequent class scores; None where it is not known.
    settled
        Of ``runs="auto"``, folds and independent pieces of data by which the scale of the test was fixed.
    frames
        The package ("polars") of the series or frames that were given, whose frames `to_frame` gives.
    decisions
        What was decided when files or columns were read; `reading` has these with direction and unit.
    """

    layout: ClassVar[str] = "models"
    """Which page shows it."""

    evidence: Evidence = field(repr=False)
    procedure: Procedure
    pairs: tuple[Pair, ...]
    mean_intervals: Interval = field(repr=False)
    best_pvalues: Array
    ranks: dict[str, tuple[int, int]]
    tie_groups: tuple[tuple[str, ...], ...]
    omnibus: CochranQResult | None
    control: str | None
    adjustment: str
    alpha: float
    rope: float
    level: float
    margin: float | None = None
    caveats: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    seed: int = 0
    subject: str = ""
    repeat: str | None = None
    fits: int = 0
    found: int = 0
    found_made: tuple[str, str] | None = None
    data_digest: str | None = None
    baseline: float | None = None
    settled: dict[str, int | None] | None = None
    frames: str = ""

    @property
    def reading(self) -> tuple[Decision, ...]:
        """What was decided on the way to the evidence, and how each decision came about."""
        return together(self.evidence.decisions, self.decisions)

    @property
    def names(self) -> tuple[str, ...]:
        """What the models are called."""
        return self.evidence.names

    @property
    def kind(self) -> AnyKind:
        """The kind of evidence it rests on."""
        return self.procedure.kind

    @property
    def called(self) -> str:
        """What is compared: models, or learners."""
        return self.kind.called

    @property
    def guarantee(self) -> str:
        """What the test of each pair guarantees, in a few words, and how all of them were adjusted."""
        count = len(self.pairs)
        return f"{self.procedure.guaranteed}; {_ADJUSTED[self.adjustment]} for {count} pair{'s' * (count != 1)}"

    @property
    def metric(self) -> str:
        """What was measured."""
        return self.evidence.metric

    @property
    def higher_is_better(self) -> bool:
        """False for losses."""
        return self.evidence.higher_is_better

    @property
    def unit(self) -> Unit:
        """The metric's unit: "fraction" (shown in percent), "percent", or "own"."""
        return self.evidence.unit

    @property
    def design(self) -> str:
        """How the evidence came about."""
        return self.evidence.design

    @property
    def means(self) -> dict[str, float]:
        """Mean of each model."""
        return dict(zip(self.names, self.evidence.means.tolist(), strict=True))

    @property
    def ranking(self) -> tuple[str, ...]:
        """The models from the best mean to the worst."""
        sign = -1.0 if self.higher_is_better else 1.0
        return tuple(self.names[i] for i in np.argsort(sign * self.evidence.means, kind="stable"))

    @property
    def best_set(self) -> tuple[str, ...]:
        """The models that may be the best, best mean first: with probability 1 − alpha the best one is among them."""
        held = {name for name, p in zip(self.names, self.best_pvalues, strict=True) if p >= self.alpha}
        return tuple(name for name in self.ranking if name in held)

    @property
    def best(self) -> str | None:
        """The model that is shown to be better than each it was compared with; None when there is none."""
        first = self.ranking[0] if self.control is None else self.control
        return first if len(self.beaten()[first]) == len(self.names) - 1 else None

    def beaten(self) -> dict[str, list[str]]:
        """For each model, best mean first, those that it is shown to be better than, in the same order."""
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

    @property
    def shown_unit(self) -> Unit:
        """The unit in which differences are shown."""
        return self.unit

    def claims(self) -> tuple[Claim, ...]:
        """What is claimed of each model against the control, or of the first of two models against the second."""
        if self.control is None and len(self.names) > 2:
            raise InvalidInput(
                f"control must name the baseline that the other {len(self.names) - 1} {self.kind.called} are held "
                "against"
            )
        return tuple(self._claim(pair) for pair in self.pairs)

    def _claim(self, pair: Pair) -> Claim:
        candidate, baseline = (pair.b, pair.a) if pair.a == self.control else (pair.a, pair.b)
        return Claim(
            candidate=candidate,
            baseline=baseline,
            better=pair.better,
            conclusion=pair.conclusion,
            margin="" if self.margin is None else asked_text(self.margin, self.unit),
            found=self._found(pair, turned=candidate == pair.b),
        )

    def _found(self, pair: Pair, *, turned: bool) -> str:
        estimate, interval = pair.estimate, pair.interval
        if turned:
            estimate, interval = -estimate, None if interval is None else -interval
        words = found_words(metric_words(self.metric), estimate, interval, self.unit, 1 - self.alpha)
        return f"{words}, p {with_sign(pair.adjusted)}"

    @property
    def evidence_digest(self) -> str:
        """Equal exactly when the evidence is."""
        return self.evidence.digest

    def replace(self, **changes: Any) -> ModelsComparison:
        """The same comparison with other words around it (subject, repeat, more caveats)."""
        return replace(self, **changes)

    def evidence_frame(self) -> Any:
        """The evidence as a table of the kind that was given, else of pandas, polars or pyarrow, as it is installed."""
        return new_frame(self.evidence.columns(), like=self.frames)

    def _kept(self) -> Json:
        return kept_evidence(self.evidence)

    def _content(self) -> dict[str, Json]:
        """All of it but the raw evidence, ready for JSON."""
        return {
            "settings": {
                "of": "several models",
                "test": self.procedure.name,
                "adjust": self.adjustment,
                "settled": dict(self.settled) if self.settled else None,
                "replicability": [pair.replicability and pair.replicability.to_dict() for pair in self.pairs],
                **{name: getattr(self, name) for name in ("control", "alpha", "rope", "margin", "seed")},
            },
            "subject": self.subject,
            "repeat": self.repeat,
            "kind": self.kind.name,
            "test": self.procedure.name,
            "metric": self.metric,
            "higher_is_better": self.higher_is_better,
            "direction_assumed": self.evidence.direction_assumed,
            "unit": self.unit,
            "means": self.means,
            "mean_intervals": self._mean_intervals(),
            "ranking": list(self.ranking),
            "best": self.best,
            "best_set": list(self.best_set),
            "best_pvalues": dict(zip(self.names, self.best_pvalues.tolist(), strict=True)),
            "ranks": {name: list(span) for name, span in self.ranks.items()},
            "tie_groups": [list(group) for group in self.tie_groups],
            "omnibus": _omnibus(self.omnibus),
            "n_comparisons": len(self.pairs),
            "control": self.control,
            "adjustment": self.adjustment,
            "alpha": self.alpha,
            "rope": self.rope,
            "level": self.level,
            "margin": self.margin,
            "baseline": self.baseline,
            "estimand": self.kind.estimand(self.evidence, self.procedure),
            "seed": self.seed,
            "fits": self.fits,
            "found": self.found,
            "found_made": None if self.found_made is None else list(self.found_made),
        }

    def _mean_intervals(self) -> dict[str, Json]:
        limits = zip(self.names, np.asarray(self.mean_intervals.low), np.asarray(self.mean_intervals.high), strict=True)
        return {name: None if math.isnan(low) else [float(low), float(high)] for name, low, high in limits}


def _omnibus(result: CochranQResult | None) -> Json:
    if result is None:
        return None
    return {"test": "cochran_q", "statistic": float(result.statistic), "df": result.df, "pvalue": float(result.pvalue)}
