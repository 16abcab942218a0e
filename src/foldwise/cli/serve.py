"""``foldwise serve``: the local web page."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from typing import TYPE_CHECKING, Any

import click

from foldwise.core.errors import InvalidInput, MissingDependency

if TYPE_CHECKING:
    from starlette.applications import Starlette


LOOPBACK = ("127.0.0.1", "::1", "localhost")


@click.command("serve")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; 127.0.0.1 can be reached from this machine only.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0 picks a free one."
)
@click.option("--open/--no-open", "open_browser", default=True, help="Open the page in a browser, where there is one.")
@click.option(
    "--allow-host", multiple=True, metavar="NAME", help="Further host names by which the page may be reached."
)
@click.option("--max-upload", "megabytes", default=8.0, show_default=True, help="Megabytes of one upload.")
@click.option("--max-rows", "rows", default=100_000, show_default=True, help="Rows of one table.")
@click.option("--max-columns", "columns", default=500, show_default=True, help="Columns of one table.")
@click.option("--time-limit", "seconds", default=60.0, show_default=True, help="Seconds for one answer.")
@click.option("--max-memory", "memory", default=2000.0, show_default=True, help="Megabytes of memory for one answer.")
@click.option("--workers", default=2, show_default=True, help="Answers that are computed at the same time.")
def command(host: str, port: int, open_browser: bool, allow_host: tuple[str, ...], **limits: Any) -> None:
    """Open a local page: paste or drop data, read the verdict; which test to use, and how many examples.

    The page is for this machine only, stores nothing and needs no network. Ctrl-C ends it.
    """
    try:
        import python_multipart  # noqa: F401  # forms need it
        import uvicorn  # noqa: F401

        from foldwise.web.app import create_app
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("foldwise"):
            raise
        raise MissingDependency("the web page", "web") from error
    from foldwise.web.limits import Limits

    chosen = Limits(**limits)
    listening = _listen(host, port)
    with listening:
        port = listening.getsockname()[1]
        app = create_app(host=host, port=port, hosts=allow_host, limits=chosen)
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
        click.echo(f"foldwise is at {address}   (Ctrl-C ends it)")
        if host not in LOOPBACK:
            click.echo("note: everybody who can reach this machine can use the page", err=True)
        if open_browser and _has_screen():
            _open_soon(address)
        _serve(app, listening)


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens, or one sentence on why there is none."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise InvalidInput(
            f"host must be an address of this machine, got {host!r}: {error.strerror or error}"
        ) from error
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(64)
    except OSError as error:
        listening.close()
        reason = error.strerror or str(error)
        raise InvalidInput(f"port {port} of {host} can't be used ({reason}): give another with --port, or 0") from error
    return listening


def _has_screen() -> bool:
    """Whether a browser would open in a window; a text browser in this terminal would be in the way."""
    if sys.platform in ("win32", "darwin"):
        return sys.stdout.isatty()
    return sys.stdout.isatty() and bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open_soon(address: str) -> None:
    """Open the page; the socket listens already, so the browser waits until the first answer."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _serve(app: Starlette, listening: socket.socket) -> None:
    from foldwise.web.serving import run

    with contextlib.suppress(KeyboardInterrupt):  # the usual way to end it
        run(app, listening)
