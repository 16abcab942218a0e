"""One learner on one split: fit, predict, score, and what happens when that fails; the lab trains by it too."""

from __future__ import annotations

import re
import time
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.types import Array, Estimator, Integers, Labels
from foldwise.engine.examples import Attributes, Examples, copy_rows, take_rows
from foldwise.engine.limits import end_copies
from foldwise.engine.scoring import Scorer, Scoring

# Why scikit-learn calls a metric ill-defined: "no predicted samples".
_CAUSE = re.compile(r"(?:due to|in labels with) (no [^.]*)")


class Nonsense(Exception):
    """A learner returned something that is no prediction, or a scorer no score."""


@dataclass(frozen=True, slots=True)
class Fit:
    #: learner, split: Position of the learner, index of the split
    learner: int
    split: int
    score: float  #: In the unit of the scoring
    #: Predictions for the split's test examples in their order: class codes, or numbers for regression
    outcomes: Labels
    seconds: float  #: Time of the fit; a kernel's time is shared equally among the splits it did together
    more: tuple[float, ...] = ()  #: Scores of the same fit by the other scorings that were asked for
    #: Probabilities and the like for a store (`foldwise.engine.job`); None where no metric needs them
    outputs: bytes | None = None
    #: By scoring what each test example adds to the score, where it takes probabilities and the like to know it
    each: tuple[Array | None, ...] = ()

    @property
    def scores(self) -> tuple[float, ...]:
        return (self.score, *self.more)


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """A learner after one training: the fitted estimator, its predictions as it gave them, and the fit's seconds."""

    estimator: Any
    predictions: Labels
    seconds: float


def fit_predict(
    estimator: Estimator, X: Attributes, y: Labels, train: Integers, test: Integers, *,
    X_test: Attributes | None = None, classes: Labels | None = None,
) -> Trained:  # fmt: skip
    """Fit on some rows and predict others: the one way in which a learner is trained on a split.

    The estimator is fresh, for this fit alone, and so are the rows that are cut: a learner may work in place. `X_test`
    has the tested rows if not `X`; `classes` are all that can occur, for learners that take them.
    """
    options = {} if classes is None else {"classes": classes}
    X_train, y_train = take_rows(X, train), y[train]
    started = clock()
    estimator.fit(X_train, y_train, **options)
    seconds = clock() - started
    predictions = np.array(estimator.predict(take_rows(X if X_test is None else X_test, test)))
    if predictions.shape != (len(test),):
        raise Nonsense(f"predict returned shape {predictions.shape} for {len(test)} test examples")
    return Trained(estimator, predictions, seconds)


def cross_predict(
    estimator: Any, X: Attributes, y: Labels, fold_ids: Integers, *, classes: Labels | None = None
) -> tuple[Labels, float]:
    """Predictions of a learner's own cross-validation, of shape (runs, examples), and the seconds that they took.

    A foreign learner may change what it is given, and gets a copy; ours do not.
    """
    options = {} if classes is None else {"classes": classes}
    if not type(estimator).__module__.startswith("foldwise.learners."):
        X, y = copy_rows(X), y.copy()
    started = clock()
    predicted = np.asarray(estimator.cross_predict(X, y, fold_ids, **options))
    return predicted.reshape(len(fold_ids), -1), clock() - started


class _Answered:
    """A fitted estimator whose predictions for the test set are known, so that scorers do not predict again.

    Everything but `predict` on that test set is the estimator's own; `sorted_classes` are those that scikit-learn's
    scorers may see, which take the columns of `predict_proba` for the sorted classes of the target.
    """

    def __init__(self, estimator: Any, X: object, predictions: Labels, sorted_classes: Labels | None = None) -> None:
        self._estimator, self._X, self._predictions = estimator, X, predictions
        if sorted_classes is not None:
            self.classes_ = sorted_classes
            if hasattr(estimator, "predict_proba"):
                # columns in sorted order, those of declared classes without any example shared out among the others;
                # scikit-learn looks at the name of the function
                def predict_proba(X: object) -> Labels:
                    every = np.asarray(estimator.predict_proba(X))
                    given = every[:, class_codes(sorted_classes, np.asarray(estimator.classes_))]
                    return np.asarray(given if given.shape == every.shape else given / given.sum(axis=1, keepdims=True))

                self.predict_proba = predict_proba

    def predict(self, X: object) -> Labels:
        if X is self._X:
            return self._predictions
        return np.asarray(self._estimator.predict(X))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._estimator, name)


def as_outcomes(predictions: ArrayLike, n_test: int, examples: Examples) -> Labels:
    """Predictions as class codes (or numbers for regression); refuses what is no prediction."""
    given = np.asarray(predictions)
    if given.shape != (n_test,):
        raise Nonsense(f"predict returned shape {given.shape} for {n_test} test examples")
    if examples.classes is None:
        numbers = given.astype(np.float64)
        if not np.isfinite(numbers).all():
            raise Nonsense(f"predict returned {numbers[~np.isfinite(numbers)][0]}")
        return numbers
    return class_codes(given, examples.classes)


def class_codes(labels: Labels, classes: Labels) -> NDArray[np.int64]:
    """Index of each label in the classes; refuses labels that are none."""
    order = np.argsort(classes)
    try:
        place = np.minimum(np.searchsorted(classes, labels, sorter=order), len(classes) - 1)
        codes = order[place].astype(np.int64)
        wrong = classes[codes] != labels
    except TypeError as error:
        raise Nonsense(f"predict returned values that are no classes of y: {error}") from error
    if wrong.any():
        raise Nonsense(f"predict returned {labels[wrong].tolist()[0]!r}, which is no class of y")
    return codes


def score_fitted(
    scoring: Scoring, estimator: Estimator, X_test: object, predictions: Labels, outcomes: Labels, *, of: Target,
    present: Labels | None = None,
) -> float:  # fmt: skip
    """Score of a fitted estimator whose predictions for the test set are known.

    `present` are the classes that occur, sorted, where the estimator was told classes in an order of their own.
    """
    if scoring.scorer is None:
        return scoring.count(outcomes == of.codes)
    answered = _Answered(estimator, X_test, np.asarray(predictions), None if scoring.any_order else present)
    return _scored(scoring, scoring.scorer, answered, X_test, of.y)


def score_predicted(
    scoring: Scoring, estimator: Estimator, outcomes: Labels, *, of: Target, classes: Labels | None
) -> float:
    """Score of predictions that came without a fitted estimator (a kernel's, or a store's)."""
    if scoring.scorer is None:
        return scoring.count(outcomes == of.codes)
    rows = np.empty((len(outcomes), 1))
    if classes is None:
        answered = _Answered(estimator, rows, outcomes)
    else:
        answered = _Answered(estimator, rows, classes[outcomes], np.sort(classes))
    return _scored(scoring, scoring.scorer, answered, rows, of.y)


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """The truth about the test examples: as the learners see it, and as class codes."""

    y: Labels
    codes: NDArray[np.int64] | None

    @classmethod
    def of(cls, examples: Examples, test: NDArray[np.int64]) -> Target:
        return cls(examples.y[test], None if examples.codes is None else examples.codes[test])


def of_learner(error: BaseException) -> BaseException:
    """What a learner raised, whatever it is, to be reported with its split; KeyboardInterrupt is the user's."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    end_copies()
    return error


def why(error: BaseException) -> str:
    """First line of the error's message, with its kind and the place it came from."""
    lines = str(error).strip().splitlines()
    if isinstance(error, Nonsense):
        return lines[0]
    text = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
    if isinstance(error, MemoryError):
        text = f"it needed more memory than there is or than fit_memory allows, {text}"
    if isinstance(error, SystemExit):
        text = f"it tried to end the program, {text}"
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return text
    last = frames[-1]
    return f"{text} ({Path(last.filename).name}, line {last.lineno})"


def clock() -> float:
    return time.perf_counter()


def _scored(scoring: Scoring, scorer: Scorer, estimator: Any, X: object, y: Labels) -> float:
    """The score; where scikit-learn says that it is undefined and puts a number in its place, it is refused."""
    if scoring.any_order:  # ours, which are defined everywhere
        return _finite(scorer(estimator, X, y), scoring.name)
    from sklearn.exceptions import UndefinedMetricWarning

    with warnings.catch_warnings():
        warnings.simplefilter("error", UndefinedMetricWarning)
        warnings.filterwarnings("error", message="No positive class found in y_true")
        try:
            return _finite(scorer(estimator, X, y), scoring.name)
        except (UndefinedMetricWarning, UserWarning) as undefined:
            cause = _CAUSE.search(str(undefined))
            why_not = cause.group(1) if cause else str(undefined).strip().splitlines()[0].rstrip(".")
    raise Nonsense(
        f"scoring {scoring.name!r} is undefined on this test set ({why_not}); use fewer folds (folds, --folds), "
        "another score such as f1 or log_loss, or a scorer that says what it is there (make_scorer with zero_division)"
    )


def _finite(score: float, name: str) -> float:
    try:
        value = float(score)
    except (TypeError, ValueError) as error:
        raise Nonsense(f"scoring {name!r} returned {score!r}, which is no number") from error
    if not np.isfinite(value):
        raise Nonsense(f"scoring {name!r} returned {value}")
    return value
