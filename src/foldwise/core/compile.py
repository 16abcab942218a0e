"""How kernels are compiled: with numba, cached on disk, and saying so the first time."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

from foldwise.core.errors import MissingDependency
from foldwise.core.kernels import EXTRA, HOUSE, LOOP, MARK, NOTICE, ZERO, say
from foldwise.core.process import one_process

try:
    import numba
    from numba import types
    from numba.core import event
    from numba.core.compiler_lock import global_compiler_lock
    from numba.extending import intrinsic
except ImportError as error:
    raise MissingDependency("a learner of foldwise's own", EXTRA) from error

__all__ = [
    "ZERO", "bare_kernel", "compiled", "inner_kernel", "intrinsic", "kernel", "lacks_code", "nested_kernel",
    "shared_kernel", "types",
]  # fmt: skip

Options = dict[str, Any]  # Of numba's compiler.
F = TypeVar("F", bound=Callable[..., object])

# No fastmath: predictions must not depend on the processor. NumPy's error model: 0/0 is NaN, as in Java.
_OPTIONS: Options = {"cache": True, "nogil": True, "error_model": "numpy"}
_BARE: Options = {**_OPTIONS, "_nrt": False}
_NESTED: Options = {**_OPTIONS, "cache": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_INNER: Options = {
    **_BARE, "cache": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True
}  # fmt: skip


def kernel(function: F) -> F:
    """Compile `function` when it is first called, and keep the result on disk if there is a place for it.

    A kernel must not call itself: numba's cache of a self-recursive function crashes the process that loads it.
    """
    return _cached(function, _OPTIONS)


def bare_kernel(function: F) -> F:
    """Like `kernel`, for functions that make no arrays: without counting references to those they are given.

    Counting takes an atomic operation whenever an array is passed on, a fifth of the time of a small tree.
    """
    return _cached(function, _BARE)


def nested_kernel(function: F) -> F:
    """Like `kernel`, for functions that only kernels call: nothing is made that Python or the disk would need."""
    return cast(F, numba.njit(**_NESTED)(function))


def inner_kernel(function: F) -> F:
    """Like `nested_kernel`, for functions that make no arrays.

    The code becomes part of the kernel that calls it, which halves the time to compile and spares the passing of
    arrays.
    """
    return cast(F, numba.njit(**_INNER)(function))


def shared_kernel(function: F) -> F:
    """Like `inner_kernel`, but called rather than copied: for large functions that several kernels call at times."""
    return cast(F, numba.njit(**{**_INNER, "forceinline": False})(function))


_compiled: dict[Callable[..., object], Callable[..., object]] = {}
_globals: dict[str, dict[str, object]] = {}


def compiled(function: F) -> F:
    """The kernel of a function that is marked (`core.kernels`); marked functions it calls are kernels too.

    The marked functions stay as they are. The kernels are made of copies, which find kernels where those find marked
    functions.
    """
    if function not in _compiled:
        compiler = {"kernel": kernel, "bare_kernel": bare_kernel, "inner_kernel": inner_kernel}.get(
            getattr(function, MARK), shared_kernel
        )
        loop = getattr(function, LOOP, function)
        # what its module has, with kernels for the marked functions that it names
        found = _globals.setdefault(loop.__module__, dict(loop.__globals__))
        for name in loop.__code__.co_names:
            if hasattr(found.get(name), MARK):
                found[name] = compiled(cast(Any, found[name]))
        copy = FunctionType(loop.__code__, found, loop.__name__, loop.__defaults__, loop.__closure__)
        copy.__qualname__ = loop.__qualname__
        _compiled[function] = compiler(copy)
    return cast(F, _compiled[function])


def _cached(function: F, options: Options) -> F:
    _listen()
    try:
        dispatcher: Any = numba.njit(**options)(function)
    except RuntimeError:  # no folder that may be written, neither the package's nor the user's
        return cast(F, numba.njit(**{**options, "cache": False})(function))
    if folder := getattr(getattr(dispatcher, "stats", None), "cache_path", None):  # not if numba is told not to compile
        _drop_outdated(function, Path(folder))
        compile_here = dispatcher.compile

        def compile_once(signature: object) -> object:
            """Of all processes that need a kernel one compiles it; the others load what that left on the disk."""
            if not lacks_code(dispatcher):
                return compile_here(signature)
            with global_compiler_lock, one_process(Path(folder) / f"{_file_name(function)}.lock"):
                return compile_here(signature)

        dispatcher.compile = compile_once
    return cast(F, dispatcher)


def lacks_code(kernel: Callable[..., object]) -> bool:
    """Whether a kernel has a place on the disk for its compiled code, and none is there."""
    folder = getattr(getattr(kernel, "stats", None), "cache_path", None)
    return folder is not None and not _kept(kernel.py_func, Path(folder))  # type: ignore[attr-defined] # of numba


def _kept(function: Callable[..., object], folder: Path) -> list[Path]:
    """What lies on the disk of a kernel's compiled code."""
    return list(folder.glob(f"{_file_name(function)}-*.nbi"))


def _file_name(function: Callable[..., object]) -> str:
    """How the names of a kernel's files on the disk begin."""
    return f"{Path(function.__code__.co_filename).stem}.{function.__qualname__}"


def _drop_outdated(function: Callable[..., object], folder: Path) -> None:
    """Remove the kernel's compiled code from `folder` if a file with kernels that it may call is newer.

    numba compares the time of the kernel's own file only, and would go on using what it made from the old ones.
    """
    compiled = _kept(function, folder)
    if compiled:
        newest = max(path.stat().st_mtime_ns for path in _sources(function))
        for index in compiled:
            with contextlib.suppress(OSError):  # another process was first, or may and we may not
                if index.stat().st_mtime_ns < newest:
                    index.unlink()


def _sources(function: Callable[..., object]) -> set[Path]:
    """The files of all kernels within reach of the function's module, and its own."""
    found: set[Path] = set()
    waiting = [function]
    while waiting:
        current = waiting.pop()
        path = Path(current.__code__.co_filename)
        if path.exists() and path not in found:
            found.add(path)
            kernels = (getattr(value, "py_func", None) for value in current.__globals__.values())
            waiting += [inner for inner in kernels if inner is not None]
    return found


class _Notice(event.Listener):
    """Tells when a kernel of ours is compiled rather than loaded from the disk."""

    def on_start(self, event: event.Event) -> None:
        if event.data["dispatcher"].py_func.__module__.startswith(HOUSE):
            say(NOTICE)

    def on_end(self, event: event.Event) -> None:
        """What a listener must have."""


@cache
def _listen() -> None:
    event.register("numba:compile", _Notice())  # type: ignore[no-untyped-call]
