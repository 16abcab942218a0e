"""What a margin says by each of several metrics, and at which level, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from foldwise.core.formatting import level_text
from foldwise.core.metric import metric_words
from foldwise.core.units import asked_text, limits_text, name_list
from foldwise.report.many_margin_text import margin_rows, margin_text
from foldwise.report.page import Block, Grid, Text
from foldwise.report.words import table_lines, wrapped

if TYPE_CHECKING:
    from foldwise.verdict.comparison import Comparison

    ByMetrics: TypeAlias = Comparison | Comparison

__all__ = ["conclusion_blocks", "conclusion_lines", "conclusions_sentence"]

COLUMNS = ("metric", "candidate against baseline", "margin", "conclusion", "limits")
MOST = 12
"""Rows of a text."""


def conclusion_lines(m: ByMetrics) -> list[str]:
    """The conclusions by every metric as lines of text, and the level; nothing where no margin was given."""
    rows = _rows(m)
    if not rows:
        return []
    more = [f"  … and {len(rows) - MOST} more"] if len(rows) > MOST else []
    return [*table_lines((COLUMNS, *rows[:MOST])), *more, "", *wrapped(_level(m)), ""]


def conclusion_blocks(m: ByMetrics) -> tuple[Block, ...]:
    """The same for a page."""
    rows = _rows(m)
    if not rows:
        return ()
    grid = Grid(columns=COLUMNS, rows=tuple(rows), words=("conclusion",), caption="Against the margin", unfolded=True)
    return grid, Text(text=_level(m))


def conclusions_sentence(m: ByMetrics) -> str:
    """The same for a paper, with a space before it; empty where no margin was given."""
    rows = _rows(m)
    if not rows:
        return ""
    found = name_list([f"{said} by {metric} ({who}, margin {margin})" for metric, who, margin, said, _ in rows])
    return f" {_level(m)} The conclusions were: {found}."


def _rows(m: ByMetrics) -> list[tuple[str, str, str, str, str]]:
    return [
        (metric_words(c.metric), who, margin, found, limits) for c in m.parts for who, margin, found, limits in _held(c)
    ]


def _held(c: Any) -> list[tuple[str, str, str, str]]:
    """Who is held against whom, the margin, the conclusion, and the limits, of two models or of every pair."""
    if c.margin is None:
        return []
    if c.layout != "comparison":
        return [(who, margin_text(c), found, limits) for who, found, limits in margin_rows(c)]
    limits = "unknown" if c.limits is None else limits_text(c.limits, c.unit, c.margin)
    return [(f"{c.names[0]} against {c.names[1]}", asked_text(c.margin, c.unit), str(c.conclusion), limits)]


def _level(m: ByMetrics) -> str:
    """What the conclusions rest on: the level of the limits, and whether it is that of all metrics together."""
    pairs = len(m.models) > 2
    together = f"{'all pairs by ' if pairs else ''}all {len(m)} metrics" if m.shared else "all pairs by each metric"
    level = level_text(1 - m.alpha)
    words = f"of level {level} for {together} together (Bonferroni)" if m.shared or pairs else f"each of level {level}"
    return (
        f"The limits are those of the difference, candidate − baseline, one-sided and {words}"
        f"{'' if m.shared else ', not adjusted for the number of metrics'}."
    )
