from __future__ import annotations

import pytest


@pytest.fixture
def small_blocks(monkeypatch):
    """Hardly more trials than are asked for, where learners' trials come in blocks of 25; they are the same in any."""
    for module in ("gather", "damage"):
        monkeypatch.setattr(f"foldwise.lab.{module}.BLOCK", 5)
