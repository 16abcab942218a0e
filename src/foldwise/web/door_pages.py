"""The pages of the doors: forms, looks, answers, and the examples that come with them."""

from __future__ import annotations

from functools import cache
from pathlib import Path, PurePath
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from foldwise.core.errors import FoldwiseError, InvalidInput, LimitExceeded
from foldwise.render.plot import PICTURE_FILES
from foldwise.web.doors import DOORS, FIRST
from foldwise.web.doors.base import Door, Submission
from foldwise.web.forms import Body, read_entry
from foldwise.web.jobs import Visit
from foldwise.web.limits import Limits
from foldwise.web.live_example import SLIDERS
from foldwise.web.rendering import attachment, page
from foldwise.web.security import asked_here
from foldwise.web.uploads import pack, plain_name, taken

LONG_TEXT = 60_000
"""Characters beyond which the text travels in a hidden field: a text area would make the browser slow."""

TABLES = ("predictions", "scores", "table")  # Doors for tables, which may be taken for one another.

FILES = {"html": "text/html", "json": "application/json", "zip": "application/zip"}


async def home(request: Request) -> Response:
    """The first screen: anything can be dropped here."""
    return _home(request)


async def door_page(request: Request) -> Response:
    """Look at what somebody brought, and answer if that was asked for."""
    door = _door(request)
    if request.method != "POST":
        if door is FIRST:
            return _home(request)
        entry = example_entry(door) if "example" in request.query_params and asked_here(request) else Submission()
        return await _visit(request, door, entry, "look" if entry.brought else "arrive")
    body = Body(request)
    try:
        entry, step = await _brought(request, door, body)
    except (HTTPException, FoldwiseError) as error:
        return _Lingering(_refused(request, door, error), body)
    return await _visit(request, door, entry, step)


async def report_file(request: Request) -> Response:
    door, kind = _door(request), request.path_params["kind"]
    if kind not in FILES:
        raise HTTPException(404)
    called = "paper" if kind == "zip" else "report"
    return await _file(request, door, "download", kind, media_type=FILES[kind], called=called)


async def picture_of_door(request: Request) -> Response:
    """One picture of an answer as a file to keep."""
    door, name, kind = _door(request), request.path_params["name"], request.path_params["kind"]
    if kind not in PICTURE_FILES:
        raise HTTPException(404)
    return await _file(request, door, "picture", name, kind, media_type=PICTURE_FILES[kind], called=plain_name(name))


async def _file(request: Request, door: Door, job: str, *arguments: str, media_type: str, called: str) -> Response:
    body = Body(request)
    try:
        entry, _ = await _brought(request, door, body)
        _check(entry)
        content = await request.app.state.run(job, door.name, entry, *arguments)
    except (HTTPException, FoldwiseError) as error:
        return _Lingering(_refused(request, door, error), body)
    stem = PurePath(entry.name).stem if entry.text or entry.files else door.name
    return attachment(content, f"{stem}-{called}.{arguments[-1]}", media_type)


async def _brought(request: Request, door: Door, body: Body) -> tuple[Submission, str]:
    entry, step = await read_entry(request, body, request.app.state.limits, several=door.several)
    return (
        (example_entry(door), step) if "example" in entry.options and not (entry.text or entry.files) else (entry, step)
    )


def _check(entry: Submission) -> None:
    if entry.refused:
        raise InvalidInput(entry.refused)


async def _visit(request: Request, door: Door, entry: Submission, step: str) -> Response:
    if step == "arrive":
        return _show(request, door, entry)
    try:
        _check(entry)
        if door.several and not entry.files:
            raise InvalidInput("there is nothing to look at: drop a file, choose one, or paste its text")
        visit = await request.app.state.run("visit", door.name, entry, step == "answer")
    except (HTTPException, FoldwiseError) as error:
        return _show(request, door, entry, problem=_words(error), status=_status(error))
    problem = visit.problem or visit.understanding.problem
    chosen, seen = DOORS[visit.door], visit.entry or entry
    if chosen is FIRST and visit.understanding.nothing:
        return _home(request, problem=problem, status=422)
    return _show(request, chosen, seen, visit=visit, problem=problem, status=422 if problem else 200)


def _home(request: Request, *, problem: str = "", status: int = 200) -> Response:
    limits: Limits = request.app.state.limits
    return page(
        "home.html", status=status, here="", door=FIRST, problem=problem, refused="", limits=limits,
        examples=EXAMPLES, small=request.app.state.small, sliders=SLIDERS,
    )  # fmt: skip


def _show(
    request: Request, door: Door, entry: Submission, *, visit: Visit | None = None, problem: str = "", status: int = 200
) -> Response:
    limits: Limits = request.app.state.limits
    if door is FIRST and visit is None:
        return _home(request, problem=problem, status=status)
    return page(
        "door.html",
        status=status,
        here=door.name,
        door=door,
        entry=entry,
        visit=visit,
        problem=problem,
        long_text=len(entry.text) > LONG_TEXT,
        packed=entry.packed,
        live=request.headers.get("hx-target") == "answer",  # an option was changed, and the rest of the page stays
        others=_others(door, entry),
        limits=limits,
    )


def _others(door: Door, entry: Submission) -> list[Door]:
    """Doors that might take the same table, for people to choose."""
    if not entry.text and len(entry.files) != 1:
        return []
    return [DOORS[name] for name in (FIRST.name, *TABLES) if name != door.name]


def _refused(request: Request, door: Door, error: HTTPException | FoldwiseError) -> Response:
    """The door's page with a sentence on why nothing could be taken in."""
    return _show(request, door, Submission(), problem=_words(error), status=_status(error))


def _words(error: HTTPException | FoldwiseError) -> str:
    return error.detail if isinstance(error, HTTPException) else error.said("page")


def _status(error: HTTPException | FoldwiseError) -> int:
    if isinstance(error, HTTPException):
        return error.status_code
    return 503 if isinstance(error, LimitExceeded) else 422


def _door(request: Request) -> Door:
    name = request.path_params["door"]
    if name not in DOORS:
        raise HTTPException(404)
    return DOORS[name]


class _Lingering(Response):
    """Sends a response at once, then takes what the client still sends, then ends it."""

    def __init__(self, response: Response, body: Body) -> None:
        super().__init__(response.body, response.status_code, dict(response.headers))
        self._unread = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the head and the body, and close only when the other side has sent everything."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        await self._unread.drain()
        await send({"type": "http.response.body", "body": b""})


_HERE = Path(__file__).parent


EXAMPLES = (
    {"door": "judge", "title": "Logs of two language models", "words": "lm-evaluation-harness, 2 tasks, 70 questions"},
    {"door": "predictions", "title": "Predictions on a test set", "words": "two classifiers, 190 examples"},
    {"door": "scores", "title": "Scores of a cross-validation", "words": "two learners, 10 × 10 folds"},
    {"door": "table", "title": "Learners on many data sets", "words": "Demšar’s table: four learners, 14 data sets"},
)
"""Examples on the first screen: the door that answers each, what it is called, and what it shows."""


def example_entry(door: Door) -> Submission:
    """The example of a door as somebody would have brought it."""
    if "=" in door.example:
        return Submission(options=dict(parse_qsl(door.example)))
    if door.several:
        files = taken([(door.example, example_bytes(door.example))], Limits())
        return Submission(files=files, packed=pack(files))
    return Submission(text=example_text(door.example), filename=door.example)


def example_text(name: str) -> str:
    return example_bytes(name).decode("utf-8")


@cache
def example_bytes(name: str) -> bytes:
    """An example: beside this file in an installed package, else in the source's folder of examples."""
    folders = (_HERE / "examples", _HERE.parents[2] / "examples")
    path = next(folder / name for folder in folders if (folder / name).is_file())
    return path.read_bytes()
