"""What is kept with an answer: who is candidate and who baseline, what was missing and what was done about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from foldwise.core.decisions import Decision, together
from foldwise.evidence.missing import MissingValues

R = TypeVar("R")


def with_decisions(found: R, told: Iterable[Decision]) -> R:
    """The answer with these decisions instead of its own about the same, each part of it where there are several."""
    answer: Any = found
    told = tuple(told)
    if hasattr(answer, "parts"):
        return replace(answer, parts=tuple(with_decisions(part, told) for part in answer.parts))  # type: ignore[no-any-return]
    return replace(answer, decisions=together(answer.decisions, told))  # type: ignore[no-any-return]


def with_missing(found: R, missing: MissingValues | None, names: Sequence[str]) -> R:
    """The answer with what was missing among its caveats and decisions."""
    if missing is None:
        return found
    answer: Any = with_decisions(found, [missing.decision(names)])
    told = missing.words(names)
    if hasattr(answer, "parts"):
        return replace(answer, parts=tuple(_told(part, told) for part in answer.parts))  # type: ignore[no-any-return]
    return _told(answer, told)  # type: ignore[no-any-return]


def _told(answer: Any, told: str) -> Any:
    return answer if told in answer.caveats else replace(answer, caveats=(told, *answer.caveats))
