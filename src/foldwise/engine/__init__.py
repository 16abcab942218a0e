"""Runs learners on the splits of a plan: in parallel, cached in a store, resumable.

The numerical packages are imported when the first study runs, so that importing this room is quick.
"""

from __future__ import annotations

from foldwise.engine.prepare import Prepared, prepare
from foldwise.engine.progress import Progress
from foldwise.engine.result import RunResult
from foldwise.engine.runner import run, run_prepared
from foldwise.engine.store import Store

__all__ = ["Prepared", "Progress", "RunResult", "Store", "prepare", "run", "run_prepared"]
