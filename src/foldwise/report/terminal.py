"""A report on a terminal: the same words as in a file, with tables and a little colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.page import Block, Bullets, Facts, Grid, Page, Section, Snippet, Text

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text as RichText

__all__ = ["print_page"]

TONES = {"decided": "bold green", "same": "bold cyan", "open": "bold yellow"}

MOST_ROWS = 60
"""Rows of a table on a terminal; the page has all."""

WIDEST = 110
"""Characters to a line, however wide the window is: long lines are hard to read."""


def print_page(page: Page, console: Console) -> None:
    """Print the verdict and the brief sections.

    Parameters
    ----------
    page
        A report.
    console
        Where to; it knows whether there may be colour. Names are printed as they are, never as rich's markup.
    """
    console.width = min(console.width, WIDEST)
    console.print(_words((page.title, "bold"), ("   ", ""), (page.subtitle, "dim")))
    console.print()
    if page.headline:
        console.print(_indented(_words((page.headline, TONES[page.tone]), ("  ", ""), (page.detail, ""))))
        console.print()
    for section in page.brief:
        for part in _section(section):
            console.print(_indented(part))
        console.print()
    if page.command:
        console.print(_words(("  repeat: ", "dim"), (page.command, "")), soft_wrap=True)


def _section(section: Section) -> list[RenderableType]:
    heading: list[RenderableType] = [_words((section.heading, "bold"))] if section.heading else []
    return heading + [part for block in section.blocks for part in _block(block)]


def _block(block: Block) -> list[RenderableType]:
    if isinstance(block, Facts):
        return [_facts(block), ""]
    if isinstance(block, Text):
        return [_words((f"{block.lead} " if block.lead else "", "bold"), (block.text, ""))]
    if isinstance(block, Bullets):
        lead: list[RenderableType] = [_words((block.lead, ""))] if block.lead else []
        return lead + [_bullet(item) for item in block.items]
    if isinstance(block, Grid):
        more = len(block.rows) - MOST_ROWS
        return [_grid(block), *([f"… and {more} more rows"] if more > 0 else [])]
    return [_words((block.text, ""))] if isinstance(block, Snippet) else []


def _facts(block: Facts) -> RenderableType:
    from rich.table import Table

    table = Table.grid(padding=(0, 3, 0, 0))
    for label, value in block.rows:
        table.add_row(_words((label, "dim")), _words((value, "")))
    return table


def _grid(block: Grid) -> RenderableType:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, column in enumerate(block.columns):
        table.add_column(_words((column, "")), justify="left" if i == 0 or column in block.words else "right")
    for i, row in enumerate(block.rows[:MOST_ROWS]):
        table.add_row(*(_words((cell, "")) for cell in row), style="bold" if i == block.mark else "")
    return table


def _bullet(item: str) -> RenderableType:
    from rich.table import Table

    line = Table.grid(padding=(0, 1, 0, 0))
    line.add_row("•", _words((item, "")))
    return line


def _words(*parts: tuple[str, str]) -> RichText:
    """Text with styles; names from files may hold control sequences, which a terminal must not obey."""
    from rich.text import Text as Styled

    clean = [("".join(c if c.isprintable() or c == "\n" else "�" for c in text), style) for text, style in parts]
    return Styled.assemble(*clean)


def _indented(part: RenderableType) -> RenderableType:
    from rich.padding import Padding

    return Padding(part, (0, 0, 0, 2))
