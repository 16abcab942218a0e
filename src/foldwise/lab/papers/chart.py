"""What a study's figure shows, as plain numbers; `report` draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Chart", "Series"]

Kind = Literal["bars", "lines", "points"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One row of bars, one line or one cloud of points.

    Attributes
    ----------
    name
        Its name in the legend; empty for none.
    x
        Numbers, or words for bars.
    y
        Heights.
    low, high
        Ends of error bars, or nothing.
    """

    name: str
    x: tuple[float | str, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One figure.

    Attributes
    ----------
    name
        Short and unique within the study: part of a file name.
    kind
        How the series are drawn.
    title, x_label, y_label
        Words around it.
    series
        What is drawn.
    level
        Height of a horizontal reference line, or None.
    diagonal
        Whether the line y = x is drawn.
    """

    name: str
    kind: Kind
    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    level: float | None = None
    diagonal: bool = False
