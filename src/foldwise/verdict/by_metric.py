"""What comparisons by several metrics have in common, be they of two models or of several."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from foldwise.core.decisions import Decision
from foldwise.core.metric import metric_words
from foldwise.core.types import Json
from foldwise.verdict.claims import Claim
from foldwise.verdict.frames import new_frame

__all__ = ["ACROSS", "Across", "ByMetric", "ByMetricsTogether"]

ACROSS = ("bonferroni", "none")
Across = Literal["bonferroni", "none"]
"""How several metrics are judged together."""


class _OneMetric(Protocol):
    """A comparison by one metric."""

    @property
    def metric(self) -> str: ...
    @property
    def design(self) -> str: ...
    @property
    def caveats(self) -> tuple[str, ...]: ...
    @property
    def reading(self) -> tuple[Decision, ...]: ...
    @property
    def evidence_digest(self) -> str: ...
    def _kept(self) -> Json: ...


class _ManyPairs(_OneMetric, Protocol):
    """A comparison of several by one metric."""

    @property
    def pairs(self) -> Sequence[Any]: ...
    @property
    def best(self) -> str | None: ...
    @property
    def control(self) -> str | None: ...
    def claims(self) -> tuple[Claim, ...]: ...
    def _content(self) -> Any: ...


C = TypeVar("C", bound=_OneMetric)
P = TypeVar("P", bound=_ManyPairs)


class ByMetric(Generic[C]):
    """Comparisons of the same models on the same items, one per metric."""

    __slots__ = ()

    comparisons: tuple[C, ...]

    @property
    def design(self) -> str:
        """How the evidence came about."""
        return self.comparisons[0].design

    @property
    def reading(self) -> tuple[Decision, ...]:
        """What was decided on the way to the evidence of any metric."""
        return tuple(dict.fromkeys(one for c in self.comparisons for one in c.reading))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in the order in which they were asked for."""
        return tuple(c.metric for c in self.comparisons)

    @property
    def evidence_digest(self) -> str:
        """Equal exactly when the evidence of every metric is."""
        return "-".join(c.evidence_digest for c in self.comparisons)

    def __getitem__(self, metric: str) -> C:
        """The comparison by one metric."""
        for c in self.comparisons:
            if c.metric == metric:
                return c
        raise KeyError(metric)

    def __len__(self) -> int:
        return len(self.comparisons)

    def _kept(self) -> Json:
        """The evidence of each, where there is any."""
        kept = [c._kept() for c in self.comparisons]
        return {"metrics": kept} if any(part is not None for part in kept) else None

    def _gathered(self, *, without: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """Caveats of some metrics with their names, then those of all, each once."""
        said: dict[str, list[str]] = {}
        for c in self.comparisons:
            for text in c.caveats:
                if text not in without:
                    said.setdefault(text, []).append(c.metric)
        whole = [text for text, metrics in said.items() if len(metrics) == len(self)]
        own = [f"{', '.join(map(metric_words, of))}: {text}" for text, of in said.items() if text not in whole]
        return (*own, *whole)


class ByMetricsTogether(ByMetric[P]):
    """Comparisons of several models or learners, whose metrics may share one level."""

    __slots__ = ()

    across: Across
    alpha: float
    not_in_frames: ClassVar[frozenset[str]]
    """What a pair has that is no single value."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Those that were compared."""

    @property
    def shared(self) -> bool:
        """Whether the metrics share the level, so that what is said by all of them holds together."""
        return self.across == "bonferroni"

    @property
    def control(self) -> str | None:
        """The one that the others were compared with, or None."""
        return self.comparisons[0].control

    @property
    def best(self) -> dict[str, str | None]:
        """By metric, the one that is shown to be better than each it was compared with; None when there is none."""
        return {c.metric: c.best for c in self.comparisons}

    @property
    def caveats(self) -> tuple[str, ...]:
        """What holds for some metrics with their names, then what holds for all, each once."""
        return self._gathered()

    def claims(self) -> tuple[Claim, ...]:
        """What is claimed of each against the control, by each metric."""
        named = ((metric_words(c.metric), claim) for c in self.comparisons for claim in c.claims())
        return tuple(replace(claim, metric=metric) for metric, claim in named)

    def to_frame(self) -> Any:
        """One row per metric and pair (pandas, polars or pyarrow: the first one installed)."""
        rows = [{"metric": c.metric, **pair.to_dict()} for c in self.comparisons for pair in c.pairs]
        return new_frame({name: [row[name] for row in rows] for name in rows[0] if name not in self.not_in_frames})

    def _shared(self) -> dict[str, Json]:
        """What they all keep."""
        return {
            "names": list(self.names),
            "across": self.across,
            "alpha": self.alpha,
            "control": self.control,
            "design": self.design,
            "best": dict(self.best),
            "metrics": [c._content() for c in self.comparisons],
            "caveats": list(self.caveats),
        }
