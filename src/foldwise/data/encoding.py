"""The default encoding for estimators that can't take nominal attributes or missing values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.core.types import Array, Estimator


class TableEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn a table into an array of numbers, by what the training rows show.

    `impute`: whether missing numeric values are replaced by the median of the training rows; otherwise they stay NaN.

    `medians_`: per numeric column the median of the training rows; 0 where they are all missing. `modes_`: per nominal
    column the most frequent code of the training rows (the first of equals). `seen_`: per nominal column the codes that
    occur in the training rows.

    Numeric columns come first, then one column per nominal column and category seen in training. A missing nominal
    value counts as the most frequent one; a category that training didn't show gives zeros throughout.

    >>> table = Table.build([[1, 0], [np.nan, 1], [3, np.nan]], [None, ("no", "yes")])
    >>> TableEncoder().fit_transform(table).tolist()
    [[1.0, 1.0, 0.0], [2.0, 0.0, 1.0], [3.0, 1.0, 0.0]]
    """

    accepts_table = True

    def __init__(self, *, impute: bool = True) -> None:
        self.impute = impute

    def fit(self, X: Table, y: object = None) -> TableEncoder:
        """Learn medians, most frequent values and categories from the training rows."""
        table = _checked(X)
        self.n_features_in_ = table.shape[1]
        # medians over what is known; a column without any known value has no middle, and 0 stands for it
        numbers = table.values[:, _numeric(table)]
        empty = np.isnan(numbers).all(axis=0)
        self.medians_ = np.nanmedian(np.where(empty, 0.0, numbers), axis=0)
        nominal = [table.values[:, j].astype(float) for j in np.flatnonzero(~_numeric(table))]
        counts = [np.bincount(codes[~np.isnan(codes)].astype(np.intp), minlength=1) for codes in nominal]
        self.modes_ = np.array([count.argmax() for count in counts], dtype=float)
        self.seen_ = [np.flatnonzero(count) for count in counts]
        return self

    def transform(self, X: Table) -> Array:
        check_is_fitted(self, "medians_")
        table = _checked(X)
        if table.shape[1] != self.n_features_in_:
            raise InvalidInput(f"X has {table.shape[1]} columns, but the encoder was fitted on {self.n_features_in_}")
        numbers = table.values[:, _numeric(table)]
        if self.impute:
            numbers = np.where(np.isnan(numbers), self.medians_, numbers)
        nominal = table.values[:, ~_numeric(table)]
        codes = np.where(np.isnan(nominal), self.modes_, nominal)
        flags = [codes[:, [j]] == seen for j, seen in enumerate(self.seen_)]
        return np.hstack([numbers, *flags]).astype(np.float64)


def encode_for(estimator: Estimator, table: Table) -> Estimator:
    """Return `estimator` as it is if it can take `table`, otherwise behind an encoder.

    `estimator`: a learner of ours (its class says ``accepts_table = True``) or any scikit-learn estimator. `table`: the
    attributes it will be trained on.

    The pipeline learns its encoding from each training split anew. A
    table without nominal attributes reaches an estimator that handles NaN, or has nothing to handle, unchanged.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> plain, mixed = Table.build([[1], [2]]), Table.build([[0], [1]], [("no", "yes")])
    >>> encode_for(GaussianNB(), plain)
    GaussianNB()
    >>> print(describe_encoding(encode_for(GaussianNB(), mixed), mixed))
    GaussianNB gets nominal attributes one-hot encoded, as learned from each training split.
    """
    if getattr(type(estimator), "accepts_table", False):
        return estimator
    missing = bool(np.isnan(table.values[:, _numeric(table)]).any())
    impute = missing and not _takes_nan(estimator)
    if not impute and _numeric(table).all():
        return estimator
    behind: Estimator = Pipeline([("encode", TableEncoder(impute=impute)), ("learner", estimator)])
    return behind


def describe_encoding(estimator: Estimator, table: Table, name: str | None = None) -> str | None:
    """One sentence on what happens to `table` in front of an estimator that `encode_for` returned; None if nothing.

    It is called by its class, or by `name` where it is a pipeline.
    """
    if not isinstance(estimator, Pipeline) or not isinstance(estimator.steps[0][1], TableEncoder):
        return None
    encoder, last = estimator.steps[0][1], estimator.steps[-1][1]
    learner = name if name is not None and isinstance(last, Pipeline) else type(last).__name__
    nominal = table.values[:, ~_numeric(table)]
    parts = [
        "nominal attributes one-hot encoded" if nominal.size else "",
        "missing numbers replaced by the median" if encoder.impute else "",
        "missing categories replaced by the most frequent" if np.isnan(nominal).any() else "",
    ]
    return f"{learner} gets {', '.join(filter(None, parts))}, as learned from each training split."


def _checked(X: object) -> Table:
    if not isinstance(X, Table):
        raise InvalidInput(f"X must be a Table, got {type(X).__name__}")
    return X


def _numeric(table: Table) -> NDArray[np.bool_]:
    return np.array([categories is None for categories in table.categories])


def _takes_nan(estimator: Estimator) -> bool:
    try:
        return bool(get_tags(estimator).input_tags.allow_nan)
    except (AttributeError, TypeError):  # no scikit-learn estimator: nothing is known, so nothing is assumed
        return False
