"""What a margin says of the pairs of several learners, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.metric import Unit
from foldwise.report.text import difference_text, pvalue_text, span_text

if TYPE_CHECKING:
    from foldwise.verdict.many.comparison import ManyComparison
    from foldwise.verdict.many.pair_comparison import PairComparison

__all__ = ["COLUMNS", "margin_lines", "margin_note", "margin_rows", "margin_text", "pair_found", "table_unit"]

COLUMNS = ("candidate against baseline", "conclusion", "limits")


def pair_found(c: ManyComparison, pair: PairComparison, candidate: str) -> str:
    """The numbers of a pair in a few words, as candidate − baseline."""
    turned = candidate == pair.b
    estimate = -pair.estimate if turned else pair.estimate
    wins, losses = (pair.losses, pair.wins) if turned else (pair.wins, pair.losses)
    return (
        f"mean {c.table.metric} differs by {difference_text(estimate, table_unit(c))}, wins–ties–losses "
        f"{wins}–{pair.ties}–{losses}, p {pvalue_text(pair.adjusted)}"
    )


def table_unit(c: ManyComparison) -> Unit:
    """Scores of a table, and so their differences, are shown as they are given."""
    return "percent" if c.table.unit == "percent" else "own"


def margin_text(c: ManyComparison) -> str:
    """The margin with its unit; empty where there is none."""
    return "" if c.margin is None else difference_text(c.margin, table_unit(c))


def margin_note(c: ManyComparison) -> str:
    """What the conclusions rest on."""
    together = "" if c.adjustment == "none" or c.n_comparisons == 1 else ", for all pairs together"
    return (
        f"The margin is {margin_text(c)}; the limits are those of the median difference, candidate − baseline, "
        f"one-sided and each of level {100 * (1 - c.alpha):.4g} %{together}."
    )


def margin_rows(c: ManyComparison) -> list[tuple[str, str, str]]:
    """For each pair who is held against whom, the conclusion, and the limits."""
    return [
        (
            f"{pair.candidate} against {pair.baseline}",
            str(pair.conclusion),
            "unknown" if pair.lead is None else span_text(pair.lead, table_unit(c)),
        )
        for pair in c.ordered_pairs
    ]


def margin_lines(c: ManyComparison, most: int) -> list[str]:
    """The same as lines of text, so many at most."""
    rows = [COLUMNS, *margin_rows(c)[:most]]
    first, second = (max(len(row[i]) for row in rows) for i in range(2))
    lines = [f"  {pair:<{first}}   {found:<{second}}   {limits}" for pair, found, limits in rows]
    more = len(c.pairs) - most
    return lines + ([f"  … and {more} more pairs with larger p-values"] if more > 0 else [])
