"""The pages of the doors: data in, what was understood, the report, its files."""

from __future__ import annotations

from pathlib import PurePath
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from foldwise.core.errors import FoldwiseError, LimitExceeded
from foldwise.web.doors import DOORS
from foldwise.web.doors.base import Door, Entry
from foldwise.web.forms import Body, read_entry
from foldwise.web.jobs import Visit
from foldwise.web.limits import Limits
from foldwise.web.rendering import example_text, page
from foldwise.web.security import asked_here

__all__ = ["door_page", "report_file"]

LONG_TEXT = 60_000
"""Characters beyond which the text travels in a hidden field: a text area would make the browser slow."""

FILES = {"html": "text/html", "json": "application/json"}


async def door_page(request: Request) -> Response:
    """Look at what somebody brought, and answer if that was asked for."""
    door = _door(request)
    if request.method != "POST":
        entry = _example(door) if "example" in request.query_params and asked_here(request) else Entry()
        return await _visit(request, door, entry, "look" if entry.text or entry.options else "arrive")
    body = Body(request)
    try:
        entry, step = await read_entry(request, body, request.app.state.limits)
    except (HTTPException, FoldwiseError) as error:
        return _Lingering(_refused(request, door, error), body)
    return await _visit(request, door, entry, step)


async def report_file(request: Request) -> Response:
    """The report as a file to keep."""
    door, kind = _door(request), request.path_params["kind"]
    if kind not in FILES:
        raise HTTPException(404)
    body = Body(request)
    try:
        entry, _ = await read_entry(request, body, request.app.state.limits)
        request.app.state.limits.check(entry.table)
        content = await request.app.state.run("download", door.name, entry, kind)
    except (HTTPException, FoldwiseError) as error:
        return _Lingering(_refused(request, door, error), body)
    name = f"{PurePath(entry.filename).stem if entry.text else door.name}-report.{kind}"
    plain = name.encode("ascii", "replace").decode().replace("?", "_")
    headers = {"Content-Disposition": f'attachment; filename="{plain}"'}
    return Response(content, media_type=FILES[kind], headers=headers)


async def _visit(request: Request, door: Door, entry: Entry, step: str) -> Response:
    if step == "arrive":
        return _show(request, door, entry)
    try:
        request.app.state.limits.check(entry.table)
        visit = await request.app.state.run("visit", door.name, entry, step == "answer")
    except (HTTPException, FoldwiseError) as error:
        return _show(request, door, entry, problem=_words(error), status=_status(error))
    problem = visit.problem or visit.understanding.problem
    return _show(request, door, entry, visit=visit, problem=problem, status=422 if problem else 200)


def _show(
    request: Request, door: Door, entry: Entry, *, visit: Visit | None = None, problem: str = "", status: int = 200
) -> Response:
    limits: Limits = request.app.state.limits
    return page(
        "door.html",
        status=status,
        here=door.name,
        door=door,
        entry=entry,
        visit=visit,
        problem=problem,
        long_text=len(entry.text) > LONG_TEXT,
        limits=limits,
    )


def _refused(request: Request, door: Door, error: HTTPException | FoldwiseError) -> Response:
    """The door's page with a sentence on why nothing could be taken in."""
    return _show(request, door, Entry(), problem=_words(error), status=_status(error))


def _words(error: HTTPException | FoldwiseError) -> str:
    return error.detail if isinstance(error, HTTPException) else str(error)


def _status(error: HTTPException | FoldwiseError) -> int:
    if isinstance(error, HTTPException):
        return error.status_code
    return 503 if isinstance(error, LimitExceeded) else 422


def _door(request: Request) -> Door:
    name = request.path_params["door"]
    if name not in DOORS:
        raise HTTPException(404)
    return DOORS[name]


def _example(door: Door) -> Entry:
    if "=" in door.example:
        return Entry(options=dict(parse_qsl(door.example)))
    return Entry(text=example_text(door.example), filename=door.example)


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
