"""Trials that a study defines itself, done by the lab's machinery: in parallel, resumable, whoever does them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise import __version__
from foldwise.core.digest import digest
from foldwise.core.types import Array
from foldwise.lab.evidence import Evidence
from foldwise.lab.gather import Resources, gather

__all__ = ["Trials", "do_trials"]

Trial = Callable[[int], Mapping[str, ArrayLike]]
"""From the trial's number to its arrays, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trials:
    """Trials that are one block each.

    Attributes
    ----------
    identity
        All that determines a trial but its number; a store files the trials under it.
    start
        Called once in each worker; gives the function that does one trial. Must be a module's function (or a partial
        of one), so that processes can receive it.
    numbers
        How many numbers are kept of each trial.
    lower
        What would make it fewer, for a message.
    """

    identity: tuple[object, ...]
    start: Callable[[], Trial]
    numbers: int
    lower: str = "the scale"

    @property
    def block(self) -> int:
        """Trials in a block."""
        return 1

    def blocks(self, trials: int) -> int:
        """Number of blocks."""
        return trials

    @property
    def key(self) -> str:
        """What a store files the trials under."""
        return digest([*self.identity, __version__])

    def worker(self) -> _Worker:
        """Does trials."""
        return _Worker(self.start())


class _Worker:
    """Does trials in one process."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial

    def work(self, number: int) -> Evidence:
        """The arrays of one trial, with a first axis of length 1 along which trials are joined."""
        found = self._trial(number)
        return Evidence(arrays={name: np.asarray(array)[None] for name, array in found.items()})


def do_trials(work: Trials, count: int, resources: Resources | None = None) -> dict[str, Array]:
    """The arrays of the first `count` trials, joined along a first axis.

    Examples
    --------
    >>> work = Trials(identity=("example",), start=lambda: lambda number: {"square": number**2}, numbers=1)
    >>> do_trials(work, 4)["square"].tolist()
    [0, 1, 4, 9]
    """
    return gather(work, count, resources).arrays
