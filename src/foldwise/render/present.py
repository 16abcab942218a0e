"""Any result as a person asks for it: text, a page, a notebook cell, a file, a plot, words and a table for a paper."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from foldwise.core.errors import InvalidInput
from foldwise.core.files import write_whole
from foldwise.core.result import Claimable, Result
from foldwise.document import claim_of, document_of, plots_of
from foldwise.document.document import Document
from foldwise.document.may_claim import section
from foldwise.render import markdown, text
from foldwise.render.latex import document_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plain(result: Result, *, details: bool = False) -> str:
    """The document as text, with its details or without."""
    return text.plain(document_of(result), details=details)


def verdict(result: Result) -> str:
    return document_of(result).answer


def headline(result: Result) -> str:
    return document_of(result).headline


def to_html(result: Result) -> str:
    from foldwise.render import html

    return html.to_html(result)


def brief_html(result: Result) -> str:
    from foldwise.render import html

    return html.brief_html(result)


def keep(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the page to a file, as a whole or not at all."""
    write_whole(path, to_html(result))


def figure(result: Result, kind: str | None, **options: object) -> Figure:
    """One plot by name, or the main ones side by side."""
    from foldwise.render.plot import draw

    known = plots_of(result)
    if not known:
        raise InvalidInput(f"there is no picture of this {_what(result)}")
    return draw(known, kind, **options)


def methods(result: Result) -> str:
    words = document_of(result).methods
    if not words:
        raise InvalidInput(f"there is nothing to write into a methods section about this {_what(result)}")
    return words


def may_claim(result: Result) -> Claimable:
    found = claim_of(result)
    if found is None:
        raise InvalidInput(f"there is nothing to claim of this {_what(result)}")
    return found


def claimable(claim: Claimable) -> str:
    told = section(claim)
    return text.plain(Document(title=told.heading, blocks=told.blocks))


def latex_table(result: Result) -> str:
    table = document_table(document_of(result))
    if table is None:
        raise InvalidInput(f"there is no table of this {_what(result)}")
    return table


def to_markdown(result: Result) -> str:
    """The answer as Markdown, with its details folded."""
    return markdown.to_markdown(document_of(result))


def bibtex(result: Result) -> str:
    from foldwise.render.paper import bibtex_of

    return bibtex_of(result)


def paper(result: Result, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    from foldwise.render.paper import write_paper

    return write_paper(result, folder)


def _what(result: Result) -> str:
    return "result" if result.page == "plain" else result.page.replace("_", " ")
