"""Results as HTML: a whole page, the part of it that another page can embed, or a notebook cell."""

from __future__ import annotations

import base64
import re
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from foldwise.core.result import Result
from foldwise.document import document_of, plots_of
from foldwise.document.document import Block, Document, Drawing, Section, Snippet
from foldwise.render.latex import document_table, latex
from foldwise.render.text import versions

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

BESIDE = 380  # Points up to which a plot stands beside another.
BESIDE_ANSWER = 480  # Points up to which a plot stands beside the answer, which needs less room than another plot.
PAIRS = "Every pair"  # Heading of the section with the table of pairs.
METHODS = ("Method", "References")  # Headings of sections that are read with the methods sentence.

_TEMPLATES = Path(__file__).parent / "templates"
_IN_PROSE = re.compile(r"(?<!\S)(['\"(]?--[a-z]\S*|\(?(?:[<>] )?−?\d[\d.,]* %\S?)")
_IN_COMMANDS = re.compile(r"(\S*-\S*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A plot as an SVG element, made by `figure_svg`, which escapes what it shows; `name` is what ``plot`` takes."""

    svg: str
    caption: str
    name: str = ""

    @property
    def width(self) -> float:
        width = re.search(r'<svg[^>]* width="([\d.]+)"', self.svg)
        return float(width[1]) if width is not None else 0.0

    @property
    def wide(self) -> bool:
        """Whether it is too wide to stand beside another."""
        return self.width > BESIDE

    @property
    def beside(self) -> bool:
        return self.width <= BESIDE_ANSWER


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A document with its plots, the one beside the answer first, and what can be copied into a paper."""

    document: Document
    plots: tuple[Plot, ...] = ()
    paper: tuple[Snippet, ...] = ()
    python: str = ""

    @property
    def lead(self) -> Plot | None:
        return self.plots[0] if self.plots else None


def page_of(result: Result, *, command: str | None = None, python: str = "") -> Page:
    """The page of a result.

    `command`: what gave it, for results that do not know it themselves; `python`: lines that give it, too.
    """
    document = document_of(result)
    document = document.replace(command=document.command or command)
    return Page(document=document, plots=_plots(result), paper=_for_a_paper(document), python=python)


def to_html(result: Result, *, command: str | None = None) -> str:
    """A result as one self-contained page: no network, no script, light and dark, made for print too."""
    return page_html(page_of(result, command=command))


def page_html(page: Page) -> str:
    return _render("page.html", page=page, style=stylesheet(), versions=versions(), level=1, save_at="")


def body_html(page: Page, *, level: int = 2, save_at: str = "") -> str:
    """A page as an ``<article>`` to embed in another page, which brings `stylesheet` along.

    `level`: of its title among the headings of the other page: 2 below an ``<h1>``. `save_at`: the address below which
    a form of the other page gives every plot as a file; without it there are no buttons.
    """
    return _render("body.html", page=page, versions=versions(), level=level, save_at=save_at)


def brief_html(result: Result) -> str:
    """A result as a notebook shows it, in tabs that need neither a script nor the network.

    Without styles, as where a notebook is not trusted, all parts stand one below the other.
    """
    document, pictures = document_of(result), notebook_pictures(result)
    return _render("brief.html", document=document, lead=next(iter(pictures), None), tabs=_tabs(document, pictures[1:]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """A part of a notebook's view: pictures with their captions, then blocks, then folded sections."""

    name: str
    title: str
    pictures: tuple[tuple[str, str], ...] = ()
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()


def _tabs(document: Document, pictures: tuple[tuple[str, str], ...]) -> list[Tab]:
    """Answer, pairs, plots, details and methods, as far as there is something to show."""
    pairs = tuple(block for section in document.details if section.heading == PAIRS for block in section.blocks)
    methods = tuple(section for section in document.details if section.heading in METHODS)
    others = tuple(s for s in document.details if s not in methods and s.heading != PAIRS)
    paper = _for_a_paper(document)
    again = (Snippet(label="Repeat it", text=document.command),) if document.command else ()
    found = [
        Tab(name="pairs", title="Pairs", blocks=pairs),
        Tab(name="plots", title="Plots", pictures=pictures),
        Tab(name="details", title="Details", sections=others),
        Tab(name="methods", title="Methods", blocks=(*paper[:1], *again), sections=methods),
    ]
    return [Tab(name="answer", title="Answer"), *(tab for tab in found if tab.pictures or tab.blocks or tab.sections)]


def notebook_pictures(result: Result) -> tuple[tuple[str, str], ...]:
    """The plots, the one beside the answer first: the address of an image without style sheet, and its caption."""
    from foldwise.render.plot import alone, compact, figure_file

    found = []
    for name, drawing in _in_order(result).items():
        with warnings.catch_warnings():
            # the reader's font draws the text, whatever Matplotlib's own lacks
            warnings.filterwarnings("ignore", message="Glyph .* missing", category=UserWarning)
            drawn = compact(figure_file(alone(drawing), name))
        encoded = base64.b64encode(drawn.encode()).decode()
        found.append((f"data:image/svg+xml;base64,{encoded}", drawing.caption))
    return tuple(found)


def unbroken(text: str) -> Markup:
    """Text in which options, percentages, and in commands all words with a hyphen, stay on one line if they can.

    Browsers break lines after any hyphen, even after the first of ``--store``. What is copied is the text itself.

    >>> print(unbroken("foldwise table <x>.csv --lower-is-better"))
    foldwise table &lt;x&gt;.csv <span class="unbroken">--lower-is-better</span>
    >>> print(unbroken("10-fold, or --folds=5: 6 % errors"))
    10-fold, or <span class="unbroken">--folds=5:</span> <span class="unbroken">6 %</span> errors
    """
    from markupsafe import Markup, escape

    words = _IN_COMMANDS if text.startswith("foldwise ") else _IN_PROSE
    parts = words.split(text)  # every other part is a word to keep whole
    kept = [
        Markup('<span class="unbroken">{}</span>').format(part) if i % 2 else escape(part)
        for i, part in enumerate(parts)
    ]
    return Markup("").join(kept)


def stylesheet() -> str:
    """The rules that `body_html` needs; everything in it is below the class ``foldwise``."""
    return (_TEMPLATES / "style.css").read_text(encoding="utf-8")


def _in_order(result: Result) -> dict[str, Drawing]:
    """The plots that a page shows, the one beside the answer first."""
    shown = {name: drawing for name, drawing in plots_of(result).items() if drawing.on_page}
    order = sorted(shown, key=lambda name: (not shown[name].lead, not shown[name].main))  # stable
    return {name: shown[name] for name in order}


def _plots(result: Result) -> tuple[Plot, ...]:
    from foldwise.render.plot import alone, figure_svg

    return tuple(
        Plot(svg=figure_svg(alone(drawing), name, description=drawing.caption), caption=drawing.caption, name=name)
        for name, drawing in _in_order(result).items()
    )


def _for_a_paper(document: Document) -> tuple[Snippet, ...]:
    if not document.methods:
        return ()
    found = [
        Snippet(label="Methods sentence", text=document.methods),
        Snippet(label="Methods sentence, LaTeX", text=latex(document.methods)),
    ]
    table = document_table(document)
    if table is not None:
        found.append(Snippet(label="Table, LaTeX (packages booktabs and graphicx)", text=table))
    return tuple(found)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["unbroken"] = unbroken
    return environment


def _render(template: str, **values: object) -> str:
    return _environment().get_template(template).render(**values)
