"""Two learners compared from scores that something else produced."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.frames import in_kind
from foldwise.comparison.pairs import judge_evidence
from foldwise.comparison.told import with_missing
from foldwise.core.amounts import Amount
from foldwise.core.metric import UNNAMED, Unit
from foldwise.evidence.missing import Policy
from foldwise.evidence.scores import BlockScores, Scores, check_fold_sizes

__all__ = ["compare_scores"]


def compare_scores(
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    runs: int | None = None,
    test: str = "auto",
    higher_is_better: bool | None = None,
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    names: tuple[str, str] = ("a", "b"),
    metric: str = UNNAMED,
    unit: Unit | None = None,
    missing: Policy = "refuse",
    bounds: tuple[float, float] | None = None,
) -> Comparison:
    """Compare two learners from their scores on the same splits.

    Parameters
    ----------
    scores_a, scores_b
        Scores of shape (runs, folds) from cross-validation, or (splits,) from random splits, in the same order. A
        vector of up to ten of which nothing is said is taken for one cross-validation, as `cross_val_score` gives it.
        A round robin has scores of shape (dealings, blocks, blocks), ``[r, b, c]`` on block c with b left out of the
        training too.
    n_train, n_test
        Sizes of one split; may be left out for cross-validation, where the folds decide their ratio.
    runs
        How often the cross-validation was repeated, where the scores are a vector run by run (scikit-learn's
        ``RepeatedKFold``); 1 for a single one.
    test
        A name of the catalogue, or "auto" for the recommended test: corrected repeated k-fold cv t for
        cross-validation, combined F for 5×2, corrected resampled t for random splits, round robin for blocks.
    higher_is_better
        False for losses. Without it the name of the metric tells, and the answer says so where it does not.
    alpha
        Significance level.
    rope
        Half-width of the region of practical equivalence, in the score's own unit; without it 0.01, or 1 where the
        scores are percentages.
    margin
        By how much a may be worse than b, in the score's own unit: as in `compare_predictions`.
    names, metric
        What to call the learners and the score.
    unit
        ``"percent"``, ``"fraction"`` or ``"own"``; without it percent where a rate by its name goes beyond 1.
    missing
        What to do about missing scores (NaN): ``"refuse"`` them, ``"drop"`` their splits for both learners (of
        cross-validation whole runs, or a fold of every run), or put the ``"worst"`` possible score in their place.
    bounds
        What no score can be below or above, where the metric's name does not tell: ``"worst"`` needs it then.

    Returns
    -------
    Comparison
        Estimate, interval, p-value, probabilities, caveats.

    Examples
    --------
    >>> c = compare_scores([0.80, 0.82, 0.79], [0.70, 0.75, 0.71], n_train=200, n_test=100)
    >>> c.test, c.better, round(c.estimate, 4)
    ('corrected_resampled_t', 'a', 0.0833)
    """
    given = {"scores_a": scores_a, "scores_b": scores_b}
    evidence: Scores | BlockScores
    if np.ndim(scores_a) == np.ndim(scores_b) == 3:  # dealings, blocks, blocks
        evidence = BlockScores.build(
            given, n_train=n_train, higher_is_better=higher_is_better, metric=metric, called=str
        )
    else:
        evidence = Scores.build(
            given,
            called=str,
            n_train=n_train,
            n_test=n_test,
            runs=runs,
            higher_is_better=higher_is_better,
            metric=metric,
            unit=unit,
            missing=missing,
            bounds=bounds,
        )
        if len(evidence.shape) == 2:
            # folds without a score may be left out, and are among those that the sizes tell
            folds = np.shape(scores_a)[1] if np.ndim(scores_a) == 2 else np.size(scores_a) // (runs or 1)
            check_fold_sizes(folds, n_train, n_test)
    c = judge_evidence(evidence, test=test, alpha=alpha, rope=rope, margin=margin, names=names)
    return Comparison.of(in_kind(with_missing(c, evidence.missing, names), scores_a, scores_b))
