from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from foldwise.engine import runner

# worker processes import the learners of studies.py by name
sys.path.insert(0, str(Path(__file__).parent))

from studies import OfTheStuck


@pytest.fixture
def only_the_stuck_are_late(monkeypatch):
    """However busy the machine is, only fits that never end take longer than they may."""
    patched = SimpleNamespace(**(vars(threading) | {"Timer": OfTheStuck}))
    monkeypatch.setattr("foldwise.engine.backends.processes.threading", patched)


@pytest.fixture(autouse=True)
def processes_where_they_are_asked_for(request, monkeypatch):
    """Tests of processes have them, however little there is to do, but for those of the choice itself."""
    if getattr(request.cls, "__name__", "") != "TestWorkThatIsSoonDone":
        monkeypatch.setattr(runner._Study, "_may_stay", lambda *_: False)
