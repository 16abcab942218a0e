"""What a report consists of, whatever it is shown on: a page, a notebook cell, a terminal, part of a web page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

__all__ = ["Block", "Bullets", "Facts", "Grid", "Page", "Plot", "Section", "Snippet", "Text", "Tone"]

Tone: TypeAlias = Literal["decided", "same", "open"]
"""How a verdict is coloured: somebody wins, both are practically the same, or nothing is shown."""

SHORT = 12
"""Rows up to which a table is shown at once; longer ones are folded away."""

BESIDE = 380
"""Points up to which a plot stands beside another."""

BESIDE_ANSWER = 480
"""Points up to which a plot stands beside the answer, which needs less room than another plot."""

MOST, MOST_CELLS = 1000, 12_000
"""Rows and cells of a table that a page shows at most: it must stay below a megabyte."""

LONG = 40
"""Lines up to which a snippet is shown at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Numbers with what they are."""

    kind: ClassVar[str] = "facts"
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A paragraph; `lead` says in a word or two what it is about."""

    kind: ClassVar[str] = "text"
    text: str
    lead: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullets:
    """A list of sentences; `lead` introduces it."""

    kind: ClassVar[str] = "bullets"
    items: tuple[str, ...]
    lead: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table, its first column being what a row is called.

    `words` names the columns of text, which start at the left; `mark` is the index of a row that stands out; a table
    that is all there is to see is `unfolded`, however long; `rest` says where the rows are that a page does not show.
    """

    kind: ClassVar[str] = "grid"
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    words: tuple[str, ...] = ()
    mark: int | None = None
    unfolded: bool = False
    rest: str = ""

    @property
    def folded(self) -> bool:
        """Whether it is too long to be shown at once."""
        return len(self.rows) > SHORT and not self.unfolded

    @property
    def shown(self) -> tuple[tuple[str, ...], ...]:
        """The rows that a page shows."""
        return self.rows[: max(SHORT, min(MOST, MOST_CELLS // len(self.columns)))]

    @property
    def left_out(self) -> int:
        """How many rows a page does not show."""
        return len(self.rows) - len(self.shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A figure as an SVG element, made by `figure_svg`, which escapes what it shows; `name` is what ``plot`` takes."""

    kind: ClassVar[str] = "plot"
    svg: str
    caption: str
    name: str = ""

    @property
    def width(self) -> float:
        """Its width as it was drawn, in points."""
        width = re.search(r'<svg[^>]* width="([\d.]+)"', self.svg)
        return float(width[1]) if width is not None else 0.0

    @property
    def wide(self) -> bool:
        """Whether it is too wide to stand beside another."""
        return self.width > BESIDE

    @property
    def beside(self) -> bool:
        """Whether it can stand beside the answer."""
        return self.width <= BESIDE_ANSWER


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """Text to copy as it is."""

    kind: ClassVar[str] = "snippet"
    text: str
    label: str

    @property
    def folded(self) -> bool:
        """Whether it is too long to be shown at once."""
        return self.text.count("\n") >= LONG


Block: TypeAlias = Facts | Text | Bullets | Grid | Plot | Snippet


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Blocks under a heading; `brief` ones are shown in notebooks and terminals too."""

    blocks: tuple[Block, ...]
    heading: str = ""
    brief: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A report.

    Attributes
    ----------
    title, subtitle
        What was asked, and how it was answered.
    headline
        The answer in a sentence or two.
    detail
        The numbers that belong to the answer, in a sentence.
    tone
        How the answer is coloured.
    lead
        The picture that stands beside the answer.
    sections
        The rest, in the order of reading.
    command
        What to type to get the same again, where it is known.
    provenance
        What else is needed for that: seed, hashes.
    methods
        What to write into the methods section of a paper; empty where there is nothing to write.
    table
        The table that goes into a paper, where that is not the first one of the brief sections.
    """

    title: str
    subtitle: str
    headline: str
    detail: str = ""
    tone: Tone = "open"
    lead: Plot | None = None
    sections: tuple[Section, ...]
    command: str | None = None
    provenance: tuple[tuple[str, str], ...] = ()
    methods: str = ""
    table: Grid | None = None

    @property
    def paper_table(self) -> Grid | None:
        """The table that goes into a paper; None where there is none."""
        grids = (block for section in self.brief for block in section.blocks if isinstance(block, Grid))
        return self.table or next(grids, None)

    @property
    def brief(self) -> tuple[Section, ...]:
        """The sections for small places."""
        return tuple(section for section in self.sections if section.brief)
