"""Metrics that are any function of the truth and a model's outputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput
from foldwise.metrics.metric import Metric, Output
from foldwise.metrics.truth import Truth

__all__ = ["FunctionMetric"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionMetric(Metric):
    """A function ``function(y_true, outputs)`` that gives a number.

    Attributes
    ----------
    function
        Gets the labels themselves, not their numbers; scores, probabilities and numbers as they are.
    labels
        Whether the outputs are labels.
    """

    function: Callable[[NDArray[Any], NDArray[Any]], float]
    labels: bool = False

    def value(self, truth: Truth, output: Output) -> float:
        """The function's value; an error of its own is told in a sentence."""
        try:
            found = float(self.function(_decoded(truth.values, truth), self._given(truth, output)))
        except Exception as error:  # a function of the user's can end in any error
            raise InvalidInput(f"metric {self.name!r} failed: {type(error).__name__}: {error}") from error
        if not np.isfinite(found):
            raise InvalidInput(f"metric {self.name!r} must give a finite number, got {found}")
        return found

    def _given(self, truth: Truth, output: Output) -> NDArray[Any]:
        return _decoded(output, truth) if self.labels else output


def _decoded(values: NDArray[Any], truth: Truth) -> NDArray[Any]:
    """The labels behind numbers of classes; numbers of a regression as they are."""
    if not truth.classes:
        return values
    found: NDArray[Any] = np.array(truth.classes, dtype=_dtype(truth.classes))[values]
    return found


def _dtype(classes: tuple[Any, ...]) -> Any:
    """One that keeps each label what it is: text stays text, whole numbers stay whole."""
    kinds = {type(label) for label in classes}
    return None if len(kinds) == 1 else object
