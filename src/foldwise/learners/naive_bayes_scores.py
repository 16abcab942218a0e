"""Which class a fold's naive Bayes predicts, decided by bounds where they suffice.

With h the attribute's precision over the class's standard deviation and z the standardised value, the probability of
the interval is p = φ(z) h M with

    ln M = h²(z² − 1)/24 − h⁴(z⁴ + 4z² − 2)/2880 + h⁶(z⁶ + 6z⁴ + 3z² − 1)/181440 + …,        ln M ≤ z²h²/24,

so that a few multiplications replace two normal distribution functions. (M is the mean of exp(−zu − u²/2) over
−h/2 ≤ u ≤ h/2.) For |z| ≤ min(6, 3.5/h) and h ≤ 2 the terms left out amount to less than
min(0.22 h⁸, 0.0018 + 0.00165 h²), which `tests/learners/test_naive_bayes_scores.py` checks by quadrature; elsewhere
only the upper bound is used.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from foldwise.core.compile import kernel, nested_kernel
from foldwise.core.types import Array, Flags, Integers
from foldwise.learners.naive_bayes_kernels import first_largest, interval_probability, multiply, normal_probabilities
from foldwise.learners.naive_bayes_plain import FLOOR, Levels

_LOG_ROOT_TWO_PI = math.log(math.sqrt(2.0 * math.pi))

# A computed probability is at most max(FLOOR, p + 10⁻¹⁶): none counts for less than e⁻³⁶ here, and rounding adds
# less than 0.3 to the logarithm of one above that.
_LEAST_LOG = -36.0
_ROUNDING_ABOVE = 0.3

# Log scores nearer than this are decided by the product itself; so are winners whose product might have underflown.
_NEAR_TIE = 1e-9
_UNDERFLOW = -600.0


class Model(NamedTuple):
    """The estimates of one fold."""

    prior: Array  #: (classes,)
    precision: Array  #: (attributes,)
    mean: Array  #: (attributes, classes)
    deviation: Array  #: (attributes, classes)
    rounded: Array  #: (levels,) of numeric attributes, rounded to the precision.
    counts: Integers  #: (levels, classes) training examples, of nominal attributes.
    known: Integers  #: (attributes, classes) training examples with a value, of nominal attributes.


@nested_kernel
def predict_fold(levels: Levels, model: Model, test: Integers, logs: Array, out: Integers) -> None:
    n_classes = model.prior.shape[0]
    scores = np.empty((n_classes, test.shape[0]))
    unsure = np.zeros((n_classes, test.shape[0]), np.bool_)
    error = np.full(n_classes, 1e-11 * (model.precision.shape[0] + 1))
    for c in range(n_classes):
        prior = math.log(model.prior[c])
        for t in range(test.shape[0]):
            scores[c, t] = prior
    for a in range(levels.cells.shape[0]):
        if levels.numeric[a]:
            _add_numeric(levels, a, model, test, scores, unsure, error)
        else:
            _add_nominal(levels, a, model, test, logs, scores)
    least, winner, rivals = _contenders(scores, unsure, error)
    for t in range(test.shape[0]):
        if rivals[t] != 1 or least[t] < _UNDERFLOW:
            winner[t] = _decide(levels, model, test[t], scores[:, t], error, least[t], logs)
        out[test[t]] = winner[t]


@nested_kernel
def _contenders(scores: Array, unsure: Flags, error: Array) -> tuple[Array, Integers, Integers]:
    """Per example the largest lower bound, and which class, if any one alone, has an upper bound as high as that."""
    least = np.full(scores.shape[1], -np.inf)
    winner = np.zeros(scores.shape[1], np.int64)
    rivals = np.zeros(scores.shape[1], np.int64)
    for c in range(scores.shape[0]):
        for t in range(scores.shape[1]):
            low = scores[c, t] - error[c]
            least[t] = low if low > least[t] and not unsure[c, t] else least[t]
    for c in range(scores.shape[0]):
        for t in range(scores.shape[1]):
            possible = scores[c, t] + error[c] >= least[t]
            winner[t] = c if possible else winner[t]
            rivals[t] += possible
    return least, winner, rivals


@nested_kernel
def _add_nominal(levels: Levels, a: int, model: Model, test: Integers, logs: Array, scores: Array) -> None:
    start, stop = levels.start[a], levels.start[a + 1]
    width = stop - start
    table = np.zeros(width + 1)  # the last entry is for missing values, which index −1 finds
    for c in range(scores.shape[0]):
        for u in range(width):
            table[u] = logs[model.counts[start + u, c] + 1] - logs[model.known[a, c] + width]
        row = scores[c]
        for t in range(test.shape[0]):
            row[t] += table[levels.cells[a, test[t]]]


@nested_kernel
def _add_numeric(
    levels: Levels, a: int, model: Model, test: Integers, scores: Array, unsure: Flags, error: Array
) -> None:
    values = np.empty(test.shape[0])
    largest = 0.0
    for t in range(test.shape[0]):
        u = levels.cells[a, test[t]]
        values[t] = model.rounded[levels.start[a] + u] if u >= 0 else np.nan
        largest = max(largest, abs(values[t])) if u >= 0 else largest
    for c in range(scores.shape[0]):
        h = model.precision[a] / model.deviation[a, c]
        inverse = 1.0 / model.deviation[a, c]
        error[c] += _score_error(h, (largest + abs(model.mean[a, c])) * inverse)
        if h <= 2.0:
            _add_smooth(values, model.mean[a, c], inverse, h, scores[c], unsure[c])
        else:
            _add_sharp(values, model.mean[a, c], inverse, h, scores[c], unsure[c])


@kernel
def _score_error(h: float, magnitude: float) -> float:
    """A bound of the error of one attribute's log score: the series' remainder, and rounding on either side."""
    rounding = 1e-7 / h + 4e-15 * magnitude * (6.0 + 1.0 / h)
    return min(0.22 * h**8, 0.0018 + 0.00165 * h * h) + rounding


@kernel
def interval_terms(h: float) -> tuple[float, float, float, float, float, float, float]:
    """(limit, c0, c1, c2, c3, d0, d1): ln p ≈ c0 + c1 z² + c2 z⁴ + c3 z⁶ where z² ≤ limit; ≤ d0 + d1 z² everywhere."""
    log_h = math.log(h) - _LOG_ROOT_TWO_PI
    h2 = h * h / 24.0
    h4 = h**4 / 2880.0
    h6 = h**6 / 181440.0
    reach = min(6.0, 3.5 / h)
    return (
        reach * reach,
        log_h - h2 + 2.0 * h4 - h6,
        -0.5 + h2 - 4.0 * h4 + 3.0 * h6,
        -h4 + 6.0 * h6,
        h6,
        log_h,
        -0.5 + h2,
    )


@nested_kernel
def _add_smooth(values: Array, mean: float, inverse: float, h: float, score: Array, unsure: Flags) -> None:
    limit, c0, c1, c2, c3, d0, d1 = interval_terms(h)
    for t in range(values.shape[0]):
        z = (values[t] - mean) * inverse
        s = z * z
        inside = c0 + s * (c1 + s * (c2 + s * c3))
        outside = max(d0 + s * d1, _LEAST_LOG) + _ROUNDING_ABOVE
        known = s == s  # NaN: a missing value adds nothing
        score[t] += (inside if s <= limit else outside) if known else 0.0
        unsure[t] |= s > limit


@kernel
def _add_sharp(values: Array, mean: float, inverse: float, h: float, score: Array, unsure: Flags) -> None:
    """An interval wider than two deviations: p ≤ exp(−g²/2), g being the gap between it and the mean."""
    for t in range(values.shape[0]):
        if not np.isnan(values[t]):
            gap = max(0.0, abs(values[t] - mean) * inverse - 0.5 * h)
            score[t] += max(-0.5 * gap * gap, _LEAST_LOG) + _ROUNDING_ABOVE
            unsure[t] = True


@nested_kernel
def _decide(levels: Levels, model: Model, i: int, scores: Array, error: Array, least: float, logs: Array) -> int:
    """The class of example i: by exact log scores of the classes still possible, or else by the product."""
    best = -np.inf
    second = -np.inf
    winner = -1
    for c in range(scores.shape[0]):
        if scores[c] + error[c] >= least:
            score = _exact_score(levels, model, i, c, logs)
            if score > best:
                best, second, winner = score, best, c
            else:
                second = max(second, score)
    if best - second > _NEAR_TIE * (1.0 + levels.cells.shape[0]) and best > _UNDERFLOW:
        return winner
    return _by_product(levels, model, i)


@nested_kernel
def _exact_score(levels: Levels, model: Model, i: int, c: int, logs: Array) -> float:
    score = math.log(model.prior[c])
    for a in range(levels.cells.shape[0]):
        u = levels.cells[a, i]
        if u >= 0:
            place = levels.start[a] + u
            if levels.numeric[a]:
                probability = interval_probability(
                    model.rounded[place], model.precision[a], model.mean[a, c], model.deviation[a, c]
                )
                score += math.log(max(FLOOR, probability))
            else:
                width = levels.start[a + 1] - levels.start[a]
                score += logs[model.counts[place, c] + 1] - logs[model.known[a, c] + width]
    return score


@nested_kernel
def _by_product(levels: Levels, model: Model, i: int) -> int:
    """The prediction by the same operations as the learner's."""
    product = model.prior.copy()
    factors = np.empty_like(product)
    for a in range(levels.cells.shape[0]):
        u = levels.cells[a, i]
        if u >= 0:
            place = levels.start[a] + u
            if levels.numeric[a]:
                normal_probabilities(
                    levels.values[place], model.precision[a], model.mean[a], model.deviation[a], factors
                )
            else:
                width = levels.start[a + 1] - levels.start[a]
                for c in range(product.shape[0]):
                    factors[c] = (model.counts[place, c] + 1.0) / (model.known[a, c] + width)
            multiply(product, factors)
    return first_largest(product)
