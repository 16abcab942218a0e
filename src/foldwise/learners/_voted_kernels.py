"""Kernels of the voted perceptron: Java's shuffle, training and voting, each sum in Weka's order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foldwise.core.compile import kernel
from foldwise.core.types import Array

__all__ = ["SEED_BITS", "java_shuffle", "similarities", "train_voted", "vote"]

Indices = NDArray[np.int64]

_MULTIPLIER, _INCREMENT, SEED_BITS = 0x5DEECE66D, 0xB, (1 << 48) - 1
"""java.util.Random's linear congruential generator; its documentation fixes the algorithm."""


@kernel
def _next_int(state: int, bound: int) -> tuple[int, int]:
    """java.util.Random.nextInt(bound): the new state and a whole number below `bound`."""
    while True:
        state = (state * _MULTIPLIER + _INCREMENT) & SEED_BITS
        bits = state >> 17
        if bound & (bound - 1) == 0:
            return state, (bound * bits) >> 31
        value = bits % bound
        # rejects the incomplete last group of 31-bit numbers, where Java's int overflows
        if bits - value + (bound - 1) < 1 << 31:
            return state, value


@kernel
def java_shuffle(n: int, seed: int) -> Indices:
    """The order in which Weka's ``Instances.randomize(new Random(seed))`` leaves `n` instances."""
    order = np.arange(n)
    state = (seed ^ _MULTIPLIER) & SEED_BITS
    for last in range(n - 1, 0, -1):
        state, chosen = _next_int(state, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


@kernel
def similarities(example: Array, columns: Array, exponent: float, out: Array) -> None:
    """(x·z + 1)^exponent for z = `example` and every column x."""
    for i in range(out.shape[0]):
        out[i] = 0.0
    for j in range(columns.shape[0]):
        factor, column = example[j], columns[j]
        for i in range(out.shape[0]):
            out[i] += column[i] * factor
    for i in range(out.shape[0]):
        out[i] += 1.0
    if exponent != 1.0:
        for i in range(out.shape[0]):
            out[i] = out[i] ** exponent


@kernel
def _add_example(
    example: Array, columns: Array, known: Array, rows: Indices, add: bool, exponent: float, sums: Array, scratch: Array
) -> None:
    """Add to (or subtract from) the sums of `rows` their similarities to `example`, which `known` has if not empty."""
    if known.shape[0] > 0:
        for i in range(sums.shape[0]):
            sums[i] += known[rows[i]] if add else -known[rows[i]]
    else:
        similarities(example, columns, exponent, scratch)
        for i in range(sums.shape[0]):
            sums[i] += scratch[i] if add else -scratch[i]


@kernel
def train_voted(
    examples: Array,
    gram: Array,
    positive: NDArray[np.bool_],
    order: Indices,
    columns: Array,
    iterations: int,
    exponent: float,
    limit: int,
) -> tuple[Indices, Indices]:
    """Rows that altered the perceptron, in turn, and how many examples each perceptron survived (one more).

    `order` lists the training rows as they are shown and `columns` has them as columns. All similarities between rows
    may be given as `gram`; then `columns` is not used. Without, `gram` has no columns.
    """
    n = order.shape[0]
    sums, scratch = np.zeros(n), np.empty(n)
    altered, survived = np.empty(limit, np.int64), np.zeros(limit + 1, np.int64)
    k = 0
    for turn in range(iterations * n):
        row = order[turn % n]
        # the comparison is Weka's: a sum of zero, or one that has overflowed to NaN, predicts the second class
        if (sums[turn % n] < 0.0) == positive[row]:
            altered[k] = row
            k += 1
            _add_example(examples[row], columns, gram[row], order, positive[row], exponent, sums, scratch)
        survived[k] += 1
        if k == limit:
            break
    return altered[:k], survived[: k + 1]


@kernel
def vote(
    examples: Array,
    gram: Array,
    positive: NDArray[np.bool_],
    altered: Indices,
    survived: Indices,
    rows: Indices,
    columns: Array,
    exponent: float,
) -> Indices:
    """Sum over the perceptrons of survivals × predicted sign, for each of the test `rows` (or their `columns`)."""
    n = rows.shape[0]
    sums, scratch, votes = np.zeros(n), np.empty(n), np.zeros(n, np.int64)
    for k in range(survived.shape[0]):
        for i in range(n):
            votes[i] += -survived[k] if sums[i] < 0.0 else survived[k]
        if k < altered.shape[0]:
            row = altered[k]
            _add_example(examples[row], columns, gram[row], rows, positive[row], exponent, sums, scratch)
    return votes
