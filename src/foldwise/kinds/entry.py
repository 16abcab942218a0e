"""What every test of the catalogue says of itself, whatever it works on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foldwise.kinds.guarantee import Guarantee

if TYPE_CHECKING:
    from foldwise.kinds.kind import Basis

__all__ = ["Entry"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One test of the catalogue.

    Attributes
    ----------
    name
        The name users give.
    title
        What people call it.
    kind
        The kind of evidence it works on.
    symbol
        Letter of its statistic.
    reference
        Where it comes from.
    guarantee
        Whether it is exact, an approximation or a heuristic; `guaranteed` says it with what was measured.
    warning
        What is wrong with it; None for a sound test.
    note
        What a reader of its answer should know besides.
    """

    name: str
    title: str
    kind: Basis
    symbol: str
    reference: str
    guarantee: Guarantee
    warning: str | None = None
    note: str | None = None

    @property
    def guaranteed(self) -> str:
        """What it guarantees, in a few words."""
        return self.guarantee.words(self.name)
