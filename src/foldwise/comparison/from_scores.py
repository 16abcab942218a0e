"""Two and more models compared from scores on the same splits of one data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Never

import numpy as np
from numpy.typing import ArrayLike

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.options import Options, options_of
from foldwise.comparison.pairs import judge_evidence
from foldwise.comparison.results import in_kind
from foldwise.core.amounts import Amount
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import UNNAMED
from foldwise.core.random import RandomState, seed_of
from foldwise.core.roles import FOLD_NAMES, normalised
from foldwise.data.score_files import ScoreFile
from foldwise.evidence.evidence import models_by_name, named_models
from foldwise.evidence.missing import Policy
from foldwise.evidence.scores import BlockScores, Scores, check_fold_sizes
from foldwise.reading.lineup import Candidate, line_up

CALL = (
    "scores must be a dict, a frame or a list of two or more models: "
    'compare_scores({"a": a, "b": b}, n_train=…, n_test=…), '
    "each an array of shape (runs, folds) or (splits,)"
)
"""The sentence that shows the right call."""


def compare_scores(
    scores: Mapping[str, ArrayLike] | Sequence[ArrayLike],
    *wrong: object,
    n_train: float | None = None,
    n_test: float | None = None,
    runs: int | None = None,
    metric: str = UNNAMED,
    test: str = "auto",
    higher_is_better: bool | None = None,
    missing: Policy = "refuse",
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    candidate: Candidate | None = None,
    baseline: str | None = None,
    random_state: RandomState = 0,
    options: Options | None = None,
    **misplaced: Never,
) -> Comparison:
    """Compare two or more models from their scores on the same splits of one data set.

    Parameters
    ----------
    scores
        By name, each model's scores of shape (runs, folds) from cross-validation, or (splits,) from random splits, in
        the same order; a list of them has models called a, b, c …. A vector of up to ten of which nothing is said is
        taken for one cross-validation, as `cross_val_score` gives it. A round robin has scores of shape (dealings,
        blocks, blocks), ``[r, b, c]`` on block c with b left out of the training too.
    n_train, n_test
        Sizes of one split; may be left out for cross-validation, where the folds decide their ratio.
    runs
        How often the cross-validation was repeated, where the scores are a vector run by run (scikit-learn's
        ``RepeatedKFold``); 1 for a single one.
    metric
        What the scores measure.
    test
        A name of the catalogue, or "auto" for the recommended test: corrected repeated k-fold cv t for
        cross-validation, combined F for 5×2, corrected resampled t for random splits, round robin for blocks.
    higher_is_better
        False for losses. Without it the name of the metric tells, and the answer says so where it does not.
    missing
        What to do about missing scores (NaN): ``"refuse"`` them, ``"drop"`` their splits for all models (of
        cross-validation whole runs, or a fold of every run), or put the ``"worst"`` possible score in their place.
    alpha
        Significance level, for all pairs together.
    rope
        Half-width of the region of practical equivalence, in the score's own unit; without it 0.01, or 1 where the
        scores are percentages.
    margin, candidate, baseline
        As in `compare_predictions`.
    random_state
        Determines, of three and more models, the draws behind max-T and the set of the best.
    options
        What few people set: control, adjust, unit and bounds of `Options`.

    Returns
    -------
    Comparison
        Estimate, interval, p-value, probabilities, caveats; of three and more models those of each pair.

    Examples
    --------
    >>> c = compare_scores({"nb": [0.80, 0.82, 0.79], "tree": [0.70, 0.75, 0.71]}, n_train=200, n_test=100)
    >>> c.test, c.better, round(c.estimate, 4)
    ('corrected_resampled_t', 'nb', 0.0833)
    """
    if wrong:
        raise InvalidInput(CALL)
    o = options_of("compare_scores", options, "control", "adjust", "unit", "bounds", misplaced=misplaced)
    given = models_by_name(scores, CALL)
    given = dict(zip(named_models(given, "scores"), given.values(), strict=True))
    roles = line_up(tuple(given), candidate=candidate, baseline=baseline, control=o.control)
    given = {name: given[name] for name in roles.names}
    first = given[roles.names[0]]
    evidence: Scores | BlockScores
    if all(np.ndim(one) == 3 for one in given.values()):  # dealings, blocks, blocks
        evidence = BlockScores.build(
            given, n_train=n_train, higher_is_better=higher_is_better, metric=metric, called=_called
        )
    else:
        evidence = Scores.build(
            given, called=_called, n_train=n_train, n_test=n_test, runs=runs, higher_is_better=higher_is_better,
            metric=metric, unit=o.unit, missing=missing, bounds=o.bounds,
        )  # fmt: skip
        if len(evidence.shape) == 2:
            # folds without a score may be left out, and are among those that the sizes tell
            folds = np.shape(first)[1] if np.ndim(first) == 2 else np.size(first) // (runs or 1)
            check_fold_sizes(folds, n_train, n_test)
    adjust: Any = o.adjust
    found = judge_evidence(
        evidence, test=test, alpha=alpha, rope=rope, margin=margin, control=roles.control, adjust=adjust,
        seed=seed_of(random_state),
    )  # fmt: skip
    told = roles.decisions(margin) if len(given) > 2 or candidate or baseline else ()
    return Comparison.of(in_kind(found, *given.values())).deciding(told)


def check_sizes_of(file: ScoreFile, n_train: float | None, n_test: float | None) -> None:
    """Refuse sizes that the folds of a file can't have, where a column called fold numbers the splits of one run."""
    called = any(role == "fold" and normalised(name) in FOLD_NAMES for name, role in file.roles.items())
    if called and file.runs is None and file.folds is not None:
        check_fold_sizes(len(file.folds), n_train, n_test)


def _called(name: str) -> str:
    return f"scores[{name!r}]"
