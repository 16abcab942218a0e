"""How the round-robin test was chosen: designs and rules side by side on sources with a known truth.

``python benchmarks/search_round_robin.py [SOURCE …] [--trials N] [--blocks G …]`` draws data sets, half as many with a
difference as without, trains the learners as the round robin and 10×10-fold cross-validation want, and prints Type I
error at .01, .05 and .1 and power of each rule. None of these sources is among those that the chosen rule was then
judged on (``python benchmarks/measuring algorithms``).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from foldwise.core.types import Array
from foldwise.designs import ROUND_ROBIN, Design
from foldwise.designs.cross_validation import REPEATED_CV
from foldwise.designs.resampled import AnyResampled
from foldwise.inference import corrected_repeated_cv_t, round_robin
from foldwise.inference._round_robin import Parts, variance_parts
from foldwise.lab.gather import Resources, Work, gather, learner_of
from foldwise.lab.populations import find_population

SEED = 7001
PLAIN = "measuring.plain"
DEALINGS = {10: 2, 8: 3, 6: 6, 4: 15}
"""Dealings into so many blocks with 90 trainings of each learner; of eight blocks 84."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Learners that are equal on n examples of one population, and differ on those of another."""

    learners: tuple[str, ...]
    n: int
    null: str
    effect: str

    def evidence(self, kind: AnyResampled, design: Design, trials: int) -> tuple[Array, Array]:
        """What the test takes, without a difference and with one."""
        return self._drawn(self.null, kind, design, trials), self._drawn(self.effect, kind, design, trials // 2)

    def _drawn(self, spec: str, kind: AnyResampled, design: Design, trials: int) -> Array:
        population = find_population(spec)
        pair = population.pair(tuple(learner_of(learner) for learner in self.learners))
        work = Work(population=population, learners=pair, kinds=(kind,), design=design, seed=SEED)
        return gather(work, trials, Resources(progress=False))[kind][:, 0]


def halves(learner: str, n: int, difference: float, options: str = "") -> Source:
    """One learner on two halves of the columns, of which the second says less where there is a difference."""
    null, effect = (
        f"symmetric-halves({', '.join(filter(None, (options, f'difference={by}')))})" for by in (0.0, difference)
    )
    return Source(learners=(learner,), n=n, null=null, effect=effect)


def binary(n: int, *learners: str) -> Source:
    """Two learners on independent binary attributes, or on dependent ones."""
    return Source(learners=learners, n=n, null="bayes-net(set=1)", effect="bayes-net(set=3)")


SOURCES = {
    "nb-200": halves("nb", 200, 0.15),
    "nb-150, 20 % positives": halves("nb", 150, 0.25, "positives=0.2"),
    "nb-40": halves("nb", 40, 0.35),
    "lda-60": halves(f"{PLAIN}:LinearDiscriminant()", 60, 0.3),
    "1nn-200": halves("1nn", 200, 0.2),
    "1nn-100, 2 columns": halves("1nn", 100, 0.5, "columns=2, distance=0.8"),
    "1nn-40": halves("1nn", 40, 0.5),
    "1nn-200, exclusive or": halves("1nn", 200, 0.6, "columns=2, distance=1.0, pattern='xor'"),
    "5nn-150": halves("5nn", 150, 0.25),
    "c45-150": halves("c45", 150, 0.3),
    "c45-40": halves("c45", 40, 0.8, "distance=0.8"),
    "c45-500, 6 columns": halves("c45", 500, 0.15, "columns=6"),
    "c45-200, exclusive or": halves("c45", 200, 1.2, "columns=2, distance=2.0, pattern='xor'"),
    "nb-c45-150": binary(150, "nb", "c45"),
    "nb-c45-600": binary(600, "nb", "c45"),
    "nb-1nn-300": binary(300, "nb", "1nn"),
    "tree-300, exclusive or": halves(
        f"{PLAIN}:Tree(depth=4)", 300, 0.8, "columns=2, distance=1.2, pattern='xor'"
    ),
}  # fmt: skip

Rule = Callable[[Parts, int, int], tuple[Array, Array | float]]
"""From the means of the parts over the dealings, blocks and dealings to variance and degrees of freedom."""


def unbounded(parts: Parts, blocks: int, _dealings: int) -> tuple[Array, float]:
    """max(V_J − s², V_T), g − 1 degrees of freedom: where we began."""
    return np.maximum(parts.jackknife - parts.interaction, parts.test_blocks), blocks - 1


def more_freedom(parts: Parts, blocks: int, dealings: int) -> tuple[Array, Array]:
    """The same with more degrees of freedom for stable learners: what the test was before."""
    share = np.minimum(parts.test_blocks / np.maximum(parts.interaction, 1e-300), 1)
    return unbounded(parts, blocks, dealings)[0], (blocks - 1) * (1 + (min(dealings, 5) - 1) * share**3)


def bounded(parts: Parts, blocks: int, dealings: int) -> tuple[Array, float]:
    """Not more than examples that hang on each other completely can add."""
    most = 2 * (blocks - 1) / (blocks - 2) * parts.test_blocks
    return np.minimum(unbounded(parts, blocks, dealings)[0], most), blocks - 1 + dealings - 1


RULES: dict[str, Rule] = {"V_J − s², g − 1 df": unbounded, "as it was": more_freedom, "bounded only": bounded}


def by_rules(tables: Array, blocks: int) -> dict[str, Array]:
    """p-values of each rule, with this many blocks."""
    dealings = tables.shape[1]
    parts = variance_parts(tables).averaged()
    found = {"as it is": np.asarray(round_robin(tables).pvalue)}
    for name, rule in RULES.items():
        variance, df = rule(parts, blocks, dealings)
        found[name] = 2 * special.stdtr(df, -np.abs(parts.estimate) / np.sqrt(np.maximum(variance, 1e-300)))
    return {f"{blocks} blocks × {dealings}, {name}": p for name, p in found.items()}


def all_rules(source: Source, trials: int, blocks: list[int]) -> tuple[dict[str, Array], dict[str, Array]]:
    """p-values of everything, without a difference and with one."""
    sides: tuple[dict[str, Array], dict[str, Array]] = ({}, {})
    for side, found in zip(sides, source.evidence(REPEATED_CV, Design(n=source.n), trials), strict=True):
        side["corrected 10×10"] = np.asarray(corrected_repeated_cv_t(found.reshape(-1, 10, 10)).pvalue)
    for g in dict.fromkeys((*blocks, 6)):
        design = Design(n=source.n, blocks=g, dealings=DEALINGS[g])
        for side, tables in zip(sides, source.evidence(ROUND_ROBIN, design, trials), strict=True):
            side.update(by_rules(tables, g))
    return sides


def main() -> None:
    """Print a table for each source."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="*", default=list(SOURCES), choices=list(SOURCES), metavar="SOURCE")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--blocks", type=int, nargs="*", default=list(DEALINGS), choices=list(DEALINGS))
    asked = parser.parse_args()
    for name in asked.sources:
        null, effect = all_rules(SOURCES[name], asked.trials, asked.blocks)
        error = stats.binom.std(asked.trials, 0.05) / asked.trials
        print(f"{name}: {asked.trials} data sets without a difference (standard error of .05: {error:.3f})")
        for rule, p in null.items():
            rates = [np.mean(p < level) for level in (0.01, 0.05, 0.1)] + [np.mean(effect[rule] < 0.05)]
            print(f"  {rule:36}", "  ".join(f"{rate:.3f}" for rate in rates), flush=True)


if __name__ == "__main__":
    main()
