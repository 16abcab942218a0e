"""Scores of two learners on blocks of one data set, each with another block left out of the training too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import UNNAMED, Unit, metric_words, resolve_direction, unit_of
from foldwise.core.types import Array, Flags, Labels
from foldwise.core.validation import floats, moderate, numbers
from foldwise.evidence.evidence import EvidenceTable
from foldwise.evidence.rounding import rounded_differences

__all__ = ["BlockScores"]

FEWEST = 3
"""Blocks of which two can be left out."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlockScores:
    """Paired scores of a round robin: every pair of blocks is left out once, and both are tested.

    Attributes
    ----------
    a, b
        Scores of the two learners, (dealings, g, g): ``a[r, b, c]`` on block c of dealing r by the learner that saw
        neither b nor c. The diagonal is 0 and means nothing.
    n_train
        Examples in one training; None where it is not known.
    higher_is_better, metric, direction_assumed
        As in `Scores`.
    pieces
        Examples or groups that were dealt; None where it is not known.

    Examples
    --------
    >>> scores = BlockScores.build(np.full((3, 3), 0.8), np.full((3, 3), 0.7), metric="accuracy")
    >>> scores.design, scores.differences.size
    ('round-robin cross-validation of 3 blocks', 6)
    """

    a: Array
    b: Array
    n_train: float | None
    higher_is_better: bool
    metric: str
    direction_assumed: bool = False
    pieces: int | None = None

    @classmethod
    def build(
        cls,
        scores_a: ArrayLike,
        scores_b: ArrayLike,
        *,
        n_train: float | None = None,
        higher_is_better: bool | None = None,
        metric: str = UNNAMED,
        pieces: int | None = None,
    ) -> BlockScores:
        """Check and pair the scores of two learners, each (g, g) or (dealings, g, g)."""
        a, b = (_blocks(scores, name) for scores, name in ((scores_a, "scores_a"), (scores_b, "scores_b")))
        if a.shape != b.shape:
            raise InvalidInput(f"scores_a and scores_b must have one shape, got {a.shape} and {b.shape}")
        higher, assumed = resolve_direction(metric, higher_is_better)
        return cls(
            a=a,
            b=b,
            n_train=n_train,
            higher_is_better=higher,
            metric=metric,
            direction_assumed=assumed,
            pieces=pieces,
        )

    @property
    def dealings(self) -> int:
        """How often the examples were dealt."""
        return int(self.a.shape[0])

    @property
    def blocks(self) -> int:
        """Into how many blocks."""
        return int(self.a.shape[1])

    @property
    def apart(self) -> Flags:
        """Where two different blocks meet: all but the diagonal of every dealing."""
        return np.broadcast_to(~np.eye(self.blocks, dtype=bool), self.a.shape)

    @property
    def tables(self) -> Array:
        """Differences a − b as the round-robin test takes them: (dealings, g, g), with 0 on the diagonal."""
        return rounded_differences(self.a, self.b)

    @property
    def differences(self) -> Array:
        """A − b on every block of every training, in one row."""
        return np.asarray(self.tables[self.apart])

    @property
    def unit(self) -> Unit:
        """Fractions, percentages, or the metric's own unit."""
        return unit_of(self.metric, (self.a[self.apart], self.b[self.apart]))

    @property
    def means(self) -> tuple[float, float]:
        """Mean score of a and of b."""
        return float(self.a[self.apart].mean()), float(self.b[self.apart].mean())

    @property
    def design(self) -> str:
        """The resampling in words."""
        times = f", {self.dealings} dealings" if self.dealings > 1 else ""
        return f"round-robin cross-validation of {self.blocks} blocks{times}"

    @property
    def digest(self) -> str:
        """Equal exactly when the scores are."""
        return digest([self.a, self.b])

    @property
    def majority(self) -> float | None:
        """Scores do not know the classes."""
        return None

    def columns(self, names: tuple[str, str]) -> dict[str, Labels]:
        """One row per tested block of each training."""
        dealing, left_out, tested = np.argwhere(self.apart).T
        values = {names[0]: self.a[self.apart], names[1]: self.b[self.apart], "difference": self.differences}
        return {"dealing": dealing, "left_out": left_out, "tested": tested} | values

    def table(self, names: tuple[str, str]) -> EvidenceTable:
        """One row per tested block of each training, counted from 1."""
        places = (", ".join(str(i + 1) for i in index) for index in np.argwhere(self.apart).tolist())
        values = zip(places, self.a[self.apart], self.b[self.apart], self.differences, strict=True)
        rows = tuple((place, f"{a:.4f}", f"{b:.4f}", f"{d:+.4f}".replace("-", "−")) for place, a, b, d in values)
        columns = ("dealing, block left out, block tested", *names, "difference")
        return EvidenceTable(columns=columns, rows=rows, caption=f"{metric_words(self.metric)} on each block")


def _blocks(scores: ArrayLike, name: str) -> Array:
    array = floats(scores, name)
    array = array[None] if array.ndim == 2 else array
    if array.ndim != 3 or array.shape[1] != array.shape[2] or array.shape[1] < FEWEST or not len(array):
        raise InvalidInput(
            f"{name} must have shape (g, g) or (dealings, g, g) with at least {FEWEST} blocks, got {np.shape(scores)}"
        )
    cleared = numbers(np.where(np.eye(array.shape[1], dtype=bool), 0.0, array), name)
    moderate(cleared, name)
    return cleared
