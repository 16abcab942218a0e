"""What a result says, whatever it is shown on: pipe, terminal, file, page, pull request, notebook.

A `Document` is made once for each kind of result. Renderers (`foldwise.render`) lay it out and compute nothing, so that
all of them say the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, TypeAlias

from foldwise.core.units import capital

__all__ = [
    "MOST",
    "Block",
    "Bullets",
    "Document",
    "Drawing",
    "DrawnInterval",
    "Facts",
    "Grid",
    "Picture",
    "Section",
    "Snippet",
    "Text",
    "Tone",
    "details",
]  # fmt: skip

Tone: TypeAlias = Literal["decided", "failed", "same", "open"]
"""How a verdict is coloured: something is shown (somebody wins, the margin is kept), a gate fails, both are practically
the same or nothing speaks against the candidate, or nothing is shown."""

SHORT = 12
"""Rows up to which a table is shown at once; longer ones are folded."""

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
    """A table whose first column names its rows.

    `words` names the columns of text, which are left-aligned; `mark` is the index of a row that stands out; an
    `unfolded` table is shown at once, however long; `rest` says where the rows are that a page leaves out, and `more`
    counts rows that were not even written, because no renderer shows more than `MOST`.
    """

    kind: ClassVar[str] = "grid"
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    words: tuple[str, ...] = ()
    mark: int | None = None
    unfolded: bool = False
    rest: str = ""
    more: int = 0

    @property
    def folded(self) -> bool:
        """Whether it is too long to be shown at once."""
        return len(self.rows) > SHORT and not self.unfolded

    @property
    def count(self) -> int:
        """How many rows there are, written or not."""
        return len(self.rows) + self.more

    @property
    def shown(self) -> tuple[tuple[str, ...], ...]:
        """The rows that a page shows."""
        return self.rows[: max(SHORT, min(MOST, MOST_CELLS // len(self.columns)))]

    @property
    def left_out(self) -> int:
        """How many rows a page leaves out."""
        return self.count - len(self.shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """Text to copy as it is."""

    kind: ClassVar[str] = "snippet"
    text: str
    label: str = ""

    @property
    def folded(self) -> bool:
        """Whether it is too long to be shown at once."""
        return self.text.count("\n") >= LONG


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnInterval:
    """One interval of a picture: its limits (None where there are none) and the estimate, in the unit that is shown."""

    estimate: float
    low: float | None = None
    high: float | None = None
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Intervals of differences, to be drawn in text.

    Attributes
    ----------
    rows
        One or more intervals.
    left, right
        What a difference below 0 and above 0 means.
    region
        Half-width of the region of differences that do not matter; 0 for none.
    unit
        What the numbers below are in.
    """

    kind: ClassVar[str] = "picture"
    rows: tuple[DrawnInterval, ...]
    left: str
    right: str
    region: float = 0.0
    unit: str = ""


Block: TypeAlias = Facts | Text | Bullets | Grid | Snippet | Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Blocks under a heading."""

    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """One plot of a result.

    Attributes
    ----------
    plot
        Name of the function in `foldwise.render.plots`, without ``plot_``.
    shows
        The object it draws: the result, or a part of it.
    caption
        What is to be seen.
    main
        Whether it is among those that ``result.plot()`` puts side by side.
    on_page
        Whether a page shows it; what is too large to be read there is drawn only when it is asked for.
    lead
        Whether a page puts it beside the answer; where none is called so, it is the first main one.
    also
        Other names for it.
    """

    plot: str
    shows: object
    caption: str
    main: bool = False
    on_page: bool = True
    lead: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a result says.

    Attributes
    ----------
    title, subtitle
        What was asked, and how it was answered.
    headline, numbers
        The answer in a sentence or two, and the numbers that belong to it, a sentence without its full stop.
    tone
        How the answer is coloured.
    assumed
        What nobody confirmed, in a sentence; always visible.
    picture
        The answer as intervals, where it has any.
    blocks
        Three to five facts, and tables without which the answer can't be read.
    notes
        What can change the decision.
    details
        Method, assumptions, guarantee, scope, references, further tables.
    command
        What to type to get the same again, where it is known.
    provenance
        What else is needed for that: seed, hashes.
    methods
        What to write into the methods section of a paper; empty where there is nothing to write.
    table
        The table that goes into a paper, where that is not the first one of the blocks.
    plotted
        Whether there are plots of it.
    """

    title: str
    subtitle: str = ""
    headline: str = ""
    numbers: str = ""
    tone: Tone = "open"
    assumed: str = ""
    picture: Picture | None = None
    blocks: tuple[Block, ...] = ()
    notes: tuple[str, ...] = ()
    details: tuple[Section, ...] = ()
    command: str | None = None
    provenance: tuple[tuple[str, str], ...] = ()
    methods: str = ""
    table: Grid | None = None
    plotted: bool = False

    @property
    def answer(self) -> str:
        """Headline and numbers as one text: "nb is better: accuracy 95 % vs 93 %, …"."""
        if not self.numbers:
            return self.headline
        if not self.headline:
            return self.detail
        if self.headline.count(".") == 1 and self.headline.endswith(".") and not {":", ";"} & set(self.headline):
            return f"{self.headline[:-1]}: {self.numbers}."
        return f"{self.headline} {self.detail}"

    @property
    def detail(self) -> str:
        """The numbers as a sentence of their own."""
        return f"{capital(self.numbers)}." if self.numbers else ""

    @property
    def paper_table(self) -> Grid | None:
        """The table that goes into a paper; None where there is none."""
        return self.table or next((block for block in self.blocks if isinstance(block, Grid)), None)

    def replace(self, **changes: object) -> Document:
        """The same with other parts."""
        return replace(self, **changes)  # type: ignore[arg-type]


def details(**sections: tuple[Block | None, ...] | Block | None) -> tuple[Section, ...]:
    """Sections by heading (``the_scores`` reads "The scores"), without those that are empty.

    Examples
    --------
    >>> [part.heading for part in details(why=Text(text="because"), every_pair=(), references=None)]
    ['Why']
    """
    found = []
    for name, said in sections.items():
        blocks = tuple(block for block in (said if isinstance(said, tuple) else (said,)) if block is not None)
        if blocks:
            heading = name.replace("_", " ")
            found.append(Section(heading=capital(heading), blocks=blocks))
    return tuple(found)
