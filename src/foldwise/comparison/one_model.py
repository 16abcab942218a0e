"""One model on a test set: its metric with an interval, by the same evidence and designs as comparisons have."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.error_estimate import ErrorEstimate
from foldwise.comparison.from_file import judge_prediction_file
from foldwise.comparison.predictions import compare_predictions
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Interval
from foldwise.core.validation import fraction
from foldwise.data.predictions import PredictionFile
from foldwise.evidence.items import Items
from foldwise.evidence.outputs import Outputs

__all__ = ["estimate_prediction_file", "estimate_predictions", "holds_one"]

T = TypeVar("T")

AGAIN = " (again)"
"""What stands behind the model's name where evidence wants a second one: the model itself."""

OF_TWO = ("both models", "difference", "probabilities", "detectable", "McNemar", "p is ", "practical equivalence")
"""Words of caveats that are about two models."""


def estimate_predictions(
    truth: Any, outputs: Any, *, name: str = "model", confidence_level: float = 0.95, **asked: Any
) -> ErrorEstimate:
    """Estimate the metric of one model on items like those of its test set, with an interval.

    Parameters
    ----------
    truth, outputs
        What is true of each item and what the model said, as `compare_predictions` takes them; without a truth marks,
        or columns of counts.
    name
        What to call the model.
    confidence_level
        Level of the interval.
    asked
        metric, groups, time, items, higher_is_better, missing and options of `compare_predictions`.

    Notes
    -----
    The interval is that of each model's mean in a comparison: Jeffreys' for right and wrong answers, Student's with the
    cluster-robust standard error for clusters, the long-run one in order of time, and for metrics that are no means the
    jackknife's.

    Examples
    --------
    >>> found = estimate_predictions(["x", "y"] * 20, ["x", "y"] * 18 + ["y", "x"] * 2)
    >>> found.estimate, [round(float(limit), 3) for limit in (found.interval.low, found.interval.high)]
    (0.9, [0.78, 0.965])
    """
    level = fraction(confidence_level, "confidence_level")
    both = {name: outputs, name + AGAIN: outputs}
    return _of_one(compare_predictions(truth, both, alpha=1 - level, **asked), level)


def estimate_prediction_file(file: PredictionFile, *, confidence_level: float = 0.95, **asked: Any) -> ErrorEstimate:
    """The same of a file with one model; `asked` is what `judge_prediction_file` takes."""
    (name,) = file.names
    level = fraction(confidence_level, "confidence_level")
    twice = replace(
        file,
        order=(name, name + AGAIN),
        predictions=_twice(file.predictions, name),
        marks=_twice(file.marks, name),
        scores=_twice(file.scores, name),
        counts=_twice(file.counts, name),
    )
    return _of_one(judge_prediction_file(twice, alpha=1 - level, **asked), level)


def holds_one(file: PredictionFile) -> bool:
    """Whether a file has one model, beside a truth that is not merely the first column, or marks, or counts."""
    assumed = any(one.what == "truth" and one.how == "assumed" for one in file.decisions)
    return len(file.names) == 1 and not assumed and file.seeds is None


def _twice(parts: dict[str, T], name: str) -> dict[str, T]:
    return {**parts, name + AGAIN: parts[name]} if name in parts else parts


def _of_one(c: Comparison, level: float) -> ErrorEstimate:
    if len(c.parts) != 1:
        raise InvalidInput(f"metric must be one where there is one model, got {len(c.parts)}: ask for each by itself")
    (part,) = c.parts
    name, evidence = part.names[0], part.evidence
    assert isinstance(evidence, Items | Outputs)  # what predictions and marks make
    found = part.kind.mean_intervals(evidence, part.procedure, level)
    low, high = (float(np.asarray(limit).ravel()[0]) for limit in (found.low, found.high))
    known = np.isfinite([low, high]).all()
    told = [one for one in part.caveats if one != part.kind.limit and not any(word in one for word in OF_TWO)]
    nothing = ("no interval: nothing is known of how the metric varies over such items",)
    return ErrorEstimate(
        learner=name,
        estimate=float(evidence.means[0]),
        interval=Interval(low=low, high=high) if known else None,
        confidence_level=level,
        errors=None,
        tested=None,
        method="predictions",
        title="one model on a test set",
        design=evidence.design,
        metric=evidence.metric,
        n=int(evidence.n),
        seed=0,
        unit=evidence.unit,
        decisions=tuple(_alone(part.reading)),
        caveats=(*(() if known else nothing), *(_without_again(one) for one in told)),
    )


def _alone(decisions: Iterable[Decision]) -> Iterable[Decision]:
    for one in decisions:
        if one.what != "candidate":
            yield replace(one, value=_without_again(one.value))


def _without_again(text: str) -> str:
    """The text without what it says of the second model."""
    return re.sub(rf"(, | and )[^,;]*?{re.escape(AGAIN)}( \d+)?", "", text)
