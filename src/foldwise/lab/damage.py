"""Damage: make two learners equally good, or place one at a fraction of the way between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from sklearn.base import clone

from foldwise import __version__
from foldwise.core.digest import digest
from foldwise.core.errors import DegenerateData, InvalidInput
from foldwise.core.random import stream
from foldwise.core.result import Result
from foldwise.core.types import Array, Estimator, Json
from foldwise.core.validation import fraction as checked_fraction
from foldwise.core.validation import integer, one_of
from foldwise.designs import FIVE_BY_TWO, ONE_CV, RIGHT_WRONG, Design
from foldwise.designs.resampled import only_resampled
from foldwise.engine.learners import learner_of
from foldwise.lab.evidence import Evidence, choose_tests, kinds_of
from foldwise.lab.gather import BLOCK, InBlocks, Origins, Resources, gather, identity
from foldwise.lab.populations import Source, find_population
from foldwise.lab.populations.population import PopulationSpec
from foldwise.lab.training import RandomErrors, SizedLearner, is_random, predict_others, reseeded

Measure = Callable[[Sequence[Sequence[float]]], list[float]]  # Accuracies with each of several lists of weights.

TOLERANCE = 0.0005  # The search ends this near to the target: half of what is promised, 0.1 points.

PROMISED = 0.001
LARGEST_EXPONENT = 12.0
MOST_STEPS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class BadWeights:
    """Weights, the exponent s that they come from, and the accuracy with them."""

    weights: tuple[float, ...]
    exponent: float
    accuracy: float


def bad_attribute(measure: Measure, columns: int) -> int:
    """The attribute that nearest neighbours do worst with when they have no other."""
    alone = measure([[float(other == column) for other in range(columns)] for column in range(columns)])
    return alone.index(min(alone))


def find_weights(measure: Measure, lose: Sequence[float], *, start: float, target: float) -> BadWeights:
    """The weights 10⁻ˢᵘ, u being by attribute how much it loses, with which the accuracy is the target.

    `measure` gives accuracies; that with equal weights, `start`, is above the target.

    The exponent is doubled until the accuracy is below the target, and then found between by the Illinois variant of
    false position, which needs no derivative and about half the steps of bisection.
    """

    def at(exponent: float) -> BadWeights:
        weights = tuple(10 ** (-exponent * share) for share in lose)
        return BadWeights(weights=weights, exponent=exponent, accuracy=measure([weights])[0])

    low, gap_low = 0.0, start - target
    high = at(0.5)
    while high.accuracy > target + TOLERANCE and high.exponent < LARGEST_EXPONENT:
        low, gap_low = high.exponent, high.accuracy - target
        high = at(min(2 * high.exponent, LARGEST_EXPONENT))
    best = high if high.accuracy > target else _between(at, low, gap_low, high, target)
    if abs(best.accuracy - target) > PROMISED:
        raise DegenerateData(
            f"bad weights bring the accuracy to {best.accuracy:.4f}, not to {target:.4f}: use method='errors'"
        )
    return best


def _between(
    at: Callable[[float], BadWeights], low: float, gap_low: float, high: BadWeights, target: float
) -> BadWeights:
    best, right, gap_high = high, high.exponent, high.accuracy - target
    side = 0
    for _ in range(MOST_STEPS):
        if abs(best.accuracy - target) <= TOLERANCE:
            break
        found = at((low * gap_high - right * gap_low) / (gap_high - gap_low))
        gap = found.accuracy - target
        best = min(best, found, key=lambda weights: abs(weights.accuracy - target))
        if gap > 0:
            low, gap_low = found.exponent, gap
            gap_high = gap_high / 2 if side == 1 else gap_high
            side = 1
        else:
            right, gap_high = found.exponent, gap
            gap_low = gap_low / 2 if side == -1 else gap_low
            side = -1
    return best


Method = Literal["auto", "weights", "errors"]

_NOTHING = 1e-9  # A difference of accuracies that is nothing but rounding.


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """What was done at one training size."""

    n_train: int  #: The training size
    #: accuracy_a, accuracy_b: Of the undamaged learners
    accuracy_a: float
    accuracy_b: float
    damaged: str  #: "a" or "b": the better one
    #: method, amount: "weights" and the exponent s (all attributes but one get the weight 10⁻ˢ), or "errors" and their
    #: rate
    method: str
    amount: float
    #: target, reached: The accuracy that the damaged learner should have, and has
    target: float
    reached: float
    standard_error: float  #: Of the difference of the two learners' accuracies, over the trials


@dataclass(frozen=True, slots=True, kw_only=True)
class Equalised(Result):
    """Two learners for the lab, made equal or placed in between."""

    page: ClassVar[str] = "equalised"

    learners: tuple[SizedLearner, SizedLearner]  #: What to give `type_one_error` or `power` as learners
    fraction: float  #: 0 for equal, 1 for the original difference
    matches: tuple[Match, ...]  #: What was done at each training size

    def _content(self) -> Mapping[str, Json]:
        return {
            "learners": [str(learner) for learner in self.learners],
            "fraction": self.fraction,
            "matches": [asdict(match) for match in self.matches],
        }


def equalise(
    a: Estimator | str, b: Estimator | str, population: PopulationSpec, *, fraction: float = 0.0,
    method: Method = "auto", trials: int = 500, n_test: int = 1000, seed: int = 0, resources: Resources | None = None,
    tests: str | Sequence[str] = (), lose: Sequence[float] | None = None, **design: int,
) -> Equalised:  # fmt: skip
    """Damage the better of two learners until both are equally good at every training size that the tests use.

    Parameters
    ----------
    a, b
        Two learners, by name or as estimators.
    population
        Where the examples come from: anything but simulated learners.
    fraction
        Where between equal (0) and undamaged (1) the better learner is to stand, by accuracy.
    method
        "weights" gives nearest neighbours a badly weighted distance, "errors" replaces predictions at random, and
        "auto" takes weights where the better learner is `NearestNeighbours` at every size, errors otherwise.
    trials
        Data sets over which accuracies are averaged.
    n_test
        Most examples on which one trained learner is examined, where the source can't tell its error exactly.
    seed
        Gives the same damage again.
    resources
        As in `type_one_error`.
    tests
        Tests whose training sizes are needed beside those of the papers' tests.
    lose
        By attribute how much of its weight it loses, from 0 to 1; None: all lose it but the one that is worst alone.
    **design
        `n`, `folds` and `parts` of `Design`: they make the training sizes.

    Notes
    -----
    As in [1]_, section 6.1: accuracies are averages over data sets of n examples, subsampled to each training size,
    and matched to within 0.1 points. `Match.standard_error` says how well they are known. Random errors at rate r turn
    an accuracy A into A − r(A − C), where C is the accuracy of a random other class, so that r is known at once. Bad
    weights are 10⁻ˢᵘ, u being what an attribute loses; s is searched.

    References
    ----------
    .. [1] Dietterich (1998), Neural Computation 10.
    """
    source = find_population(population)
    if not isinstance(source, Source):
        raise InvalidInput(f"population '{source.name}' simulates its learners: there is nothing to damage")
    if source.takes != 2:
        raise InvalidInput(f"population '{source.name}' compares one learner with itself: there is nothing to damage")
    checked_fraction(fraction, "fraction", closed=True)
    one_of(method, "method", ("auto", "weights", "errors"))
    sizes, pair = Design(**design), (learner_of(a), learner_of(b))
    exams = Exams(
        source=source, learners=pair, n=sizes.n, n_train=sizes.n, n_test=integer(n_test, "n_test", minimum=1), seed=seed
    )
    integer(trials, "trials", minimum=10)

    def grade(n_train: int, *learners: Estimator) -> Grades:
        return examine_learners(replace(exams, learners=learners, n_train=n_train), trials, resources)

    kinds = (ONE_CV, RIGHT_WRONG, FIVE_BY_TWO, *(only_resampled(kinds_of(choose_tests(tests))) if tests else ()))
    train_sizes = sorted({kind.n_train(sizes) for kind in kinds})
    columns = source.draw(sizes.n, np.random.default_rng(0)).X.shape[1]
    if lose is not None and (len(lose) != columns or not all(0 <= share <= 1 for share in lose)):
        raise InvalidInput(f"lose must be {columns} numbers from 0 to 1, one per attribute, got {list(lose)}")
    grades = [grade(size, *pair) for size in train_sizes]
    better = [int(np.argmax(found.accuracy.mean(axis=0))) for found in grades]
    weighable = all("weights" in pair[place].get_params() and columns > 1 for place in set(better))
    if method == "weights" and not weighable:
        raise InvalidInput("method='weights' needs nearest neighbours to be the better learner, and two attributes")
    damage = "weights" if weighable and method != "errors" else "errors"
    matches, damaged = [], list[Estimator]()
    for size, found, place in zip(train_sizes, grades, better, strict=True):
        accuracy, difference = found.accuracy.mean(axis=0), found.accuracy[:, 0] - found.accuracy[:, 1]
        start, chance = float(found.accuracy[:, place].mean()), float(found.chance[:, place].mean())
        target = float(accuracy[1 - place] + fraction * (accuracy[place] - accuracy[1 - place]))
        learner, amount, reached = pair[place], 0.0, start
        if start - target > _NOTHING and damage == "weights":
            learner, amount, reached = _by_weights(learner, partial(grade, size), lose, columns, start, target)
        elif start - target > _NOTHING:
            learner, amount, reached = _by_errors(learner, start, chance, target)
        damaged.append(learner)
        matches.append(Match(
            n_train=size, accuracy_a=float(accuracy[0]), accuracy_b=float(accuracy[1]), damaged="ab"[place],
            method=damage, amount=amount, target=target, reached=reached,
            standard_error=float(difference.std(ddof=1) / np.sqrt(len(difference))),
        ))  # fmt: skip
    first, second = (
        SizedLearner(
            one, list(train_sizes), [new if i == place else one for new, i in zip(damaged, better, strict=True)]
        )
        for place, one in enumerate(pair)
    )
    return Equalised(learners=(first, second), fraction=fraction, matches=tuple(matches))


def _by_errors(learner: Estimator, accuracy: float, chance: float, target: float) -> tuple[Estimator, float, float]:
    if accuracy <= chance or accuracy - target > accuracy - chance:
        raise DegenerateData(
            f"random errors can't bring {learner} from an accuracy of {accuracy:.3f} to {target:.3f}, which "
            "is worse than always predicting another class"
        )
    rate = (accuracy - target) / (accuracy - chance)
    return RandomErrors(learner, rate=rate), rate, accuracy - rate * (accuracy - chance)


def _by_weights(
    learner: Estimator, grade: Callable[..., Grades], lose: Sequence[float] | None, columns: int, start: float,
    target: float,
) -> tuple[Estimator, float, float]:  # fmt: skip
    def with_weights(weights: Sequence[float]) -> Estimator:
        damaged: Estimator = clone(learner).set_params(weights=tuple(weights))
        return damaged

    def accuracies(several: Sequence[Sequence[float]]) -> list[float]:
        found = grade(*map(with_weights, several))
        return [float(value) for value in found.accuracy.mean(axis=0)]

    if lose is None:
        kept = bad_attribute(accuracies, columns)
        lose = [float(column != kept) for column in range(columns)]
    found = find_weights(accuracies, lose, start=start, target=target)
    return with_weights(found.weights), found.exponent, found.accuracy


# ---- True accuracies: learners trained on samples of a source and examined on what the source says is true.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grades:
    """How well learners do, of shape (trials, learners)."""

    accuracy: Array  #: Share of right predictions
    chance: Array  #: Share of predictions that would become right if each were replaced by another class at random


@dataclass(frozen=True, slots=True, kw_only=True)
class Exams(InBlocks):
    """Trials in each of which all learners are trained on the same examples and examined on the same others.

    What a learner is examined on, and how its accuracy is found, is the source's `exam` and `grade`: exactly where
    all cases are known, otherwise on the rest of a finite population or on new examples.
    """

    source: Source  #: Where the examples come from
    learners: tuple[Estimator, ...]  #: What to train
    #: n, n_train: A data set has n examples, of which n_train at random are trained on
    n: int
    n_train: int
    n_test: int  #: Most examples in an examination that is not exact
    seed: int  #: Determines the trials; the same whatever the learners are

    @property
    def numbers(self) -> int:
        return 2 * len(self.learners)

    @property
    def key(self) -> str:
        sizes = [self.n, self.n_train, self.n_test, self.seed]
        return digest(["exams", identity(self.source), list(self.learners), sizes, __version__])

    def work(self, number: int) -> Evidence:
        accuracies, chances = np.empty((2, BLOCK, len(self.learners)))
        for place, trial in enumerate(range(number * BLOCK, (number + 1) * BLOCK)):
            sample, exam = self.source.exam(self.n, self.n_test, stream(self.seed, "exam", trial))
            train = sample.rows(stream(self.seed, "exam subset", trial).permutation(self.n)[: self.n_train])
            known = np.unique(train.y)
            for i, learner in enumerate(self.learners):
                own = int(stream(self.seed, "exam learner", trial, i).integers(2**31))
                ready = reseeded(learner, own) if is_random(learner) else learner
                predicted = predict_others(ready, train, exam.X)
                accuracies[place, i], chances[place, i] = self.source.grade(exam, predicted, known)
        return Evidence(arrays={"accuracy": accuracies, "chance": chances})


def examine_learners(exams: Exams, trials: int, resources: Resources | None = None) -> Grades:
    """The grades of the first `trials` trials; they are kept in the store, and in memory while the process lives."""
    key, use = f"{exams.key} {trials}", resources or Resources()
    if key not in _GRADED:
        own = replace(use, origins=Origins())
        arrays = gather(exams, trials, own).arrays
        _GRADED[key] = Grades(accuracy=arrays["accuracy"], chance=arrays["chance"]), own.origins
    grades, origins = _GRADED[key]
    use.origins.add(origins)
    return grades


# a search for the right amount of damage comes back to the same learners again and again
_GRADED: dict[str, tuple[Grades, Origins]] = {}
