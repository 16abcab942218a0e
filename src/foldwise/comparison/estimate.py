"""`estimate_error`: one learner, one data set, one estimator of its error."""

from __future__ import annotations

from typing import Never

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.comparison.error_estimate import ErrorEstimate
from foldwise.comparison.error_estimators import METHODS, EstimatorTrials, Found, Settings
from foldwise.comparison.options import Options, options_of
from foldwise.core.amounts import Amount, level_in
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import unit_of
from foldwise.core.random import RandomState, seed_of
from foldwise.core.types import Estimator, Interval
from foldwise.core.validation import fraction, integer, one_of
from foldwise.designs.right_wrong import RIGHT_WRONG
from foldwise.engine.cache import unseen_caveats
from foldwise.engine.learners import name_learners
from foldwise.engine.prepared import prepare
from foldwise.inference.error_rates import error_interval

# ---- An interval for an error rate from cross-validation, which counts the overlap of the training sets.


def worth(folds: int) -> float:
    r"""How many independent test examples one cross-validated example is worth: :math:`1/(1+k/(k-1))`.

    Notes
    -----
    The corrected t test takes the variance of the mean over k folds to be :math:`(1/k + 1/(k-1))\,\sigma^2` instead
    of :math:`\sigma^2/k` [1]_: 2.1 times as much for ten folds, 3 times for two, twice for leave-one-out.

    References
    ----------
    .. [1] Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52.

    Examples
    --------
    >>> worth(2), round(worth(10), 3)
    (0.3333333333333333, 0.474)
    """
    return 1 / (1 + folds / (folds - 1))


def cross_validated_interval(errors: float, tested: int, *, folds: int, confidence_level: float) -> Interval:
    r"""Jeffreys' interval in which every example counts as `worth` of one.

    Parameters
    ----------
    folds
        Number of folds; as many as there are examples for leave-one-out.

    Notes
    -----
    The quantiles of Beta(w·errors + ½, w·(tested − errors) + ½), with a limit of 0 without errors and of 1 with
    errors only. At full worth the interval of level .95 held the error of the model trained on all examples in .84 to
    .93 of the samples of eight sources and learners, at this worth in .96 to .99, and its expectation in .95 to .99:
    see `benchmarks/measuring/table.py`.

    Examples
    --------
    >>> interval = cross_validated_interval(6, 150, folds=10, confidence_level=0.95)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.011, 0.105)
    """
    share, tail = worth(folds), (1 - confidence_level) / 2
    a, b = share * errors + 0.5, share * (tested - errors) + 0.5
    low = 0.0 if errors == 0 else float(special.betaincinv(a, b, tail))
    high = 1.0 if errors == tested else float(special.betainccinv(a, b, tail))
    return Interval(low=low, high=high)


_JEFFREYS = RIGHT_WRONG.mean_references
_ONE_SAMPLE = (
    "The estimate rests on one sample: to decide between two learners use a comparison, because the difference of two "
    "such estimates may have the wrong sign."
)
_TEST_CHANCE = "The interval accounts for the choice of test examples, not for that of the training set."
_OVERLAP = (
    "The interval counts each example as {worth:.2f} of an independent one, because the models of the folds share most "
    "of their training examples; in simulations 95 % intervals contained the true error in 84 to 93 % of all "
    "samples if examples counted as independent, and in 96 to 99 % if counted so."
)
_NO_INTERVAL = "No interval is given: no sound estimate of this estimator's variance from one sample is known."


def estimate_error(
    learner: Estimator | str,
    X: object,
    y: ArrayLike | None = None,
    *,
    method: str = "kfold",
    folds: int = 10,
    repeats: int | None = None,
    groups: ArrayLike | None = None,
    confidence_level: float = 0.95,
    bar: Amount | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    options: Options | None = None,
    **misplaced: Never,
) -> ErrorEstimate:
    r"""Estimate the error rate (for regressors: the mean squared error) of a learner trained on these examples.

    Parameters
    ----------
    learner
        An estimator with scikit-learn's interface, or a short name such as ``"nb"``, ``"c45"``, ``"3nn"``.
    X, y
        The examples, as in `foldwise.compare`. Nominal attributes and missing values are
        encoded for estimators that need it, inside each training set.
    method
        ``"kfold"`` (recommended), ``"loo"``, ``"holdout"``, ``"apparent"``, ``"bootstrap632"``,
        ``"bootstrap632plus"``, ``"iterated_kfold"`` (k-CV*), ``"loo_star"`` (Weiss' LOO*), or ``"delve"``: the
        error of classifiers from new training sets of a given size, by disjoint ones and one test set.
    folds
        Number of folds of ``"kfold"`` and ``"iterated_kfold"``.
    repeats
        Bootstrap samples, or iterations of k-CV* and of LOO*'s two-fold part, 100 by default; training sets of
        ``"delve"``, 5 by default, or up to 10 where their size is given.
    groups
        Per example its group, which is never both trained on and tested.
    confidence_level
        Level of the interval.
    bar
        What the error should not exceed: ``0.1``, ``"10%"``. The result's `finding` is "passed" where a one-sided limit
        of level `confidence_level` shows that it does not, "failed" where it is shown to, else "inconclusive".
    random_state
        Determines every split: a seed, a NumPy Generator, or None for a new seed, which the result names.
    n_jobs
        Processes.
    options
        What few people set: store, classes, keep, train_size (as many as half of the examples allow by default),
        stratified, test_fraction, cluster, progress, fit_seconds, fit_memory and data_name of `Options`.

    Returns
    -------
    ErrorEstimate
        With an interval only where it is justified: where each example was tested once, from m = all errors and
        M = all tested examples, by Jeffreys' method for a holdout; for cross-validation and leave-one-out the same
        with examples counted at `worth`, because training sets overlap. The caveats say how each method is biased
        [1]_.

    Notes
    -----
    The .632 estimators take their apparent error from the model trained on *all* examples.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II: confidence
       intervals and significance tests, sections 2 and 6 and appendix B.

    Examples
    --------
    >>> from foldwise.data.loading import load
    >>> iris = load("sklearn:iris")
    >>> result = estimate_error("majority", iris.X, iris.y)
    >>> round(result.estimate, 3), result.errors, result.tested
    (0.667, 100, 150)
    """
    one_of(method, "method", METHODS)
    o = options_of(
        "estimate_error", options, "store", "classes", "keep", "train_size", "stratified", "test_fraction", "cluster",
        "progress", "fit_seconds", "fit_memory", "data_name", misplaced=misplaced,
    )  # fmt: skip
    level = fraction(confidence_level, "confidence_level")
    if repeats is not None:
        integer(repeats, "repeats", minimum=1)
    prepared = prepare(name_learners([learner]), X, y, classes=o.classes, groups=groups, keep=o.keep)
    engine = o.of_engine(n_jobs) | {"data_name": o.data_name or prepared.name}
    engine["progress"] = engine["progress"] or False
    seed = seed_of(random_state)
    trials = EstimatorTrials(prepared=prepared, seed=seed, engine=engine)
    by_class = not trials.regression if o.stratified is None else o.stratified
    if o.train_size is not None and method != "delve":
        raise InvalidInput(f"train_size must go with method 'delve', got method {method!r}")
    how = Settings(
        folds=folds, repeats=repeats, test_fraction=o.test_fraction, stratified=by_class, train_size=o.train_size
    )
    found = METHODS[method].find(trials, how)
    errors, tested, interval = _interval(found, trials, level)
    metric: str = "mean squared error" if trials.regression else "error"
    return ErrorEstimate(
        learner=trials.name,
        estimate=found.estimate,
        interval=interval,
        confidence_level=level,
        errors=errors,
        tested=tested,
        method=method,
        title=METHODS[method].title,
        design=found.design,
        metric=metric,
        bar=None if bar is None else level_in(bar, "bar", metric=metric, unit=unit_of(metric)),
        limits=_interval(found, trials, 2 * level - 1)[2] if bar is not None and level > 0.5 else None,
        n=len(trials),
        components=found.components,
        seed=seed,
        fits=trials.fits,
        found=trials.found,
        found_made=trials.found_made,
        sources=(METHODS[method].reference, *(() if interval is None or found.limits else _JEFFREYS)),
        caveats=(
            *unseen_caveats(o.store, list(trials.prepared.estimators)),
            *_caveats(found, method, trials, interval),
        ),
    )


def _interval(found: Found, trials: EstimatorTrials, level: float) -> tuple[int | None, int | None, Interval | None]:
    """Errors, tested examples and the interval they justify; examples in groups are not independent trials."""
    if found.limits is not None:  # neither rates nor squared errors are below 0
        own, most = found.limits(level), np.inf if trials.regression else 1.0
        return None, None, Interval(low=max(float(own.low), 0.0), high=min(float(own.high), most))
    if found.losses is None or trials.regression:
        return None, None, None
    errors, tested = int(found.losses.sum()), len(found.losses)
    if trials.groups is not None:
        return errors, tested, None
    if found.folds is not None:
        return errors, tested, cross_validated_interval(errors, tested, folds=found.folds, confidence_level=level)
    limits = error_interval(errors, tested, confidence_level=level)
    return errors, tested, Interval(low=float(limits.low), high=float(limits.high))


def _caveats(found: Found, method: str, trials: EstimatorTrials, interval: Interval | None) -> tuple[str, ...]:
    sentences = [METHODS[method].caveat, *found.caveats]
    if interval is not None and found.limits is None:
        sentences.append(_TEST_CHANCE if found.folds is None else _OVERLAP.format(worth=worth(found.folds)))
    elif trials.groups is not None and found.losses is not None:
        sentences.append("No interval is given: errors within a group are not independent.")
    elif interval is None:
        sentences.append(_NO_INTERVAL)
    return (*sentences, *trials.prepared.notes, _ONE_SAMPLE)
