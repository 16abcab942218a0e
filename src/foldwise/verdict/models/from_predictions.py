"""Several models compared from what they said of the same items."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.typing import ArrayLike

from foldwise.evidence.models import ModelValues
from foldwise.verdict.models.comparison import ModelsComparison
from foldwise.verdict.models.judge import Adjust, judge_models

__all__ = ["compare_models"]


def compare_models(
    y_true: ArrayLike | None,
    models: Mapping[str, ArrayLike],
    *,
    groups: ArrayLike | None = None,
    control: str | None = None,
    adjust: Adjust = "holm",
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
        By name, the labels that each model predicts; without `y_true` marks for right and wrong: 1 and 0, true and
        false, or the words right and wrong, correct and incorrect, pass and fail.
    groups
        The cluster of each item, where items come in clusters (several questions about one document …).
    control
        Name of the model that the others are compared with; without it all pairs are.
    adjust
        How the pairs are judged together: ``"holm"`` adjusts p-values step by step, with Bonferroni's simultaneous
        intervals; ``"max_t"`` takes from the joint law of all differences how large the largest gets by chance, which
        is less strict where models resemble each other, and whose p-values and intervals agree.
    alpha, rope
        Level for all pairs together, and the difference up to which models are practically the same: by default one
        point.
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
        evidence = ModelValues.from_correct(models, groups=groups)
    else:
        evidence = ModelValues.from_predictions(y_true, models, groups=groups)
    return judge_models(evidence, control=control, adjust=adjust, alpha=alpha, rope=rope, margin=margin, seed=seed)
