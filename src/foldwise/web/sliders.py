"""Numbers with a slider beside them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Slider"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slider:
    """A number with a slider beside it; `tests` are the ones it matters for, all if there are none."""

    name: str
    label: str
    low: float
    high: float
    default: str
    step: float = 0.0
    logarithmic: bool = False
    hint: str = ""
    tests: tuple[str, ...] = ()
