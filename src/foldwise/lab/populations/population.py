"""What a population offers the lab: the contract that every one of them fulfils."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.core.types import Estimator, Flags, Integers, Labels
from foldwise.designs import Design
from foldwise.designs.resampled import AnySimulated, Resampled
from foldwise.lab.evidence import Evidence


class Null(StrEnum):
    """Where the null hypothesis holds: both learners have the same expected accuracy on the folds of the study.

    The lab makes stratified folds, as `foldwise.compare` does: a test set then has the same share of every class as
    its training set. Where attributes say nothing about the class, a learner that predicts the larger class is right
    more often on such folds than on new examples (with two fair classes and n examples by some 0.4/√n), and one that
    guesses is not. Such a population is a null hypothesis for random folds and only nearly one for stratified ones.

    >>> Null.EXACT.words
    'The null hypothesis holds exactly on this population, with stratified folds too.'
    """

    EXACT = "exact"
    RANDOM_FOLDS = "random_folds"
    EQUAL_LEARNERS = "equal_learners"
    FALSE = "false"

    @property
    def words(self) -> str:
        """What it means, in a sentence."""
        return _WORDS[self]


_WORDS = {
    Null.EXACT: "The null hypothesis holds exactly on this population, with stratified folds too.",
    Null.RANDOM_FOLDS: "The classes are drawn at random, so that all learners are equal on new examples; on stratified "
    "folds, which are used here, those that predict the larger class more often are a little better (see the bias).",
    Null.EQUAL_LEARNERS: "The null hypothesis holds on this population only for learners that are equally good on it "
    "(see the bias).",
    Null.FALSE: "The population was asked for a difference: the null hypothesis does not hold.",
}


Place = Literal[0, 1]  # 0 for learner a, 1 for learner b.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """One data set drawn from a source."""

    #: X, y: Attributes and class labels, or numbers
    X: Table
    y: Labels
    #: Whether y are numbers to be predicted: then squared errors take the place of right and wrong
    numeric: bool = False

    def rows(self, chosen: slice | Integers | Flags) -> Sample:
        """The chosen examples (indices or a mask)."""
        return Sample(X=self.X[chosen], y=self.y[chosen], numeric=self.numeric)


Views = tuple[Sample, Sample]  # One data set as learner a and as learner b see it; the labels are the same.


class Population(ABC):
    """Where the trials of a study come from.

    Populations are frozen dataclasses whose fields are their parameters, so that equal parameters are the same
    population. Derive from `Source` or from `SimulatedLearners`.
    """

    __slots__ = ()

    #: How many learners a study on it is given: 2, 1 that is compared with itself, or 0 that it simulates.
    takes: ClassVar[int]

    @property
    @abstractmethod
    def name(self) -> str: ...

    #: Whether the null hypothesis holds exactly, for any learners, unless a `difference` is asked for
    exact: ClassVar[bool] = False

    @property
    def null(self) -> Null:
        """Whether the null hypothesis holds on it, given the folds that the lab makes."""
        if not self.exact:
            return Null.EQUAL_LEARNERS
        return Null.FALSE if getattr(self, "difference", 0) else Null.EXACT

    @property
    def content(self) -> object:
        """What it depends on besides its parameters, such as what a file holds; a store tells it apart by that."""
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """What an answer must say of the examples."""
        return ()

    @property
    def size(self) -> int | None:
        """How many examples there are to draw from; None where there is no end of them."""
        return None

    def draws(self, kind: AnySimulated) -> bool:
        """Whether it can give this kind of evidence: what learners and data give, unless it says otherwise."""
        return isinstance(kind, Resampled)

    def pair(self, learners: tuple[Estimator, ...]) -> tuple[Estimator, ...]:
        """The learners a and b of a study that was given these; nothing where they are simulated."""
        if len(learners) != self.takes:
            rule = ("simulates its learners itself", "compares one learner with itself", "needs two learners")
            raise InvalidInput(f"population '{self.name}' {rule[self.takes]}, got {len(learners)}")
        return learners * 2 if self.takes == 1 else learners


class Source(Population):
    """A population of examples: learners are really trained on what it draws."""

    __slots__ = ()

    takes: ClassVar[int] = 2

    @abstractmethod
    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """A data set of n examples."""

    def seen(self, sample: Sample, by: Place) -> Sample:
        """What learner a (0) or b (1) is shown of a data set: all of it, unless the population says otherwise."""
        return sample

    def views(self, sample: Sample) -> Views:
        """The data set as both learners see it."""
        return self.seen(sample, 0), self.seen(sample, 1)

    def exam(self, n: int, n_test: int, rng: np.random.Generator) -> tuple[Sample, Sample]:
        """A data set of n examples, and at most n_test others on which a rule's accuracy is measured."""
        both = self.draw(n + n_test, rng)
        return both.rows(slice(None, n)), both.rows(slice(n, None))

    def grade(self, exam: Sample, predicted: Labels, known: Labels) -> tuple[float, float]:
        """A rule's accuracy on the exam, and that of a random other one of the `known` classes in its place."""
        right = predicted == exam.y
        return float(right.mean()), float((~right & np.isin(exam.y, known)).mean() / max(len(known) - 1, 1))


class Enumerable(Source):
    """A source with so few cases that a rule's accuracy is known exactly from its predictions on all of them."""

    __slots__ = ()

    @abstractmethod
    def cases(self) -> Table:
        """All combinations of attribute values."""

    @abstractmethod
    def true_error(self, predicted: Labels) -> float:
        """The error on the whole population of a rule that gives these classes to the `cases`."""

    def exam(self, n: int, n_test: int, rng: np.random.Generator) -> tuple[Sample, Sample]:
        """A data set of n examples, and all cases, whose labels mean nothing."""
        cases = self.cases()
        return self.draw(n, rng), Sample(X=cases, y=np.zeros(len(cases), dtype=np.int64))

    def grade(self, exam: Sample, predicted: Labels, known: Labels) -> tuple[float, float]:
        accuracy = 1 - self.true_error(predicted)
        return accuracy, (1 - accuracy) / max(len(known) - 1, 1)


class SimulatedLearners(Population):
    """A population that simulates the two learners' errors itself, many trials at a time."""

    __slots__ = ()

    takes: ClassVar[int] = 0
    block: ClassVar[int]  #: Trials in one block.

    @abstractmethod
    def simulate(self, kinds: Sequence[AnySimulated], design: Design, rng: np.random.Generator) -> Evidence:
        """Evidence of one block of trials."""


def at_most(sample: Sample, most: int, rng: np.random.Generator) -> Sample:
    return sample if len(sample.y) <= most else sample.rows(rng.choice(len(sample.y), size=most, replace=False))


# How a population is said: by name and parameters, as an object, or as a function f(n, rng) that returns (X, y).
PopulationSpec: TypeAlias = str | Population | Callable[[int, np.random.Generator], object]
