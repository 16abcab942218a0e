"""Two classifiers that are right and wrong on the same examples: how far n examples bound the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from foldwise.comparison.margins import one_sided_limits
from foldwise.comparison.two_models import TwoModels
from foldwise.designs import RIGHT_WRONG, find_procedure
from foldwise.engine.result import RunResult
from foldwise.evidence.items import Items

__all__ = ["bounded_by_examples"]


def bounded_by_examples(c: TwoModels, results: Sequence[RunResult]) -> TwoModels:
    """The comparison with the interval and probabilities of n examples without a disagreement, where that holds.

    Notes
    -----
    Scores that agree on every split say nothing of their variance. But accuracies come from single examples, and n of
    them on which both classifiers are right, or both wrong, leave room for a difference of the order of 1/n only:
    Tango's interval and the posterior of a table without disagreements.
    """
    if c.metric != "accuracy" or c.rope_probabilities is not None or c.estimate != 0:
        return c
    right = _agreed(results)
    if right is None:
        return c
    outcomes = Items.from_right(c.names, [right, right])
    procedure = find_procedure(RIGHT_WRONG.recommended)
    bound = RIGHT_WRONG.findings(outcomes, procedure, alpha=c.alpha, rope=c.rope)
    limits = one_sided_limits(outcomes, procedure, alpha=c.limits_alpha, rope=c.rope, margin=c.margin)
    words = (
        f"both are right and wrong on the same {len(right)} examples: interval and probabilities are those of so many "
        "test examples without a disagreement"
    )
    findings = replace(c.findings, interval=bound.interval, probabilities=bound.probabilities)
    return c.replace(findings=findings, limits=limits, caveats=(words, *c.caveats))


def _agreed(results: Sequence[RunResult]) -> NDArray[np.bool_] | None:
    """Whether each tested example was classified rightly; None if the two ever disagree about one."""
    right: dict[int, bool] = {}
    for result in results:
        folds = result.shape[1]
        places = [run * folds + fold for run in result.runs for fold in range(folds)]
        for place, a, b in zip(places, *result.outcomes, strict=True):
            test = result.splits[place].test
            truth = result.y[test]
            if a is None or b is None or not np.array_equal(a == truth, b == truth):
                return None
            right.update(zip(test.tolist(), (a == truth).tolist(), strict=True))
    return np.array(list(right.values()), dtype=np.bool_)
