"""Says that kernels are being compiled, once for each learner, and before numba, which takes a while, is loaded."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

__all__ = ["NOTICE", "announce_compilation", "has_code", "learner_of", "say", "tell", "tell_ahead"]

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
