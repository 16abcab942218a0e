"""Lists of things (data sets, stored series, populations), as text, JSON and a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from foldwise.core.result import Result
from foldwise.core.types import Json

__all__ = ["Listing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(Result):
    """Rows with what they are called.

    Attributes
    ----------
    title, subtitle
        What is listed, and where from.
    key
        Name of the rows in JSON; empty for one thing, whose `content` is its own object.
    content
        The rows as JSON has them; for one thing a dictionary.
    columns, rows
        The same for people; a table, or pairs of name and value.
    heads
        Whether the text has the columns' names on its first line.
    empty
        What to say when there is nothing.
    """

    page: ClassVar[str] = "listing"

    title: str
    subtitle: str = ""
    key: str
    content: Sequence[Json] | Mapping[str, Json]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    heads: bool = True
    empty: str = "nothing there yet"

    def _content(self) -> dict[str, Json]:
        """Ready for JSON."""
        if isinstance(self.content, Mapping) and not self.key:
            return dict(self.content)
        return {self.key: self.content}

    def __str__(self) -> str:
        if not self.rows:
            return self.empty
        rows = [self.columns, *self.rows] if self.heads else list(self.rows)
        widths = [max(len(row[i]) for row in rows) for i in range(len(self.columns) - 1)]
        return "\n".join("  ".join([*map(str.ljust, row, widths), row[-1]]).rstrip() for row in rows)
