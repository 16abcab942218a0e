"""Bouckaert's null: binary attributes that say nothing about the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldwise.core.table import Table
from foldwise.core.validation import fraction, integer
from foldwise.lab.populations.null import Null
from foldwise.lab.populations.population import Sample, Source

__all__ = ["IndependentBinary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndependentBinary(Source):
    """Independent binary attributes, and a class independent of them all.

    Attributes
    ----------
    attributes
        Number of binary attributes.
    class_probability
        Probability of the second class.
    attribute_probability
        Probability of an attribute's second value; None draws a new one for each attribute of each data set.

    Notes
    -----
    Whatever a learner does, its error rate on new examples is that of guessing, so that the null hypothesis holds for
    every two learners that guess both classes alike; on stratified folds it holds nearly (see `Null`). [1]_, section 4
    (data set 1): 300 examples, 10 attributes, class probability ½. The paper does not say how probable the attributes'
    values are. With a random probability for each attribute, 53 of the 54 Type I errors of its Table 2 are reproduced
    within Monte-Carlo error; with ½ for all of them only 35, because at unequal class probabilities the learners then
    guess differently.

    References
    ----------
    .. [1] Bouckaert (2003), ICML.
    """

    attributes: int = 10
    class_probability: float = 0.5
    attribute_probability: float | None = None

    name: ClassVar[str] = "independent-binary"

    def __post_init__(self) -> None:
        integer(self.attributes, "attributes", minimum=1)
        fraction(self.class_probability, "class_probability")
        if self.attribute_probability is not None:
            fraction(self.attribute_probability, "attribute_probability")

    @property
    def null(self) -> Null:
        """Holds for any learners, with random folds, if the classes are equally likely."""
        return Null.RANDOM_FOLDS if self.class_probability == 0.5 else Null.EQUAL_LEARNERS

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """A data set of n examples."""
        given = self.attribute_probability
        probability = rng.random(self.attributes) if given is None else np.full(self.attributes, given)
        values = (rng.random((n, self.attributes)) < probability).astype(np.float64)
        labels = (rng.random(n) < self.class_probability).astype(np.int64)
        return Sample(X=Table.build(values, [("0", "1")] * self.attributes), y=labels)
