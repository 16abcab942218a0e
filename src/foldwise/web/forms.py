"""Forms, read within bounds and in memory.

Nothing here looks into the data: whatever is to be unpacked, decoded or counted goes to a worker (`jobs.take_in`),
whose memory and time are limited.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

import anyio
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from foldwise.web.doors.base import Submission
from foldwise.web.limits import Limits

MOST_FIELDS = 40
DRAINED_BYTES = 2_000_000_000
DRAINED_SECONDS = 20.0
ARRIVING_SECONDS = 120.0
NO_OPTIONS = ("text", "filename", "files", "paths")  # Fields that carry data, not what somebody chose.


class Body:
    """The body of a request, taken piece by piece.

    Parameters
    ----------
    request
        The request, nothing of whose body was read yet.
    """

    def __init__(self, request: Request) -> None:
        self._receive = request.receive
        self._complete = False

    async def chunks(self, limits: Limits) -> AsyncGenerator[bytes, None]:
        """The pieces as they come, until they are too much."""
        seen = 0
        while not self._complete:
            chunk = await self._next()
            seen += len(chunk)
            if seen > limits.body_bytes:
                raise HTTPException(413, limits.too_large)
            yield chunk

    async def drain(self) -> None:
        """Throw away what is still to come, within bounds.

        A browser that is still sending shows its own error page, not ours, when the connection is closed on it.
        """
        seen = 0
        with anyio.move_on_after(DRAINED_SECONDS):
            while not self._complete and seen < DRAINED_BYTES:
                seen += len(await self._next())

    async def _next(self) -> bytes:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        self._complete = not message.get("more_body", False)
        chunk: bytes = message.get("body", b"")
        return chunk


class _InMemory(MultiPartParser):
    """Keeps files in memory, whose size the caller has bounded."""

    spool_max_size = 2**62


async def read_entry(request: Request, body: Body, limits: Limits, *, several: bool = False) -> tuple[Submission, str]:
    """What the form brought, and the step that was asked for.

    Parameters
    ----------
    several
        Whether the door takes any number of files, whatever they are; else it takes one table.

    Raises
    ------
    HTTPException
        413 when it is too large, as soon as that is known; 400 when it is no form.
    InvalidInput
        The file is not text, or a packed one is damaged.
    """
    form = await _form(request, body, limits)
    options = {name: value for name, value in form.items() if isinstance(value, str)}
    step = options.pop("step", "look")
    uploads = [value for value in form.getlist("file") if isinstance(value, UploadFile) and value.filename]
    brought = [(upload.filename or "", await upload.read()) for upload in uploads]
    await form.close()  # with the files of other fields
    if sum(len(raw) for _, raw in brought) > limits.data_bytes or len(options.get("text", "")) > limits.data_bytes:
        raise HTTPException(413, limits.too_large)
    if not brought and not any(options.get(name) for name in ("text", "files")):
        return Submission(options={name: value for name, value in options.items() if name not in NO_OPTIONS}), step
    return await request.app.state.run("take_in", options, brought, limits, several), step


async def _form(request: Request, body: Body, limits: Limits) -> FormData:
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced) > limits.body_bytes:
        raise HTTPException(413, limits.too_large)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    stream = body.chunks(limits)
    try:
        with anyio.fail_after(ARRIVING_SECONDS):
            return await _parsed(request, kind, stream, limits)
    except TimeoutError as error:
        raise HTTPException(408, f"the data took longer than {ARRIVING_SECONDS:g} seconds to arrive") from error
    except MultiPartException as error:
        too_much = "maximum size" in error.message
        raise HTTPException(413 if too_much else 400, limits.too_large if too_much else _NO_FORM) from error


async def _parsed(request: Request, kind: str, stream: AsyncGenerator[bytes, None], limits: Limits) -> FormData:
    if kind == "multipart/form-data":
        return await _InMemory(
            request.headers, stream, max_files=limits.files, max_fields=MOST_FIELDS,
            max_part_size=limits.data_bytes + 1000,
        ).parse()  # fmt: skip
    if kind == "application/x-www-form-urlencoded":
        return await FormParser(request.headers, stream).parse()
    raise HTTPException(400, _NO_FORM)


_NO_FORM = "the request is not a form that this page knows"
