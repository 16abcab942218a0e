"""The application: addresses, and what happens at each."""

from __future__ import annotations

import sys
import threading
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from foldwise.core.errors import FoldwiseError
from foldwise.render.html import stylesheet
from foldwise.web import calculators, door_pages
from foldwise.web.doors.base import Submission
from foldwise.web.limits import Limits
from foldwise.web.live_example import FIRST_ANSWER, live_example
from foldwise.web.rendering import STATIC, error_page
from foldwise.web.security import Guard, own_hosts
from foldwise.web.uploads import on_disk
from foldwise.web.workers import JobFailed, Workers


def create_app(
    *, host: str = "127.0.0.1", port: int = 8000, hosts: Collection[str] = (), limits: Limits | None = None
) -> Starlette:
    """The page as an ASGI application.

    Parameters
    ----------
    host, port
        Where it listens, which decides the Host headers it answers to.
    """
    chosen = limits or Limits()
    guard = Middleware(Guard, hosts=own_hosts(host, port, hosts), error_page=error_page)
    app = Starlette(
        routes=[
            Route("/", door_pages.home),
            Route("/queue", queue),
            Route("/live-example", live_example, methods=["POST"]),
            Route("/advise", calculators.advise_page),
            Route("/plan", calculators.plan_page),
            Route("/static/report.css", report_style),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route("/{door}", door_pages.door_page, methods=["GET", "POST"]),
            Route("/plan/picture/{name}.{kind}", calculators.plan_picture, methods=["POST"]),
            Route("/{door}/report.{kind}", door_pages.report_file, methods=["POST"]),
            Route("/{door}/picture/{name}.{kind}", door_pages.picture_of_door, methods=["POST"]),
        ],
        middleware=[guard],
        exception_handlers={HTTPException: _http_error},
        lifespan=_lifespan,
    )
    app.state.limits = chosen
    app.state.run = _Runner(chosen)
    app.state.small = None  # the first live example, as soon as there is one
    return app


class _Runner:
    """Does jobs without blocking the page, and writes to the log what the page does not show."""

    def __init__(self, limits: Limits) -> None:
        self.workers = Workers(
            count=limits.workers, seconds=limits.seconds, waiting=limits.waiting, megabytes=limits.memory
        )

    async def __call__(self, job: str, *arguments: object) -> Any:
        try:
            return await anyio.to_thread.run_sync(self._run, job, arguments)
        except JobFailed as error:
            sys.stderr.write(f"{error}\n")
            raise HTTPException(500, "something went wrong inside foldwise; its log has the details") from error

    def _run(self, job: str, arguments: tuple[object, ...]) -> Any:
        """Do it; files are on disk meanwhile, and are gone afterwards even where the process was ended."""
        files = next((given.files for given in arguments if isinstance(given, Submission)), ())
        if not files:
            return self.workers.run(job, *arguments)
        with on_disk(files) as folder:
            placed = [
                replace(given, folder=str(folder)) if isinstance(given, Submission) else given for given in arguments
            ]
            return self.workers.run(job, *placed)


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    workers = app.state.run.workers
    warming = threading.Thread(target=_warm_up, args=(app,), daemon=True, name="foldwise warm-up")
    warming.start()
    try:
        yield
    finally:
        workers.close()
        warming.join()  # it ends with its process; on its own it would meet an interpreter that is shutting down


def _warm_up(app: Starlette) -> None:
    """Start a process, and let it draw the first screen's picture, so that nobody waits for either."""
    workers = app.state.run.workers
    with suppress(FoldwiseError, JobFailed):  # closed already, or busy: the page asks for the picture itself
        app.state.small = workers.run("small_answer", *FIRST_ANSWER)


async def queue(request: Request) -> Response:
    """How many answers were asked for and given, by which a page that waits says how many come before its own."""
    return JSONResponse(request.app.state.run.workers.queue)


async def report_style(request: Request) -> Response:
    return Response(stylesheet(), media_type="text/css")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    messages = {404: "there is nothing at this address", 405: f"this address does not take {request.method} requests"}
    return error_page(request, error.status_code, messages.get(error.status_code, error.detail))
