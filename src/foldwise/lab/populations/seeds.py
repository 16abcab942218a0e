"""One learner against itself with another random initialisation, as Alpaydın compared perceptrons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Estimator
from foldwise.lab.populations.finite import Finite
from foldwise.lab.populations.null import Null

__all__ = ["Seeds"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Seeds(Finite):
    """One learner against a copy of itself that starts from other random numbers: the null hypothesis holds.

    Attributes
    ----------
    data, data_dir, target, keep
        As in `FromData`.

    Notes
    -----
    Data sets are drawn as from `finite`. The two copies get a new seed in every training of every trial, so that
    their expected accuracies are the same whatever the learner and the data. [1]_, section 3, compares two multilayer
    perceptrons in this way. Give one learner, with a parameter `random_state`.

    References
    ----------
    .. [1] Alpaydın (1999), Combined 5×2 cv F test for comparing supervised classification learning algorithms,
       Neural Computation 11.
    """

    name: ClassVar[str] = "seeds"
    takes: ClassVar[int] = 1

    @property
    def null(self) -> Null:
        """Exact: the two copies differ by their random numbers alone."""
        return Null.EXACT

    def pair(self, learners: tuple[Estimator, ...]) -> tuple[Estimator, ...]:
        """The learner twice; it must draw random numbers."""
        both = super().pair(learners)
        if not any(name.split("__")[-1] == "random_state" for name in both[0].get_params(deep=True)):
            raise InvalidInput(f"population '{self.name}' needs a learner with a random_state, got {both[0]}")
        return both
