"""Small matrix operations of the perceptrons, written so that the compiler uses vector instructions.

The inner loops run over contiguous memory, eight terms at a time; matrices come padded to whole groups of eight. No sum
is reordered by the compiler, so the bits don't depend on the processor.
"""

from __future__ import annotations

from foldwise.core.types import Array
from foldwise.learners.compile import kernel

__all__ = ["add_outer", "combine", "exp_of_negative", "softmax", "tanh", "transpose"]


@kernel
def exp_of_negative(x: float) -> float:
    """exp(x) for x ≤ 0 as the 256th power of exp(x/256): free of branches, so that loops over it vectorise.

    The absolute error stays below 1e-10; below x = −40 the value is exp(−40).
    """
    r = (x if x > -40.0 else -40.0) * (1.0 / 256.0)
    e = 1.0 + r * (1.0 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24))))
    e2 = e * e
    e4 = e2 * e2
    e8 = e4 * e4
    e16 = e8 * e8
    e32 = e16 * e16
    e64 = e32 * e32
    e128 = e64 * e64
    return e128 * e128


@kernel
def tanh(values: Array) -> None:
    """Replace every value by its hyperbolic tangent."""
    for k in range(values.shape[0]):
        row = values[k]
        for i in range(row.shape[0]):
            x = row[i]
            e = exp_of_negative(-2.0 * x if x > 0.0 else 2.0 * x)
            t = (1.0 - e) / (1.0 + e)
            row[i] = t if x > 0.0 else -t


@kernel
def combine(weights: Array, columns: Array, out: Array) -> None:
    """Out = weights @ columns, eight terms at a time."""
    width = columns.shape[1]
    for k in range(weights.shape[0]):
        row = out[k]
        for i in range(width):
            row[i] = 0.0
        for j in range(0, weights.shape[1], 8):
            w, x = weights[k, j : j + 8], columns[j : j + 8]
            w0, w1, w2, w3, w4, w5, w6, w7 = w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
            for i in range(width):
                row[i] += ((w0 * x[0, i] + w1 * x[1, i]) + (w2 * x[2, i] + w3 * x[3, i])) + (
                    (w4 * x[4, i] + w5 * x[5, i]) + (w6 * x[6, i] + w7 * x[7, i])
                )


@kernel
def transpose(matrix: Array, out: Array) -> None:
    for k in range(matrix.shape[0]):
        for i in range(matrix.shape[1]):
            out[i, k] = matrix[k, i]


@kernel
def softmax(scores: Array, top: Array, total: Array) -> None:
    """Turn each column of scores into probabilities; `top` and `total` are scratch rows."""
    classes, width = scores.shape
    for i in range(width):
        top[i], total[i] = scores[0, i], 0.0
    for k in range(1, classes):
        row = scores[k]
        for i in range(width):
            top[i] = row[i] if row[i] > top[i] else top[i]
    for k in range(classes):
        row = scores[k]
        for i in range(width):
            row[i] = exp_of_negative(row[i] - top[i])
            total[i] += row[i]
    for k in range(classes):
        row = scores[k]
        for i in range(width):
            row[i] /= total[i]


@kernel
def add_outer(deltas: Array, examples: Array, gradient: Array) -> None:
    """Gradient += deltas @ examples, eight examples at a time."""
    width = examples.shape[1]
    for k in range(deltas.shape[0]):
        row = gradient[k]
        for n in range(0, examples.shape[0], 8):
            w, x = deltas[k, n : n + 8], examples[n : n + 8]
            w0, w1, w2, w3, w4, w5, w6, w7 = w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
            for j in range(width):
                row[j] += ((w0 * x[0, j] + w1 * x[1, j]) + (w2 * x[2, j] + w3 * x[3, j])) + (
                    (w4 * x[4, j] + w5 * x[5, j]) + (w6 * x[6, j] + w7 * x[7, j])
                )
