"""A document as plain text, for pipes, and with colour, for terminals: the same words in the same places."""

from __future__ import annotations

import math
import platform
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from itertools import zip_longest
from typing import Literal

import foldwise
from foldwise.core.errors import spoken
from foldwise.core.formatting import number_text
from foldwise.document.document import Block, Bullets, Document, DrawnInterval, Facts, Grid, Picture, Snippet, Text

WIDTH = 110  # Characters to a line, however wide the window is: long lines are hard to read.

MOST_ROWS, MOST_IN_DETAILS = 30, 60
"""Rows of a table; a page has all."""

PICTURE = 44  # Characters of a picture at most, without the words beside it.

Door = Literal["python", "command line"]
Style = Literal["", "bold", "quiet", "answer"]
_Line = tuple[tuple[str, Style], ...]

_COLOURS = {"decided": "32", "failed": "31", "same": "36", "open": "33"}  # green, red, cyan, yellow
_CODES = {"bold": "1", "quiet": "2"}


def plain(document: Document, *, details: bool = False, door: Door = "python", width: int = WIDTH) -> str:
    """The document as text.

    `document`: what a result says. `details`: whether to show more than the answer: method, assumptions, guarantee,
    tables. `door`: where a person reads it, which decides how to ask for more. `width`: characters to a line, `WIDTH`
    at most.
    """
    lines = _lines(_at(document, door), details, door, min(width, WIDTH))
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def coloured(document: Document, *, details: bool = False, door: Door = "command line", width: int = WIDTH) -> str:
    """The same with the codes of a terminal, in lines that fit its window."""
    codes = {**_CODES, "answer": f"1;{_COLOURS[document.tone]}"}
    lines = _lines(_at(document, door), details, door, min(width, WIDTH))
    return "\n".join(
        "".join(f"\x1b[{codes[style]}m{text}\x1b[0m" if style else text for text, style in line) for line in lines
    )


def _at(document: Document, door: Door) -> Document:
    """The document with what a reader may say in the words of the door: parameters, or options."""

    def said(text: str) -> str:
        return spoken(text, "python" if door == "python" else "command")

    def block(one: Block) -> Block:
        if isinstance(one, Facts):
            return replace(one, rows=tuple((name, said(value)) for name, value in one.rows))
        return replace(one, text=said(one.text)) if isinstance(one, Text) else one

    return replace(
        document, headline=said(document.headline), assumed=said(document.assumed),
        notes=tuple(map(said, document.notes)), blocks=tuple(map(block, document.blocks)),
    )  # fmt: skip


def _lines(document: Document, details: bool, door: Door, width: int) -> Iterator[_Line]:
    yield from _heading(document, width)
    if document.headline or document.assumed:
        yield ()
    yield from _paragraph(document.answer, width, style="answer")
    yield from _paragraph(document.assumed, width)
    if document.picture is not None:
        yield ()
        yield from _picture(document.picture, width)
    for block in document.blocks:
        yield ()
        yield from _block(block, width, MOST_IN_DETAILS if details else MOST_ROWS)
    if document.notes:
        yield ()
        for note in document.notes:
            yield from _paragraph(f"Note: {note}", width, hanging=6)
    if details:
        yield from _details(document, width)
    hint = _hint(document, details, door)
    if hint:
        yield ()
        yield (("  " + "   ".join(hint), "quiet"),)


def _heading(document: Document, width: int) -> Iterator[_Line]:
    left, right = _clean(document.title), _clean(document.subtitle)
    gap = width - len(left) - len(right)
    if right and gap >= 3:
        yield (left, "bold"), (" " * gap, ""), (right, "quiet")
        return
    yield from _paragraph(left, width, indent="", style="bold")
    yield from _paragraph(right, width, indent="", style="quiet")


def _details(document: Document, width: int) -> Iterator[_Line]:
    for section in document.details:
        yield ()
        yield ((section.heading, "bold"),)
        for place, block in enumerate(section.blocks):
            if place and not isinstance(block, Text):
                yield ()
            yield from _block(block, width, MOST_IN_DETAILS)
    yield ()
    yield (("Provenance", "bold"),)
    made = ", ".join(" ".join(one) for one in versions())
    yield from _facts((*document.provenance, ("made with", made)), width)
    if document.command:
        yield ((f"  repeat: {document.command}", ""),)  # on one line, to copy it


def _hint(document: Document, details: bool, door: Door) -> list[str]:
    """How to see more, and how to get the same again."""
    if details:
        return []
    if not document.details:
        return [f"repeat: {document.command}"] if document.command else []
    ours = door == "command line"
    found = [f"{'--details' if ours else '.details()'}: method, assumptions, guarantee"]
    if document.plotted:
        found.append(f"{'--html FILE' if ours else '.report(FILE)'}: all plots")
    seed = dict(document.provenance).get("seed")
    if ours and seed is not None and document.command:
        found.append(f"--seed {seed} repeats this")
    return found


# ---- Blocks.


def _block(block: Block, width: int, most: int) -> Iterator[_Line]:
    if isinstance(block, Facts):
        yield from _facts(block.rows, width)
    elif isinstance(block, Text):
        yield from _paragraph(f"{block.lead} {block.text}" if block.lead else block.text, width)
    elif isinstance(block, Bullets):
        yield from _paragraph(block.lead, width)
        for item in block.items:
            yield from _paragraph(f"• {item}", width, hanging=2)
    elif isinstance(block, Grid):
        yield from _grid(block, width, most)
    elif isinstance(block, Snippet):
        yield from (((f"  {line}", ""),) for line in block.text.splitlines())
    else:
        yield from _picture(block, width)


NARROWEST = 24  # Characters of a column of words below which it is not folded.


def _facts(rows: Sequence[tuple[str, str]], width: int) -> Iterator[_Line]:
    names = [_clean(label) for label, _ in rows]
    wide = max(map(len, names), default=0)
    for name, (_, value) in zip(names, rows, strict=True):
        first, *others = _folded(value, max(width - wide - 5, 30))
        yield (f"  {name:<{wide}}   ", "quiet"), (first, "")
        yield from (((" " * (wide + 5) + line, ""),) for line in others)


def _grid(grid: Grid, width: int, most: int) -> Iterator[_Line]:
    """Columns below each other: the first and those of words at the left, numbers at the right.

    Where a table is too wide, columns of words are folded; anything else runs over.
    """
    most = len(grid.rows) if grid.unfolded else most
    yield from _paragraph(grid.caption, width, style="quiet")
    shown = [tuple(map(_clean, row)) for row in (grid.columns, *grid.rows[:most])]
    words = [place for place, name in enumerate(grid.columns) if name in grid.words]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    # a word, such as a key that somebody will copy, stays whole
    least = [
        max(NARROWEST, *(len(word) for cell in cells for word in cell.split())) for cells in zip(*shown, strict=True)
    ]
    while sum(widths) + 3 * len(widths) - 1 > width:
        wide = [place for place in words if widths[place] > least[place]]
        if not wide:
            break
        widths[max(wide, key=lambda place: widths[place])] -= 1
    for number, row in enumerate(shown):
        folded = [
            _folded(cell, wide) if at in words else [cell]
            for at, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ]
        marked = grid.mark is not None and number == grid.mark + 1
        style: Style = "quiet" if number == 0 else "bold" if marked else ""
        for place, cells in enumerate(zip_longest(*folded, fillvalue="")):
            line = "   ".join(
                cell.ljust(wide) if at == 0 or at in words else cell.rjust(wide)
                for at, (cell, wide) in enumerate(zip(cells, widths, strict=True))
            )
            yield (((("→ " if marked and place == 0 else "  ") + line).rstrip(), style),)
    if grid.count > most:
        yield ((f"  … and {grid.count - most} more rows", "quiet"),)


def _picture(picture: Picture, width: int) -> Iterator[_Line]:
    yield from (((f"  {line}", ""),) for line in drawn(picture, width=width - 2))


def _paragraph(text: str, width: int, *, indent: str = "  ", hanging: int = 0, style: Style = "") -> Iterator[_Line]:
    yield from (((line, style),) for line in _wrapped(text, width, indent=indent, hanging=hanging))


def _folded(text: str, width: int) -> list[str]:
    """A text in lines, with as many blanks between its words as it has; one that has lines itself keeps them."""
    lines = [_clean(line) for line in text.splitlines()] or [""]
    return [part for line in lines for part in (_wrapped(line, width, indent="") if len(line) > width else [line])]


def _wrapped(text: str, width: int, *, indent: str = "  ", hanging: int = 0) -> list[str]:
    held = _HELD.sub("\N{NO-BREAK SPACE}", _clean(text))
    lines = textwrap.wrap(
        held, width, initial_indent=indent, subsequent_indent=indent + " " * hanging, break_on_hyphens=False
    )
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


_HELD = re.compile(r"(?<=\d) (?=%|points?\b)|(?<=\bp) (?=[=<])|(?<=\bp [=<]) (?=\d)")
"""Blanks at which no line ends: a number stays with its unit, and "p = 0.05" on one line."""


def _clean(text: str) -> str:
    """Names from files may hold control sequences, which a terminal must not obey, and line breaks."""
    return "".join(c if c.isprintable() else " " if c in "\n\t" else "�" for c in text)


# ---- Intervals drawn with characters.


def drawn(picture: Picture, *, width: int = WIDTH - 2) -> list[str]:
    """Intervals over the region that does not matter, below each other, and an axis.

    >>> one = DrawnInterval(estimate=4.5, low=2.3, high=6.6)
    >>> for line in drawn(Picture(rows=(one,), left="b better", right="a better", region=1.0, unit="points"), width=62):
    ...     print(line)
    b better ┊▒▒▒▒▒0▒▒▒▒┊      ├───────────●───────────┤  a better
             −1         1  points
    """
    rows = [row for row in picture.rows if math.isfinite(row.estimate)]
    if not rows:
        return []
    names, left, right = [_clean(row.label) for row in rows], _clean(picture.left), _clean(picture.right)
    before, after = (len(left), len(right)) if len(rows) == 1 else (0, 0)
    if len(rows) > 1 or width - before - after < 20:  # the sides are named below
        before, after = max(map(len, names)), 0
    columns = max(min(PICTURE, width - before - after - 3), 12)
    scale = _Scale(picture, rows, columns)
    lines = []
    for name, row in zip(names, rows, strict=True):
        label = left if after else name
        lines.append(f"{label:<{before}} {scale.line(row)}  {right if after else ''}".rstrip())
    lines.append((" " * before + scale.axis()).rstrip())
    if not after:
        lines.append(f"{' ' * before} ← {left}   {right} →")
    return lines


class _Scale:
    """Where on a line of so many characters a value is."""

    def __init__(self, picture: Picture, rows: Sequence[DrawnInterval], columns: int) -> None:
        values = [value for row in rows for value in (row.estimate, row.low, row.high) if value is not None]
        values = [value for value in (*values, 0.0) if math.isfinite(value)]
        spread = max(values) - min(values)
        # the region, as far as it does not dwarf the intervals
        reach = min(picture.region, max(2 * spread, *map(abs, values))) or picture.region
        self.low, high = min(*values, -reach), max(*values, reach)
        self.columns, self.region, self.unit = columns, picture.region, picture.unit
        self.step = (high - self.low) / (columns - 1) or 1.0

    def at(self, value: float) -> int:
        place = (value - self.low) / self.step
        return 0 if place < 0 else self.columns - 1 if place > self.columns - 1 else round(place)

    def line(self, row: DrawnInterval) -> str:
        """The region, zero, and the interval over both."""
        cells, first, last = [" "] * self.columns, self.at(-self.region), self.at(self.region)
        if self.region:
            cells[first : last + 1] = "▒" * (last - first + 1)
            cells[first] = cells[last] = "┊"
        cells[self.at(0.0)] = "0"
        if row.low is not None and row.high is not None:
            start, stop = self.at(row.low), self.at(row.high)
            cells[start : stop + 1] = [{"0": "0", "┊": "┼"}.get(cell, "─") for cell in cells[start : stop + 1]]
            cells[start] = "├" if math.isfinite(row.low) else "←"
            cells[stop] = "┤" if math.isfinite(row.high) else "→"
        cells[self.at(row.estimate)] = "●"
        return "".join(cells)

    def axis(self) -> str:
        """The ends of the region in numbers; the ends of the line and zero, where there is none or it is too narrow."""
        marks = [-self.region, self.region]
        if self.at(self.region) - self.at(-self.region) <= 3:
            marks = sorted({self.low, 0.0, self.low + self.step * (self.columns - 1)})
        text = ""
        for value in marks:
            words = number_text(value, 2)
            # the last digit of a negative number is below its mark, the first of a positive one, but for the last
            place = self.at(value) - (len(words) - 1 if value < 0 or self.at(value) == self.columns - 1 else 0)
            if not text or place >= len(text):
                text = text.ljust(max(place, 0) + 1) + words
        return f"{text}  {self.unit}" if self.unit else text


# ---- What is needed to repeat a result.


PACKAGES = ("numpy", "scipy", "scikit-learn")


def versions() -> tuple[tuple[str, str], ...]:
    """Names and versions of what was computed with.

    >>> [name for name, _ in versions()]
    ['foldwise', 'Python', 'numpy', 'scipy', 'scikit-learn']
    """
    own = ("foldwise", foldwise.__version__), ("Python", platform.python_version())
    return (*own, *((name, _version(name)) for name in PACKAGES))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
