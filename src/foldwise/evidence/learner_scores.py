"""Scores of several learners on the same splits of one data set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import Unit, metric_words, unit_of
from foldwise.core.types import Array, Labels
from foldwise.evidence.evidence import EvidenceTable
from foldwise.evidence.models import check_names
from foldwise.evidence.scores import Scores

__all__ = ["LearnerScores"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnerScores:
    """Scores of k learners on runs × folds of cross-validation, or on random splits.

    Attributes
    ----------
    names
        What the learners are called.
    scores
        Shape (learners, runs, folds), or (learners, splits).
    n_train, n_test
        Sizes of one split; None where the folds alone decide their ratio.
    higher_is_better, direction_assumed
        False for losses; and whether that is only assumed.
    declared_unit
        The unit, where somebody or the file says it.
    metric
        What the scores measure, for people to read.
    pieces
        Number of independent groups (or examples) behind the splits, where it bounds the degrees of freedom.

    Examples
    --------
    >>> found = LearnerScores(names=("a", "b"), scores=np.ones((2, 1, 5)), metric="accuracy", higher_is_better=True)
    >>> found.design, found.pair(0, 1).differences.shape
    ('5-fold cross-validation', (1, 5))
    """

    names: tuple[str, ...]
    scores: Array
    metric: str
    higher_is_better: bool
    n_train: float | None = None
    n_test: float | None = None
    direction_assumed: bool = False
    declared_unit: Unit | None = None
    pieces: int | None = None

    def __post_init__(self) -> None:
        check_names(self.names, "learners")
        if self.scores.ndim not in (2, 3) or len(self.scores) != len(self.names) or len(self.names) < 2:
            shape = self.scores.shape
            rule = "(learners, runs, folds) or (learners, splits)"
            raise InvalidInput(f"scores must have shape {rule} for {len(self.names)}, got {shape}")

    def pair(self, i: int, j: int) -> Scores:
        """The scores of two of the learners, checked as scores of two are."""
        return Scores.build(
            self.scores[i],
            self.scores[j],
            n_train=self.n_train,
            n_test=self.n_test,
            higher_is_better=self.higher_is_better,
            metric=self.metric,
            pieces=self.pieces,
        )

    @property
    def unit(self) -> Unit:
        """Fractions, percentages, or the metric's own unit."""
        return unit_of(self.metric, self.scores, self.declared_unit)

    @property
    def means(self) -> Array:
        """Mean score of each learner."""
        return np.asarray(self.scores.reshape(len(self.names), -1).mean(axis=1))

    @property
    def design(self) -> str:
        """The resampling in words."""
        return self.pair(0, 1).design

    @property
    def digest(self) -> str:
        """Equal exactly when the scores are."""
        return digest([self.scores])

    @property
    def majority(self) -> float | None:
        """Scores do not know the classes."""
        return None

    def columns(self) -> dict[str, Labels]:
        """One row per split, with its run and fold."""
        shape = self.scores.shape[1:]
        keys = ("split",) if len(shape) == 1 else ("run", "fold")
        places = dict(zip(keys, np.indices(shape).reshape(len(shape), -1), strict=True))
        return places | {name: scores.ravel() for name, scores in zip(self.names, self.scores, strict=True)}

    def table(self) -> EvidenceTable:
        """One row per split, counted from 1."""
        shape = self.scores.shape[1:]
        rows = tuple(
            (
                ", ".join(str(i + 1) for i in place),
                *(f"{score:.4f}".replace("-", "−") for score in self.scores[(slice(None), *place)]),
            )
            for place in np.ndindex(*shape)
        )
        first = "split" if len(shape) == 1 else "run, fold"
        return EvidenceTable(
            columns=(first, *self.names), rows=rows, caption=f"{metric_words(self.metric)} on each split"
        )
