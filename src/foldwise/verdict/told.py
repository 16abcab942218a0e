"""Decisions that the way to the evidence does not know of, kept with an answer: who is candidate and who baseline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from foldwise.core.decisions import Decision, together

__all__ = ["with_decisions"]

R = TypeVar("R")


def with_decisions(found: R, told: Iterable[Decision]) -> R:
    """The answer with these decisions instead of its own about the same, each part of it where there are several."""
    answer: Any = found
    told = tuple(told)
    if hasattr(answer, "comparisons"):
        parts = tuple(with_decisions(c, told) for c in answer.comparisons)
        return replace(answer, comparisons=parts)  # type: ignore[no-any-return]
    return replace(answer, decisions=together(answer.decisions, told))  # type: ignore[no-any-return]
