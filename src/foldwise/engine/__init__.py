"""Runs learners on the splits of a plan: in parallel, cached in a store, resumable.

The numerical packages are imported when the first study runs, so that importing this room is quick.
"""

from __future__ import annotations

from foldwise.core.lazy import public_names

__getattr__, __dir__, __all__ = public_names(
    __name__,
    {
        "prepared": ("prepare", "Prepared"), "progress": ("Progress",), "result": ("RunResult",),
        "runner": ("run", "run_prepared"), "store": ("Store",),
    },
)  # fmt: skip
