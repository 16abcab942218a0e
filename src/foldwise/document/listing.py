"""Lists of things (data sets, stored series, populations) as results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from foldwise.core.result import Result
from foldwise.core.types import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(Result):
    """Rows with what they are called."""

    page: ClassVar[str] = "listing"

    #: title, subtitle: What is listed, and where from
    title: str
    subtitle: str = ""
    key: str  #: Name of the rows in JSON; empty for one thing, whose `content` is its own object
    content: Sequence[Json] | Mapping[str, Json]  #: The rows as JSON has them; for one thing a dictionary
    #: columns, rows: The same for people; a table, or pairs of name and value
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    empty: str = "nothing there yet"  #: What to say when there is nothing

    def _content(self) -> dict[str, Json]:
        if isinstance(self.content, Mapping) and not self.key:
            return dict(self.content)
        return {self.key: self.content}
