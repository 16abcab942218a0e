"""What comparisons by several metrics have in common, be they of two models or of several."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from foldwise.core.metric_words import metric_words
from foldwise.core.types import Json

__all__ = ["ByMetric"]


class _OneMetric(Protocol):
    """A comparison by one metric."""

    @property
    def metric(self) -> str: ...
    @property
    def design(self) -> str: ...
    @property
    def caveats(self) -> tuple[str, ...]: ...
    @property
    def evidence_digest(self) -> str: ...
    def _kept(self) -> Json: ...


C = TypeVar("C", bound=_OneMetric)


class ByMetric(Generic[C]):
    """Comparisons of the same models on the same items, one per metric."""

    __slots__ = ()

    comparisons: tuple[C, ...]

    @property
    def design(self) -> str:
        """How the evidence came about."""
        return self.comparisons[0].design

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
