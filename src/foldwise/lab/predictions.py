"""Both learners' predictions on the test examples of one data set, whatever kind of estimator they are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from foldwise.core.errors import FitFailed, FoldwiseError
from foldwise.core.random import stream
from foldwise.core.table import Table
from foldwise.engine.examples import in_form
from foldwise.engine.limits import begin
from foldwise.engine.suiting import suited
from foldwise.lab.populations.population import Sample
from foldwise.lab.random_errors import RandomErrors

__all__ = ["fit_predict", "is_random", "predict_folds", "reseeded"]

Integers = NDArray[np.int64]


def predict_folds(learner: Any, sample: Sample, ids: Integers, seed: int) -> NDArray[Any]:
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


def fit_predict(learner: Any, train: Sample, X: Table) -> NDArray[Any]:
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


def is_random(learner: Any) -> bool:
    """Whether the learner draws random numbers: it has a seed."""
    return bool(_seed_parameters(learner))


def reseeded(learner: Any, seed: int) -> Any:
    """A copy of the learner with this seed, if it takes one."""
    fresh = clone(learner)
    names = _seed_parameters(fresh)
    return fresh.set_params(**{name: (seed + place) % 2**31 for place, name in enumerate(names)}) if names else fresh


def _seed_parameters(learner: Any) -> list[str]:
    names = learner.get_params(deep=True)
    return sorted(name for name in names if name == "random_state" or name.endswith("__random_state"))
