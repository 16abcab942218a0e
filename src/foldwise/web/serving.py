"""The server under the page: as many connections as there are files for, and a log that can't fill a disk."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 100
MOST_WAITING = 32
FILES_OF_ITS_OWN = 48  # Files that the page needs besides: libraries, pipes to workers, the log.
PATIENCE = 20.0  # Seconds in which a new connection must have sent the head of a request.


def room_for_connections() -> tuple[int, int]:
    """How many connections may be open, and how many more may come at once, with the files that are allowed."""
    try:
        import resource
    except ImportError:  # Windows
        return MOST_CONNECTIONS, MOST_WAITING
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = soft - FILES_OF_ITS_OWN if soft != resource.RLIM_INFINITY else 10 * MOST_CONNECTIONS
    return max(2, min(MOST_CONNECTIONS, free // 2)), max(2, min(MOST_WAITING, free // 4))


class BoundedProtocol(H11Protocol):
    """Closes connections that ask for nothing: after some time, or the oldest when there are too many."""

    most = MOST_CONNECTIONS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection; where there are too many, give up the oldest that asks for nothing."""
        super().connection_made(transport)
        self.since = self.loop.time()
        self.patience = self.loop.call_later(PATIENCE, self._give_up)
        there = [each for each in self.connections if not each.transport.is_closing()]
        if len(there) > self.most:
            idle = [each for each in there if isinstance(each, BoundedProtocol) and not each.is_busy]
            min(idle or [self], key=lambda each: each.since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.patience.cancel()
        super().connection_lost(exc)

    @property
    def is_busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _give_up(self) -> None:
        if not self.headers:  # no request was ever complete enough to be known
            self.transport.abort()


class Sparing(logging.Filter):
    """Lets some messages of each minute through, so that whoever provokes them can't fill the disk.

    Parameters
    ----------
    most
        Messages of a minute.
    """

    def __init__(self, most: int = 20) -> None:
        super().__init__()
        self._most, self._minute, self._count = most, 0, 0

    def filter(self, record: logging.LogRecord) -> bool:
        minute = int(time.monotonic() // 60)
        if minute != self._minute:
            self._minute, self._count = minute, 0
        self._count += 1
        if self._count == self._most:
            record.msg, record.args, record.exc_info = "further messages of this minute are left out", (), None
        return self._count <= self._most


def run(app: Starlette, listening: socket.socket) -> None:
    """Serve the page on a socket that listens, until it is stopped."""
    most, waiting = room_for_connections()
    protocol: Any = type("Protocol", (BoundedProtocol,), {"most": most})
    config = uvicorn.Config(
        app, http=protocol, ws="none", backlog=waiting, log_level="warning", access_log=False, server_header=False,
        timeout_graceful_shutdown=5,
    )  # fmt: skip
    for name in ("asyncio", "uvicorn.error", "python_multipart.multipart"):
        logging.getLogger(name).addFilter(Sparing())
    uvicorn.Server(config).run(sockets=[listening])
