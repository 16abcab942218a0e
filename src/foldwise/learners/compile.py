"""How the learners' kernels are compiled: with numba, cached on disk, and saying so the first time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import event

__all__ = ["announce_compilation", "bare_kernel", "inner_kernel", "kernel"]

F = TypeVar("F", bound=Callable[..., Any])

NOTICE = "foldwise: compiling the learners' kernels, once on this machine (some seconds each)"

# No fastmath: predictions must not depend on the processor. NumPy's error model: 0/0 is NaN, as in Java.
_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}
_BARE: dict[str, Any] = {**_OPTIONS, "_nrt": False}
_INNER: dict[str, Any] = {
    **_BARE, "cache": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True
}  # fmt: skip


def kernel(function: F) -> F:
    """Compile `function` when it is first called, and keep the result on disk.

    A kernel must not call itself: numba's cache of a self-recursive function crashes the process that loads it.
    """
    return cast(F, numba.njit(**_OPTIONS)(function))


def bare_kernel(function: F) -> F:
    """Like `kernel`, for functions that make no arrays: without counting references to those they are given.

    Counting takes an atomic operation whenever an array is passed on, a fifth of the time of a small tree.
    """
    return cast(F, numba.njit(**_BARE)(function))


def inner_kernel(function: F) -> F:
    """Like `bare_kernel`, for functions that only kernels call: nothing is made that Python or the disk would need.

    The code becomes part of the kernel that calls it, which halves the time to compile and spares the passing of
    arrays. A change to such a function is noticed only when the file of the calling kernel changes too, or the cache
    is removed.
    """
    return cast(F, numba.njit(**_INNER)(function))


class _Notice(event.Listener):
    """Calls `write` once, when the first kernel is compiled rather than loaded from the cache."""

    def __init__(self, write: Callable[[str], Any]) -> None:
        self.write: Callable[[str], Any] | None = write

    def on_start(self, event: Any) -> None:
        write, self.write = self.write, None
        if write is not None:
            write(NOTICE)

    def on_end(self, event: Any) -> None:
        """Nothing to say."""


_installed: list[_Notice] = []


def announce_compilation(write: Callable[[str], Any] | None = None) -> None:
    """From now on tell once, by `write`, that kernels are being compiled.

    Parameters
    ----------
    write
        Gets the notice. Without it the notice goes to stderr, if that is a terminal.
    """
    if write is None:
        if _installed or not sys.stderr.isatty():
            return
        write = _to_stderr
    for old in _installed:
        event.unregister("numba:compile", old)  # type: ignore[no-untyped-call]
    _installed[:] = [_Notice(write)]
    event.register("numba:compile", _installed[0])  # type: ignore[no-untyped-call]


def _to_stderr(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
