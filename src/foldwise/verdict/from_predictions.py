"""Two classifiers compared from their predictions on one test set."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from foldwise.data.predictions import PredictionFile
from foldwise.evidence.outcomes import Outcomes
from foldwise.verdict.comparison import Comparison
from foldwise.verdict.from_marks import compare_marks
from foldwise.verdict.judge import judge

__all__ = ["compare_predictions", "judge_prediction_file"]


def compare_predictions(
    y_true: ArrayLike,
    pred_a: ArrayLike,
    pred_b: ArrayLike,
    *,
    test: str = "auto",
    groups: ArrayLike | None = None,
    alpha: float = 0.05,
    rope: float = 0.01,
    margin: float | None = None,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Compare two classifiers from their predictions on the same test examples.

    Parameters
    ----------
    y_true, pred_a, pred_b
        True labels, and those that a and b predict; a label that never occurs in the truth is an error. Probabilities
        and other numbers that are no labels are refused; right/wrong marks go to `compare_marks`.
    test
        A name of the catalogue, or "auto": McNemar's mid-p test, or with `groups` the cluster-robust t test.
    groups
        The cluster of each example, where examples come in clusters (several questions about one document …).
    alpha
        Significance level.
    rope
        Half-width of the region of practical equivalence, as a difference of accuracies.
    margin
        By how much of a difference a may be worse than b: asks whether a, the candidate, is superior, non-inferior,
        equivalent or inferior to b, the baseline, or whether that is undecided (`Comparison.conclusion`).
    names
        What to call the classifiers.

    Returns
    -------
    Comparison
        `estimate` is accuracy(a) − accuracy(b), with Tango's score interval beside McNemar's test.

    Examples
    --------
    >>> c = compare_predictions(["x", "y"] * 20, ["x", "y"] * 19 + ["y", "x"], ["x"] * 40)
    >>> c.test, c.better, round(c.estimate, 3)
    ('mcnemar', 'a', 0.45)
    """
    outcomes = Outcomes.from_predictions(y_true, pred_a, pred_b, groups=groups)
    return judge(outcomes, test=test, alpha=alpha, rope=rope, margin=margin, names=names)


def judge_prediction_file(file: PredictionFile, **options: Any) -> Comparison:
    """Compare the two classifiers of a file, by labels or, where it has no truth, by marks."""
    a, b = file.pair()
    columns = file.predictions[a], file.predictions[b]
    if file.truth is None:
        return compare_marks(*columns, groups=file.groups, names=(a, b), **options)
    return compare_predictions(file.truth, *columns, groups=file.groups, names=(a, b), **options)
