"""What each example adds to a score that is a mean over examples: what predictions alone tell."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Labels
from foldwise.engine.result import RunResult

__all__ = ["MEANS", "example_scores", "is_mean", "tested_scores"]

MEANS: dict[str, Callable[[Labels, Labels], Array]] = {
    "accuracy": lambda predicted, truth: (predicted == truth).astype(np.float64),
    "error": lambda predicted, truth: (predicted != truth).astype(np.float64),
    "mse": lambda predicted, truth: (predicted - truth) ** 2.0,
    "mae": lambda predicted, truth: np.abs(predicted - truth).astype(np.float64),
    "neg_mean_squared_error": lambda predicted, truth: -((predicted - truth) ** 2.0),
    "neg_mean_absolute_error": lambda predicted, truth: -np.abs(predicted - truth).astype(np.float64),
}
"""The scorings that are means over examples, and what one example adds."""


def is_mean(scoring: str) -> bool:
    """Whether a score is the mean of what predictions score on single examples."""
    return scoring in MEANS


def example_scores(result: RunResult, learner: int) -> Array:
    """What each example scored in each run: (runs, examples).

    Parameters
    ----------
    result
        Of a plan that tests every example once per run.
    learner
        Position of the learner.
    """
    return _mean(result)(result.predicted(learner), result.y)


def tested_scores(result: RunResult, learner: int) -> Array:
    """What each test example scored in each training: (trainings, test examples), for plans that test the same ones."""
    scores = _mean(result)
    rows = []
    for run, predicted in zip(result.runs, result.outcomes[learner], strict=True):
        if predicted is None:
            raise InvalidInput(f"learner {result.names[learner]!r} failed on training set {run + 1}: see failures")
        rows.append(scores(predicted, result.y[result.splits[run].test]))
    return np.stack(rows)


def _mean(result: RunResult) -> Callable[[Labels, Labels], Array]:
    if not is_mean(result.scoring):
        raise InvalidInput(
            f"scoring must be a mean over examples that predictions tell ({', '.join(MEANS)}), got {result.scoring!r}"
        )
    return MEANS[result.scoring]
