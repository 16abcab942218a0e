"""Kernels that are compiled only where that pays, and the notice that says so."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar, cast

import numpy as np

__all__ = [
    "LOOP",
    "MARK",
    "NOTICE",
    "PATIENCE",
    "ZERO",
    "Patience",
    "announce_compilation",
    "bare_kernel",
    "has_code",
    "inner_kernel",
    "kernel",
    "learner_of",
    "say",
    "shared_kernel",
    "stands_for",
    "tell",
    "tell_ahead",
]


# ---- Says that kernels are being compiled, once for each learner, and before numba, which takes a while, is loaded.

NOTICE = "foldwise: compiling the kernels of {}, once on this machine (some seconds)"

HOUSE = "foldwise."
_OWNERS = {
    "verdict.many": "large tables",
    "learners.binary.": "the learners for many small data sets",
    "learners.tree.": "c45",
    "learners.nearest": "nearest neighbours",
    "learners.neighbour": "nearest neighbours",
    "learners.distances": "nearest neighbours",
    "learners._tan": "tan",
    "learners.discretise": "tan",
    "learners._perceptron": "the perceptrons",
    "learners._voted": "votedperceptron",
    "": "naive Bayes",
}
"""Whose kernels are in the modules that begin so."""


def learner_of(module: str) -> str | None:
    """Whose kernels a module has; None for numba's own functions, which are compiled on the way.

    Examples
    --------
    >>> learner_of("foldwise.learners.tree.grow"), learner_of("numba.np.arrayobj")
    ('c45', None)
    """
    if not module.startswith(HOUSE):
        return None
    within = module.removeprefix(HOUSE)
    return next(name for start, name in _OWNERS.items() if within.startswith(start))


def tell(learner: str) -> None:
    """Say that the kernels of a learner are being compiled, unless that was said."""
    say(NOTICE.format(learner))


def say(text: str) -> None:
    """Give a notice, of this process or of one that it started, unless it was given."""
    if text not in _said:
        _said.add(text)
        _writers[-1](text)


def tell_ahead(module: str) -> None:
    """Say so before a module with kernels is loaded, if no code of its kernels lies on the disk."""
    learner = learner_of(module)
    if learner is not None and not has_code(module):
        tell(learner)


def has_code(module: str) -> bool:
    """Whether compiled code of a module's kernels lies where numba puts it; asked without loading numba."""
    *folders, stem = module.removeprefix(HOUSE).split(".")
    if told := os.environ.get("NUMBA_CACHE_DIR"):
        places: Iterable[Path] = Path(told).glob("*/")
    else:
        own = Path(__file__).parents[1].joinpath(*folders) / "__pycache__"
        places = itertools.chain([own], (Path.home() / ".cache" / "numba").glob("*/"))
    return any(True for place in places for _ in place.glob(f"{stem}.*.nbi"))


def announce_compilation(write: Callable[[str], object] | None = None) -> None:
    """From now on tell by `write`, once for each learner, that its kernels are being compiled.

    Parameters
    ----------
    write
        Gets the notice; without it the notice goes to stderr.
    """
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
# Whoever rents until the rent paid equals the price, and buys then, never pays more than twice what was
# necessary.
# Here NumPy, or the interpreter for trees, is the rent, and the price are numba and its compiled code: a second
# when it
# lies on the disk, many when it does not. The answers are the same to the bit either way, so that nobody need
# know
# which it was.


class Patience:
    """What is left of the seconds that a process may spend on doing without kernels."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def lasts(self, seconds: float) -> bool:
        """Whether so many seconds more may be spent without kernels; if so, they are taken off."""
        if seconds > self.seconds:
            self.seconds = 0.0  # work that is worth the kernels makes them worth having for all that follows
            return False
        self.seconds -= seconds
        return True


PATIENCE = Patience(1.0)
"""Of this process."""


# ---- Kernels that are compiled only where that pays: the same functions run in the interpreter, to the same bits.
#
# What is marked here stays a plain function, and numba is not loaded; `foldwise.learners.compile.compiled`
# makes the
# kernel of it. In a kernel nothing may differ between Python and numba: whole numbers that are to stay unsigned
# are
# NumPy's, and no sum of Python's own whole numbers exceeds 63 bits. Where the interpreter would take long for
# the
# rows of a loop, another function `stands_for` it there, which does the same by whole arrays.

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
