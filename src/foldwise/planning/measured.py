"""How the tests behaved where the truth is known: what `advise` cites.

Type I error at nominal 0.05 on exchangeable null hypotheses with 300 examples, for three kinds of learner (a linear
discriminant, 1-nearest neighbour, a tree). Measured by the project; ``foldwise lab type1`` measures any test on any
population and on the user's own data.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TYPE_ONE_ERROR", "Measured"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Type I errors of one test at nominal 0.05.

    Attributes
    ----------
    linear, nearest_neighbour, tree
        The three kinds of learner.
    """

    linear: float
    nearest_neighbour: float
    tree: float

    def __str__(self) -> str:
        return (
            f"{self.linear:.3f} for a linear learner, {self.nearest_neighbour:.3f} for 1-NN, {self.tree:.3f} for trees"
        )


TYPE_ONE_ERROR = {
    "use_all_data": Measured(linear=0.54, nearest_neighbour=0.64, tree=0.54),
    "kfold_cv_t": Measured(linear=0.054, nearest_neighbour=0.122, tree=0.100),
    "corrected_repeated_cv_t": Measured(linear=0.041, nearest_neighbour=0.116, tree=0.041),
    "five_by_two_cv_t": Measured(linear=0.043, nearest_neighbour=0.121, tree=0.054),
    "five_by_two_cv_f": Measured(linear=0.044, nearest_neighbour=0.139, tree=0.053),
    "mcnemar": Measured(linear=0.051, nearest_neighbour=0.063, tree=0.083),
}
"""By name of the test; McNemar's on a holdout of one third."""
