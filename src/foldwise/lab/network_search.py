"""Find the networks of the population ``bayes-net``: ``python -m foldwise.lab.network_search``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from foldwise.core.random import stream
from foldwise.core.validation import integer
from foldwise.lab.populations.bayes_net import PUBLISHED, Network, random_network
from foldwise.learners.binary import cross_validate

__all__ = ["Candidate", "accuracies", "search"]

TRAINED_ON = 300
"""Examples that the learners are trained on."""

FOLDS = 11
"""Cross-validation on 330 examples in 11 folds trains on exactly 300 and tests on 30 others."""

ARROWS = range(5, 46)
"""Numbers of arrows that candidates have, in turn."""

ROUNDS = ((20, 1.0, 80), (300, 6.0, 10), (3000, 12.0, 1))
"""Each round measures the candidates that are left on so many data sets, weights their difference of accuracies so
much, since it is known the better the more data sets there are, and keeps so many candidates for each set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A random network and how well naive Bayes and C4.5 do on it.

    Attributes
    ----------
    arrows, seed
        What `random_network` needs to make it.
    accuracies
        Of naive Bayes and C4.5 trained on 300 examples, in per cent.
    """

    arrows: int
    seed: int
    accuracies: tuple[float, float]

    def distance(self, wanted: tuple[float, float], weight: float) -> float:
        """How far from the wanted accuracies, in points; their difference counts `weight` times."""
        nb, c45 = (found - given for found, given in zip(self.accuracies, wanted, strict=True))
        return max(abs(nb), abs(c45), weight * abs(c45 - nb))


def accuracies(network: Network, data_sets: int, rng: np.random.Generator) -> tuple[float, float]:
    """Mean accuracies, in per cent, of naive Bayes and C4.5 trained on 300 examples.

    Parameters
    ----------
    network
        Where the examples come from.
    data_sets
        Number of data sets; each trains every learner eleven times and tests it on 330 examples.
    rng
        Draws the data sets.
    """
    n = TRAINED_ON * FOLDS // (FOLDS - 1)
    X, y = network.draw(data_sets * n, rng)
    correct = cross_validate(
        X.reshape(data_sets, n, -1),
        y.reshape(data_sets, n),
        ("nb", "c45"),
        seeds=rng.integers(2**62, size=data_sets),
        runs=1,
        folds=FOLDS,
    )
    nb, c45 = (100 * float(correct[name].sum()) / (data_sets * n) for name in ("nb", "c45"))
    return nb, c45


def search(seed: int = 0, *, candidates: int = 4000) -> dict[int, Candidate]:
    """For each of sets 2 to 4 the random network that comes nearest to the printed accuracies.

    Parameters
    ----------
    seed
        Of the data sets; candidate number i is made from seed i whatever this is.
    candidates
        Number of random networks.
    """
    integer(candidates, "candidates", minimum=1)
    everyone = [(ARROWS[number % len(ARROWS)], number) for number in range(candidates)]
    left = dict.fromkeys((2, 3, 4), everyone)
    best: dict[int, Candidate] = {}
    for data_sets, weight, kept in ROUNDS:
        measured = {
            place: _measured(place, data_sets, seed) for place in sorted({p for ps in left.values() for p in ps})
        }
        for number, places in left.items():
            nearest = sorted((measured[place] for place in places), key=_distance_to(PUBLISHED[number], weight))[:kept]
            left[number] = [(candidate.arrows, candidate.seed) for candidate in nearest]
            best[number] = nearest[0]
    return best


def _measured(place: tuple[int, int], data_sets: int, seed: int) -> Candidate:
    arrows, number = place
    network = random_network(arrows=arrows, seed=number)
    found = accuracies(network, data_sets, stream(seed, "measure", number, data_sets))
    return Candidate(arrows=arrows, seed=number, accuracies=found)


def _distance_to(wanted: tuple[float, float], weight: float) -> Callable[[Candidate], float]:
    return lambda candidate: candidate.distance(wanted, weight)


def _main() -> None:
    import click  # the only place in this room that prints: it is a command, not a computation

    for number, found in sorted(search().items()):
        nb, c45 = found.accuracies
        line = f"set {number}: ({found.arrows}, {found.seed})"
        click.echo(f"{line}   nb {nb:.2f}   c45 {c45:.2f}   difference {c45 - nb:.2f}")


if __name__ == "__main__":
    _main()
