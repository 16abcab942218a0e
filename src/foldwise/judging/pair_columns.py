"""Verdicts of any kind as rows: one per task and pair of models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from foldwise.verdict.comparison import Comparison
from foldwise.verdict.many.comparison import ManyComparison
from foldwise.verdict.models.comparison import ModelsComparison
from foldwise.verdict.models.pair import ModelPair

__all__ = ["pair_columns"]

_COLUMNS = ("task", "a", "b", "estimate", "low", "high", "pvalue", "adjusted", "better")


def pair_columns(verdicts: Mapping[str, Comparison | ModelsComparison | ManyComparison]) -> dict[str, list[object]]:
    """Columns: the task, the two models, a − b with its interval where there is one, p-values, and who is better."""
    rows = [(task, *row) for task, verdict in verdicts.items() for row in _rows(verdict)]
    return dict(zip(_COLUMNS, map(list, zip(*rows, strict=True)), strict=True))


def _rows(verdict: Comparison | ModelsComparison | ManyComparison) -> Iterator[tuple[object, ...]]:
    if isinstance(verdict, Comparison):
        low, high = (None, None) if verdict.interval is None else (verdict.interval.low, verdict.interval.high)
        yield (*verdict.names, verdict.estimate, low, high, verdict.pvalue, verdict.pvalue, verdict.better_name)
        return
    for pair in verdict.pairs:
        span = (pair.low, pair.high) if isinstance(pair, ModelPair) else (None, None)
        yield pair.a, pair.b, pair.estimate, *span, pair.pvalue, pair.adjusted, pair.better
