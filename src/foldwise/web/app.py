"""The application: addresses, and what happens at each."""

from __future__ import annotations

import sys
import threading
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from foldwise.report.html import stylesheet
from foldwise.web import calculators, visits
from foldwise.web.limits import Limits
from foldwise.web.rendering import STATIC, error_page, page
from foldwise.web.security import Guard, own_hosts
from foldwise.web.workers import JobFailed, Workers

__all__ = ["create_app"]


def create_app(
    *, host: str = "127.0.0.1", port: int = 8000, hosts: Collection[str] = (), limits: Limits | None = None
) -> Starlette:
    """The page as an ASGI application.

    Parameters
    ----------
    host, port
        Where it listens, which decides the Host headers it answers to.
    hosts
        Further names by which it may be called.
    limits
        What it refuses beyond.
    """
    chosen = limits or Limits()
    guard = Middleware(Guard, hosts=own_hosts(host, port, hosts), error_page=error_page)
    app = Starlette(
        routes=[
            Route("/", home),
            Route("/advise", calculators.advise_page),
            Route("/plan", calculators.plan_page),
            Route("/static/report.css", report_style),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route("/{door}", visits.door_page, methods=["GET", "POST"]),
            Route("/{door}/report.{kind}", visits.report_file, methods=["POST"]),
        ],
        middleware=[guard],
        exception_handlers={HTTPException: _http_error},
        lifespan=_lifespan,
    )
    app.state.limits = chosen
    app.state.run = _Runner(chosen)
    return app


class _Runner:
    """Does jobs without blocking the page, and writes to the log what the page does not show."""

    def __init__(self, limits: Limits) -> None:
        self.workers = Workers(
            count=limits.workers, seconds=limits.seconds, waiting=limits.waiting, megabytes=limits.memory
        )

    async def __call__(self, job: str, *arguments: object) -> Any:
        try:
            return await anyio.to_thread.run_sync(self.workers.run, job, *arguments)
        except JobFailed as error:
            sys.stderr.write(f"{error}\n")
            raise HTTPException(500, "something went wrong inside foldwise; its log has the details") from error


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    workers = app.state.run.workers
    warming = threading.Thread(target=workers.warm_up, daemon=True, name="foldwise warm-up")
    warming.start()
    try:
        yield
    finally:
        workers.close()
        warming.join()  # it ends with its process; on its own it would meet an interpreter that is shutting down


async def home(request: Request) -> Response:
    """The doors and the calculators."""
    return page("home.html", here="")


async def report_style(request: Request) -> Response:
    """The reports' own stylesheet."""
    return Response(stylesheet(), media_type="text/css")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    messages = {
        404: "there is nothing at this address",
        405: f"this address does not take {request.method} requests",
    }
    return error_page(request, error.status_code, messages.get(error.status_code, error.detail))
