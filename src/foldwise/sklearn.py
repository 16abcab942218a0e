"""scikit-learn's `cross_validate` for several estimators: all of them on the same splits, ready to be judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Estimator

__all__ = ["cross_validate"]


def cross_validate(
    estimators: Mapping[str, Estimator] | Sequence[Estimator],
    X: object,
    y: ArrayLike | None = None,
    *,
    groups: ArrayLike | None = None,
    cv: object = None,
    **options: object,
) -> dict[str, dict[str, object]]:
    """Evaluate estimators by cross-validation on the same splits.

    Parameters
    ----------
    estimators
        Estimators by what they are called, or a list of them.
    X, y, groups, cv
        As in `sklearn.model_selection.cross_validate`. The splits are made once, so that a splitter that shuffles
        without a seed gives all estimators the same.
    options
        The others of that function: scoring, n_jobs, params, return_estimator …

    Returns
    -------
    dict
        By name what scikit-learn's function returns, with ``indices``: `foldwise.judge` takes it as it is.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> found = cross_validate({"nb": GaussianNB(), "dummy": DummyClassifier()}, *load_iris(return_X_y=True), cv=10)
    >>> sorted(found["nb"])
    ['fit_time', 'indices', 'score_time', 'test_score']
    >>> import foldwise as fw
    >>> fw.judge(found).main.better
    'nb'
    """
    from sklearn.base import is_classifier
    from sklearn.model_selection import check_cv
    from sklearn.model_selection import cross_validate as of_one

    from foldwise.engine.learners import name_learners

    named = dict(estimators) if isinstance(estimators, Mapping) else name_learners(estimators)
    if len(named) < 2:
        raise InvalidInput(f"estimators must be at least two, got {len(named)}")
    splitter = check_cv(cv, y, classifier=is_classifier(next(iter(named.values()))))
    splits = list(splitter.split(X, y, groups))
    if "return_indices" in options:
        raise InvalidInput("return_indices is always set: by the indices the splits are known to be the same")
    return {name: of_one(one, X, y, cv=splits, return_indices=True, **options) for name, one in named.items()}
