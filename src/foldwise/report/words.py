"""Sentences and their parts that several reports share."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Protocol

from foldwise.core.units import name_list
from foldwise.report.text import WIDTH

__all__ = ["against_control", "small_differences", "table_lines", "wrapped"]


class Pair(Protocol):
    """Two of several learners, the first of them the control."""

    @property
    def b(self) -> str:
        """The other one."""

    @property
    def better(self) -> str | None:
        """Which of the two is shown to be better."""


class Sized(Protocol):
    """Two of several learners, of which is known whether their difference matters."""

    @property
    def a(self) -> str:
        """One."""

    @property
    def b(self) -> str:
        """The other one."""

    @property
    def better(self) -> str | None:
        """Which of the two is shown to be better."""

    @property
    def practically_same(self) -> bool:
        """Whether the difference is too small to matter."""


def against_control(control: str, pairs: Iterable[Pair]) -> str:
    """Who is better than the control, who is worse, and who can't be told apart from it."""
    groups: dict[str, list[str]] = {"better": [], "worse": [], "open": []}
    for pair in pairs:
        groups["open" if pair.better is None else "worse" if pair.better == control else "better"].append(pair.b)
    parts = [f"{name_list(names)} {'is' if len(names) == 1 else 'are'} {side} than {control}"
             for side, names in groups.items() if names and side != "open"]  # fmt: skip
    if groups["open"]:
        parts.append(f"{'n' if parts else 'N'}o difference from {control} is shown for {name_list(groups['open'])}")
    return "; ".join(parts) + "."


def small_differences(pairs: Iterable[Sized], *, sure: bool = True) -> str:
    """Which of the differences that are shown are too small to matter, as a further sentence; nothing where none is."""
    small = [f"{pair.a} and {pair.b}" for pair in pairs if pair.better is not None and pair.practically_same]
    if not small:
        return ""
    verb = "is" if sure else "is probably"
    return f" The difference between {name_list(small, most=3)} {verb} less than matters in practice."


def table_lines(rows: tuple[tuple[str, ...], ...]) -> list[str]:
    """Rows with their columns below each other."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  " + "   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def wrapped(text: str, indent: str = "  ") -> list[str]:
    """The lines of a paragraph."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
