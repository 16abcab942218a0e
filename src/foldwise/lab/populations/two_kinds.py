"""Dietterich's simulated learners: two kinds of points that each learner finds easy or hard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import fft, special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Integers
from foldwise.core.validation import fraction, not_negative
from foldwise.designs import RANDOM_SPLITS, RIGHT_WRONG, Design
from foldwise.designs.cross_validation import FiveByTwoScores, FoldKind
from foldwise.designs.resampled import AnyResampled, AnySimulated, only_resampled
from foldwise.lab.evidence import Evidence
from foldwise.lab.populations.population import SimulatedLearners


@lru_cache(maxsize=32)
def difference_law(size: int, a: tuple[float, float], b: tuple[float, float]) -> Array:
    """Distribution functions of errors(b) − errors(a), one row per number of points of the first kind.

    `size`: points in the test set. `a`, `b`: error probabilities of each learner on points of the first and of the
    second kind.

    Returns shape (size + 1, 2·size + 1): row f has the values P(difference ≤ d) for d = −size … size, with f
    points of the first kind.

    >>> difference_law(1, (0.0, 0.0), (1.0, 0.5)).tolist()
    [[0.0, 0.5, 1.0], [0.0, 0.0, 1.0]]
    """
    length = fft.next_fast_len(2 * size + 1, real=True)
    of_a, of_b = (_spectrum(size, p[0], length) * _spectrum(size, p[1], length)[::-1] for p in (a, b))
    # errors of b minus errors of a: the conjugate spectrum turns a's errors round
    probabilities = np.roll(fft.irfft(of_b * of_a.conj(), length), size, axis=-1)[:, : 2 * size + 1]
    table = np.cumsum(np.maximum(probabilities, 0), axis=-1)
    law: Array = np.round(table / table[:, -1:], 14)  # what the transform leaves of a zero is no probability
    law.setflags(write=False)
    return law


def draw_differences(law: Array, first: Integers, rng: np.random.Generator) -> Array:
    """Draw one difference for each number of points of the first kind, by inverting its distribution function."""
    rows, width = law.shape
    # rows shifted by their number make one increasing sequence, which a single search inverts for all rows
    ladder = (law + np.arange(rows)[:, None]).ravel()
    place = np.searchsorted(ladder, rng.random(np.shape(first)) + first, side="right")
    return np.asarray(place - first * width - (rows - 1), dtype=np.float64)


def _spectrum(size: int, p: float, length: int) -> NDArray[np.complex128]:
    """Transforms of the binomial distributions with 0, 1, … size trials."""
    n, k = np.arange(size + 1)[:, None], np.arange(size + 1)[None, :]
    ways = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(np.maximum(n - k, 0) + 1)
    pmf = np.where(k <= n, np.exp(ways + special.xlogy(k, p) + special.xlog1py(np.maximum(n - k, 0), -p)), 0.0)
    return np.asarray(fft.rfft(pmf, length))


TABULATED = 400  # Test sets up to this size draw their difference from a table, which replaces four binomial draws.


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoKinds(SimulatedLearners):
    """Half the points are missed with probability ½ε by a and 3/2·ε by b, the other half the other way round.

    Nothing is trained. A data set is its number of points of the first kind; test sets are drawn from it without
    replacement, so their composition is hypergeometric, and each cell of a contingency table is binomial. Drawing
    these counts replaces drawing examples. Dietterich (1998), section 4; β is applied in k-fold cross-validation only,
    as there.
    """

    error: float = 0.1  #: ε, the error rate of both learners
    #: Half-width of the uniform β that is added, per fold of cross-validation, to all error probabilities: it stands
    #: for training sets of varying quality
    quality: float = 0.02
    #: Added to b's error probabilities: 0 for the null hypothesis, otherwise the true difference
    difference: float = 0.0

    name: ClassVar[str] = "two-kinds"
    exact: ClassVar[bool] = True
    block: ClassVar[int] = 500

    def __post_init__(self) -> None:
        fraction(self.error, "error")
        not_negative(self.quality, "quality")
        worst = 1.5 * self.error + self.quality + max(self.difference, 0)
        least = 0.5 * self.error - self.quality + min(self.difference, 0)
        if worst > 1 or least < 0:
            raise InvalidInput(
                f"error ± quality and difference must leave probabilities from 0 to 1, got error={self.error}, "
                f"quality={self.quality}, difference={self.difference}"
            )

    def simulate(self, kinds: Sequence[AnySimulated], design: Design, rng: np.random.Generator) -> Evidence:
        shape = (self.block, design.repetitions)
        kind_one = rng.binomial(design.n, 0.5, size=(self.block, 1))
        first = np.broadcast_to(kind_one, shape)
        return Evidence(arrays={kind.name: self._evidence(kind, first, design, rng) for kind in only_resampled(kinds)})

    def _evidence(self, kind: AnyResampled, first: Integers, design: Design, rng: np.random.Generator) -> Array:
        if kind == RIGHT_WRONG:
            return self._table(first[..., None], design, rng)[..., 0, :]
        if kind == RANDOM_SPLITS:
            return self._differences(self._random_splits(first, design, rng), design.n_test, 0.0, rng)
        if isinstance(kind, FoldKind) and kind.dealt_evenly:
            shape = kind.shape(design)
            quality = 0.0 if isinstance(kind, FiveByTwoScores) else self.quality
            return kind.arranged(self._cross_validate(first, design.n, (shape.runs, shape.folds), quality, rng))
        return self._by_examples(kind, first, design, rng)

    def _by_examples(self, kind: AnyResampled, first: Integers, design: Design, rng: np.random.Generator) -> Array:
        """Any other kind: every example of every data set is classified, in each run anew."""
        shape = kind.shape(design)
        place = np.arange(design.n)
        found = []
        for points in np.ravel(first):
            easy_for_a = place < points
            ids = kind.fold_ids(rng.permutation(place % 2), shape, int(rng.integers(2**62)))
            easy, hard = 0.5 * self.error, 1.5 * self.error
            wrong_a = np.where(easy_for_a, easy, hard)
            wrong_b = np.where(easy_for_a, hard, easy) + self.difference
            draws = rng.random((2, *ids.shape))
            found.append(kind.measured(ids, (draws[0] >= wrong_a, draws[1] >= wrong_b)))
        return np.stack(found).reshape(*np.shape(first), *found[0].shape)

    def _random_splits(self, first: Integers, design: Design, rng: np.random.Generator) -> Integers:
        """Points of the first kind in each of the random test sets."""
        shape = (*first.shape, design.splits)
        return rng.hypergeometric(first[..., None], design.n - first[..., None], design.n_test, size=shape)

    def _cross_validate(
        self, first: Integers, n: int, shape: tuple[int, int], quality: float, rng: np.random.Generator
    ) -> Array:
        """Differences on the folds; fold after fold takes its share of what is left."""
        runs, folds = shape
        left = np.broadcast_to(first[..., None], (*first.shape, runs)).copy()
        remaining = n
        out = np.empty((*first.shape, runs, folds))
        for fold in range(folds):
            size = (n + fold) // folds
            taken = rng.hypergeometric(left, remaining - left, size) if fold < folds - 1 else left
            out[..., fold] = self._differences(taken, size, quality, rng)
            left, remaining = left - taken, remaining - size
        return out

    def _differences(self, first: Integers, size: int, quality: float, rng: np.random.Generator) -> Array:
        if not quality and size <= TABULATED:
            low, high, more = 0.5 * self.error, 1.5 * self.error, self.difference
            law = difference_law(size, (low, high), (high + more, low + more))
            return draw_differences(law, first, rng) / size
        beta = rng.uniform(-quality, quality, size=first.shape) if quality else 0.0
        easy, hard = 0.5 * self.error + beta, 1.5 * self.error + beta
        wrong_a = rng.binomial(first, easy) + rng.binomial(size - first, hard)
        wrong_b = rng.binomial(first, hard + self.difference) + rng.binomial(size - first, easy + self.difference)
        return np.asarray((wrong_b - wrong_a) / size)

    def _table(self, first: Integers, design: Design, rng: np.random.Generator) -> Array:
        """n00, n01, n10, n11 on one test set; the two learners err independently on a given point."""
        size = design.n_test
        in_test = rng.hypergeometric(first, design.n - first, size)
        easy, hard = 0.5 * self.error, 1.5 * self.error
        cells = [
            rng.multinomial(count, _cells(a, b + self.difference))
            for count, a, b in ((in_test, easy, hard), (size - in_test, hard, easy))
        ]
        return np.asarray(cells[0] + cells[1], dtype=np.float64)


def _cells(a: float, b: float) -> list[float]:
    """Probabilities of both wrong, only a wrong, only b wrong, both right."""
    return [a * b, a * (1 - b), (1 - a) * b, (1 - a) * (1 - b)]
