"""A document as Markdown that fits a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import foldwise
from foldwise.document.document import Block, Bullets, Document, Facts, Grid, Picture, Snippet, Text
from foldwise.render.text import drawn

MOST_ROWS = 20  # Rows of a table; a comment must stay below 65,536 characters.

LONGEST_CELL, LONGEST = 120, 2000
"""Characters of a cell, and of a paragraph."""

_SIGNS = re.compile(r"([\\`*_\[\]|~$#])")
_MENTIONS = re.compile(r"(@|\\#)(?=\w)")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def markdown(text: object, *, limit: int = LONGEST) -> str:
    r"""Text as GitHub shows it unchanged: nothing in it is taken for markup, a mention or the number of an issue.

    >>> markdown("a|b *new* <c>"), markdown("@me fixes #1")
    ('a\\|b \\*new\\* &lt;c&gt;', '@<!-- -->me fixes \\#<!-- -->1')
    """
    words = "".join(c if c.isprintable() else " " for c in str(text))
    words = words if len(words) <= limit else f"{words[: limit - 1]}…"
    plain = "".join(_ENTITIES.get(c, c) for c in _SIGNS.sub(r"\\\1", words))
    return _MENTIONS.sub(r"\1<!-- -->", plain)


def to_markdown(document: Document) -> str:
    """The answer with its picture, facts, tables and notes; the details folded in ``<details>``."""
    shown = [f"### {markdown(document.title)}", f"*{markdown(document.subtitle)}*" if document.subtitle else ""]
    if document.headline:
        words = " ".join(filter(None, (document.detail, document.assumed)))
        shown.append(f"**{markdown(document.headline)}** {markdown(words)}".rstrip())
    elif document.assumed:
        shown.append(markdown(document.assumed))
    if document.picture is not None:
        shown.append(_block(document.picture))
    shown += [_block(block) for block in document.blocks]
    shown.append("\n".join(_bullet(f"Note: {note}") for note in document.notes))
    shown += [_folded(section.heading, section.blocks) for section in document.details]
    command = f"`{document.command}` · " if document.command and "`" not in document.command else ""
    shown.append(f"<sub>{command}foldwise {foldwise.__version__}</sub>")
    return "\n\n".join(part for part in shown if part)


def _folded(heading: str, blocks: Iterable[Block]) -> str:
    inside = [text for block in blocks if (text := _block(block))]
    if not inside:
        return ""
    return "\n\n".join([f"<details><summary>{markdown(heading)}</summary>", *inside, "</details>"])


def _block(block: Block) -> str:
    if isinstance(block, Facts):
        return _table(("", ""), block.rows, words=("",))
    if isinstance(block, Grid):
        return _table(block.columns, block.rows, words=block.words, count=block.count)
    if isinstance(block, Text):
        return f"**{markdown(block.lead)}** {markdown(block.text)}" if block.lead else markdown(block.text)
    if isinstance(block, Bullets):
        return "\n".join([*([f"{markdown(block.lead)}\n"] if block.lead else []), *map(_bullet, block.items)])
    if isinstance(block, Picture):
        lines = [line.replace("`", "'") for line in drawn(block)]
        return "\n".join(["```text", *lines, "```"]) if lines else ""
    assert isinstance(block, Snippet)
    return markdown(block.text)


def _bullet(item: str) -> str:
    return f"- {markdown(item)}"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, words: Sequence[str], count: int = 0) -> str:
    rule = ["---" if i == 0 or name in words else "--:" for i, name in enumerate(columns)]
    lines = [_row(columns), _row(rule, plain=False), *(_row(row) for row in rows[:MOST_ROWS])]
    more = max(len(rows), count) - MOST_ROWS
    return "\n".join([*lines, *([f"\n… and {more} more rows"] if more > 0 else [])])


def _row(cells: Sequence[str], *, plain: bool = True) -> str:
    return f"| {' | '.join(markdown(cell, limit=LONGEST_CELL) if plain else cell for cell in cells)} |"
