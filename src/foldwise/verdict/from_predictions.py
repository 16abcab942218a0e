"""Two classifiers compared from their predictions on one test set; two or more from a file of them."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.data.predictions import PredictionFile
from foldwise.evidence.outcomes import Outcomes
from foldwise.verdict.comparison import Comparison
from foldwise.verdict.judge import judge
from foldwise.verdict.mark_file import MarkOptions, holds_marks, judge_mark_file
from foldwise.verdict.models.comparison import ModelsComparison
from foldwise.verdict.models.from_predictions import compare_models
from foldwise.verdict.models.judge import Adjust

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


def judge_prediction_file(
    file: PredictionFile,
    *,
    test: str = "auto",
    control: str | None = None,
    adjust: Adjust | None = None,
    seed: int = 0,
    marks: MarkOptions | None = None,
    **options: Any,
) -> Comparison | ModelsComparison:
    """Compare the classifiers of a file, by labels or, where it has no truth, by marks.

    Parameters
    ----------
    file
        Two classifiers are compared with each other, three and more with each other or with a control.
    test
        The test of two classifiers.
    control, adjust, seed
        Of three and more, as in `compare_models`; two are treated as these where one of the first two is given.
    marks
        What `judge_mark_file` takes besides: metric, higher_is_better, missing, paired_seeds.
    options
        What both take: alpha, rope, margin.
    """
    few = len(file.names) < 3 and control is None and adjust is None
    if (few and holds_marks(file)) or file.marks or file.items is not None or file.seeds is not None:
        return judge_mark_file(file, test=test, **(marks or {}), **options)
    for name in marks or ():
        raise InvalidInput(f"{name} is for marks, trials and seeds, but {file.source} holds labels")
    if few and file.truth is not None:
        a, b = file.pair()
        columns = file.predictions[a], file.predictions[b]
        return compare_predictions(file.truth, *columns, test=test, groups=file.groups, names=(a, b), **options)
    if test != "auto":
        raise InvalidInput(f"test must be 'auto' where {len(file.names)} classifiers are compared, got {test!r}")
    return compare_models(
        file.truth, file.predictions, groups=file.groups, control=control, adjust=adjust or "holm", seed=seed, **options
    )
