"""Appendix B.1 and B.3: 1-NN vs 3-NN on two normal classes, with every estimator on every sample."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from foldwise.core.random import stream
from foldwise.core.types import Array, Labels
from foldwise.inference.independent_samples import single_sample_ss
from foldwise.lab.papers.study import StudyTrials, Task, do_trials
from foldwise.lab.populations.artificial import Gaussian
from foldwise.lab.populations.population import Sample

SIZES = (10, 20, 30, 50, 100)
# Inherent error rates in per cent, as the columns of Tables 10 to 15 print them.
INHERENT = ("0.1", "1", "2", "5", "10", "25", "40", "50")

ESTIMATORS = ("ter", "loo", "cv10", "632b", "loo*", "2cv*")
ITERATIONS = 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    #: size, inherent: Sample size and inherent error in per cent
    size: int
    inherent: str
    errors: dict[str, Array]  #: Per estimator an array of shape (samples, 2): error rates of 1-NN and 3-NN
    paired: Array  #: Per sample the difference of a 10-fold cross-validation that both learners share
    ss: Array  #: Per sample the paired-cv estimate of the deviation of the difference (section 3.4)
    #: Per sample the deviation S(x) of the differences of all test sets of the iterated cross-validations, for 2 and
    #: for 10 folds: shape (samples, 2)
    within: Array
    tenfold: Array  #: Per sample the mean difference over the iterated 10-fold cross-validations

    def rows(self, part: slice) -> Case:
        arrays = {name: getattr(self, name)[part] for name in ("paired", "ss", "within", "tenfold")}
        return replace(self, errors={name: pairs[part] for name, pairs in self.errors.items()}, **arrays)

    def differences(self, estimator: str) -> Array:
        """3-NN minus 1-NN, per sample."""
        pairs = self.errors[estimator]
        # at 50 % inherent error all rules are equally bad: what rounding leaves has no sign
        return np.round(pairs[:, 1] - pairs[:, 0], 12)


def simulate(task: Task) -> dict[tuple[int, str], Case]:
    """All forty combinations of size and inherent error; the studies that share a simulation compute it once."""
    samples = task.pick(smoke=4, quick=60, full=400)
    sizes = SIZES[:2] if task.scale == "smoke" else SIZES
    iterations = 5 if task.scale == "smoke" else ITERATIONS
    work = StudyTrials(
        identity=("martinhirschberg1996", "neighbours", sizes, iterations, task.seed),
        start=partial(_start, sizes, iterations, task.seed),
        numbers=len(sizes) * len(INHERENT) * (2 * len(ESTIMATORS) + 5),
    )
    found = task.once((work.key, samples), lambda: do_trials(work, samples, task.resources))
    cases = {}
    for (i, size), (j, inherent) in itertools.product(enumerate(sizes), enumerate(INHERENT)):
        of_case = {name: values[:, i, j] for name, values in found.items()}
        errors = {name: of_case.pop(name) for name in ESTIMATORS}
        cases[size, inherent] = Case(size=size, inherent=inherent, errors=errors, **of_case)
    return cases


def _start(sizes: tuple[int, ...], iterations: int, seed: int) -> Callable[[int], dict[str, Array]]:
    def trial(number: int) -> dict[str, Array]:
        drawn = [
            [_one(e, n, iterations, stream(seed, "nearest neighbours", n, e, number)) for e in INHERENT] for n in sizes
        ]
        return {name: np.array([[one[name] for one in line] for line in drawn]) for name in drawn[0][0]}

    return trial


def _one(inherent: str, size: int, iterations: int, rng: np.random.Generator) -> dict[str, Array]:
    """Every estimate for both learners on one sample.

    The single 10-fold cross-validation partitions separately for each learner, as in Figure 6a and the tables; that of
    Figure 6b and the iterated ones are paired.
    """
    population = Gaussian(inherent_error=float(inherent) / 100)
    sample = population.draw(size, rng)
    loo = _losses(sample, np.arange(size)[None])
    ten = random_folds(size, 10, 1, rng)
    tested, apart = _losses(sample, ten), _losses(sample, random_folds(size, 10, 1, rng))
    halves, many = (random_folds(size, k, iterations, rng) for k in (2, 10))
    half_losses, many_losses = _losses(sample, halves), _losses(sample, many)
    errors = {
        "ter": _true_errors(population, sample), "loo": loo.mean(axis=(1, 2)),
        "cv10": [tested[0].mean(), apart[1].mean()],
        "632b": [bootstrap632_error(sample, k, iterations, rng) for k in (1, 3)], "2cv*": half_losses.mean(axis=(1, 2)),
    }  # fmt: skip
    # Weiss' hybrid as foldwise.comparison defines it: 2-CV* where it is the lower
    errors["loo*"] = np.minimum(errors["loo"], errors["2cv*"])
    gained = many_losses[1] - many_losses[0]
    # SS of section 3.4 from the differences of the ten folds
    members = [ten[0] == fold for fold in np.unique(ten[0])]
    means = np.array([(tested[1, 0] - tested[0, 0])[own].mean() for own in members])
    sizes = np.array([own.sum() for own in members])
    return errors | {
        "paired": (tested[1] - tested[0]).mean(),
        "ss": float(single_sample_ss(means, sizes).standard_error),
        "within": [_spread(half_losses[1] - half_losses[0], halves, 2), _spread(gained, many, 10)],
        "tenfold": gained.mean(),
    }


def random_folds(size: int, folds: int, runs: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Fold numbers of shape (runs, examples), not stratified: the report does not say that it stratifies."""
    order = rng.permuted(np.broadcast_to(np.arange(size), (runs, size)), axis=1)
    return np.asarray(order % folds)


def _losses(sample: Sample, folds: NDArray[np.int64]) -> Array:
    """0 or 1 per learner, run and example."""
    from foldwise.learners import NearestNeighbours  # numba is not needed to list the studies

    wrong = [NearestNeighbours(k=k).cross_predict(sample.X, sample.y, folds) != sample.y for k in (1, 3)]
    return np.array(wrong, dtype=np.float64)


def _true_errors(population: Gaussian, sample: Sample) -> list[float]:
    x = sample.X.values[:, 0]
    order = np.argsort(x)
    return [_true_error(population, x[order], sample.y[order], k) for k in (1, 3)]


def _true_error(population: Gaussian, x: Array, y: Labels, k: int) -> float:
    """The k nearest neighbours are k consecutive values; they change halfway between the i-th and the (i+k)-th."""
    k = min(k, len(x))
    cuts = (x[:-k] + x[k:]) / 2
    votes = np.convolve(y, np.ones(k, dtype=np.int64), mode="valid")
    return population.true_error(lambda values: (2 * votes[np.searchsorted(cuts, values)] > k).astype(int), cuts)


def _spread(gained: Array, folds: NDArray[np.int64], k: int) -> float:
    """S(x): standard deviation of the differences on all test sets of all iterations."""
    per_fold = np.stack([np.where(folds == fold, gained, 0).sum(axis=1) for fold in range(k)], axis=1)
    sizes = np.stack([(folds == fold).sum(axis=1) for fold in range(k)], axis=1)
    return float((per_fold / sizes).std(ddof=1))


def bootstrap632_error(sample: Sample, k: int, samples: int, rng: np.random.Generator) -> float:
    """The .632 bootstrap of k-NN on one attribute, all bootstrap samples at once.

    As `foldwise.learners.NearestNeighbours`: neighbours as near as the k-th count too, so that with a point all of
    its copies vote; equal votes give the first class.
    """
    from foldwise.comparison.error_estimators import bootstrap632, leave_one_out_bootstrap

    x, y = sample.X.values[:, 0], sample.y
    n = len(y)
    copies = rng.multinomial(n, np.full(n, 1 / n), size=samples)
    inside = _vote(x, y, np.ones((1, n), dtype=np.int64), k)
    outside = np.where(copies == 0, _vote(x, y, copies, k) != y, np.nan)
    apparent = float((inside[0] != y).mean())
    return bootstrap632(apparent, leave_one_out_bootstrap(outside), 0.5).point632


def _vote(x: Array, y: Labels, copies: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Predictions of shape (samples, examples) of k-NN trained on samples with so many copies of each example."""
    order = np.argsort(np.abs(x[:, None] - x[None, :]), axis=1, kind="stable")
    # among the nearest thirty there are nearly always k in the sample; where not, all are looked at
    for reach in (min(30, len(x)), len(x)):
        nearest = order[:, :reach]
        weights = copies[:, nearest]
        before = np.cumsum(weights, axis=2) - weights
        if reach == len(x) or (before[..., -1] + weights[..., -1] >= k).all():
            break
    counted = np.where(before < k, weights, 0)
    ones = (counted * (y[nearest] == 1)).sum(axis=2)
    return np.asarray(2 * ones > counted.sum(axis=2), dtype=np.int64)
