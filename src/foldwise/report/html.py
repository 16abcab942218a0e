"""Result objects as HTML: a whole page, the part of it that another page can embed, or a notebook cell."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from foldwise.core.result import Result
from foldwise.report.page import Page
from foldwise.report.pages import lead_picture, page_of
from foldwise.report.provenance import versions

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["body_html", "brief_html", "page_html", "stylesheet", "to_html", "unbroken"]

_TEMPLATES = Path(__file__).parent / "templates"
_IN_PROSE = re.compile(r"(?<!\S)(['\"(]?--[a-z]\S*|\(?(?:[<>] )?−?\d[\d.,]* %\S?)")
_IN_COMMANDS = re.compile(r"(\S*-\S*)")


def to_html(result: Result, *, command: str | None = None) -> str:
    """A result as one self-contained page: no network, no script, light and dark, made for print too.

    Parameters
    ----------
    result
        Any result object.
    command
        What gave it, for results that do not know it themselves.
    """
    page = page_of(result)
    return page_html(replace(page, command=page.command or command))


def page_html(page: Page) -> str:
    """A report as a whole HTML document."""
    return _render("page.html", page=page, style=stylesheet(), versions=versions(), level=1, save_at="")


def body_html(page: Page, *, level: int = 2, save_at: str = "") -> str:
    """A report as an ``<article>`` to embed in another page, which brings `stylesheet` along.

    Parameters
    ----------
    page
        The report.
    level
        Of its title among the headings of the other page: 2 below an ``<h1>``.
    save_at
        The address below which a form of the other page gives every picture as a file; without it there are no buttons.
    """
    return _render("body.html", page=page, versions=versions(), level=level, save_at=save_at)


def brief_html(result: Result) -> str:
    """A result as a notebook shows it: the verdict, its picture, and its numbers."""
    return _render("brief.html", page=page_of(result, plots=False), picture=lead_picture(result))


def unbroken(text: str) -> Markup:
    """Text in which options, percentages, and in commands all words with a hyphen, stay on one line if they can.

    Browsers break lines after any hyphen, even after the first of ``--store``. What is copied is the text itself.

    Examples
    --------
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


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["unbroken"] = unbroken
    return environment


def _render(template: str, **values: object) -> str:
    return _environment().get_template(template).render(**values)
