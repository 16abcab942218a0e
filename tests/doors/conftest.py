"""The doors' own fixtures, shared: a caller of commands and a visitor of the page."""

from __future__ import annotations

import pytest
from cli.conftest import run
from web.conftest import app, reader, visitor
from web.test_roles import packed

from foldwise.web.doors import DOORS

__all__ = ["app", "on_page", "reader", "run", "visitor"]


@pytest.fixture
def on_page(reader):
    """Bring a file to a door of the page, choose, and read the answer."""

    def call(door, path, **fields):
        text = path.read_text(encoding="utf-8")
        if DOORS[door].several:  # files are brought first, and then something is chosen
            page = reader.post(f"/{door}", dropped=[(path.name, text)], step="answer")
            page = reader.post(f"/{door}", files=packed(page), step="answer", **fields) if fields else page
        else:
            page = reader.post(f"/{door}", text=text, filename=path.name, step="answer", **fields)
        assert page.alert is None, page.alert
        return page

    return call
