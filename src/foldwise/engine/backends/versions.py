"""Whether a worker computes with the same versions: numbers of others would be filed as ours."""

from __future__ import annotations

import platform
import threading
from collections.abc import Mapping
from typing import Any

from foldwise.core.environment import PACKAGES, environment
from foldwise.core.errors import ClusterUnavailable
from foldwise.engine.backends.base import Parcel, WorkerDied, do_chunk
from foldwise.engine.backends.process import WorkerProcess
from foldwise.engine.limits import Limits

__all__ = ["check_workers", "do_checked_chunk"]

_OWN = threading.local()
"""The process that does the fits of this thread."""


def check_workers(client: Any, workers: list[str], timeout: float) -> None:
    """Refuse workers of other versions, before any work is given to them.

    Dask itself is asked, because code can't be sent to a worker whose Python may not be able to read it.
    """
    message = {"op": "versions", "packages": ["foldwise", *PACKAGES]}
    answers = client.sync(
        client.scheduler.broadcast, msg=message, workers=workers, on_error="ignore", callback_timeout=timeout
    )
    for worker, answer in sorted(answers.items()):
        _compare(worker, _flat(answer))


def do_checked_chunk(expected: dict[str, str], parcel: Parcel, chunk: Any, limits: Limits) -> Any:
    """Run a chunk in a worker, which compares its versions first: it may have joined a moment ago.

    With limits the fits run in a process that the worker starts, one for each of its threads. That this process was
    ended is returned, not raised: Dask would try again.
    """
    if environment() != expected:
        _compare(_own_address(), environment(), expected)
    if not limits.apart:
        return do_chunk(parcel, chunk)
    if getattr(_OWN, "process", None) is None:
        _OWN.process = WorkerProcess()
    try:
        return _OWN.process.do(parcel, chunk, limits)
    except WorkerDied as death:
        _OWN.process = None
        return death


def _own_address() -> str:
    """Where the scheduler knows this worker, so that it is named alike whichever side finds it out."""
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:  # not in a task of Dask
        return platform.node()


def _flat(answer: Mapping[str, Any]) -> dict[str, str]:
    """Dask's answer as `environment` has it; a package of which Dask knows no version is left to the worker itself."""
    python = ".".join(str(answer["host"]["python"]).split(".")[:3])
    known = {name: answer["packages"].get(name) for name in ("foldwise", *PACKAGES)}
    return {"Python": python, **{name: str(version) for name, version in known.items() if version is not None}}


def _compare(worker: str, found: Mapping[str, str], expected: Mapping[str, str] | None = None) -> None:
    wanted = environment() if expected is None else expected
    for name, version in wanted.items():
        if found.get(name, version) != version:
            raise ClusterUnavailable(
                f"worker {worker} has {name} {found[name]}, but this process has {version}: the same versions of "
                f"foldwise, Python and {', '.join(PACKAGES)} are needed everywhere"
            )
