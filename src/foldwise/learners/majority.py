"""The majority class: the learner that every other one has to beat."""

from __future__ import annotations

from typing import Any

import numpy as np

from foldwise.core.table import Table
from foldwise.core.types import Array
from foldwise.learners.base import Codes, Learner

__all__ = ["Majority"]


class Majority(Learner):
    """Predict the most frequent class of the training examples; ties go to the first class.

    Examples
    --------
    >>> Majority().fit([[0.0], [1.0], [2.0]], ["no", "yes", "yes"]).predict([[5.0]]).tolist()
    ['yes']
    """

    def _fit(self, table: Table, codes: Codes, n_classes: int) -> None:
        self.counts_ = np.bincount(codes, minlength=n_classes)

    def _predict_proba(self, table: Table) -> Array:
        return np.tile(self.counts_ / self.counts_.sum(), (len(table), 1))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags
