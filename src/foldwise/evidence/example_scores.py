"""What two learners scored on each example in each run of a cross-validation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import number_text
from foldwise.core.metric import Unit, metric_words, resolve_direction, unit_of
from foldwise.core.types import Array, Integers, Labels
from foldwise.core.validation import numbers
from foldwise.evidence.evidence import EvidenceTable
from foldwise.evidence.rounding import rounded_differences

__all__ = ["ExampleScores"]

SHOWN = 500
"""Rows of a table for people."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExampleScores:
    """Paired scores of single examples: right or wrong, or a loss.

    Attributes
    ----------
    a, b
        Scores of the two learners, (runs, examples).
    left_out
        Per run and example what was left out of the training with it, of the same shape.
    resampling, design
        The kind of evidence that it is, and the resampling in words.
    n_train
        Examples in one training.
    higher_is_better, metric, direction_assumed
        As in `Scores`.

    Examples
    --------
    >>> folds = {"resampling": "cv_examples", "design": "2-fold cross-validation", "n_train": 2}
    >>> scores = ExampleScores.build([[1, 0, 1]], [[1, 1, 0]], [[0, 0, 1]], **folds)
    >>> scores.differences.tolist(), scores.means
    ([[0.0, -1.0, 1.0]], (0.6666666666666666, 0.6666666666666666))
    """

    a: Array
    b: Array
    left_out: Integers
    resampling: str
    design: str
    n_train: float
    higher_is_better: bool
    metric: str
    direction_assumed: bool = False

    @classmethod
    def build(
        cls, scores_a: object, scores_b: object, left_out: object, *, resampling: str, design: str, n_train: float,
        higher_is_better: bool | None = None, metric: str = "accuracy",
    ) -> ExampleScores:  # fmt: skip
        """Check and pair the scores of two learners."""
        a, b = (numbers(scores, name, min_ndim=2) for scores, name in ((scores_a, "scores_a"), (scores_b, "scores_b")))  # type: ignore[arg-type]
        ids = np.asarray(left_out, dtype=np.int64)
        if not a.shape == b.shape == ids.shape or 0 in a.shape:
            raise InvalidInput(f"scores must have one shape (runs, examples), got {a.shape}, {b.shape} and {ids.shape}")
        higher, assumed = resolve_direction(metric, higher_is_better)
        return cls(
            a=a,
            b=b,
            left_out=ids,
            resampling=resampling,
            design=design,
            n_train=n_train,
            higher_is_better=higher,
            metric=metric,
            direction_assumed=assumed,
        )

    @property
    def differences(self) -> Array:
        """A − b on every example of every run."""
        return rounded_differences(self.a, self.b)

    @property
    def unit(self) -> Unit:
        """Fractions, percentages, or the metric's own unit."""
        return unit_of(self.metric, (self.a, self.b))

    @property
    def means(self) -> tuple[float, float]:
        """Mean score of a and of b."""
        return float(self.a.mean()), float(self.b.mean())

    @property
    def digest(self) -> str:
        """Equal exactly when the scores and what was left out are."""
        return digest([self.a, self.b, self.left_out])

    @property
    def majority(self) -> float | None:
        """Scores do not know the classes."""
        return None

    def columns(self, names: tuple[str, str]) -> dict[str, Labels]:
        """One row per run and example."""
        run, example = np.indices(self.a.shape).reshape(2, -1)
        values = {names[0]: self.a.ravel(), names[1]: self.b.ravel(), "difference": self.differences.ravel()}
        return {"run": run, "example": example, "left_out": self.left_out.ravel()} | values

    def table(self, names: tuple[str, str]) -> EvidenceTable:
        """The first rows, counted from 1."""
        places = [f"{run + 1}, {example + 1}" for run, example in list(np.ndindex(*self.a.shape))[:SHOWN]]
        values = zip(places, self.a.ravel(), self.b.ravel(), self.differences.ravel(), strict=False)
        rows = tuple(
            (place, number_text(a, 4), number_text(b, 4), ("+" if d > 0 else "") + number_text(d, 4))
            for place, a, b, d in values
        )
        first = f", the first {SHOWN}" if self.a.size > SHOWN else ""
        columns = ("run, example", *names, "difference")
        return EvidenceTable(columns=columns, rows=rows, caption=f"{metric_words(self.metric)} on each example{first}")
