"""Whether two learners are really equal on a population, given how the lab makes its folds."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Null"]


class Null(StrEnum):
    """Where the null hypothesis holds: both learners have the same expected accuracy on the folds of the study.

    The lab makes stratified folds, as `foldwise.compare` does: a test set then has the same share of every class as
    its training set. Where attributes say nothing about the class, a learner that predicts the larger class is right
    more often on such folds than on new examples (with two fair classes and n examples by some 0.4/√n), and one that
    guesses is not. Such a population is a null hypothesis for random folds and only nearly one for stratified ones.

    Examples
    --------
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
