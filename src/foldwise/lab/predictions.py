"""Both learners' predictions on the test examples of one data set, whatever kind of estimator they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from sklearn.base import clone

from foldwise.core.errors import FitFailed, FoldwiseError
from foldwise.core.random import stream
from foldwise.core.table import Table
from foldwise.core.types import Estimator, Integers, Labels
from foldwise.engine.examples import in_form
from foldwise.engine.fitting import RAISED, cross_predict, fit_predict
from foldwise.engine.learners import takes_classes
from foldwise.engine.limits import begin
from foldwise.engine.suiting import suited
from foldwise.kinds.resampled import UNUSED
from foldwise.lab.populations.population import Sample
from foldwise.lab.random_errors import RandomErrors

__all__ = ["is_random", "predict_folds", "predict_others", "reseeded"]


def predict_folds(
    learner: Estimator, sample: Sample, ids: Integers, seed: int, classes: Labels | None = None
) -> Labels:
    """Predicted labels of shape (runs, examples).

    Parameters
    ----------
    learner
        An estimator, ours or any of scikit-learn's kind.
    sample
        The data set.
    ids
        Fold numbers of shape (runs, examples); −1 marks what is trained on only, and `UNUSED` what has no part in a
        run; there the result means nothing.
    seed
        Of the learner's own random numbers: a learner that uses any gets new ones in every training, so that two
        copies of it differ by chance alone.
    classes
        All classes that can occur, where the sample is a part of a larger one.
    """
    if (ids == UNUSED).any():
        return _predict_parts(learner, sample, ids, seed)
    if isinstance(learner, RandomErrors):
        clean = predict_folds(learner.estimator, sample, ids, seed, classes)
        known = np.unique(sample.y) if classes is None else classes
        # run by run, so that fewer runs are the first of more
        return np.stack([learner.disturb(row, known, stream(seed, "errors", run)) for run, row in enumerate(clean)])
    if hasattr(learner, "cross_predict") and not is_random(learner):
        begin(fits=len(ids) * int(ids.max() + 1))
        told = classes if takes_classes(learner.cross_predict) else None
        return cross_predict(clone(learner), sample.X, sample.y, ids, classes=told)[0]
    ready, form = suited(learner, sample.X, sample.X)
    X = in_form(sample.X, sample.X, form)
    predicted = np.repeat(sample.y[None], len(ids), axis=0)
    for run, row in enumerate(ids):
        for fold in range(row.max() + 1):
            fresh = reseeded(ready, int(stream(seed, "fit", run, fold).integers(2**31)))
            test = np.flatnonzero(row == fold)
            with _named(learner, len(row) - len(test)):
                predicted[run, test] = fit_predict(fresh, X, sample.y, np.flatnonzero(row != fold), test).predictions
    return predicted


def _predict_parts(learner: Estimator, sample: Sample, ids: Integers, seed: int) -> Labels:
    """The same for runs that do not use all examples: those that use the same ones are done together."""
    predicted, classes = np.repeat(sample.y[None], len(ids), axis=0), np.unique(sample.y)
    parts, place = np.unique(ids != UNUSED, axis=0, return_inverse=True)
    for number, used in enumerate(parts):
        runs = np.flatnonzero(place.ravel() == number)
        own = int(stream(seed, "part", number).integers(2**62))
        rows = np.flatnonzero(used)
        own_ids = ids[np.ix_(runs, rows)]
        predicted[np.ix_(runs, rows)] = predict_folds(learner, sample.rows(rows), own_ids, own, classes)
    return predicted


def predict_others(learner: Estimator, train: Sample, X: Table) -> Labels:
    """Predicted labels of other examples than a copy of the learner was trained on."""
    both = Table(np.concatenate([train.X.values, X.values]), train.X.categories, train.X.names)
    ready, form = suited(learner, both, both)  # a value may be missing among the test examples alone
    rows, others = (np.arange(len(part)) for part in (train.X, X))
    with _named(learner, len(rows)):
        found = fit_predict(
            clone(ready), in_form(train.X, train.X, form), train.y, rows, others, X_test=in_form(X, X, form)
        )
    return found.predictions


@contextmanager
def _named(learner: Estimator, n_train: int) -> Iterator[None]:
    """The time of a fit begins; where it fails, it is said of which learner it was."""
    begin()
    try:
        yield
    except FoldwiseError:
        raise
    except RAISED as error:
        raise FitFailed(f"learner {learner} failed on {n_train} training examples: {error}") from error


def is_random(learner: Estimator) -> bool:
    """Whether the learner draws random numbers: it has a seed."""
    return bool(_seed_parameters(learner))


def reseeded(learner: Estimator, seed: int) -> Estimator:
    """A copy of the learner with this seed, if it takes one."""
    seeds = {name: (seed + place) % 2**31 for place, name in enumerate(_seed_parameters(learner))}
    fresh: Estimator = clone(learner).set_params(**seeds) if seeds else clone(learner)
    return fresh


def _seed_parameters(learner: Estimator) -> list[str]:
    names = learner.get_params(deep=True)
    return sorted(name for name in names if name == "random_state" or name.endswith("__random_state"))
