"""Pages from templates; whatever comes from data is escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

import foldwise
from foldwise.data.formats import FORMATS
from foldwise.reading.catalogue import READERS
from foldwise.render.html import unbroken
from foldwise.web.doors import DOORS, FIRST

_HERE = Path(__file__).parent
STATIC = _HERE / "static"

LONGEST_MESSAGE = 400

TITLES = {
    400: "That request makes no sense", 403: "Not from there", 404: "There is no such page",
    405: "That does not work here", 408: "That took too long", 413: "That is too large", 500: "Something went wrong",
    503: "Not now",
}  # fmt: skip


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    accepted = ",".join(word for found in FORMATS for word in (*found.suffixes, *found.media_types))
    names = ", ".join(found.name for found in reversed(FORMATS))
    environment.globals.update(
        doors=tuple(door for door in DOORS.values() if door is not FIRST),
        version=foldwise.__version__,
        accepted=accepted,
        formats=names,
        readers=READERS,
    )
    environment.filters.update(sentence=sentence, unbroken=unbroken)
    return environment


def page(template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    return HTMLResponse(_environment().get_template(template).render(**values), status_code=status)


def error_page(request: Request, status: int, message: str) -> HTMLResponse:
    """The page for something that can't be done, in one sentence."""
    title = TITLES.get(status, "That does not work")
    return page("error.html", status=status, title=title, message=message, here="")


def attachment(content: str | bytes, name: str, media_type: str) -> Response:
    plain = name.encode("ascii", "replace").decode().replace("?", "_")
    return Response(content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{plain}"'})


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
