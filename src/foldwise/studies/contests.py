"""Every paper's populations, each with the null hypothesis and with a fixed effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foldwise.core.spec import parse_spec
from foldwise.core.types import Estimator
from foldwise.papers.study import Task

if TYPE_CHECKING:
    from foldwise.lab.populations import Population

__all__ = ["CONTESTS", "Contest", "contestants"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A population, and how the null hypothesis and a fixed effect are made on it.

    Attributes
    ----------
    name
        What rows call it.
    null, effect
        Population and fraction of the learners' difference that is left (0: equalised, 1: as they are).
    learners
        Nothing where the population simulates them.
    data
        Data sets it needs.
    """

    name: str
    null: tuple[str, float]
    effect: tuple[str, float]
    learners: tuple[str, ...] = ()
    data: tuple[str, ...] = ()


CONTESTS = (
    Contest(name="two kinds of points, ε = 0.1", null=("two-kinds(error=0.1)", 1.0),
           effect=("two-kinds(error=0.1, difference=0.05)", 1.0)),
    Contest(name="independent binary, nb vs c45", null=("bayes-net(set=1)", 1.0), effect=("bayes-net(set=3)", 1.0),
           learners=("nb", "c45")),
    Contest(name="EXP6 surrogate, c45 vs 1nn", null=("exp6", 0.0), effect=("exp6", 1.0), learners=("c45", "1nn")),
    Contest(name="Letter, c45 vs 1nn", null=("finite(data='letter')", 0.0), effect=("finite(data='letter')", 1.0),
           learners=("c45", "1nn"), data=("letter",)),
    Contest(name="Pima, c45 vs 1nn", null=("finite(data='diabetes')", 0.0), effect=("finite(data='diabetes')", 1.0),
           learners=("c45", "1nn"), data=("diabetes",)),
    Contest(name="two normal classes, 1nn vs 3nn", null=("gaussian(inherent_error=0.25)", 0.0),
           effect=("gaussian(inherent_error=0.25)", 1.0), learners=("1nn", "3nn")),
)  # fmt: skip
"""Every paper's populations: dietterich1998 §4 and §6, bouckaert2003 and bouckaertfrank2004, martinhirschberg1996.
(Those of alpaydin1999 are whole data sets: nothing is drawn from them, so that no true difference is known.)"""


def contestants(
    task: Task, contest: Contest, what: tuple[str, float], *, tests: Sequence[str] = ()
) -> tuple[Population, tuple[str | Estimator, ...]]:
    """The population, and learners with the wanted share of their difference at all sizes that the tests train on."""
    spec, fraction = what
    population = _population(task, spec)
    if not contest.learners or fraction == 1:
        return population, contest.learners
    from foldwise.lab.damage import equalise

    first, second = contest.learners
    amount = task.pick(smoke=10, quick=100, full=500)
    found = equalise(
        first, second, population, fraction=fraction, trials=amount, n_test=300, seed=task.seed + 17,
        resources=task.resources, tests=tests,
    )  # fmt: skip
    return population, found.learners


def _population(task: Task, spec: str) -> Population:
    from foldwise.lab.populations import find_population
    from foldwise.lab.populations.finite import Finite

    name, parameters = parse_spec(spec, "population")
    if name != Finite.name:
        return find_population(spec)
    return Finite(data=str(parameters["data"]), data_dir=task.data_dir)
