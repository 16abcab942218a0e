"""Who may talk to the page, and what a browser may do with it.

The page listens on the loopback address only, but every web site that the user visits can make the browser send
requests there. Two checks keep them out: the Host header must be one of the page's own names (a foreign name that
resolves to 127.0.0.1, "DNS rebinding", is refused), and a request that sends data must come from the page itself
(Origin, Sec-Fetch-Site). A link or a frame on another site may lead to a page of ours, but nothing is computed for it:
that needs a request of the page itself or of the browser's address bar (`asked_here`).
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # not no-referrer: with that, browsers send "Origin: null" with the page's own forms
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""Plots style their lines inline, so inline styles are allowed; inline scripts are not."""

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

ErrorPage = Callable[[Request, int, str], Response]


def own_hosts(host: str, port: int, others: Collection[str] = ()) -> frozenset[str]:
    """The Host headers that mean this page.

    Examples
    --------
    >>> sorted(own_hosts("127.0.0.1", 8000))
    ['127.0.0.1:8000', '[::1]:8000', 'localhost:8000']
    """
    given = f"[{host}]" if ":" in host else host
    names = {name.lower() for name in (*LOOPBACK, given, *others)}
    with_port = {f"{name}:{port}" for name in names}
    return frozenset(with_port | names if port == 80 else with_port)


def asked_here(request: Request) -> bool:
    """Whether a request comes from the page itself or from the address bar, so that it may make the page compute.

    Browsers say so in Sec-Fetch-Site, which no site can forge; older ones, which do not, say in Referer where they
    come from.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    return urlsplit(request.headers.get("referer", "")).netloc.lower() == request.headers.get("host", "").lower()


class Guard:
    """Refuses foreign requests, puts the headers on every answer, and lets no traceback out.

    Parameters
    ----------
    app
        What is guarded.
    hosts
        The Host headers that mean this page.
    error_page
        Makes the answer for a status and a sentence.
    """

    def __init__(self, app: ASGIApp, *, hosts: Collection[str], error_page: ErrorPage) -> None:
        self._app, self._hosts, self._error_page = app, hosts, error_page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with a refusal."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                _put_headers(message)
            await send(message)

        refusal = self._refusal(scope)
        if refusal:
            await self._error_page(Request(scope), 403, refusal)(scope, receive, guarded)
            return
        try:
            await self._app(scope, receive, guarded)
        except ClientDisconnect:
            return  # nobody is there to answer
        except Exception:  # noqa: BLE001  # the last place before the network
            traceback.print_exc(file=sys.stderr)
            if not started:
                sentence = "something went wrong inside foldwise; its log has the details"
                await self._error_page(Request(scope), 500, sentence)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self._hosts:
            return "this address is not one of the page's own: open it as it was printed when the page was started"
        if scope["method"] not in ("GET", "HEAD") and not self._same_origin(headers):
            return "another site tried to send something to this page, which it may not"
        if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode", "navigate") != "navigate":
            return "another site may link to this page, but not load parts of it"
        return ""

    def _same_origin(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in {f"http://{host}" for host in self._hosts}:
            return False
        # browsers that know this header always send it; programs that know neither are not driven by a site
        return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")


def _put_headers(message: Message) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers[name] = value
    headers.setdefault("Cache-Control", "no-store")
