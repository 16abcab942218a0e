"""What all evidence about two learners, or about several, has in common, whatever it consists of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from foldwise.core.decisions import Decision
from foldwise.core.metric import Unit, measure_decisions
from foldwise.core.types import Array, Labels

__all__ = ["Evidence", "EvidenceTable", "SeveralEvidence", "evidence_decisions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceTable:
    """Evidence for people to read; `caption` says what the numbers are, where that is not plain."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


class Evidence(Protocol):
    """Outcomes, scores …: what a comparison rests on."""

    @property
    def metric(self) -> str:
        """What was measured."""

    @property
    def higher_is_better(self) -> bool:
        """False for losses."""

    @property
    def direction_assumed(self) -> bool:
        """Whether that is only assumed, because neither the metric's name nor anybody said so."""

    @property
    def unit(self) -> Unit:
        """In which unit the metric comes."""

    @property
    def means(self) -> tuple[float, float]:
        """Mean of a and of b."""

    @property
    def differences(self) -> Array:
        """A − b on every item or split."""

    @property
    def design(self) -> str:
        """How it came about, in words."""

    @property
    def digest(self) -> str:
        """Equal exactly when the evidence is."""

    @property
    def majority(self) -> float | None:
        """Accuracy of always answering the most frequent class, where the truth is known."""

    def columns(self, names: tuple[str, str]) -> Mapping[str, Labels]:
        """All of it as columns of a table."""

    def table(self, names: tuple[str, str]) -> EvidenceTable:
        """What a person wants to see of it."""


class SeveralEvidence(Protocol):
    """What a comparison of several models or learners rests on."""

    @property
    def names(self) -> tuple[str, ...]:
        """What they are called."""

    @property
    def metric(self) -> str:
        """What was measured."""

    @property
    def higher_is_better(self) -> bool:
        """False for losses."""

    @property
    def direction_assumed(self) -> bool:
        """Whether that is only assumed, because neither the metric's name nor anybody said so."""

    @property
    def unit(self) -> Unit:
        """In which unit the metric comes."""

    @property
    def means(self) -> Array:
        """Mean of each."""

    @property
    def design(self) -> str:
        """How it came about, in words."""

    @property
    def digest(self) -> str:
        """Equal exactly when the evidence is."""

    @property
    def majority(self) -> float | None:
        """Accuracy of always answering the most frequent class, where the truth is known."""

    def columns(self) -> Mapping[str, Labels]:
        """All of it as columns of a table."""

    def table(self) -> EvidenceTable:
        """What a person wants to see of it."""


class _Measured(Protocol):
    """What all evidence says of its numbers."""

    @property
    def metric(self) -> str: ...
    @property
    def higher_is_better(self) -> bool: ...
    @property
    def direction_assumed(self) -> bool: ...
    @property
    def unit(self) -> Unit: ...


def evidence_decisions(evidence: _Measured) -> tuple[Decision, ...]:
    """What was decided about the numbers: their direction and, where it is shown, their unit."""
    coding = ""
    if evidence.direction_assumed and (hasattr(evidence, "correct_a") or getattr(evidence, "right_wrong", False)):
        coding = f"{getattr(evidence, 'scale', 1):g} is right and 0 is wrong"
    return measure_decisions(
        evidence.metric,
        evidence.unit,
        higher_is_better=evidence.higher_is_better,
        assumed=evidence.direction_assumed,
        coding=coding,
        declared_unit=getattr(evidence, "declared_unit", None) is not None,
    )
