"""Does accuracy still rise at this training size? A learner against itself on a share of each training set."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.estimators import compare
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import metric_words
from foldwise.core.random import stream
from foldwise.core.table import as_table
from foldwise.core.types import Array, Estimator, Integers, Labels
from foldwise.core.validation import fraction, integer
from foldwise.data.dataset import Dataset
from foldwise.engine.attributes import suited
from foldwise.engine.examples import in_form
from foldwise.engine.learners import make_learners, spoken


class OnShare(BaseEstimator):  # type: ignore[misc]
    """A learner that trains on a share of the training examples.

    `estimator`: the learner. `share`: which share it gets: at random, of each class alike; at least one of each.
    `random_state`: seed of the draw; None means 0.
    """

    accepts_table = True

    def __init__(self, estimator: Estimator, share: float = 0.5, random_state: int | None = None) -> None:
        self.estimator = estimator
        self.share = share
        self.random_state = random_state

    def fit(self, X: object, y: ArrayLike) -> Self:
        table, target = as_table(X), np.asarray(y)
        ready, self.form_ = suited(clone(self.estimator), table, table)
        rows = self._rows(target)
        part = table[rows]
        self.estimator_ = ready.fit(in_form(part, part, self.form_), target[rows])
        self.classes_ = getattr(self.estimator_, "classes_", None)
        return self

    def predict(self, X: object) -> Labels:
        table = as_table(X)
        return np.asarray(self.estimator_.predict(in_form(table, table, self.form_)))

    @available_if(lambda self: hasattr(self.estimator, "predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: object) -> Array:
        table = as_table(X)
        return np.asarray(self.estimator_.predict_proba(in_form(table, table, self.form_)))

    @available_if(lambda self: hasattr(self.estimator, "decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: object) -> Array:
        table = as_table(X)
        return np.asarray(self.estimator_.decision_function(in_form(table, table, self.form_)))

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.estimator)

    def _rows(self, y: Labels) -> Integers:
        seed = 0 if self.random_state is None else integer(self.random_state, "random_state", minimum=0)
        rng = stream(seed, "share", len(y))
        if get_tags(self.estimator).estimator_type == "regressor":
            groups = [np.arange(len(y))]
        else:
            groups = [np.flatnonzero(y == label) for label in np.unique(y)]
        return np.sort(np.concatenate([rng.permutation(g)[: max(1, round(self.share * len(g)))] for g in groups]))


def curve(
    learner: Estimator | str, X: object, y: ArrayLike | None = None, *, share: float = 0.5, **asked: Any
) -> Comparison:
    """Does a learner still get better with more training examples, at the size that cross-validation trains on?

    Questions 6 and 8 of Dietterich are about training sets of the size of the data set, and cross-validation trains on
    somewhat fewer. That matters where accuracy still rises at this size; where it does not, it does not matter.

    Parameters
    ----------
    learner
        One learner, by name or as an estimator.
    X, y
        A data set as `load` returns it, or attributes and target.
    share
        The share of each training set on which the learner is trained besides.
    **asked
        What else `foldwise.compare` takes: runs, folds, metric, alpha, random_state, n_jobs, options …

    Returns
    -------
    Comparison
        Of the learner with itself on the share, on the same splits; the first of its notes is the answer.

    Notes
    -----
    The test is that of `foldwise.compare`. "Not shown to rise" is not "does not rise": look at the interval.

    Examples
    --------
    >>> from foldwise.data import load
    >>> curve("nb", load("iris"), share=0.5, runs=2).models
    ('nb', 'nb on 50 %')
    """
    fraction(share, "share")
    if isinstance(learner, (list, tuple)):
        raise InvalidInput(f"learner must be one learner, got {len(learner)}: ask for each")
    if y is None and not isinstance(X, Dataset):
        raise InvalidInput("y must be given where X is not a data set of foldwise.load")
    target = X.y if isinstance(X, Dataset) else np.asarray(y)
    name = spoken(learner)
    made = make_learners({name: learner}, target, X.task if isinstance(X, Dataset) else None)[name]
    less = f"{name} on {100 * share:g} %"
    found = compare({name: learner, less: OnShare(made, share=share)}, X, y, **asked)
    return found.noting(*(_answer(found[metric], name, share) for metric in found.metrics))


def _answer(c: Comparison, name: str, share: float) -> str:
    size = c.evidence.n_train
    sizes = f"from about {share * size:.0f} to {size:.0f} training examples"
    what = f"{metric_words(c.metrics[0])} of {name}"
    if c.better == name:
        return f"{what} still gets better {sizes}: an answer about this size need not hold for larger training sets"
    if c.better is not None:
        return f"{what} gets worse {sizes}: an answer about this size need not hold for larger training sets"
    return f"{what} is not shown to change {sizes}; the interval says by how much it may"
