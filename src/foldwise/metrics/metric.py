"""What every metric has: its name, its direction, what it needs of the models, and what it can be."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import Any

from numpy.typing import NDArray

from foldwise.core.metric import direction_words
from foldwise.core.types import Flags
from foldwise.metrics.truth import Truth

__all__ = ["Bounds", "Metric", "Needs", "Output"]

Output = NDArray[Any]
"""What one model said of each item: numbers of classes, scores, probabilities by class, or numbers."""

Bounds = tuple[float | None, float | None]
"""The least and the greatest value there can be; None where there is no limit."""


class Needs(Enum):
    """What of a model's outputs a metric is computed from, in words for people to read."""

    LABELS = "predicted labels"
    SCORES = "scores of the positive class"
    PROBABILITIES = "probabilities of the classes"
    CLASS_SCORES = "scores of each class"
    NUMBERS = "predicted numbers"
    ANY = "outputs of any kind, as they are given"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric(ABC):
    """One metric; what it is computed from decides its class, and with it how it is resampled.

    Attributes
    ----------
    name
        As scikit-learn spells it, where scikit-learn has it; a loss goes by its own name, without ``neg_``.
    needs
        What it is computed from.
    higher_is_better
        False for losses.
    bounds
        What it can be.
    one_class
        Whether it is about one class, the positive one.
    """

    name: str
    needs: Needs
    higher_is_better: bool = True
    bounds: Bounds = (0.0, 1.0)
    one_class: bool = False

    @abstractmethod
    def value(self, truth: Truth, output: Output) -> float:
        """The metric of one model on all items."""

    def decisive(self, truth: Truth) -> Flags | None:
        """The items of which the metric is the share that is told from the others rightly; None where it is no share.

        Recall is the accuracy of the positive items, specificity that of the others.
        """
        return None

    def __str__(self) -> str:
        return direction_words(self.name, self.higher_is_better)
