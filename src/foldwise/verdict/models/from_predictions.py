"""Several models compared from what they said of the same items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.evidence.mark_rows import Policy
from foldwise.evidence.models import UNNAMED_MARK, ModelValues
from foldwise.verdict.models.comparison import ModelsComparison
from foldwise.verdict.models.judge import Adjust, judge_models

__all__ = ["compare_models"]


def compare_models(
    y_true: ArrayLike | None,
    models: Mapping[str, Any],
    *,
    metric: str = "accuracy",
    groups: ArrayLike | None = None,
    control: str | None = None,
    adjust: Adjust = "holm",
    items: ArrayLike | None = None,
    higher_is_better: bool | None = None,
    missing: Policy = "refuse",
    alpha: float = 0.05,
    rope: float | None = None,
    margin: float | None = None,
    seed: int = 0,
) -> ModelsComparison:
    """Compare several models from their predictions, or their marks, on the same items.

    Parameters
    ----------
    y_true
        True labels; None where `models` holds marks.
    models
        By name, the labels that each model predicts; without `y_true` its marks, as in `compare_marks`: any numbers, or
        words for right and wrong, of shape (items,) or (items, trials), or a mapping from items to marks.
    metric
        "accuracy"; or what the marks measure. Marks of 1 and 0 are right and wrong answers.
    groups
        The cluster of each item, where items come in clusters (several questions about one document …).
    control
        Name of the model that the others are compared with; without it all pairs are.
    adjust
        How the pairs are judged together: ``"holm"`` adjusts p-values step by step, with Bonferroni's simultaneous
        intervals; ``"max_t"`` takes from the joint law of all differences how large the largest gets by chance, which
        is less strict where models resemble each other, and whose p-values and intervals agree.
    items, higher_is_better, missing
        Of marks: the item of each row where rows are trials, the direction where the metric's name does not tell, and
        what to do about missing ones (``"refuse"``, ``"drop"``, ``"zero"``).
    alpha, rope
        Level for all pairs together, and the difference up to which models are practically the same: by default one
        point of a rate, and 0.01 in the marks' own unit.
    margin
        By how much a model may be worse than the control (without one, than the second of a pair): asks whether each
        is superior, non-inferior, equivalent or inferior to it, or whether that is undecided.
    seed
        Determines the draws behind max-T and the set of the best.

    Returns
    -------
    ModelsComparison
        `pairs` with simultaneous intervals, `best_set`, `ranks`; ``print`` it for a verdict in words.

    Examples
    --------
    >>> truth = ["x", "y"] * 20
    >>> m = compare_models(truth, {"a": truth, "b": ["x"] * 40, "c": ["x", "y"] * 19 + ["y", "y"]})
    >>> m.best_set, m.ranks["b"], round(m.pair("a", "b").estimate, 3)
    (('a', 'c'), (3, 3), 0.5)
    """
    if y_true is None:
        evidence = ModelValues.from_marks(
            models,
            items=items,
            groups=groups,
            metric=UNNAMED_MARK if metric == "accuracy" else metric,
            higher_is_better=higher_is_better,
            missing=missing,
        )
    else:
        _refuse_other_metrics(metric, items=items, higher_is_better=higher_is_better, missing=missing)
        evidence = ModelValues.from_predictions(y_true, models, groups=groups)
    return judge_models(evidence, control=control, adjust=adjust, alpha=alpha, rope=rope, margin=margin, seed=seed)


def _refuse_other_metrics(metric: str, *, items: object, higher_is_better: object, missing: str) -> None:
    """Labels are right or wrong, and one for each item."""
    if metric != "accuracy":
        raise InvalidInput(f"metric must be 'accuracy' where y_true is given, got {metric!r}")
    if items is not None or higher_is_better is not None or missing != "refuse":
        raise InvalidInput("items, higher_is_better and missing are for marks, but y_true is given")
