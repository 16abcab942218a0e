from __future__ import annotations

import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS / "_ext"))


@pytest.fixture(autouse=True)
def as_a_reader(monkeypatch):
    """Data come with the package or from the page, whatever folder this machine has; nothing is drawn on a screen."""
    monkeypatch.delenv("FOLDWISE_DATA", raising=False)
    monkeypatch.setenv("MPLBACKEND", "agg")
