"""What a result says, whatever it is shown on: pipe, terminal, file, page, pull request, notebook.

A `Document` is made once for each kind of result. Renderers (`foldwise.render`) lay it out and compute nothing, so that
all of them say the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

from foldwise.core.formatting import short_names
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
    "with_short_names",
]  # fmt: skip

Tone: TypeAlias = Literal["decided", "failed", "same", "open"]
"""How a verdict is coloured: something is shown (somebody wins, the margin is kept), a gate fails, both are practically
the same or nothing is asked (a number with its interval), or nothing is shown."""

SHORT = 12  # Rows up to which a table is shown at once; longer ones are folded.

MOST, MOST_CELLS = 1000, 12_000
"""Rows and cells of a table that a page shows at most: it must stay below a megabyte."""

LONG = 40  # Lines up to which a snippet is shown at once.


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
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
        return len(self.rows) + self.more

    @property
    def shown(self) -> tuple[tuple[str, ...], ...]:
        return self.rows[: max(SHORT, min(MOST, MOST_CELLS // len(self.columns)))]

    @property
    def left_out(self) -> int:
        return self.count - len(self.shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
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
    """Intervals of differences, to be drawn in text."""

    kind: ClassVar[str] = "picture"
    rows: tuple[DrawnInterval, ...]  #: One or more intervals
    #: left, right: What a difference below 0 and above 0 means
    left: str
    right: str
    region: float = 0.0  #: Half-width of the region of differences that do not matter; 0 for none
    unit: str = ""  #: What the numbers below are in


Block: TypeAlias = Facts | Text | Bullets | Grid | Snippet | Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """One plot of a result."""

    plot: str  #: Name of the function in `foldwise.render.plots`, without ``plot_``
    shows: object  #: The object it draws: the result, or a part of it
    caption: str  #: What is to be seen
    main: bool = False  #: Whether it is among those that ``result.plot()`` puts side by side
    #: Whether a page shows it; what is too large to be read there is drawn only when it is asked for
    on_page: bool = True
    lead: bool = False  #: Whether a page puts it beside the answer; where none is called so, it is the first main one
    also: tuple[str, ...] = ()  #: Other names for it


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a result says."""

    #: title, subtitle: What was asked, and how it was answered
    title: str
    subtitle: str = ""
    #: headline, numbers: The answer in a sentence or two, and the numbers that belong to it, a sentence without its
    #: full stop
    headline: str = ""
    numbers: str = ""
    tone: Tone = "open"  #: How the answer is coloured
    assumed: str = ""  #: What nobody confirmed, in a sentence; always visible
    picture: Picture | None = None  #: The answer as intervals, where it has any
    blocks: tuple[Block, ...] = ()  #: Three to five facts, and tables without which the answer can't be read
    notes: tuple[str, ...] = ()  #: What can change the decision
    details: tuple[Section, ...] = ()  #: Method, assumptions, guarantee, scope, references, further tables
    command: str | None = None  #: What to type to get the same again, where it is known
    provenance: tuple[tuple[str, str], ...] = ()  #: What else is needed for that: seed, hashes
    methods: str = ""  #: What to write into the methods section of a paper; empty where there is nothing to write
    table: Grid | None = None  #: The table that goes into a paper, where that is not the first one of the blocks
    plotted: bool = False  #: Whether there are plots of it

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
        return f"{capital(self.numbers)}." if self.numbers else ""

    @property
    def paper_table(self) -> Grid | None:
        """The table that goes into a paper; None where there is none."""
        return self.table or next((block for block in self.blocks if isinstance(block, Grid)), None)

    def replace(self, **changes: object) -> Document:
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


# ---- Names that are too long to be read again and again: short ones, and once what they stand for.

LONG_NAME = 40
"""Characters up to which a name is written as it is; short ones may have as many."""
MOST_SHORTENED = 60
"""Models up to which names are shortened: of more there is mostly a table."""
NAMES_BESIDE = 6
"""Names that stand beside the answer; more are among the details."""
_WHOLE = ("What was understood", "What you may claim", "References")
"""Sections in which names stay as they are."""


def with_short_names(document: Document, models: Sequence[str]) -> Document:
    """The same with names of at most `LONG_NAME` characters that tell the models apart, and what these stand for."""
    if len(models) > MOST_SHORTENED or all(len(name) <= LONG_NAME for name in models):
        return document
    short = dict(zip(models, short_names(models, limit=LONG_NAME, mark=""), strict=True))
    changed = {name: one for name, one in short.items() if one != name}
    if len(set(short.values())) < len(short) or not changed:
        return document
    longest_first = sorted(changed, key=len, reverse=True)
    found = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first))
    least = min(map(len, changed))

    def said(text: str) -> str:
        if len(text) < least:
            return text
        return changed[text] if text in changed else found.sub(lambda name: changed[name[0]], text)

    legend = Facts(rows=tuple((one, name) for name, one in changed.items()))
    parts = tuple(one if one.heading in _WHOLE else _each(one, said) for one in document.details)
    beside = len(changed) <= NAMES_BESIDE
    return document.replace(
        title=said(document.title),
        subtitle=said(document.subtitle),
        headline=said(document.headline),
        numbers=said(document.numbers),
        picture=_each(document.picture, said),
        blocks=(*(_each(one, said) for one in document.blocks), *((legend,) if beside else ())),
        notes=tuple(map(said, document.notes)),
        details=parts if beside else (Section(heading="Names", blocks=(legend,)), *parts),
        table=document.paper_table,
    )


def _each(part: Any, said: Callable[[str], str]) -> Any:
    """A part of a document with its texts as they are to be said; commands, and what was understood, stay whole."""
    if isinstance(part, str):
        return said(part)
    if isinstance(part, tuple):
        return tuple(_each(one, said) for one in part) if part[:1] != ("models",) else part
    if not is_dataclass(part) or isinstance(part, Snippet | type):
        return part
    return replace(part, **{one.name: _each(getattr(part, one.name), said) for one in fields(part)})
