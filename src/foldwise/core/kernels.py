"""Kernels that are compiled only where that pays, and the notice that says so.

A kernel is a function in the part of Python that numba compiles. What is marked here stays a plain function;
`foldwise.core.compile.compiled` makes the kernel of it. numba is optional: without it learners that have a plain way
take it, however long that takes, and others are refused with the name of the extra that installs it.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar, cast

import numpy as np

from foldwise.core.errors import MissingDependency

HOUSE = "foldwise."
EXTRA = "lab"  # Installs numba.


@cache
def has_numba() -> bool:
    """Whether numba is installed; asked without loading it, which takes most of a second."""
    try:
        return importlib.util.find_spec("numba") is not None
    except ImportError:
        return False


def need_kernels(module: str, purpose: str) -> None:
    """Call this before a module with kernels is imported: says that they will be compiled, if they must be.

    `purpose` says who needs them, as the start of a sentence, for the error where numba is not installed.
    """
    if not has_numba():
        raise MissingDependency(purpose, EXTRA)
    if not has_code(module):
        say(NOTICE)


def has_code(module: str) -> bool:
    """Whether compiled code of a module's kernels lies where numba puts it; asked without loading numba."""
    *folders, stem = module.removeprefix(HOUSE).split(".")
    if told := os.environ.get("NUMBA_CACHE_DIR"):
        places: Iterable[Path] = Path(told).glob("*/")
    else:
        own = Path(__file__).parents[1].joinpath(*folders) / "__pycache__"
        places = itertools.chain([own], (Path.home() / ".cache" / "numba").glob("*/"))
    return any(True for place in places for _ in place.glob(f"{stem}.*.nbi"))


# ---- Notices to whoever waits, each given once per process.

NOTICE = "foldwise: compiling kernels, once on this machine (some seconds)"
SLOW = f"foldwise: numba is not installed, so that nb, 1nn and c45 take longer: pip install 'foldwise[{EXTRA}]'"


def say(text: str) -> None:
    """Give a notice, of this process or of one that it started, unless it was given."""
    if text not in _said:
        _said.add(text)
        _writers[-1](text)


def announce_compilation(write: Callable[[str], object] | None = None) -> None:
    """From now on give notices by `write`, each once; without it they go to stderr."""
    _said.clear()
    _writers[:] = [write or _to_stderr]


def _to_stderr(text: str) -> None:
    """To the process's own stderr, not to what stands in for it where output is gathered; notebooks have none."""
    stream = sys.stderr if "ipykernel" in sys.modules else sys.__stderr__
    if stream is not None:
        stream.write(text + "\n")
        stream.flush()


_said: set[str] = set()
_writers: list[Callable[[str], object]] = [_to_stderr]


# ---- How long learners do without compiled kernels: until that has taken as long as getting them would.
#
# Whoever rents until the rent paid equals the price, and buys then, never pays more than twice what was necessary
# (the ski-rental problem). Here NumPy, or the interpreter for trees, is the rent, and the price are numba and its
# compiled code: a second when it lies on the disk, many when it does not. The answers are the same to the bit either
# way, so that nobody need know which it was.


class Patience:
    """What is left of the seconds that a process may spend on doing without kernels."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def lasts(self, seconds: float) -> bool:
        """Whether so many seconds more may be spent without kernels; if so, they are taken off.

        Without numba there is no other way: any time may be spent, and that it would be quicker with it is said.
        """
        if seconds <= self.seconds:
            self.seconds -= seconds
            return True
        self.seconds = 0.0  # work that is worth the kernels makes them worth having for all that follows
        if has_numba():
            return False
        say(SLOW)
        return True


PATIENCE = Patience(1.0)  # Of this process.


# ---- Marks: how a function is to be compiled. Unmarked by numba it runs in the interpreter, to the same bits.
#
# In a kernel nothing may differ between Python and numba: whole numbers that are to stay unsigned are NumPy's, and no
# sum of Python's own whole numbers exceeds 63 bits. Where the interpreter would take long for the rows of a loop,
# another function `stands_for` it there, which does the same by whole arrays.

F = TypeVar("F", bound=Callable[..., object])

MARK = "kernel_of_foldwise"  # The attribute of a function that says how it is to be compiled.

LOOP = "loop_of_foldwise"
"""The attribute of a function for the interpreter that says of which function the kernel is made."""

ZERO = cast(int, np.int64(0))
"""0 as a number: a kernel that is given a plain 0 first is compiled for it, and once more for numbers."""


def kernel(function: F) -> F:
    return _marked(function, "kernel")


def bare_kernel(function: F) -> F:
    """Mark for `compile.bare_kernel`: a function that makes no arrays."""
    return _marked(function, "bare_kernel")


def inner_kernel(function: F) -> F:
    """Mark for `compile.inner_kernel`: a function that only kernels call, and becomes part of them."""
    return _marked(function, "inner_kernel")


def shared_kernel(function: F) -> F:
    """Mark for `compile.shared_kernel`: a large function that several kernels call at times."""
    return _marked(function, "shared_kernel")


def stands_for(loop: Callable[..., object]) -> Callable[[F], F]:
    """Mark a function that does in the interpreter, by whole arrays, what `loop` does in kernels, to the same bits."""

    def mark(function: F) -> F:
        setattr(function, LOOP, loop)
        return _marked(function, getattr(loop, MARK))

    return mark


def _marked(function: F, how: str) -> F:
    setattr(function, MARK, how)
    return function
