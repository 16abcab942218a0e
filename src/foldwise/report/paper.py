"""The paper kit: a folder with the methods paragraph, its references, the tables and the figures of an answer."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from foldwise.core.errors import InvalidInput
from foldwise.core.files import write_whole
from foldwise.core.result import Result
from foldwise.report.bibtex import bibtex, with_cites
from foldwise.report.latex import latex
from foldwise.report.page import Bullets, Page, Text
from foldwise.report.pages import drawings_of, page_of, paper_files, paper_latex
from foldwise.report.svg import figure_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["bibtex_of", "paper_contents", "paper_zip", "write_paper"]

RANKS = "ranks.tex"
"""The diagram of ranks as TikZ, the one among the texts that is a picture."""


def bibtex_of(result: Result) -> str:
    """BibTeX of all that the result's page and its methods paragraph cite, and of this package."""
    return bibtex(*_words(_citing(result)))


def write_paper(result: Result, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Write the kit into a folder, which is made if need be; returns the files."""
    place = Path(folder)
    contents = paper_contents(result)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"the paper kit must go to a folder, got '{place}': {error.strerror or error}") from error
    return tuple(write_whole(place / name, content) for name, content in contents.items())


def paper_zip(result: Result) -> bytes:
    """The kit as an archive, the same to the byte for the same result."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in paper_contents(result).items():
            archive.writestr(zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0)), content)
    return buffer.getvalue()


def paper_contents(result: Result) -> dict[str, str | bytes]:
    r"""The files of the kit by name.

    ``methods.tex`` (with ``\cite`` commands), ``references.bib``, ``table.tex``, each picture as SVG and PDF; for
    learners on data sets ``scores.tex``, the whole table, ``effects.tex``, how far each is from the best or the
    control, and ``ranks.tex``, the critical-difference diagram as TikZ; and ``paper.tex``, which has all of them in it
    and can be compiled as it is.
    """
    page = _citing(result)
    tables = _tables(result, page)
    drawn = {name: drawing for name, drawing in drawings_of(result).items() if drawing.on_page}
    pictures: dict[str, str | bytes] = {}
    for name, drawing in drawn.items():
        figure = drawing.alone()
        pictures |= {f"{name}.svg": figure_file(figure, name), f"{name}.pdf": _pdf(figure)}
    return {
        "methods.tex": with_cites(latex(page.methods)) + "\n",
        "references.bib": bibtex(*_words(page)),
        **tables,
        "paper.tex": _document(list(tables), {name: drawing.caption for name, drawing in drawn.items()}),
        **pictures,
    }


def _document(texts: list[str], captions: dict[str, str]) -> str:
    """A document of all the parts, to see them and to copy its preamble from; what LaTeX can draw itself, it draws."""
    tables = [rf"\input{{{text}}}" for text in texts if text != RANKS]
    figures = [
        _figure(
            rf"\input{{{RANKS}}}" if f"{name}.tex" == RANKS else rf"\includegraphics[width=\linewidth]{{{name}.pdf}}",
            caption=caption,
            label=f"fig:{name}",
        )
        for name, caption in captions.items()
    ]
    lines = [
        r"\documentclass{article}",
        *(rf"\usepackage{{{name}}}" for name in ("booktabs", "graphicx", "tikz")),
        r"\setlength{\belowcaptionskip}{6pt} % captions stand above the tables",
        r"\begin{document}",
        r"\input{methods.tex}",
        *tables,
        *figures,
        r"\nocite{*}",
        r"\bibliographystyle{plain}",
        r"\bibliography{references}",
        r"\end{document}",
    ]
    return "\n".join(lines) + "\n"


def _figure(drawn: str, *, caption: str, label: str) -> str:
    inner = [r"\centering", drawn, rf"\caption{{{latex(caption)}}}", rf"\label{{{label}}}"]
    return "\n".join([r"\begin{figure}", *(f"  {line}" for line in inner), r"\end{figure}"])


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


def _pdf(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="pdf", metadata={"CreationDate": None, "Creator": None, "Producer": None})
    return buffer.getvalue()
