"""Any result as a person asks for it: a page, a notebook cell, a file, a picture, words and a table for a paper."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from foldwise.core.errors import InvalidInput
from foldwise.core.files import write_whole
from foldwise.core.result import Result
from foldwise.report.html import brief_html, to_html
from foldwise.report.markdown import page_markdown
from foldwise.report.pages import drawings_of, page_of, paper_latex

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "bibtex_of",
    "brief_html",
    "figure",
    "keep",
    "latex_of",
    "markdown_of",
    "methods",
    "to_html",
    "write_paper",
]


def keep(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the page to a file, as a whole or not at all."""
    write_whole(path, to_html(result))


def figure(result: Result, kind: str | None, **options: object) -> Figure:
    """One picture by name, or the main ones side by side."""
    from foldwise.report.drawings import draw

    known = drawings_of(result)
    if not known:
        raise InvalidInput(f"there is no picture of this {_what(result)}")
    return draw(known, kind, **options)


def methods(result: Result) -> str:
    """The methods paragraph of the result's page."""
    words = page_of(result, plots=False).methods
    if not words:
        raise InvalidInput(f"there is nothing to write into a methods section about this {_what(result)}")
    return words


def latex_of(result: Result) -> str:
    """The table of the result's page that goes into a paper."""
    table = paper_latex(page_of(result, plots=False))
    if table is None:
        raise InvalidInput(f"there is no table of this {_what(result)}")
    return table


def markdown_of(result: Result) -> str:
    """The brief part of the result's page as Markdown."""
    return page_markdown(page_of(result, plots=False))


def bibtex_of(result: Result) -> str:
    """BibTeX of all that the result cites."""
    from foldwise.report import paper

    return paper.bibtex_of(result)


def write_paper(result: Result, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """The paper kit in a folder."""
    from foldwise.report import paper

    return paper.write_paper(result, folder)


def _what(result: Result) -> str:
    return "result" if result.page == "plain" else result.page.replace("_", " ")
