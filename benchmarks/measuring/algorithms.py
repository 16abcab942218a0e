"""Tests of two algorithms on many sources: stable and unstable learners, few and many examples, rare classes, numbers.

``python benchmarks/measuring algorithms FILE`` measures what FILE does not have yet, and writes its part of
the table. Almost every null hypothesis holds exactly: one learner sees two halves of the columns that say equally
much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from foldwise.core.random import stream
from foldwise.core.types import Array, Estimator, Flags, Json
from foldwise.designs import Design, find_procedure
from foldwise.designs.resampled import simulated
from foldwise.engine.learners import learner_of
from foldwise.lab.evidence import pvalues
from foldwise.lab.gather import Resources, gather, prepare
from foldwise.lab.papers.study import StudyTrials, do_trials
from foldwise.lab.populations import Population, Source, find_population
from foldwise.lab.studies.runs_auto import verdicts_of
from measuring.two_learners import share

PEOPLE = 10
ALPHA = 0.05
MOST = 300  # Runs of cross-validation that the dealings of one verdict may cost: less than the default of a thousand.


def verdicts(
    population: Population, learner: str, n: int, trials: int, *, seed: int, resources: Resources | None
) -> tuple[Array, Array, Array]:
    """Whether each of ten people rejects, is told that it is settled, and trainings of a learner: (trials, people)."""
    assert isinstance(population, Source)  # there is something to deal
    work = StudyTrials(
        identity=("round-robin-auto-shared", population, learner, n, MOST, seed),
        start=partial(_start, population, learner, n, seed),
        numbers=3 * PEOPLE,
        lower="the number of data sets",
    )
    found = do_trials(work, trials, resources or Resources())
    return found["rejected"], found["settled"], found["trainings"]


def _start(population: Source, learner: str, n: int, seed: int) -> Callable[[int], dict[str, Array]]:
    procedure, design = find_procedure("round_robin"), Design(n=n)

    def trial(number: int) -> dict[str, Array]:
        views = population.views(population.draw(n, stream(seed, "auto", population.name, number)))
        drawn = stream(seed, "auto", "dealings", number)
        seeds = [int(drawn.integers(2**62)) for _ in range(PEOPLE)]
        pair, blocks = (learner_of(learner), learner_of(learner)), design.blocks
        rejected, settled, dealings = verdicts_of(seeds, views, pair, procedure, design, "dealings", blocks, MOST)
        return {"rejected": rejected, "settled": settled, "trainings": dealings * (blocks * (blocks - 1) // 2)}

    return trial


LEVELS = (0.01, 0.05, 0.1)
# Measured on many data sets, because the question is which of the two to use.
CONTENDERS = ("round_robin", "corrected_repeated_cv_t")

# What else was proposed for two algorithms and one data set.
OTHERS = ("nested_cv", "balanced_5x2_mcnemar", "five_by_two_cv_f", "kfold_cv_t", "cv_clt")

# Measured apart, because the small training sets have it: not with learners that need both classes in each.
CROSSED = "crossed_trainings"

TESTS = (*CONTENDERS, *OTHERS, CROSSED)

AUTO = 'round_robin, runs="auto"'
REPETITIONS = 10
DAMAGE_TRIALS = 500  # Data sets over which learners are made equal.


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A source and learners that are equal on it, and how many data sets it is worth."""

    #: key, title: Short name, and what it is in words
    key: str
    title: str
    learners: tuple[str, ...]  #: What is trained: one learner on both halves of the columns, or two
    n: int  #: Examples in a data set
    #: null, effect: Where the learners are equal, and where the power is measured; as ``foldwise lab`` takes
    #: populations
    null: str
    effect: str
    trials: int = 2000  #: Data sets without a difference for the contenders; there are half as many with one
    others: int = 0  #: The same for the other tests, which cost more; 0 where they are left out
    small_parts: bool = True  #: Whether the learners can be trained on parts so small that a class may be missing there
    equalised: bool = False  #: Whether the two learners are made equal by damage; half of it is left for the power
    #: Data sets, without and with a difference, on which ten people let ``runs="auto"`` come to a verdict
    again: int = 0
    pathological: bool = False  #: Whether it is known that tests fail here

    @property
    def parts(self) -> tuple[tuple[tuple[str, ...], int], ...]:
        """What is measured together, and on how many data sets."""
        crossed = (CROSSED,) if self.small_parts else ()
        return (
            (CONTENDERS, self.trials),
            *((some, self.others) for some in (OTHERS, crossed) if self.others and some),
        )

    @property
    def tests(self) -> tuple[str, ...]:
        return tuple(name for names, _ in self.parts for name in names)

    def contest(
        self, spec: str, seed: int, resources: Resources | None
    ) -> tuple[Population, tuple[str | Estimator, ...]]:
        source = find_population(spec)
        if not self.equalised:
            return source, self.learners
        from foldwise.lab.damage import equalise  # scikit-learn is loaded only where something is damaged

        left = 0.0 if spec == self.null else 0.5
        a, b = self.learners
        found = equalise(
            a, b, source, fraction=left, trials=DAMAGE_TRIALS, seed=seed, resources=resources,
            tests=self.tests, n=self.n,
        )  # fmt: skip
        return source, found.learners


def _halves(
    key: str, title: str, learner: str, n: int, difference: float, population: str = "symmetric-halves()",
    **options: Any,
) -> Ground:  # fmt: skip
    """One learner on two halves of the columns, of which the second says less where the power is measured."""
    null: Any = find_population(population)
    effect = repr(replace(null, difference=difference)).replace(type(null).__name__, null.name, 1)
    return Ground(key=key, title=title, learners=(learner,), n=n, null=population, effect=effect, **options)


RARE = "symmetric-halves(positives=0.1)"
XOR = "symmetric-halves(columns=2, distance=1.28, pattern='xor')"
HIDDEN = "symmetric-halves(columns=4, distance=1.5, pattern='xor')"
NUMBERS = "regression-halves()"
NORMAL = "gaussian(inherent_error=0.25)"
PLAIN = "measuring.plain"
# No rule was chosen on these, but for one exponent: tree-xor and 1nn-xor were looked at when it was settled.
GROUNDS = (
    _halves("nb-60", "naive Bayes", "nb", 60, 0.25, others=2000),
    _halves("nb-300", "naive Bayes", "nb", 300, 0.12, others=400, again=200),
    _halves("nb-2000", "naive Bayes", "nb", 2000, 0.05, others=100),
    _halves("nb-rare", "naive Bayes, 10 % positives", "nb", 300, 0.2, RARE, others=400),
    _halves("1nn-60", "1-nearest neighbour", "1nn", 60, 0.4, others=1000, again=200),
    _halves("1nn-1000", "1-nearest neighbour", "1nn", 1000, 0.1, others=200),
    _halves("1nn-rare", "1-nearest neighbour, 10 % positives", "1nn", 300, 0.3, RARE, others=400),
    _halves("3nn-300", "3-nearest neighbours", "3nn", 300, 0.17, others=200),
    _halves("5nn-300", "5-nearest neighbours", "5nn", 300, 0.17),
    _halves("c45-60", "C4.5", "c45", 60, 0.45, others=1000, again=200),
    _halves("c45-300", "C4.5", "c45", 300, 0.2, others=400),
    _halves("c45-rare", "C4.5, 10 % positives", "c45", 300, 0.35, RARE, others=400),
    _halves("vp-200", "voted perceptron", "votedperceptron", 200, 0.2, others=400, trials=1000),
    _halves("mlp-100", "multilayer perceptron of three units", "mlp3", 100, 0.25, trials=500),
    _halves("lda-100", "linear discriminant", f"{PLAIN}:LinearDiscriminant()", 100, 0.25),
    _halves("forest-100", "random forest of five trees", f"{PLAIN}:Forest()", 100, 0.3, trials=100),
    _halves("ols-100", "linear regression, squared error", f"{PLAIN}:LeastSquares()", 100, 0.25, NUMBERS),
    _halves("knr-100", "5-nearest neighbours regression, squared error", f"{PLAIN}:NeighboursMean()", 100, 0.35,
            NUMBERS),
    Ground(key="binary-300", title="naive Bayes and C4.5 on independent binary attributes", learners=("nb", "c45"),
           n=300, null="bayes-net(set=1)", effect="bayes-net(set=3)", others=2000),
    Ground(key="damaged-300", title="naive Bayes and 1-nearest neighbour made equal by damage", n=300,
           learners=("nb", "1nn"), null=NORMAL, effect=NORMAL, trials=200, others=200, equalised=True,
           small_parts=False),
    _halves("1nn-xor", "1-nearest neighbour on an exclusive or", "1nn", 300, 0.6, XOR, others=1000),
    _halves("c45-xor", "C4.5 on an exclusive or, which it hardly ever finds", "c45", 300, 0.6, XOR, others=400),
    _halves("tree-xor", "scikit-learn's tree on an exclusive or, which it finds or misses", f"{PLAIN}:Tree(depth=4)",
            300, 1.0, HIDDEN, trials=200, pathological=True),
)  # fmt: skip


def measure_ground(ground: Ground, *, seed: int, resources: Resources | None = None) -> list[dict[str, Json]]:
    """One row per test: Type I error at three levels, power, trainings, and for ``runs="auto"`` consistency."""
    source, design = find_population(ground.null), Design(n=ground.n)
    tests = [test for test in map(find_procedure, ground.tests) if source.draws(simulated(test))]

    def found(spec: str, share: float) -> dict[str, Array]:
        population, learners = ground.contest(spec, seed, resources)
        p: dict[str, Array] = {}
        for names, trials in ground.parts:
            some, amount = [test for test in tests if test.name in names], max(int(trials * share), 10)
            if some:
                evidence = gather(prepare(some, population, learners, design, seed), amount, resources)
                p |= {test.name: pvalues(test, evidence, design)[:, 0] for test in some}
        return p

    null, effect = found(ground.null, 1.0), found(ground.effect, 0.5)
    rows: list[dict[str, Json]] = [
        {
            "ground": ground.key,
            "test": test.name,
            "trainings": simulated(test).trainings(design),
            "type1": {f"{level:g}": share(null[test.name] < level) for level in LEVELS},
            "power": share(effect[test.name] < LEVELS[1]),
        }
        for test in tests
    ]
    return [*rows, *([_automatic(ground, seed, resources)] if ground.again else [])]


def _automatic(ground: Ground, seed: int, resources: Resources | None) -> dict[str, Json]:
    null, effect = (
        verdicts(find_population(spec), ground.learners[0], ground.n, ground.again, seed=seed, resources=resources)
        for spec in (ground.null, ground.effect)
    )
    agreed = [rejected.sum(axis=1) % REPETITIONS == 0 for rejected, *_ in (null, effect)]
    settled = np.concatenate([told for _, told, _ in (null, effect)]).astype(bool)
    one = np.concatenate([_one_verdict(rejected, told) for rejected, told, _ in (null, effect)])
    return {
        "ground": ground.key,
        "test": AUTO,
        "trainings": round(float((null[2].mean() + effect[2].mean()) / 2)),
        "type1": {"0.05": share(null[0][:, 0] > 0)},
        "power": share(effect[0][:, 0] > 0),
        "consistent_null": share(agreed[0]),
        "consistent_effect": share(agreed[1]),
        "settled": share(settled.ravel()),
        "consistent_settled": share(one),
    }


def _one_verdict(rejected: Array, settled: Array) -> Flags:
    """Where all who were told that their verdict is settled have the same."""
    told = settled.astype(bool)
    return np.asarray(~((told & (rejected > 0)).any(axis=1) & (told & (rejected == 0)).any(axis=1)))


def measure_algorithms(
    *, seed: int, grounds: tuple[Ground, ...] = GROUNDS, resources: Resources | None = None
) -> dict[str, Json]:
    """All tests on all grounds; what the store of `resources` has is not measured again."""
    rows: list[Json] = [row for g in grounds for row in measure_ground(g, seed=seed, resources=resources)]
    described: list[Json] = [
        {"key": g.key, "title": g.title, "learner": " and ".join(g.learners), "n": g.n, "null": g.null,
         "effect": g.effect, "pathological": g.pathological}
        for g in grounds
    ]  # fmt: skip
    return {"seed": seed, "grounds": described, "rows": rows}
