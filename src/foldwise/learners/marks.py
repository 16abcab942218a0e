"""Kernels that are compiled only where that pays: the same functions run in the interpreter, to the same bits.

What is marked here stays a plain function, and numba is not loaded; `foldwise.learners.compile.compiled` makes the
kernel of it. In a kernel nothing may differ between Python and numba: whole numbers that are to stay unsigned are
NumPy's, and no sum of Python's own whole numbers exceeds 63 bits. Where the interpreter would take long for the
rows of a loop, another function `stands_for` it there, which does the same by whole arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numpy as np

__all__ = ["LOOP", "MARK", "ZERO", "bare_kernel", "inner_kernel", "kernel", "shared_kernel", "stands_for"]

F = TypeVar("F", bound=Callable[..., object])

MARK = "kernel_of_foldwise"
"""The attribute of a function that says how it is to be compiled."""

LOOP = "loop_of_foldwise"
"""The attribute of a function for the interpreter that says of which function the kernel is made."""

ZERO = cast(int, np.int64(0))
"""0 as a number: a kernel that is given a plain 0 first is compiled for it, and once more for numbers."""


def kernel(function: F) -> F:
    """Mark for `compile.kernel`."""
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
