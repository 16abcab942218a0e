"""Really trained learners: cross-validate them on data sets drawn from a source, for all tests at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from foldwise.core.errors import FitFailed, FoldwiseError, InvalidInput
from foldwise.core.random import stream
from foldwise.core.table import Table
from foldwise.core.types import Array, Estimator, Integers, Labels
from foldwise.core.validation import fraction, integer
from foldwise.designs import Design, Shape
from foldwise.designs.resampled import UNUSED, AnyResampled
from foldwise.engine.attributes import suited
from foldwise.engine.examples import in_form
from foldwise.engine.fitting import cross_predict, fit_predict, of_learner
from foldwise.engine.learners import takes_classes
from foldwise.engine.limits import begin
from foldwise.lab.evidence import Evidence
from foldwise.lab.populations.population import Sample, Views
from foldwise.learners.binary import cross_validate
from foldwise.learners.registry import create

Learners = tuple[Estimator, Estimator]
_KERNELS = {
    "NaiveBayes": "nb", "C45": "c45", "NearestNeighbours": "1nn", "TAN": "tan", "VotedPerceptron": "votedperceptron",
}  # fmt: skip


def evidence_from_learners(
    samples: Sequence[Views], learners: Learners, kinds: Sequence[AnyResampled], design: Design, seeds: Sequence[int]
) -> Evidence:
    """Train and test both learners on every sample, in every resampling that the tests need.

    Samples are data sets, each as a and as b see it, and a seed determines the partitionings of each. Kinds that can
    share a resampling do: a holdout is the first random split, a single cross-validation the first run of the repeated
    one. The evidence is trials × repetitions × what each kind needs.
    """
    arrays: dict[str, list[Array]] = {kind.name: [] for kind in kinds}
    for repetition in range(design.repetitions):
        again = [int(stream(seed, "repetition", repetition).integers(2**63)) for seed in seeds]
        found: dict[str, Array] = {}
        for kind in sorted(kinds, key=lambda kind: kind.contained_in is not None):
            larger = found.get(kind.contained_in or "")
            # the learner to use at this training size
            a, b = (
                (learner.at(kind.n_train(design)) if isinstance(learner, SizedLearner) else learner)
                for learner in learners
            )
            found[kind.name] = _measured(samples, (a, b), kind, design, again) if larger is None else kind.cut(larger)
        for name, array in found.items():
            arrays[name].append(array)
    return Evidence(arrays={name: np.stack(parts, axis=1) for name, parts in arrays.items()})


def _measured(
    samples: Sequence[Views], learners: Learners, kind: AnyResampled, design: Design, seeds: Sequence[int]
) -> Array:
    """One kind of evidence on every sample."""
    shape = kind.shape(design)
    if kind.by_fold and kind.dealt_evenly:
        names = [name for name in map(_kernel_name, learners) if name is not None]
        if len(names) == 2 and all(_is_binary(view) for views in samples for view in views):
            folds, tested = shape.folds, shape.tested
            if all(a is b for a, b in samples):  # the usual case: both learners see the same, in one pass
                correct = _binary_correct([a for a, _ in samples], names, shape, seeds)
                right_a, right_b = (correct[name] for name in names)
            else:
                right_a, right_b = (
                    _binary_correct([views[place] for views in samples], [name], shape, seeds)[name]
                    for place, name in enumerate(names)
                )
            sizes = np.array([len(part) for part in np.array_split(np.arange(len(samples[0][0].y)), folds)])[:tested]
            return kind.arranged(np.asarray((right_a.astype(np.float64) - right_b) / sizes))
    return np.stack([_trial(views, learners, kind, shape, seed) for views, seed in zip(samples, seeds, strict=True)])


def _trial(views: Views, learners: Learners, kind: AnyResampled, shape: Shape, seed: int) -> Array:
    y = views[0].y
    classes = np.zeros(len(y), dtype=np.int64) if views[0].numeric else y
    ids = kind.fold_ids(classes, shape, seed)
    # per learner which predictions are right, or their squared errors turned round, of shape (runs, examples)
    marks = []
    for place, (learner, view) in enumerate(zip(learners, views, strict=True)):
        predicted = predict_folds(learner, view, ids, int(stream(seed, "learner", place).integers(2**62)))
        marks.append(np.asarray(-((predicted - view.y) ** 2) if view.numeric else predicted == view.y))
    return kind.measured_of_classes(ids, (marks[0], marks[1]), classes)


def _is_binary(sample: Sample) -> bool:
    two = all(c is not None and len(c) == 2 for c in sample.X.categories)
    return two and set(np.unique(sample.y).tolist()) <= {0, 1} and not np.isnan(sample.X.values).any()


def _binary_correct(
    samples: Sequence[Sample], names: Sequence[str], shape: Shape, seeds: Sequence[int]
) -> Mapping[str, Labels]:
    """Right predictions by each learner on each tested fold; the partitions depend on labels and seeds alone."""
    X = np.stack([sample.X.values for sample in samples]).astype(np.uint8)
    y = np.stack([sample.y for sample in samples]).astype(np.uint8)
    distinct = tuple(dict.fromkeys(names))
    return cross_validate(
        X, y, distinct, seeds=np.array(seeds, dtype=np.uint64), runs=shape.runs, folds=shape.folds, tested=shape.tested,
        partners=shape.partners, jobs=1,
    )  # fmt: skip


def _kernel_name(learner: Estimator) -> str | None:
    """The name of the binary batch kernel that is exactly this learner, if there is one."""
    name = _KERNELS.get(type(learner).__name__)
    if name is None:
        return None
    known = create(name)
    return name if type(known) is type(learner) and known.get_params() == learner.get_params() else None


# ---- A learner that errs on purpose: any estimator with random classification errors added.


class RandomErrors(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Replace predictions at random by another class.

    `estimator`: whose predictions are disturbed. `rate`: probability that a prediction is replaced by one of the other
    classes, all equally likely. `random_state`: seed of the errors; None means 0.

    `estimator_`: the fitted estimator. `classes_`: the classes of the training examples.

    With K classes, an accuracy A becomes A − rate·(A − (1 − A)/(K − 1)). Which predictions are replaced depends on the
    seed and on the labels trained on, not on the attributes: two fits on different examples err in different places.
    This is how C4.5 was made as bad as nearest neighbour in Dietterich (1998), section 6.1.

    >>> from foldwise.learners import Majority
    >>> wrong = RandomErrors(Majority(), rate=1.0).fit([[0.0], [1.0], [2.0]], ["no", "yes", "yes"])
    >>> wrong.predict([[5.0]]).tolist()
    ['no']
    """

    accepts_table = True

    def __init__(self, estimator: Estimator, rate: float = 0.0, random_state: int | None = None) -> None:
        self.estimator = estimator
        self.rate = rate
        self.random_state = random_state

    def fit(self, X: object, y: ArrayLike) -> Self:
        """Fit the estimator; the errors come when it predicts."""
        fraction(self.rate, "rate", closed=True)
        self.classes_, codes = np.unique(np.asarray(y), return_inverse=True)
        self.estimator_ = clone(self.estimator).fit(X, y)
        self.labels_ = codes.astype(np.uint32)
        return self

    def predict(self, X: object) -> Labels:
        check_is_fitted(self, "estimator_")
        seed = 0 if self.random_state is None else integer(self.random_state, "random_state", minimum=0)
        rng = stream(seed, "random errors", self.labels_.tobytes().hex())
        return self.disturb(self.estimator_.predict(X), self.classes_, rng)

    def disturb(self, predicted: ArrayLike, classes: Labels, rng: np.random.Generator) -> Labels:
        """These predictions, with each replaced by one of the other `classes` at the learner's rate."""
        labels = np.asarray(predicted)
        hit = rng.random(labels.shape) < self.rate
        step = rng.integers(1, max(len(classes), 2), size=labels.shape)
        place = np.searchsorted(classes, labels)
        return np.where(hit, classes[(place + step) % len(classes)], labels)


# ---- A learner that is another one at each training size.


class SizedLearner(BaseEstimator):  # type: ignore[misc]
    """A learner whose damage differs by training size; the lab asks it for the right one.

    `learner`: the undamaged learner. `sizes`, `estimators`: training sizes, and what to use at each.
    """

    def __init__(self, learner: Estimator, sizes: Sequence[int], estimators: Sequence[Estimator]) -> None:
        self.learner = learner
        self.sizes = sizes
        self.estimators = estimators

    def at(self, n_train: int) -> Estimator:
        """The estimator for this training size: that of the nearest size, which must be within 2 %."""
        nearest = min(self.sizes, key=lambda size: abs(size - n_train))
        if abs(nearest - n_train) > max(1, 0.02 * n_train):
            raise InvalidInput(
                f"{self.learner} was made equal at training sizes {', '.join(map(str, self.sizes))}, got {n_train}: "
                "give equalise the tests, n, folds and parts of the study"
            )
        return self.estimators[list(self.sizes).index(nearest)]

    def __str__(self) -> str:
        same = all(estimator is self.learner for estimator in self.estimators)
        return f"{self.learner}" if same else f"{self.learner}, damaged"


def predict_folds(
    learner: Estimator, sample: Sample, ids: Integers, seed: int, classes: Labels | None = None
) -> Labels:
    """Predicted labels of shape (runs, examples).

    `ids` are fold numbers of shape (runs, examples); −1 marks what is trained on only, and `UNUSED` what has no part in
    a run; there the result means nothing. The seed is of the learner's own random numbers: a learner that uses any gets
    new ones in every training, so that two copies of it differ by chance alone. `classes` are all that can occur, where
    the sample is a part of a larger one.
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
    except BaseException as raised:  # noqa: BLE001 (a learner may raise anything)
        error = of_learner(raised)
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
