"""Result objects as HTML: a whole page, the part of it that another page can embed, or a notebook cell."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foldwise.report.page import Page
from foldwise.report.pages import page_of
from foldwise.report.provenance import versions

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["body_html", "brief_html", "page_html", "stylesheet", "to_html"]

_TEMPLATES = Path(__file__).parent / "templates"


def to_html(result: Any, *, command: str | None = None) -> str:
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
    return _render("page.html", page=page, style=stylesheet(), versions=versions())


def body_html(page: Page) -> str:
    """A report as an ``<article>`` to embed in another page, which brings `stylesheet` along."""
    return _render("body.html", page=page, versions=versions())


def brief_html(result: Any) -> str:
    """A result as a notebook shows it: the verdict and its numbers."""
    return _render("brief.html", page=page_of(result, plots=False))


def stylesheet() -> str:
    """The rules that `body_html` needs; everything in it is below the class ``foldwise``."""
    return (_TEMPLATES / "style.css").read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _render(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(**values)
