from __future__ import annotations

import sys

import pytest

pytest.importorskip("starlette", reason="the web page needs the extra 'web'")

from starlette.testclient import TestClient
from web.reading import Reply
from web.sparing import InWords

from foldwise.web.app import create_app

HOST = "127.0.0.1:8000"


class Visitor:
    """A browser without a screen: sends forms as one would, and reads the pages."""

    def __init__(self, client):
        self._client = client

    def get(self, address, **headers):
        """Type an address into the address bar, unless the headers say otherwise."""
        return Reply(self._client.get(address, headers={"Sec-Fetch-Site": "none", **headers}))

    def send(self, address, content, **headers):
        """Post as a program would that knows nothing of browsers."""
        return Reply(self._client.post(address, content=content, headers=headers))

    def post(self, address, *, file=None, dropped=(), headers=None, **fields):
        parts = [(name, (None, str(value))) for name, value in fields.items()]
        parts += [("file", each) for each in ([] if file is None else [file])]
        parts += [("file", (path.rpartition("/")[2], content)) for path, content in dropped]
        if dropped:  # as the page's script does it
            parts.append(("paths", (None, "\r\n".join(path for path, _ in dropped))))  # and the browser ends the lines
        origin = {"Origin": f"http://{HOST}", "Sec-Fetch-Site": "same-origin"}
        return Reply(self._client.post(address, files=parts, headers={**origin, **(headers or {})}))


@pytest.fixture(scope="session")
def app():
    return create_app()


@pytest.fixture(scope="session")
def visitor(app):
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield Visitor(client)


@pytest.fixture(scope="session")
def reader():
    """A visitor of a page without pictures, where words are looked for; the rest of it is the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[create_app.__module__], "Workers", InWords)
        page = create_app()
    with TestClient(page, base_url=f"http://{HOST}") as client:
        yield Visitor(client)
