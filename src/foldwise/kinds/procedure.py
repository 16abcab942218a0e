"""One test of the catalogue: what it works on, how it is run, what its statistic is, and how its power is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Array
from foldwise.kinds.entry import Entry
from foldwise.kinds.power import Power

if TYPE_CHECKING:
    from foldwise.evidence.evidence import Evidence
    from foldwise.kinds.kind import Kind

__all__ = ["Batch", "Procedure"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Batch:
    """What a test is run on: one comparison, or many along the leading axes.

    Attributes
    ----------
    data
        In the shape of the kind: counts n00, n01, n10, n11 along the last axis, or differences a − b.
    ratio
        n_test / n_train of one split; NaN where nothing is resampled.
    alpha
        The level: calibrated degrees of freedom depend on it.
    groups
        The cluster of each item along the last axis, for the kinds that have clusters.
    pieces
        Independent pieces of data behind the differences, where that is known and the test minds.
    given
        The evidence itself, for the kinds whose tests need more of it than numbers.
    """

    data: Array
    ratio: float = float("nan")
    alpha: float = 0.05
    groups: NDArray[np.int64] | None = None
    pieces: int | None = None
    given: Evidence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure(Entry):
    """One test of two learners.

    Attributes
    ----------
    kind
        The kind of evidence it works on.
    run
        Runs it on a batch of such evidence.
    signed
        Whether the statistic changes its sign when the learners are exchanged.
    power
        How surely it finds a difference, from the evidence (`Outcomes`, `Scores` …) and the test's own result; gives
        None where that is not known.
    settled
        From the number of differences and the test/train ratio to the multiplier of mean/σ̂ and the degrees of freedom
        at which they are held while ``runs="auto"`` adds runs; None for tests that can't be run so.
    with_option
        The test with what follows its name and a colon (``use_all_data:df=10``); None where nothing may follow.
    """

    kind: Kind[Any]
    run: Callable[[Batch], Any]
    signed: bool
    power: Callable[[Any, Any], Power | None]
    settled: Callable[[int, float], tuple[float, float]] | None = None
    with_option: Callable[[Procedure, str], Procedure] | None = None
