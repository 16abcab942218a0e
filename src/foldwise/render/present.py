"""Any result as a person asks for it: text, a page, a notebook cell, a file, a plot, words and a table for a paper."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from foldwise.core.errors import InvalidInput
from foldwise.core.files import write_whole
from foldwise.core.result import Claimable, Result
from foldwise.document import claim_of, document_of, plots_of
from foldwise.document.document import Document
from foldwise.document.may_claim import section
from foldwise.render import markdown, text
from foldwise.render.html import brief_html, to_html
from foldwise.render.latex import document_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "bibtex", "brief_html", "claim_of", "claimable", "figure", "headline", "keep", "latex_table", "may_claim",
    "methods", "paper", "plain", "to_html", "to_markdown", "verdict",
]  # fmt: skip

T = TypeVar("T")


def plain(result: Result, *, details: bool = False) -> str:
    """The document as text, with its details or without."""
    return text.plain(document_of(result), details=details)


def verdict(result: Result) -> str:
    return document_of(result).answer


def headline(result: Result) -> str:
    return document_of(result).headline


def keep(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the page to a file, as a whole or not at all."""
    write_whole(path, to_html(result))


def figure(result: Result, kind: str | None, **options: object) -> Figure:
    """One plot by name, or the main ones side by side."""
    from foldwise.render.plot import draw

    return draw(_there(plots_of(result), "no picture of", result), kind, **options)


def methods(result: Result) -> str:
    return _there(document_of(result).methods, "nothing to write into a methods section about", result)


def may_claim(result: Result) -> Claimable:
    return _there(claim_of(result), "nothing to claim of", result)


def claimable(claim: Claimable) -> str:
    told = section(claim)
    return text.plain(Document(title=told.heading, blocks=told.blocks))


def latex_table(result: Result) -> str:
    return _there(document_table(document_of(result)), "no table of", result)


def to_markdown(result: Result) -> str:
    """The answer as Markdown, with its details folded."""
    return markdown.to_markdown(document_of(result))


def bibtex(result: Result) -> str:
    from foldwise.render.paper import bibtex_of

    return bibtex_of(result)


def paper(result: Result, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    from foldwise.render.paper import write_paper

    return write_paper(result, folder)


def _there(found: T | None, lacking: str, result: Result) -> T:
    """What was asked for, if the result has it."""
    if not found:
        page = "result" if result.page == "plain" else result.page.replace("_", " ")
        raise InvalidInput(f"there is {lacking} this {page}")
    return found
