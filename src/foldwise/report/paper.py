"""The paper kit: a folder with the methods paragraph, its references, the tables and the figures of an answer."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result
from foldwise.report.bibtex import bibtex, with_cites
from foldwise.report.latex import latex
from foldwise.report.page import Bullets, Page, Text
from foldwise.report.pages import drawings_of, page_of, paper_files, paper_latex
from foldwise.report.svg import figure_file
from foldwise.report.writing import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FILES", "bibtex_of", "write_paper"]

FILES = ("methods.tex", "references.bib", "table.tex", "scores.tex", "ranks.tex")
"""What the folder may get besides the figures."""


def bibtex_of(result: Result) -> str:
    """BibTeX of all that the result's page and its methods paragraph cite, and of this package."""
    return bibtex(*_words(_citing(result)))


def write_paper(result: Result, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    r"""Write the kit into a folder, which is made if need be; returns the files.

    ``methods.tex`` (with ``\cite`` commands), ``references.bib``, ``table.tex``, each picture as SVG and PDF, and for
    learners on data sets ``scores.tex``, the whole table, and ``ranks.tex``, the critical-difference diagram as TikZ.
    """
    page, place = _citing(result), Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"the paper kit must go to a folder, got '{place}': {error.strerror or error}") from error
    texts = {
        "methods.tex": with_cites(latex(page.methods)) + "\n",
        "references.bib": bibtex(*_words(page)),
        **_tables(result, page),
    }
    written = [write_whole(place / name, text) for name, text in texts.items()]
    for name, drawing in drawings_of(result).items():
        if drawing.on_page:
            figure = drawing.alone()
            written += [
                write_whole(place / f"{name}.svg", figure_file(figure, name)),
                _pdf(figure, place / f"{name}.pdf"),
            ]
    return tuple(written)


def _citing(result: Result) -> Page:
    page = page_of(result, plots=False)
    if not page.methods:
        raise InvalidInput(f"there is nothing to write into a paper about this {result.page.replace('_', ' ')}")
    return page


def _words(page: Page) -> list[str]:
    blocks = [block for section in page.sections for block in section.blocks]
    listed = [item for block in blocks if isinstance(block, Bullets) for item in block.items]
    return [page.methods, *listed, *(block.text for block in blocks if isinstance(block, Text))]


def _tables(result: Result, page: Page) -> dict[str, str]:
    table = paper_latex(page)
    found = {} if table is None else {"table.tex": table}
    return {name: f"{text}\n" for name, text in {**found, **paper_files(result)}.items()}


def _pdf(figure: Figure, path: Path) -> Path:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="pdf", metadata={"CreationDate": None, "Creator": None, "Producer": None})
    path.write_bytes(buffer.getvalue())
    return path
