"""What a margin says of the pairs of several learners, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from foldwise.core.formatting import level_text
from foldwise.core.metric import Unit, metric_words
from foldwise.core.types import Interval
from foldwise.core.units import asked_text, difference_text, limits_text, pvalue_text

if TYPE_CHECKING:
    from foldwise.verdict.many.comparison import ManyComparison
    from foldwise.verdict.pair import Pair

__all__ = [
    "COLUMNS",
    "Margined",
    "margin_lines",
    "margin_note",
    "margin_rows",
    "margin_text",
    "one_sided_note",
    "pair_found",
]


class HeldPair(Protocol):
    """Two of several learners, one of them held against the other."""

    @property
    def candidate(self) -> str | None:
        """The one that the conclusion is about."""

    @property
    def baseline(self) -> str:
        """The other one."""

    @property
    def better(self) -> str | None:
        """Who is shown to be better by the two-sided test."""

    @property
    def conclusion(self) -> str | None:
        """What was concluded."""

    @property
    def lead(self) -> Interval | None:
        """The limits for candidate − baseline."""


class Margined(Protocol):
    """A comparison of several learners, of which a margin may be asked."""

    @property
    def margin(self) -> float | None:
        """The margin, if there is one."""

    @property
    def metric(self) -> str:
        """What was measured."""

    @property
    def shown_unit(self) -> Unit:
        """The unit in which differences are shown."""

    @property
    def ordered_pairs(self) -> Sequence[HeldPair]:
        """The pairs, clearest first."""


COLUMNS = ("candidate against baseline", "conclusion", "limits")


def pair_found(c: ManyComparison, pair: Pair, candidate: str) -> str:
    """The numbers of a pair in a few words, as candidate − baseline."""
    turned = candidate == pair.b
    estimate = -pair.estimate if turned else pair.estimate
    wins, losses = (pair.losses, pair.wins) if turned else (pair.wins, pair.losses)
    return (
        f"mean {metric_words(c.metric)} differs by {difference_text(estimate, c.shown_unit)}, wins–ties–losses "
        f"{wins}–{pair.ties}–{losses}, p {pvalue_text(pair.adjusted)}"
    )


def margin_text(c: Margined) -> str:
    """The margin with its unit; empty where there is none."""
    return "" if c.margin is None else asked_text(c.margin, c.shown_unit)


def margin_note(c: ManyComparison) -> str:
    """What the conclusions rest on."""
    together = "" if c.adjustment == "none" or c.n_comparisons == 1 else ", for all pairs together"
    return (
        f"The margin is {margin_text(c)}; the limits are those of the median difference, candidate − baseline, "
        f"one-sided and each of level {level_text(1 - c.alpha)}{together}.{one_sided_note(c)}"
    )


def one_sided_note(c: Margined) -> str:
    """That limits may show what two-sided tests do not, where they do; with a space before it."""
    more = any(pair.better is None and pair.conclusion in ("superior", "inferior") for pair in c.ordered_pairs)
    return " They decide, also where the two-sided tests of pairs show no difference." if more else ""


def margin_rows(c: Margined) -> list[tuple[str, str, str]]:
    """For each pair who is held against whom, the conclusion, and the limits."""
    return [
        (
            f"{pair.candidate} against {pair.baseline}",
            str(pair.conclusion),
            "unknown" if pair.lead is None or c.margin is None else limits_text(pair.lead, c.shown_unit, c.margin),
        )
        for pair in c.ordered_pairs
    ]


def margin_lines(c: Margined, most: int) -> list[str]:
    """The same as lines of text, so many at most."""
    rows = [COLUMNS, *margin_rows(c)[:most]]
    first, second = (max(len(row[i]) for row in rows) for i in range(2))
    lines = [f"  {pair:<{first}}   {found:<{second}}   {limits}" for pair, found, limits in rows]
    more = len(c.ordered_pairs) - most
    return lines + ([f"  … and {more} more pairs with larger p-values"] if more > 0 else [])
