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

from engine.conftest import only_the_stuck_are_late

__all__ = ["only_the_stuck_are_late"]


@pytest.fixture
def rounds():
    """How often to provoke a fault: a few times, or FOLDWISE_FAULTS times as many."""
    return lambda few: few * int(os.environ.get("FOLDWISE_FAULTS", "1"))


AT_LENGTH = {
    "test_estimate_error_does_too",
    "test_the_lab_does_too",
    "test_runs_that_were_complete_count_when_the_time_is_over",
    "test_on_the_command_line_it_is_one_sentence",
    "test_a_learner_that_always_kills_its_process_is_not_tried_forever",
    "test_a_fit_that_never_ends_on_a_cluster_is_a_failure",
    "test_a_cluster_that_can_do_no_more_is_said_and_results_are_kept",
    "test_what_is_no_scheduler_is_one_sentence",
    "test_a_stopped_command_leaves_nothing[one-15]",
    "test_a_stopped_command_leaves_nothing[two-2]",
    "test_a_stopped_command_leaves_nothing[store-15]",
}
"""Tests that wait for silence, many seconds each, or repeat another's fault: only `make faults` runs them."""


def pytest_collection_modifyitems(config, items):
    """Leave out what runs at length, unless it is asked for."""
    if "FOLDWISE_FAULTS" in os.environ:
        return
    here = [item for item in items if item.path.parent == Path(__file__).parent]
    long = [item for item in here if {item.name, item.originalname} & AT_LENGTH]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if item not in long]
