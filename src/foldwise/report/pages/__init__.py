"""How each kind of result becomes a page: one file per kind, which the result's class names (`Result.page`).

A file has ``page(result) -> Page`` and, where there is something to see, ``drawings(result) -> dict[str, Drawing]``;
it is loaded when it is needed.
"""

from __future__ import annotations

import base64
import warnings
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from foldwise.core.decisions import assumed_text
from foldwise.core.result import Recalled, Result
from foldwise.report.latex import latex, latex_table
from foldwise.report.page import Block, Page, Plot, Section, Snippet

if TYPE_CHECKING:
    from foldwise.report.drawings import Drawing

__all__ = ["bare_page", "drawings_of", "lead_picture", "page_of", "paper_files", "paper_latex"]


def page_of(result: Result, *, plots: bool = True) -> Page:
    """The page of a result.

    Parameters
    ----------
    result
        Any result object.
    plots
        Whether to draw its pictures, which takes Matplotlib and a moment.
    """
    page = bare_page(result)
    sections = [section for section in page.sections if section.blocks]
    if plots:
        pictures = _pictures(result)
        sections = _with_pictures(sections, tuple(pictures[1:]))
        page = replace(page, lead=pictures[0] if pictures else None)
    return replace(page, sections=(*sections, *_for_a_paper(page)))


def bare_page(result: Result, *, assumed: bool = True) -> Page:
    """The page as its own file makes it, without pictures and without what goes into a paper.

    Parameters
    ----------
    result
        Any result object.
    assumed
        Whether it says beside the answer what was assumed on the way to it.
    """
    shown = _itself(result)
    page: Page = _module(shown).page(shown)
    words = assumed_text(shown.reading) if assumed else ""
    return replace(page, detail=f"{page.detail} {words}".strip()) if words else page


def drawings_of(result: Result) -> dict[str, Drawing]:
    """The pictures that a result has, by name."""
    shown = _itself(result)
    module = _module(shown)
    return dict(module.drawings(shown)) if hasattr(module, "drawings") else {}


def paper_latex(page: Page) -> str | None:
    """The table that goes into a paper, for LaTeX; None where there is none."""
    table = page.paper_table
    if table is None:
        return None
    return latex_table(table.columns, table.rows, caption=table.caption or f"{page.title}, {page.subtitle}.")


def paper_files(result: Result) -> dict[str, str]:
    """Further files for LaTeX that belong into a paper about a result, by name."""
    shown = _itself(result)
    module = _module(shown)
    return dict(module.paper_files(shown)) if hasattr(module, "paper_files") else {}


def _module(result: Any) -> ModuleType:
    return import_module(f"{__name__}.{result.layout}")


def _itself(result: Result) -> Any:
    """What was read from JSON is shown as the result that was kept, where its evidence was."""
    return (result.stands_for() if isinstance(result, Recalled) else result).shown()


def lead_picture(result: Result) -> tuple[str, str] | None:
    """The picture beside the answer, as the address of an image that needs no style sheet, and its caption."""
    from foldwise.report.svg import figure_file

    shown = _shown(result)
    if not shown:
        return None
    name, drawing = next(iter(shown.items()))
    with warnings.catch_warnings():
        # the reader's font draws the text, whatever Matplotlib's own lacks
        warnings.filterwarnings("ignore", message="Glyph .* missing", category=UserWarning)
        drawn = figure_file(drawing.alone(), name)
    encoded = base64.b64encode(drawn.encode()).decode()
    return f"data:image/svg+xml;base64,{encoded}", drawing.caption


def _shown(result: Result) -> dict[str, Drawing]:
    """The pictures that a page shows, the one that stands beside the answer first."""
    shown = {name: drawing for name, drawing in drawings_of(result).items() if drawing.on_page}
    order = sorted(shown, key=lambda name: (not shown[name].lead, not shown[name].main))  # stable
    return {name: shown[name] for name in order}


def _pictures(result: Result) -> list[Plot]:
    from foldwise.report.svg import figure_svg

    shown = _shown(result)
    return [
        Plot(svg=figure_svg(shown[name].alone(), name, description=shown[name].caption), caption=shown[name].caption,
             name=name)
        for name in shown
    ]  # fmt: skip


def _with_pictures(sections: list[Section], pictures: tuple[Block, ...]) -> list[Section]:
    """After the brief sections, which hold the answer, before the details."""
    place = next((i for i, section in enumerate(sections) if not section.brief), len(sections))
    if not pictures:
        return sections
    return [*sections[:place], Section(heading="Plots", blocks=pictures), *sections[place:]]


def _for_a_paper(page: Page) -> tuple[Section, ...]:
    if not page.methods:
        return ()
    blocks: list[Block] = [
        Snippet(label="Methods sentence", text=page.methods),
        Snippet(label="Methods sentence, LaTeX", text=latex(page.methods)),
    ]
    if (table := paper_latex(page)) is not None:
        blocks.append(Snippet(label="Table, LaTeX (packages booktabs and graphicx)", text=table))
    return (Section(heading="For your paper", blocks=tuple(blocks)),)
