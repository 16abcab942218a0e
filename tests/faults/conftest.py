"""The fault suite: real processes, real signals, real files.

``make faults`` runs it at length; in ``make test`` each test does a few rounds.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

# the learners that worker processes import
sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))


@pytest.fixture
def rounds():
    """How often to provoke a fault: a few times, or FOLDWISE_FAULTS times as many."""
    return lambda few: few * int(os.environ.get("FOLDWISE_FAULTS", "1"))
