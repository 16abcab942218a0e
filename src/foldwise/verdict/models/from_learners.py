"""Several learners compared on one data set: each is trained once on every split, and every pair judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from numpy.typing import ArrayLike

from foldwise.core.amounts import Amount, check_amount
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Estimator
from foldwise.core.validation import fraction, integer, one_of
from foldwise.evidence.evidence import named_models
from foldwise.reading.lineup import Candidate, line_up
from foldwise.verdict.asked import asked_amounts, several_scorings
from foldwise.verdict.comparison import Comparison
from foldwise.verdict.growing import Budget
from foldwise.verdict.margins import check_margin
from foldwise.verdict.models.judge import ACROSS, ADJUSTMENTS, Across, Adjust
from foldwise.verdict.models.learner_trial import LearnerTrial
from foldwise.verdict.positive import about_positive
from foldwise.verdict.running import Work

if TYPE_CHECKING:
    from foldwise.engine.cache import StoreLike
    from foldwise.engine.prepared import Prepared
    from foldwise.engine.progress import Progress
    from foldwise.engine.scoring import Scorer
    from foldwise.verdict.asked import Scorings

__all__ = ["compare_learners"]


def compare_learners(
    learners: Mapping[str, Estimator | str] | Sequence[Estimator | str],
    X: object,
    y: ArrayLike | None = None,
    *,
    classes: Sequence[object] | None = None,
    runs: int | Literal["auto"] = 10,
    folds: int = 10,
    scoring: str | Scorer | Scorings | None = None,
    positive: object = None,
    candidate: Candidate | None = None,
    baseline: str | None = None,
    control: str | None = None,
    adjust: Adjust = "holm",
    across: Across = "bonferroni",
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    random_state: int = 0,
    groups: ArrayLike | None = None,
    keep: Sequence[str] = (),
    replicate: int | None = None,
    max_runs: int = 1000,
    max_seconds: float | None = None,
    n_jobs: int | None = None,
    store: StoreLike | None = None,
    cluster: object = None,
    progress: Progress | bool | None = None,
    fit_seconds: float | None = None,
    fit_memory: float | None = None,
    on_error: Literal["raise", "continue"] = "raise",
    data_name: str = "",
) -> Comparison:
    """Compare three and more learners on one data set.

    Parameters
    ----------
    learners
        Names and estimators with scikit-learn's interface (or names such as "nb"), or a list of either.
    X, y, classes, groups, keep
        The examples, as in `compare`.
    runs, folds
        Of repeated cross-validation; every learner is trained on the same splits, once on each. ``runs="auto"`` adds
        runs until the verdict on every pair (or on every learner against the control), by every scoring, would be the
        same whoever runs it: the rule of two learners for each pair by itself, at the level that its adjustment holds
        it to.
    scoring
        Anything scikit-learn scores with; accuracy for classifiers and R² for regressors by default. Several in a list
        score the same fits, and the answer has one row for each.
    positive
        The class of two that F1 and the like are about, as in `compare`.
    candidate, baseline, control
        Who is held against whom, as in `compare_models`.
    adjust
        ``"holm"`` or ``"max_t"``, as in `compare_models`.
    across
        Of several scorings, whether they share the level (``"bonferroni"``) or have it each (``"none"``), as in
        `compare_models`.
    alpha, rope, margin
        Level for all pairs together, the difference up to which learners are practically the same, and by how much a
        candidate may be worse than its baseline.
    random_state
        Determines every split, and the random state of estimators that have none.
    replicate
        Repeat the whole comparison on this many partitionings, and report for each pair whether they agree.
    max_runs, max_seconds
        The budget of ``runs="auto"``.
    n_jobs, store, cluster, progress, fit_seconds, fit_memory, on_error
        As in `compare`: the store makes the work resumable, and what two learners were compared on is found again.
    data_name
        What to call the data.

    Returns
    -------
    Comparison
        Every pair by the corrected repeated k-fold cv t test; `best_set` are the learners that no other is shown to
        beat, `ranks` what the pairs leave. For several scorings all that for each.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> m = compare_learners(["nb", "1nn", "majority"], *load_iris(return_X_y=True), runs=2, folds=5)
    >>> m.ranks["majority"], m.fits
    ((3, 3), 30)
    """
    fraction(alpha, "alpha")
    check_margin(margin, alpha)
    if rope is not None:
        check_amount(rope, "rope")
    named = _named(learners)
    roles = line_up(tuple(named), candidate=candidate, baseline=baseline, control=control, ordered=True)
    study = _prepare({name: named[name] for name in roles.names}, X, y, classes=classes, groups=groups, keep=keep)
    scorings = several_scorings(scoring)
    one_of(across, "across", ACROSS)
    one_of(adjust, "adjust", ADJUSTMENTS)
    width, asked = asked_amounts(rope, margin, scorings, classifies=study.classifies)
    study, scorings = about_positive(study, scorings, positive)
    data_name = data_name or study.name
    work = Work(
        scorings=scorings, n_jobs=n_jobs, store=store, cluster=cluster, progress=progress,
        fit_seconds=fit_seconds, fit_memory=fit_memory, on_error=on_error,
    )  # fmt: skip
    level = alpha / len(scorings) if across == "bonferroni" else alpha
    judged = {"control": roles.control, "adjust": adjust, "alpha": level, "rope": width, "margin": asked}
    trial = LearnerTrial(
        study=study, runs=_count(runs, max_runs, max_seconds), folds=folds, work=work, judged=judged,
        data_name=data_name or "data",
    )  # fmt: skip
    seed = integer(random_state, "random_state", minimum=0)
    found, partitions = trial.verdict(seed, frozenset())
    subject = study.describe(data_name) if data_name else ""
    told = roles.decisions(margin)
    found = tuple(c.replace(subject=subject, seed=seed, decisions=told) for c in found)
    if replicate is not None:
        found = trial.replicated(found, seed, integer(replicate, "replicate", minimum=2), partitions)
    return Comparison(parts=found, alpha=alpha, adjust_metrics=across, subject=subject)


def _count(runs: int | Literal["auto"], max_runs: int, max_seconds: float | None) -> int | Budget:
    """The number of runs, or what bounds it."""
    if runs == "auto":
        return Budget(max_runs=max_runs, max_seconds=max_seconds)
    return integer(runs, "runs", minimum=1)


def _named(learners: Mapping[str, Estimator | str] | Sequence[Estimator | str]) -> dict[str, Estimator | str]:
    from foldwise.engine.learners import name_learners

    if isinstance(learners, (str, bytes)) or not isinstance(learners, (Mapping, Sequence)):
        raise InvalidInput(f"learners must be names and estimators, or a list of them, got {learners!r}")
    if isinstance(learners, Mapping):
        named = dict(zip(named_models(learners, "learners"), learners.values(), strict=True))
    else:
        named = name_learners(learners)
    if len(named) < 2:
        raise InvalidInput(f"learners must be at least two, got {len(named)}")
    return named


def _prepare(learners: Mapping[str, Estimator | str], X: object, y: ArrayLike | None, **options: Any) -> Prepared:
    from foldwise.engine.prepared import prepare

    return prepare(learners, X, y, **options)
