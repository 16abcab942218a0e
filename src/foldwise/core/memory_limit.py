"""How much memory this process may take, kept by the operating system, so that it holds whatever the process does."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["is_enforced", "limit_memory"]

try:
    import resource
except ImportError:  # Windows
    HAS_LIMITS = False
else:
    HAS_LIMITS = True


def is_enforced() -> bool:
    """Whether the system keeps a limit on the address space; macOS ignores one."""
    return HAS_LIMITS and sys.platform == "linux"


def limit_memory(megabytes: float | None) -> None:
    """Let this process take so much memory beyond what it has now; more is a MemoryError. None lifts the limit.

    Where no system keeps it, nothing is asked for: Windows has no such call, and macOS refuses some limits.
    """
    if not is_enforced():
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = hard if megabytes is None else _address_space() + int(megabytes * 1e6)
    resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    if megabytes is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _address_space() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")
