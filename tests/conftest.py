from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from foldwise.engine.backends import cluster, processes

# deterministic: a failure seen once is seen by everybody, and more of the same examples find nothing new, which is what
# `long` is for; no deadline: CI machines stall
settings.register_profile("suite", deadline=None, derandomize=True, print_blob=True, max_examples=30)
settings.register_profile("quick", settings.get_profile("suite"), max_examples=10)
# other examples each time, and many: --hypothesis-profile=long, where a procedure is new or was rewritten
settings.register_profile("long", settings.get_profile("suite"), max_examples=1000, derandomize=False)
settings.load_profile("suite")

HERE = Path(__file__).parent
collect_ignore = ["reference/generators"]  # they import the tools whose files they write, which a test run has not
SLOW = (
    "docs", "doors", "core/test_code.py", "engine/test_cluster.py", "engine/test_processes.py", "engine/test_resume.py",
    "faults", "lab", "web", "data/test_growth.py", "data/test_shared_files.py",
    "inference/many/test_hierarchical.py", "learners/test_weka_agreement.py", "planning/test_power_audit.py",
    "comparison/test_stable_runs.py",
)  # fmt: skip
"""What starts processes, browsers or clusters, trains for long or simulates: `make quick` leaves it out.

Single tests elsewhere that take half a second and more are marked where they stand.
"""
CHEAP = ("lab/test_design.py", "lab/papers/test_trials.py", "web/test_rendering.py")
"""What is quick in rooms that are not."""


# a busy machine is slow, not silent; tests of silence set what they wait
cluster.ANSWER_SECONDS = cluster.CONNECT_SECONDS = 120
processes.IDLE_SECONDS = 3600  # tests share worker processes: each takes more than a second to start


FIRST = ("docs/test_build.py", "web/test_browser.py")
"""What takes longest, or starts a browser: begun first, so that no processor waits for it in the end."""


@pytest.fixture
def without_pictures(monkeypatch):
    """Pages in their words alone, where those are looked for: to draw the pictures takes most of a page's time."""
    monkeypatch.setattr("foldwise.render.html._plots", lambda result: ())


@cache
def is_slow(path: Path) -> bool:
    return any(path.is_relative_to(HERE / name) for name in SLOW) and path not in {HERE / name for name in CHEAP}


def pytest_collection_modifyitems(items):
    for item in items:
        if is_slow(item.path):
            item.add_marker(pytest.mark.slow)
    first = {HERE / name for name in FIRST}
    items.sort(key=lambda item: item.path not in first)
