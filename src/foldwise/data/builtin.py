"""The data sets that come with scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from foldwise.data.dataset import Column, Dataset, assemble

__all__ = ["BUILT_IN", "load_builtin"]

BUILT_IN = {
    "breast_cancer": "load_breast_cancer",
    "diabetes-regression": "load_diabetes",
    "digits": "load_digits",
    "iris": "load_iris",
    "wine": "load_wine",
}
"""Our name and scikit-learn's loader; its diabetes is a regression, unlike the papers' diabetes."""


def load_builtin(name: str) -> Dataset:
    """Load one of scikit-learn's data sets; `name` is a key of `BUILT_IN`.

    Examples
    --------
    >>> load_builtin("iris").classes
    ('setosa', 'versicolor', 'virginica')
    """
    import sklearn
    from sklearn import datasets

    bunch = getattr(datasets, BUILT_IN[name])()
    columns = [
        Column(name=str(feature), values=np.asarray(values, dtype=np.float64))
        for feature, values in zip(bunch.feature_names, bunch.data.T, strict=True)
    ]
    provenance = f"scikit-learn {sklearn.__version__}, {BUILT_IN[name]}"
    return assemble([*columns, _goal(bunch)], target="last", name=name, provenance=provenance)


def _goal(bunch: Any) -> Column:
    values = np.asarray(bunch.target, dtype=np.float64)
    labels = bunch.get("target_names")
    return Column(name="target", values=values, categories=None if labels is None else tuple(map(str, labels)))
