"""How far the verdict on two learners hangs on single examples, from the runs that were made anyway."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foldwise.engine.result import RunResult
from foldwise.inference.measured import behaviour
from foldwise.inference.stability import UNSTABLE, instability

__all__ = ["instability_caveat", "instability_of"]


def instability_of(results: Sequence[RunResult]) -> float | None:
    """What the stability meter shows of two learners in repeated cross-validation; None where there is one run only.

    Right and wrong answers count for classifiers, squared errors for regressors, whatever the score is.
    """
    plan = results[0].plan
    if not plan.is_partition or plan.rounds > 1 or sum(len(result.runs) for result in results) < 2:
        return None
    a, b = (np.concatenate([_values(result, place) for result in results]) for place in range(2))
    return float(instability(a - b))


def instability_caveat(test: str, value: float | None, said: str | None) -> str | None:
    """What follows from a high value for the test: what was measured with such learners, and which test to ask.

    Parameters
    ----------
    test
        The test that was made.
    value
        What the stability meter shows.
    said
        What was said already of this test with learners like these.
    """
    if value is None or value < UNSTABLE:
        return None
    measured = [] if said else [row for row in behaviour(test) if row.exceeds and row.source.learners]
    worst = max(measured, key=lambda row: row.type1.rate, default=None)
    shown = ""
    if worst is not None:
        shown = (
            f"; with {worst.source.short} it rejected a true null hypothesis in {worst.type1.rate:.3f} of "
            f"{worst.type1.trials} data sets at level 0.05"
        )
    return (
        f"these learners depend strongly on single training examples (instability {value:.2f}, high from {UNSTABLE:g} "
        f"on), which this test does not account for{shown}: --test round_robin does"
    )


def _values(result: RunResult, place: int) -> np.ndarray:
    predicted = result.predicted(place)
    return (predicted == result.y).astype(np.float64) if result.classes is not None else (predicted - result.y) ** 2
