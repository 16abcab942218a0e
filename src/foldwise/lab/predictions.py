"""Both learners' predictions on the test examples of one data set, whatever kind of estimator they are."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from foldwise.core.errors import FitFailed, FoldwiseError
from foldwise.core.random import stream
from foldwise.core.table import Table
from foldwise.core.types import Estimator, Integers, Labels
from foldwise.engine.examples import in_form
from foldwise.engine.limits import begin
from foldwise.engine.suiting import suited
from foldwise.lab.populations.population import Sample
from foldwise.lab.random_errors import RandomErrors

__all__ = ["fit_predict", "is_random", "predict_folds", "reseeded"]


def predict_folds(learner: Estimator, sample: Sample, ids: Integers, seed: int) -> Labels:
    """Predicted labels of shape (runs, examples).

    Parameters
    ----------
    learner
        An estimator, ours or any of scikit-learn's kind.
    sample
        The data set.
    ids
        Fold numbers of shape (runs, examples); −1 marks what is trained on only, where the result means nothing.
    seed
        Of the learner's own random numbers: a learner that uses any gets new ones in every training, so that two
        copies of it differ by chance alone.
    """
    if isinstance(learner, RandomErrors):
        clean = predict_folds(learner.estimator, sample, ids, seed)
        classes = np.unique(sample.y)  # run by run, so that fewer runs are the first of more
        return np.stack([learner.disturb(row, classes, stream(seed, "errors", run)) for run, row in enumerate(clean)])
    if hasattr(learner, "cross_predict") and not is_random(learner):
        own = sample.copy()
        begin(fits=len(ids) * int(ids.max() + 1))
        return np.asarray(clone(learner).cross_predict(own.X, own.y, ids))
    predicted = np.repeat(sample.y[None], len(ids), axis=0)
    for run, row in enumerate(ids):
        for fold in range(row.max() + 1):
            test = row == fold
            fresh = reseeded(learner, int(stream(seed, "fit", run, fold).integers(2**31)))
            predicted[run, test] = fit_predict(fresh, sample.rows(~test), sample.X[test])
    return predicted


def fit_predict(learner: Estimator, train: Sample, X: Table) -> Labels:
    """Fit a copy of the learner and predict; what it can't take is encoded for it, and what it changes is its own."""
    table = train.X
    if not getattr(learner, "accepts_table", False):  # a value may be missing among the test examples alone
        table = Table(np.concatenate([table.values, X.values]), table.categories, table.names)
    ready, form = suited(clone(learner), table, table)
    own, tests = train.copy(), X.copy()
    begin()
    try:
        ready.fit(in_form(own.X, own.X, form), own.y)
        return np.asarray(ready.predict(in_form(tests, tests, form)))
    except FoldwiseError:
        raise
    except (Exception, SystemExit) as error:
        raise FitFailed(f"learner {learner} failed on {len(train.y)} training examples: {error}") from error


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
