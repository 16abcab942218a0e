"""What all learners have in common, and the table of numbers that some of them need."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table, as_table, is_frame, is_missing
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.learners.scikit import ScikitClassifier, check_fitted

Codes = Integers  # Classes as indices into `classes_`.


class Learner(ScikitClassifier):
    """A classifier of numeric and nominal attributes with missing values.

    A subclass implements `_fit` and `_predict_proba`; it may refine `_predict_codes`, `_check_parameters`
    and, to share work between folds, `_cross_predict`.

    Attributes
    ----------
    classes_
        The classes: those of `y` in sorted order, or as declared by ``fit(..., classes=...)``. Ties between
        classes go to the one that comes first.
    schema_
        The fitted columns and categories (a table without rows).

    Notes
    -----
    Input is a `foldwise.core.table.Table`, a data frame, or an array; see `foldwise.core.table.as_table`.
    NaN and None are missing values and infinities are refused. At prediction a nominal value that training
    did not declare counts as missing. With a single class, that class is predicted.
    """

    accepts_table = True

    def fit(self, X: object, y: object, *, classes: ArrayLike | None = None) -> Self:
        """Learn from examples.

        Parameters
        ----------
        X
            Examples × attributes.
        y
            One class label per example.
        classes
            All classes that can occur, in the order that resolves ties; by default those of `y`, sorted.
            Learners that smooth class frequencies reckon with declared classes that `y` lacks.
        """
        self._check_parameters()
        table = self._to_table(X, reset=True)
        self.classes_, codes = self._to_codes(y, len(table), classes)
        self.schema_ = table[:0]
        self._fit(table, codes, len(self.classes_))
        return self

    def predict(self, X: object) -> Labels:
        """The predicted class of each example."""
        table = self._fitted_table(X)
        return np.asarray(self.classes_[self._predict_codes(table)])

    def predict_proba(self, X: object) -> Array:
        """Class probabilities: examples × classes, in the order of `classes_`."""
        return self._predict_proba(self._fitted_table(X))

    def cross_predict(self, X: object, y: object, fold_ids: ArrayLike, *, classes: ArrayLike | None = None) -> Labels:
        """Predict each example by the learner that was fitted without the example's fold.

        Parameters
        ----------
        X, y, classes
            As for `fit`. The classes are those of the whole `y`, and the categories of a column of text those of the
            whole `X`, also where a training set lacks one.
        fold_ids
            Whole numbers of shape (runs, examples). In each run, the examples with the same number are tested
            together, by a learner fitted on all other examples. −1 marks an example that is always trained on
            and never tested; its prediction is the first class and means nothing.

        Returns
        -------
        ndarray of shape (runs, examples)
            Predicted labels, the same as ``fit(X[train], y[train], classes=np.unique(y)).predict(X[test])`` gives for
            a `Table`, an array of numbers, or a frame whose columns declare their categories.
        """
        self._check_parameters()
        table = self._to_table(X, reset=True)
        labels, codes = self._to_codes(y, len(table), classes)
        folds = check_fold_ids(fold_ids, len(table))
        predicted = self._cross_predict(table, codes, folds, len(labels))
        return np.asarray(labels[np.where(folds < 0, 0, predicted)])

    def _check_parameters(self) -> None: ...

    @abstractmethod
    def _fit(self, table: Table, codes: Codes, n_classes: int) -> None:
        """Learn from at least one row; classes without an example may occur."""

    @abstractmethod
    def _predict_proba(self, table: Table) -> Array: ...

    def _predict_codes(self, table: Table) -> Codes:
        return np.asarray(np.argmax(self._predict_proba(table), axis=1), dtype=np.int64)

    def _cross_predict(self, table: Table, codes: Codes, folds: Codes, n_classes: int) -> Codes:
        """Codes of shape (runs, examples); anything where the fold id is −1."""
        return self._fold_by_fold(table, codes, folds, n_classes, type(self)._predict_codes)

    def _fold_by_fold(
        self, table: Table, codes: Codes, folds: Codes, n_classes: int, predict: Callable[[Any, Table], Codes]
    ) -> Codes:
        predicted = np.zeros(folds.shape, dtype=np.int64)
        for run, test in each_fold(folds):
            learner = self.__sklearn_clone__()
            learner._fit(table[~test], codes[~test], n_classes)
            predicted[run, test] = predict(learner, table[test])
        return predicted

    def _fitted_table(self, X: object) -> Table:
        check_fitted(self, "schema_")
        return as_table(self._to_table(X, reset=False), self.schema_)

    def _to_table(self, X: object, *, reset: bool) -> Table:
        table = X if isinstance(X, Table) else as_table(self._validated(X, reset=reset))
        if reset and isinstance(X, Table):  # scikit-learn's search for column names would take longer than a small tree
            self.n_features_in_ = X.shape[1]
            self.__dict__.pop("feature_names_in_", None)
        if len(table) == 0 or table.shape[1] == 0:
            raise InvalidInput(f"X needs at least one example and one attribute, got shape {table.shape}")
        return table

    def _validated(self, X: object, *, reset: bool) -> object:
        from sklearn.utils.validation import validate_data

        ready = is_frame(X)
        try:
            if isinstance(X, (list, tuple)) and np.asarray(X).dtype.kind in "US":
                X = np.asarray(X, dtype=object)  # NumPy would turn the numbers of a list of both into text
            return validate_data(self, X, reset=reset, skip_check_array=ready, dtype=None, ensure_all_finite=False)
        except (TypeError, ValueError) as error:
            raise InvalidInput(str(error)) from error

    @staticmethod
    def _to_codes(y: object, n: int, classes: ArrayLike | None) -> tuple[Labels, Codes]:
        ready = type(y) is np.ndarray and y.shape == (n,) and y.dtype.kind in "iuU"  # which need no checks
        labels = np.asarray(y) if ready else _checked_labels(y, n)
        if classes is None:
            found, codes = np.unique(labels, return_inverse=True)
            return found, codes.astype(np.int64, copy=False)
        return _declared(labels, np.asarray(classes))


def _checked_labels(y: object, n: int) -> Labels:
    """One label per example, all known and of one kind."""
    if y is None:
        raise InvalidInput("a learner requires y to be passed, but the target y is None")
    from sklearn.utils import assert_all_finite, column_or_1d
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_consistent_length

    try:
        labels = np.asarray(column_or_1d(y, warn=True))
        check_consistent_length(labels, np.empty(n))
        if labels.dtype.kind == "O":
            _refuse_missing_and_mixed(labels, "y")
        elif labels.dtype.kind in "fc":
            assert_all_finite(labels, input_name="y")
        if labels.dtype.kind in "fcO":  # whole numbers and text are classes, however many there are
            check_classification_targets(labels)
    except (TypeError, ValueError) as error:
        raise InvalidInput(str(error)) from error
    return labels


def _refuse_missing_and_mixed(labels: Labels, name: str) -> None:
    for i, label in enumerate(labels):
        if is_missing(label):
            raise InvalidInput(f"{name} must have no missing labels, but {name}[{i}] is {label!r}")
    if len({isinstance(label, str) for label in labels}) > 1:
        raise InvalidInput(f"{name} must have labels of one kind, but some are text and some are not")


def fold_numbers(ids: Codes) -> Codes:
    """The folds that occur in a run, in ascending order; none is above the number of examples.

    >>> fold_numbers(np.array([2, -1, 0, 2]))
    array([0, 2])
    """
    return np.flatnonzero(np.bincount(ids[ids >= 0]))


def each_fold(folds: Codes) -> Iterator[tuple[int, Flags]]:
    for run, ids in enumerate(folds):
        for fold in fold_numbers(ids):
            yield run, ids == fold


def check_fold_ids(fold_ids: ArrayLike, n: int) -> Codes:
    """Return `fold_ids` as int64 of shape (runs, n), refusing runs that leave nothing to train on."""
    try:
        ids = np.asarray(fold_ids)
    except ValueError as error:
        raise InvalidInput(f"fold_ids must be whole numbers of shape (runs, {n}): {error}") from error
    if ids.ndim != 2 or ids.shape[0] == 0 or ids.shape[1] != n or ids.dtype.kind not in "iu":
        raise InvalidInput(f"fold_ids must be whole numbers of shape (runs, {n}), got {ids.dtype} of shape {ids.shape}")
    if ids.min() < -1:
        raise InvalidInput(f"fold_ids must be at least −1, got {ids.min()}")
    alone = (ids == ids[:, :1]).all(axis=1) & (ids[:, 0] >= 0)
    if alone.any():
        raise InvalidInput(
            f"fold_ids must leave examples to train on, but run {int(np.argmax(alone))} has one fold only"
        )
    whole = ids.astype(np.int64, order="C")  # numba would compile every kernel once more for another order
    if whole.max() >= n:  # numbered from 0 in each run, so that kernels can count by them
        for row in whole:
            row[:] = np.unique(row, return_inverse=True)[1] - int(row.min() < 0)
    return whole


def _declared(labels: Labels, classes: Labels) -> tuple[Labels, Codes]:
    if classes.ndim != 1 or len(set(classes.tolist())) != len(classes):
        raise InvalidInput(f"classes must be a list of distinct labels, got {classes.tolist()!r}")
    if classes.dtype.kind == "O":
        _refuse_missing_and_mixed(classes, "classes")
    order = np.argsort(classes)
    place = np.searchsorted(classes, labels, sorter=order)
    codes = order[np.minimum(place, len(classes) - 1)] if len(classes) else np.zeros(len(labels), dtype=np.int64)
    wrong = np.ones(len(labels), dtype=bool) if not len(classes) else classes[codes] != labels
    if wrong.any():
        raise InvalidInput(f"y must have declared classes only, got {labels[wrong].tolist()[0]!r}")
    return classes, codes.astype(np.int64)


# ---- The majority class: the learner that every other one has to beat.


class Majority(Learner):
    """Predict the most frequent class of the training examples; ties go to the first class.

    Examples
    --------
    >>> Majority().fit([[0.0], [1.0], [2.0]], ["no", "yes", "yes"]).predict([[5.0]]).tolist()
    ['yes']
    """

    def _fit(self, table: Table, codes: Codes, n_classes: int) -> None:
        self.counts_ = np.bincount(codes, minlength=n_classes)

    def _predict_proba(self, table: Table) -> Array:
        return np.tile(self.counts_ / self.counts_.sum(), (len(table), 1))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags


# ---- Tables as numbers: nominal attributes as indicators, missing values by the training set's mean or mode.


def indicators(table: Table) -> Array:
    """Numbers for every column: a nominal column of more than two categories becomes one 0/1 column per category.

    A nominal column of one or two categories stays one column of its codes, as Weka's NominalToBinary leaves it.
    A missing value is NaN in all its columns.

    >>> indicators(Table.build([[0.5, 2], [1.5, 0]], [None, ("a", "b", "c")])).tolist()
    [[0.5, 0.0, 0.0, 1.0], [1.5, 1.0, 0.0, 0.0]]
    """
    columns = []
    for j, categories in enumerate(table.categories):
        column = table.values[:, j]
        if categories is None or len(categories) <= 2:
            columns.append(column[:, None])
        else:
            hot = (column[:, None] == np.arange(len(categories))).astype(np.float64)
            hot[np.isnan(column)] = np.nan
            columns.append(hot)
    return np.ascontiguousarray(np.concatenate(columns, axis=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicators:
    """Which of the columns of `indicators` belong to what: for replacing missing values by means and modes."""

    numeric: NDArray[np.bool_]
    groups: tuple[slice, ...]

    @classmethod
    def of(cls, table: Table) -> Indicators:
        numeric: list[bool] = []
        groups = []
        for categories in table.categories:
            width = 1 if categories is None or len(categories) <= 2 else len(categories)
            if width > 1:
                groups.append(slice(len(numeric), len(numeric) + width))
            numeric += [categories is None] * width
        return cls(numeric=np.array(numeric), groups=tuple(groups))

    def stand_ins(self, X: Array) -> Array:
        """What stands in for a missing value: the mean, or the most frequent category (the first of several).

        A column without any value gives 0, or the first category, as Weka's ReplaceMissingValues does.
        """
        known = ~np.isnan(X)
        counts = known.sum(axis=0)
        # cumulated, for Weka adds one by one and NumPy's pairwise sum may differ in the last bits
        sums = np.cumsum(np.where(known, X, 0.0), axis=0)[-1]
        out: Array = np.where(self.numeric, sums / np.maximum(counts, 1), 2 * sums > counts)
        for group in self.groups:
            mode = group.start + int(np.argmax(sums[group]))
            out[group] = 0.0
            out[mode] = 1.0
        return out


def fill_missing(X: Array, stand_ins: Array) -> Array:
    return np.where(np.isnan(X), stand_ins, X)
