"""How the degrees of freedom of the round-robin test were chosen: rules side by side on sources with a known truth.

``python benchmarks/search_round_robin.py [SOURCE …] [--trials N]`` draws data sets on which one learner sees two
halves of the columns (`symmetric-halves`), trains it as the round robin and 10×10-fold cross-validation want, and
prints Type I error at .01 and .05 and power of each rule. The learners are plain NumPy, so that thousands of data sets
take minutes; trees are scikit-learn's. What the chosen rule is worth was then measured with the project's own
learners, on other sources too (``python -m foldwise.measuring algorithms``).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy import special, stats
from sklearn.tree import DecisionTreeClassifier

from foldwise.inference import corrected_repeated_cv_t
from foldwise.inference.instability import UNSTABLE, instability
from foldwise.inference.round_robin import variance_parts
from foldwise.lab.populations.symmetric_halves import SymmetricHalves

BLOCKS, DEALINGS = 10, (2, 5)
AS_IT_IS = "(g − 1)(1 + (R − 1)w), as it is"
Learner = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""From X, y and which examples each training sees, (trainings, n), to which predictions are right."""


def naive_bayes(X: np.ndarray, y: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Normal densities, all trainings at once from sums."""
    density = []
    for label in (0, 1):
        weight = (seen & (y == label)).astype(float)
        count = weight.sum(axis=1, keepdims=True)
        mean = weight @ X / count
        variance = np.maximum(weight @ X**2 / count - mean**2, 1e-9) * count / (count - 1)
        gap = ((X - mean[:, None]) ** 2 / variance[:, None]).sum(axis=2)
        density.append(np.log(count) - (np.log(variance).sum(axis=1, keepdims=True) + gap) / 2)
    return (density[1] > density[0]) == (y == 1)


def linear_discriminant(X: np.ndarray, y: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Fisher's, with one covariance."""
    means, counts, scatter = [], [], 0.0
    for label in (0, 1):
        weight = (seen & (y == label)).astype(float)
        counts.append(weight.sum(axis=1))
        means.append(weight @ X / counts[-1][:, None])
        square = np.einsum("tn,ni,nj->tij", weight, X, X, optimize=True)
        scatter = scatter + square - counts[-1][:, None, None] * means[-1][:, :, None] * means[-1][:, None, :]
    covariance = scatter / seen.sum(axis=1)[:, None, None]
    slope = np.linalg.solve(covariance, (means[1] - means[0])[..., None])[..., 0]
    offset = np.log(counts[1] / counts[0]) - ((means[0] + means[1]) * slope).sum(axis=1) / 2
    return (slope @ X.T + offset[:, None] > 0) == (y == 1)


def neighbours(k: int) -> Learner:
    """The k nearest of those seen, by one sorted table of distances."""

    def right(X: np.ndarray, y: np.ndarray, seen: np.ndarray) -> np.ndarray:
        order = np.argsort(((X[:, None] - X) ** 2).sum(axis=2), axis=1)
        found = np.zeros(seen.shape, dtype=bool)
        for row, known in enumerate(seen):
            tested = np.flatnonzero(~known)
            usable = known[order[tested]]
            votes = np.where(usable & (usable.cumsum(axis=1) <= k), 2 * y[order[tested]] - 1, 0).sum(axis=1)
            found[row, tested] = (votes > 0) == (y[tested] == 1)
        return found

    return right


def tree(X: np.ndarray, y: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """scikit-learn's, of depth 4."""
    found = np.zeros(seen.shape, dtype=bool)
    for row, known in enumerate(seen):
        model = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X[known], y[known])
        found[row, ~known] = model.predict(X[~known]) == y[~known]
    return found


PLAIN = SymmetricHalves()
HIDDEN = SymmetricHalves(distance=1.5, pattern="xor")


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where data sets come from: n examples of `SymmetricHalves`, and the difference to be found."""

    learner: Learner
    n: int
    difference: float
    null: SymmetricHalves = PLAIN


SOURCES = {
    "naive-bayes": Source(learner=naive_bayes, n=200, difference=0.15),
    "naive-bayes-60": Source(learner=naive_bayes, n=60, difference=0.25),
    "naive-bayes-rare": Source(learner=naive_bayes, n=300, difference=0.2, null=SymmetricHalves(positives=0.1)),
    "discriminant": Source(learner=linear_discriminant, n=100, difference=0.2),
    "1-neighbour": Source(learner=neighbours(1), n=200, difference=0.2),
    "5-neighbours": Source(learner=neighbours(5), n=200, difference=0.17),
    "tree": Source(learner=tree, n=200, difference=0.2),
    "tree-xor": Source(learner=tree, n=300, difference=1.0, null=HIDDEN),
}


def gained(source: Source, views: tuple[np.ndarray, np.ndarray], y: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Right of a minus right of b, (trainings, n)."""
    a, b = (source.learner(X, y, seen).astype(float) for X in views)
    return a - b


def deal(y: np.ndarray, parts: int, rng: np.random.Generator) -> np.ndarray:
    """The part of each example, stratified."""
    order = np.concatenate([rng.permutation(np.flatnonzero(y == label)) for label in (0, 1)])
    found = np.empty(len(y), dtype=int)
    found[order] = rng.permutation(parts)[np.arange(len(y)) % parts]
    return found


def block_table(source: Source, views: tuple[np.ndarray, np.ndarray], y: np.ndarray, rng: np.random.Generator):
    """``d[b, c]`` of one dealing, and the variance of the mean over single examples."""
    dealt = deal(y, BLOCKS, rng)
    pairs = np.array(list(combinations(range(BLOCKS), 2)))
    tested = (dealt == pairs[:, :1]) | (dealt == pairs[:, 1:])
    d = gained(source, views, y, ~tested)
    of_blocks = d @ np.eye(BLOCKS)[dealt] / np.bincount(dealt, minlength=BLOCKS)
    table = np.zeros((BLOCKS, BLOCKS))
    for (b, c), row in zip(pairs, of_blocks, strict=True):
        table[b, c], table[c, b] = row[c], row[b]
    means = (d * tested).sum(axis=0) / tested.sum(axis=0)
    return table, means.var(ddof=1) / len(y)


def repeated_cv(source: Source, views: tuple[np.ndarray, np.ndarray], y: np.ndarray, rng: np.random.Generator):
    """Differences of 10×10-fold cross-validation, and what the stability meter shows of them."""
    runs, examples = [], []
    for _ in range(10):
        dealt = deal(y, 10, rng)
        d = gained(source, views, y, dealt != np.arange(10)[:, None])
        runs.append([d[fold, dealt == fold].mean() for fold in range(10)])
        examples.append(d[dealt, np.arange(len(y))])
    return np.array(runs), float(instability(np.array(examples)))


def trial(source: Source, difference: float, seed: list[int]):
    """Tables, variances over examples, and repeated cross-validation with its meter, on one data set."""
    rng = np.random.default_rng(seed)
    population = replace(source.null, difference=difference)
    a, b = population.views(population.draw(source.n, rng))
    views, y = (a.X.values, b.X.values), a.y
    dealings = [block_table(source, views, y, rng) for _ in range(max(DEALINGS))]
    tables, of_examples = zip(*dealings, strict=True)
    return np.array(tables), np.array(of_examples), *repeated_cv(source, views, y, rng)


def rules(jackknife, interaction, test_blocks, of_examples, dealings: int):
    """Variance and degrees of freedom by each rule."""
    least, usual = BLOCKS - 1, np.maximum(jackknife - interaction, test_blocks)
    share = test_blocks / np.maximum(np.maximum(interaction, test_blocks), 1e-300)
    each = (BLOCKS - 1) * dealings
    apart = of_examples + np.maximum(jackknife - interaction - test_blocks, 0)
    return {
        "g − 1": (usual, least),
        "g − 1 + R − 1": (usual, least + dealings - 1),
        "(g − 1)R": (usual, each),
        AS_IT_IS: (usual, least * (1 + (dealings - 1) * share**3)),
        "single examples for V_T, (g − 1)R": (apart, each),
    }


def rejections(found, dealings: int) -> dict[str, np.ndarray]:
    """p-values by rule."""
    tables, of_examples, x, meter = (np.array(part) for part in zip(*found, strict=True))
    mean, *parts = (part.mean(axis=1) for part in variance_parts(tables[:, :dealings]))
    by_rule = rules(*parts, of_examples[:, :dealings].mean(axis=1), dealings)
    pvalues = {
        name: 2 * special.stdtr(df, -np.abs(mean) / np.sqrt(np.maximum(variance, 1e-300)))
        for name, (variance, df) in by_rule.items()
    }
    corrected = np.asarray(corrected_repeated_cv_t(x).pvalue)
    chosen = np.where(meter >= UNSTABLE, pvalues[AS_IT_IS], corrected)
    return {"corrected 10×10": corrected, **pvalues, "by the meter: corrected, or as it is": chosen}


def main() -> None:
    """Print a table for each source."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="*", default=list(SOURCES), choices=list(SOURCES), metavar="SOURCE")
    parser.add_argument("--trials", type=int, default=200)
    asked = parser.parse_args()
    for name in asked.sources:
        source, place = SOURCES[name], list(SOURCES).index(name)
        null, effect = (
            [trial(source, difference, [place, number]) for number in range(asked.trials)]
            for difference in (0.0, source.difference)
        )
        error = stats.binom.std(asked.trials, 0.05) / asked.trials
        print(f"{name}, {source.n} examples, {asked.trials} data sets (standard error of .05: {error:.3f})")
        for dealings in DEALINGS:
            p, found = rejections(null, dealings), rejections(effect, dealings)
            for rule, values in p.items():
                rates = [np.mean(values < 0.01), np.mean(values < 0.05), np.mean(found[rule] < 0.05)]
                print(f"  R = {dealings}  {rule:36}", "  ".join(f"{rate:.3f}" for rate in rates), flush=True)


if __name__ == "__main__":
    main()
