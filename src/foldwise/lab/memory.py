"""How much memory a study will need, told before it starts rather than when it dies."""

from __future__ import annotations

import os
from pathlib import Path

from foldwise.core.errors import InvalidInput

__all__ = ["available_bytes", "check_memory"]

COPIES = 4
"""Blocks as they come, all of them joined, and what a test computes from them."""


def check_memory(numbers: int, trials: int, *, lower: str) -> None:
    """Refuse a study that does not fit into the memory that is free now.

    Parameters
    ----------
    numbers
        Numbers that are kept of each trial.
    trials
        Number of trials.
    lower
        What the user can lower, as the end of a sentence.
    """
    needed, free = numbers * trials * 8 * COPIES, available_bytes()
    if free is not None and needed > free:
        raise InvalidInput(
            f"the study needs about {needed / 1e9:.1f} GB of memory and {free / 1e9:.1f} GB are free: lower {lower}"
        )


def available_bytes() -> int | None:
    """Memory that can be had without swapping; None where the system does not say."""
    found = [bytes_ for bytes_ in (_free(), _granted()) if bytes_ is not None]
    return min(found) if found else None


def _free() -> int | None:
    """What the machine has left."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _granted() -> int | None:
    """What is left of a container's limit."""
    folder = Path("/sys/fs/cgroup")
    try:
        most, used = (int((folder / f"memory.{what}").read_text(encoding="ascii")) for what in ("max", "current"))
        return most - used
    except (OSError, ValueError):
        return None
