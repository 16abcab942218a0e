"""Sentences and their parts that several reports share."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Protocol

from foldwise.report.text import WIDTH, pvalue_text

__all__ = ["against_control", "name_list", "small_differences", "table_lines", "with_sign", "wrapped"]


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


def name_list(names: Sequence[str], *, most: int = 6) -> str:
    """Names in a sentence; many are counted.

    Examples
    --------
    >>> name_list(["a", "b", "c"]), name_list(list("abcdefgh"), most=3)
    ('a, b and c', 'a, b, c and 5 others')
    """
    if len(names) > most + 1:
        return ", ".join(names[:most]) + f" and {len(names) - most} others"
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" and {names[-1]}"


def table_lines(rows: tuple[tuple[str, ...], ...]) -> list[str]:
    """Rows with their columns below each other."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  " + "   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def with_sign(pvalue: float) -> str:
    """A p-value as it stands behind its letter.

    Examples
    --------
    >>> with_sign(0.012), with_sign(1e-9)
    ('= 0.012', '< 0.0001')
    """
    text = pvalue_text(pvalue)
    return text if text.startswith("<") else f"= {text}"


def wrapped(text: str, indent: str = "  ") -> list[str]:
    """The lines of a paragraph."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
