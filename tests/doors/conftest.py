"""The doors' own fixtures, shared: a caller of commands and a visitor of the page."""

from __future__ import annotations

from cli.conftest import run
from web.conftest import app, reader, visitor

__all__ = ["app", "reader", "run", "visitor"]
