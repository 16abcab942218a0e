"""The three answers that a region of practical equivalence (ROPE) leaves."""

from __future__ import annotations

from dataclasses import dataclass

from foldwise.core.display import Shown
from foldwise.core.types import Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Probabilities(Shown):
    """One probability for each answer; they sum to 1.

    Examples
    --------
    >>> Probabilities(a_better=0.7, equivalent=0.2, b_better=0.1).mirrored().a_better
    0.1
    """

    #: The first learner is better by more than the ROPE. Procedures that are given differences a − b take them as
    #: differences of scores, higher being better; for losses take `mirrored`.
    a_better: Numbers
    equivalent: Numbers  #: The two are practically the same
    b_better: Numbers  #: The second learner is better by more than the ROPE

    def mirrored(self) -> Probabilities:
        """The same with the learners swapped."""
        return Probabilities(a_better=self.b_better, equivalent=self.equivalent, b_better=self.a_better)

    def as_tuple(self) -> tuple[Numbers, Numbers, Numbers]:
        """(a better, equivalent, b better)."""
        return self.a_better, self.equivalent, self.b_better

    def floats(self) -> Probabilities:
        """Those of one experiment, in Python's own numbers."""
        a_better, equivalent, b_better = map(float, self.as_tuple())
        return Probabilities(a_better=a_better, equivalent=equivalent, b_better=b_better)
