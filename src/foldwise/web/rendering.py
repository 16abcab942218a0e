"""Pages from templates; whatever comes from data is escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

import foldwise
from foldwise.data.formats import FORMATS
from foldwise.report.html import unbroken
from foldwise.web.doors import DOORS

__all__ = ["STATIC", "error_page", "example_text", "page"]

_HERE = Path(__file__).parent
STATIC = _HERE / "static"

LONGEST_MESSAGE = 400

TITLES = {
    400: "That request makes no sense",
    403: "Not from there",
    404: "There is no such page",
    405: "That does not work here",
    408: "That took too long",
    413: "That is too large",
    500: "Something went wrong",
    503: "Not now",
}


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    accepted = ",".join(word for found in FORMATS for word in (*found.suffixes, *found.media_types))
    names = ", ".join(found.name for found in reversed(FORMATS))
    environment.globals.update(
        doors=tuple(DOORS.values()), version=foldwise.__version__, accepted=accepted, formats=names
    )
    environment.filters.update(sentence=sentence, unbroken=unbroken)
    return environment


def page(template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """An answer from a template."""
    return HTMLResponse(_environment().get_template(template).render(**values), status_code=status)


def error_page(request: Request, status: int, message: str) -> HTMLResponse:
    """The page for something that can't be done, in one sentence."""
    title = TITLES.get(status, "That does not work")
    return page("error.html", status=status, title=title, message=message, here="")


def sentence(message: str) -> str:
    """A message of the library as a sentence of moderate length.

    Examples
    --------
    >>> sentence("the text is empty"), sentence("n_train must be a number")
    ('The text is empty.', 'n_train must be a number.')
    """
    text = " ".join(message.split())
    if len(text) > LONGEST_MESSAGE:
        text = text[: LONGEST_MESSAGE - 1].rstrip() + "…"
    first = text.partition(" ")[0]
    start = text[:1] if "_" in first or "." in first else text[:1].upper()  # names stay as they are written
    return start + text[1:] + ("" if text.endswith((".", "…", "?", "!")) or not text else ".")


@cache
def example_text(name: str) -> str:
    """The example of a door: beside this file in an installed package, else in the source's folder of examples."""
    folders = (_HERE / "examples", _HERE.parents[2] / "examples")
    path = next(folder / name for folder in folders if (folder / name).is_file())
    return path.read_text(encoding="utf-8")
