"""One test of the catalogue: what it works on, how it is run, what its statistic is, and how its power is computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.metric import metric_words
from foldwise.core.types import Array
from foldwise.kinds.entry import Entry
from foldwise.kinds.power import Power

if TYPE_CHECKING:
    from foldwise.evidence.evidence import Evidence
    from foldwise.kinds.kind import Kind

__all__ = ["Batch", "Estimand", "Procedure", "on_data"]


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
    tasks
        The task of each item along the last axis, for the kinds whose tasks count once each.
    pieces
        Independent pieces of data behind the differences, where that is known and the test minds.
    given
        The evidence itself, for the kinds whose tests need more of it than numbers.
    """

    data: Array
    ratio: float = float("nan")
    alpha: float = 0.05
    groups: NDArray[np.int64] | None = None
    tasks: NDArray[np.int64] | None = None
    pieces: int | None = None
    given: Evidence | None = None


def on_data(test: Callable[[Array], Any]) -> Callable[[Batch], Any]:
    """How a test is run that looks at the data alone; workers get it by the name of the test."""
    return partial(_on_data, test)


def _on_data(test: Callable[[Array], Any], batch: Batch) -> Any:
    return test(batch.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimand:
    """What a test estimates, where it is not the difference of what the evidence calls the two means.

    Attributes
    ----------
    called
        What it is of one model, in place of "mean" or "expected": "20 % trimmed mean". Without `of_each`, what it is of
        the differences: "median difference".
    of_each
        From the evidence to the value of a and of b, whose difference is the estimate; None where it is of the
        differences, or made in another way.
    how
        How the estimate comes from the differences, where it is not that of two values: "first of the ten differences".
    """

    called: str = ""
    of_each: Callable[[Any], tuple[float, float]] | None = None
    how: str = ""


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
        How surely it finds a difference, from the evidence (`Items`, `Scores` …) and the test's own result; gives
        None where that is not known.
    settled
        From the number of differences and the test/train ratio to the multiplier of mean/σ̂ and the degrees of freedom
        at which they are held while ``runs="auto"`` adds runs; None for tests that can't be run so.
    assumes
        Sentences that must hold for its p-value, in place of those of the kind.
    estimand
        What it estimates, where that is not the difference of the two means that the evidence has.
    with_option
        The test with what follows its name and a colon (``use_all_data:df=10``); None where nothing may follow.
    """

    kind: Kind[Any]
    run: Callable[[Batch], Any]
    signed: bool
    power: Callable[[Any, Any], Power | None]
    settled: Callable[[int, float], tuple[float, float]] | None = None
    assumes: tuple[str, ...] = ()
    estimand: Estimand | None = None
    with_option: Callable[[Procedure, str], Procedure] | None = None

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Sentences that must hold for its p-value to mean what it says."""
        return self.assumes or self.kind.assumes

    def values(self, evidence: Evidence) -> tuple[float, float] | None:
        """Of a and of b what it estimates; None where the estimate is not the difference of two values."""
        if self.estimand is None:
            a, b = map(float, evidence.means)
            return a, b
        return None if self.estimand.of_each is None else self.estimand.of_each(evidence)

    def measure_words(self, metric: str, location: str = "") -> str:
        """What it estimates of one model, for people to read; `location` is what the kind of evidence calls it."""
        called = location if self.estimand is None else self.estimand.called or location
        return f"{called} {metric_words(metric)}".lstrip()

    def difference_words(
        self, metric: str, names: Sequence[str], location: str = "", *, about: str = "", of: str = "model"
    ) -> str:
        """What it estimates of two, for people to read.

        Parameters
        ----------
        metric, location
            What was measured, and what the kind of evidence calls its location.
        names
            What is compared; of more than two each pair.
        about
            What the metric is about, behind its name.
        of
            What one of them is, where there are more than two.
        """
        first, second = names if len(names) == 2 else (f"one {of}", "another")
        if self.estimand is not None and self.estimand.called and self.estimand.of_each is None:
            return f"the {self.estimand.called} in {metric_words(metric)}, {first} minus {second}"
        return f"the {self.measure_words(metric, location)}{about} of {first} minus that of {second}"
