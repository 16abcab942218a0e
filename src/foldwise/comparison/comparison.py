"""The answer to "which of these models is better?": k models by m metrics, on one data set or over several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from foldwise.comparison.by_metric import MetricComparison
from foldwise.comparison.claims import Claim
from foldwise.comparison.pair import OnePair, Pair
from foldwise.comparison.results import new_frame
from foldwise.core.decisions import Decision, code_of, together
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import metric_words
from foldwise.core.result import Result
from foldwise.core.types import Json
from foldwise.inference.many._adjust import adjust as adjusted_pvalues

if TYPE_CHECKING:
    from foldwise.comparison.slices import Slices

AdjustMetrics: TypeAlias = Literal["holm", "bonferroni", "none"]  # How several metrics are judged together.


def across_metrics(adjust_metrics: str, models: int) -> AdjustMetrics:
    """How several metrics are judged together: two models' p-values are adjusted, three and more share the level."""
    usual: AdjustMetrics = "holm" if models == 2 else "bonferroni"
    if adjust_metrics not in ("auto", usual, "none"):
        raise InvalidInput(f"adjust_metrics must be {usual!r} or 'none' for {models} models, got {adjust_metrics!r}")
    return "none" if adjust_metrics == "none" else usual


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison(OnePair, Result):
    """Outcome of comparing two or more models by one or more metrics; ``print`` it for a short verdict.

    Attributes
    ----------
    parts
        By each metric, all that was found: evidence, procedure, pairs. Reports are made from them.
    alpha
        The level for all metrics together, or of each where they do not share it.
    adjust_metrics
        How metrics share it: two models' p-values are adjusted ("holm"), every metric has its part ("bonferroni"), or
        each has the whole ("none").
    subject, repeat
        On what data, and the command that gives the same answer again, when there is one.
    slices
        What was found on each value of a column, where that was asked for.

    Examples
    --------
    >>> from foldwise.comparison import compare_predictions
    >>> truth = ["x", "y"] * 20
    >>> c = compare_predictions(truth, {"a": truth, "b": ["x"] * 40})
    >>> c
    <Comparison of a and b by accuracy: a is better>
    >>> c.models, c.better, c.estimate, len(c.pairs)
    (('a', 'b'), 'a', 0.5, 1)
    """

    page: ClassVar[str] = "comparison"

    parts: tuple[MetricComparison, ...]
    alpha: float
    adjust_metrics: AdjustMetrics = "none"
    subject: str = ""
    repeat: str | None = None
    slices: Slices | None = None

    def __post_init__(self) -> None:
        if not self.parts:
            raise InvalidInput("metric must name at least one metric, got an empty list")
        named_once(self.metrics)

    @classmethod
    def of(cls, part: MetricComparison) -> Comparison:
        """By one metric."""
        return cls(parts=(part,), alpha=part.alpha, subject=part.subject, repeat=part.repeat)

    @property
    def models(self) -> tuple[str, ...]:
        """What was compared, in the order given."""
        return self.parts[0].names

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in the order in which they were asked for."""
        return tuple(part.metric for part in self.parts)

    @property
    def tasks(self) -> tuple[str, ...]:
        """The data sets or tasks that were compared over; none where there is one data set."""
        first = self.parts[0]
        return first.table.datasets if first.over is not None else ()

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Every pair of models that was compared, by every metric."""
        return tuple(pair for place in range(len(self.parts)) for pair in self._pairs_by(place))

    def _pairs_by(self, place: int) -> tuple[Pair, ...]:
        part, adjusted = self.parts[place], self.adjusted
        if adjusted is None:
            return part.pairs
        better = self.better_by(place)
        return tuple(replace(pair, adjusted=adjusted[place], better=better) for pair in part.pairs)

    @property
    def adjusted(self) -> tuple[float, ...] | None:
        """P-values of two models by each of several metrics, adjusted for their number; None elsewhere."""
        if len(self.parts) == 1 or not self.parts[0].is_pair:
            return None
        pvalues = [part.pairs[0].pvalue for part in self.parts]
        return tuple(adjusted_pvalues(pvalues).tolist()) if self.adjust_metrics == "holm" else tuple(pvalues)

    def better_by(self, place: int) -> str | None:
        """The winner of two models by one metric, at the adjusted level."""
        found, adjusted = self.parts[place].pairs[0].better, self.adjusted
        return found if adjusted is None or adjusted[place] < self.alpha else None

    def looks_better_by(self, place: int) -> str | None:
        """The winner of two models by one metric that only the classical test beside this one finds, as adjusted."""
        beside = [c.classical or c for c in self.parts]
        if self.better_by(place) is not None or beside[place] is self.parts[place]:
            return None
        pvalues = [c.pvalue for c in beside]
        found = (adjusted_pvalues(pvalues) if self.adjust_metrics == "holm" else pvalues)[place]
        return beside[place].better if found < self.alpha else None

    @property
    def best_set(self) -> tuple[str, ...]:
        """The models that may be the best by the metric, best mean first."""
        return self._one_metric("best_set").best_set

    @property
    def ranks(self) -> dict[str, tuple[int, int]]:
        """Of each model the least and the greatest rank that the pairs leave; 1 is best."""
        return self._one_metric("ranks").ranks

    @property
    def best(self) -> str | None:
        """The model that is shown to be better than each it was compared with; None when there is none."""
        return self._one_metric("best").best

    @property
    def means(self) -> dict[str, float]:
        """Mean of each model."""
        return self._one_metric("means").means

    @property
    def reading(self) -> tuple[Decision, ...]:
        """What was decided on the way to the evidence of any metric, and how each decision came about."""
        return tuple(dict.fromkeys(one for part in self.parts for one in part.reading))

    @property
    def guarantee(self) -> str:
        """What the tests guarantee, in a few words: exact, approximate or a heuristic, with what was measured."""
        return "; ".join(dict.fromkeys(part.guarantee for part in self.parts))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful reader should know: what holds for some metrics with their names, then what holds for all."""
        if len(self.parts) == 1:
            return self.parts[0].caveats
        limits = {part.kind.limit for part in self.parts}
        said: dict[str, list[str]] = {}
        for part in self.parts:
            for text in part.caveats:
                if text not in limits:
                    said.setdefault(text, []).append(part.metric)
        whole = [text for text, metrics in said.items() if len(metrics) == len(self.parts)]
        own = [f"{', '.join(map(metric_words, of))}: {text}" for text, of in said.items() if text not in whole]
        return (*own, *whole, self.parts[0].kind.limit)

    @property
    def design(self) -> str:
        """How the evidence came about."""
        return self.parts[0].design

    @property
    def metric(self) -> str:
        """The metric, where there is one."""
        return self._one_metric("metric").metric

    @property
    def control(self) -> str | None:
        """The model that the others were compared with; None where all pairs were compared."""
        return self.parts[0].control

    @property
    def shared(self) -> bool:
        """Whether the metrics share the level, so that what is said by all of them holds together."""
        return self.adjust_metrics != "none"

    def pair(self, a: str, b: str) -> Pair:
        """The comparison of two models, in the order in which it was made."""
        self._one_metric("pair")
        for pair in self.pairs:
            if {pair.a, pair.b} == {a, b}:
                return pair
        raise KeyError((a, b))

    def __getitem__(self, metric: str) -> Comparison:
        for part in self.parts:
            if part.metric == metric:
                return Comparison(parts=(part,), alpha=part.alpha, subject=self.subject, repeat=self.repeat)
        raise KeyError(metric)

    def __len__(self) -> int:
        return len(self.parts)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "parts":
            raise AttributeError(name)
        if hasattr(type(self), name):  # it exists, and something that it needs does not: say what
            return object.__getattribute__(self, name)
        if len(self.parts) == 1:
            for holder in (self.parts[0], self.parts[0].over):
                if hasattr(holder, name):
                    return getattr(holder, name)
        raise AttributeError(self._without(name))

    def _one_metric(self, name: str) -> MetricComparison:
        if len(self.parts) > 1:
            raise AttributeError(self._without(name))
        return self.parts[0]

    def _one_pair(self, name: str) -> Pair:
        if len(pairs := self.pairs) != 1:
            raise AttributeError(self._without(name))
        return pairs[0]

    def _without(self, name: str) -> str:
        by = f" by {len(self.parts)} metrics" if len(self.parts) > 1 else ""
        alone = f"; comparison[{self.metrics[0]!r}] is that by one metric" if len(self.parts) > 1 else ""
        return (
            f"a comparison of {len(self.models)} models{by} has no single {name!r}: see pairs, which has every pair of "
            f"models{alone}"
        )

    def claims(self) -> tuple[Claim, ...]:
        """What is claimed of each candidate against its baseline, by each metric, at the adjusted level."""
        if len(self.parts) == 1:
            return self.parts[0].claims()
        found = []
        for place, part in enumerate(self.parts):
            for claim in part.claims():
                better = claim.better if self.adjusted is None else self.better_by(place)
                found.append(replace(claim, better=better, metric=metric_words(part.metric)))
        return tuple(found)

    @property
    def evidence_digest(self) -> str:
        """Equal exactly when the evidence of every metric is."""
        return "-".join(part.evidence_digest for part in self.parts)

    def replace(self, **changes: Any) -> Comparison:
        """The same with other words around it: those of the whole, and of the parts that have such a field."""
        own = {name: value for name, value in changes.items() if name in ("subject", "repeat")}
        return replace(self, parts=tuple(part.replace(**changes) for part in self.parts), **own)

    def noting(self, *notes: str) -> Comparison:
        """The same with more notes before its own, those that it does not have yet."""
        return replace(self, parts=tuple(part.adding(*notes) for part in self.parts))

    def deciding(self, decisions: Sequence[Decision]) -> Comparison:
        """The same with these decisions instead of its own about the same."""
        return replace(
            self,
            parts=tuple(replace(part, decisions=together(part.decisions, tuple(decisions))) for part in self.parts),
        )

    def to_frame(self, what: Literal["pairs", "evidence"] = "pairs") -> Any:
        """One row per pair and metric, or the evidence: of the kind that was given, else of pandas or polars."""
        first = self.parts[0]
        if what == "evidence":
            return self._one_metric("evidence").evidence_frame()
        if what != "pairs":
            raise InvalidInput(f"what must be 'pairs' or 'evidence', got {what!r}")
        rows = [pair.row() for pair in self.pairs]
        columns = dict.fromkeys(name for row in rows for name in row)
        return new_frame({name: [row.get(name) for row in rows] for name in columns}, like=first.frames)

    def _kept(self) -> Json:
        """The evidence by each metric, where there is any; slices are not judged again."""
        if self.slices is not None:
            return None
        kept = [part._kept() for part in self.parts]
        if len(kept) == 1:
            return kept[0]
        return {"metrics": kept} if any(part is not None for part in kept) else None

    def _content(self) -> Mapping[str, Json]:
        told: dict[str, Json] = {
            "models": list(self.models),
            "metrics": list(self.metrics),
            "tasks": list(self.tasks),
            "alpha": self.alpha,
            "adjust_metrics": self.adjust_metrics,
            "verdict": self.verdict,
            "guarantee": self.guarantee,
            "notes": list(self.notes),
            "note_codes": [code_of(note) for note in self.notes],
            "design": self.design,
            "subject": self.subject,
            "repeat": self.repeat,
            "pairs": [pair.to_dict() for pair in self.pairs],
            **({} if self.slices is None else {"slices": self.slices.to_dict(self)}),
        }
        if len(self.parts) == 1:
            return {**told, **self.parts[0]._content(), **told}
        return {**told, "by_metric": [{**part._content(), "notes": list(part.caveats)} for part in self.parts]}

    def __repr__(self) -> str:
        who = f"{self.models[0]} and {self.models[1]}" if len(self.models) == 2 else f"{len(self.models)} models"
        by = metric_words(self.metrics[0]) if len(self.parts) == 1 else f"{len(self.parts)} metrics"
        answer = self.headline.rstrip(".")
        return f"<Comparison of {who} by {by}: {answer}>"


def named_once(metrics: Sequence[str]) -> None:
    twice = next((metric for metric in metrics if metrics.count(metric) > 1), None)
    if twice is not None:
        raise InvalidInput(f"metric must name each metric once, but {twice!r} is there more than once")
