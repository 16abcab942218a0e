"""Training and evaluation of many small softmax networks, one compiled loop per net.

A net has no hidden layer (`hidden` = 0) or one of tanh units, a softmax output, and is trained on the cross-entropy of
its whole training set by Adam [1]_ for a fixed number of epochs.

Every net is computed by itself, in an order of operations that depends on nothing but its own data: one net or a
thousand, on this processor or another, gives the same bits. Matrices are padded to whole groups of eight (`padded`):
a column of ones carries the biases, zeros fill the rest. The inner loops then run over contiguous memory without
remainders, which the compiler turns into vector instructions without reordering any sum.

References
----------
.. [1] D. P. Kingma, J. Ba (2015), Adam: a method for stochastic optimization, ICLR.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Array
from foldwise.learners.compile import kernel

__all__ = ["evaluate_net", "n_parameters", "padded", "train_net"]

BLOCK = 256
"""Most examples that are computed together: a block's activations stay in the first-level cache."""

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8
"""Adam's decay rates and guard, as its authors set them."""

Indices = NDArray[np.int64]


@kernel
def padded(inputs: int) -> int:
    """`inputs` and a one for the bias, rounded up to a multiple of eight."""
    return (inputs + 8) // 8 * 8


@kernel
def n_parameters(inputs: int, hidden: int, classes: int) -> int:
    """Length of a net's vector of weights: hidden × padded inputs, then classes × padded units, by rows."""
    if hidden == 0:
        return classes * padded(inputs)
    return hidden * padded(inputs) + classes * padded(hidden)


@kernel
def _exp_of_negative(x: float) -> float:
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
def _tanh(values: Array) -> None:
    """Replace every value by its hyperbolic tangent."""
    for k in range(values.shape[0]):
        row = values[k]
        for i in range(row.shape[0]):
            x = row[i]
            e = _exp_of_negative(-2.0 * x if x > 0.0 else 2.0 * x)
            t = (1.0 - e) / (1.0 + e)
            row[i] = t if x > 0.0 else -t


@kernel
def _combine(weights: Array, columns: Array, out: Array) -> None:
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
def _transpose(matrix: Array, out: Array) -> None:
    for k in range(matrix.shape[0]):
        for i in range(matrix.shape[1]):
            out[i, k] = matrix[k, i]


@kernel
def _softmax(scores: Array, top: Array, total: Array) -> None:
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
            row[i] = _exp_of_negative(row[i] - top[i])
            total[i] += row[i]
    for k in range(classes):
        row = scores[k]
        for i in range(width):
            row[i] /= total[i]


@kernel
def _moments(X: Array, rows: Indices, mean: Array, scale: Array) -> None:
    """Per column the mean and 1 / standard deviation over `rows`, without missing values; scale 0 if constant."""
    for j in range(X.shape[1]):
        count, total, squares = 0, 0.0, 0.0
        for r in rows:
            if not np.isnan(X[r, j]):
                count += 1
                total += X[r, j]
        mean[j] = total / count if count > 0 else 0.0
        for r in rows:
            if not np.isnan(X[r, j]):
                squares += (X[r, j] - mean[j]) ** 2
        deviation = np.sqrt(squares / count) if count > 0 else 0.0
        # rounding leaves a constant column with a deviation of some units in the last place of its mean
        scale[j] = 1.0 / deviation if deviation > 1e-14 * abs(mean[j]) else 0.0


@kernel
def _fill(X: Array, rows: Indices, mean: Array, scale: Array, examples: Array) -> None:
    """Standardised rows of X with a one behind; zeros elsewhere. A missing value becomes the mean, which is zero."""
    width = X.shape[1]
    for i in range(examples.shape[0]):
        for j in range(examples.shape[1]):
            examples[i, j] = 0.0
    for i in range(rows.shape[0]):
        for j in range(width):
            value = (X[rows[i], j] - mean[j]) * scale[j]
            examples[i, j] = 0.0 if np.isnan(value) else value
        examples[i, width] = 1.0


@kernel
def _add_outer(deltas: Array, examples: Array, gradient: Array) -> None:
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


@kernel
def _blocks(count: int) -> tuple[int, int]:
    """Number of blocks and examples per block (a multiple of eight) for `count` examples."""
    blocks = (count + BLOCK - 1) // BLOCK
    width = (count + blocks - 1) // blocks
    return blocks, (width + 7) // 8 * 8


@kernel
def _layers(weights: Array, hidden: int, classes: int, inputs: int, wide: int) -> tuple[Array, Array]:
    """The hidden layer's and the output's matrices as views of the vector of weights."""
    split = hidden * inputs
    return weights[:split].reshape((hidden, inputs)), weights[split:].reshape((classes, wide))


@kernel
def _with_ones(wide: int, width: int, hidden: int) -> tuple[Array, Array]:
    """Room for the units' outputs, by columns and by rows: zeros but for the ones that carry the upper biases."""
    units, unit_rows = np.zeros((wide, width)), np.zeros((width, wide))
    for i in range(width if hidden > 0 else 0):
        units[hidden, i] = 1.0
        unit_rows[i, hidden] = 1.0
    return units, unit_rows


@kernel
def _deltas(scores: Array, labels: Indices, share: float) -> None:
    """Turn probabilities into the cross-entropy's derivatives by the scores; zero for padding columns."""
    for k in range(scores.shape[0]):
        row = scores[k]
        for i in range(row.shape[0]):
            row[i] = row[i] * share if i < labels.shape[0] else 0.0
    for i in range(labels.shape[0]):
        scores[labels[i], i] -= share


@kernel
def _through_tanh(errors: Array, units: Array) -> None:
    """Multiply the errors by the derivative of tanh at the units' outputs."""
    for k in range(errors.shape[0]):
        row, unit = errors[k], units[k]
        for i in range(row.shape[0]):
            row[i] *= 1.0 - unit[i] * unit[i]


@kernel
def _adam_step(weights: Array, gradient: Array, first: Array, second: Array, epoch: int, rate: float) -> None:
    """One step of Adam, in the order of operations that its section 2 ends with."""
    step = rate * np.sqrt(1.0 - BETA2**epoch) / (1.0 - BETA1**epoch)
    for p in range(weights.shape[0]):
        first[p] = BETA1 * first[p] + (1.0 - BETA1) * gradient[p]
        second[p] = BETA2 * second[p] + (1.0 - BETA2) * gradient[p] * gradient[p]
        weights[p] -= step * first[p] / (np.sqrt(second[p]) + EPSILON)


@kernel
def train_net(
    X: Array,
    codes: Indices,
    rows: Indices,
    weights: Array,
    mean: Array,
    scale: Array,
    hidden: int,
    classes: int,
    epochs: int,
    rate: float,
) -> None:
    """Train one net on the examples `rows`; its `weights`, `mean` and `scale` are set in place."""
    _moments(X, rows, mean, scale)
    (blocks, width), inputs = _blocks(rows.shape[0]), padded(X.shape[1])
    examples, columns = np.empty((blocks, width, inputs)), np.empty((blocks, inputs, width))
    for b in range(blocks):
        _fill(X, rows[b * width : (b + 1) * width], mean, scale, examples[b])
        _transpose(examples[b], columns[b])
    labels, wide = codes[rows], padded(hidden) if hidden > 0 else inputs
    gradient, first, second = np.zeros(weights.shape[0]), np.zeros(weights.shape[0]), np.zeros(weights.shape[0])
    lower, upper = _layers(weights, hidden, classes, inputs, wide)
    lower_gradient, upper_gradient = _layers(gradient, hidden, classes, inputs, wide)
    units, unit_rows = _with_ones(wide, width, hidden)
    deltas, errors = np.zeros((padded(classes), width)), np.empty((hidden, width))
    back, scratch = np.zeros((wide, padded(classes))), np.empty((2, width))
    scores = deltas[:classes]
    for epoch in range(1, epochs + 1):
        for p in range(gradient.shape[0]):
            gradient[p] = 0.0
        for b in range(blocks):
            below, below_rows = columns[b], examples[b]
            if hidden > 0:
                _combine(lower, below, units[:hidden])
                _tanh(units[:hidden])
                _transpose(units[:hidden], unit_rows)
                below, below_rows = units, unit_rows
            _combine(upper, below, scores)
            _softmax(scores, scratch[0], scratch[1])
            _deltas(scores, labels[b * width : (b + 1) * width], 1.0 / labels.shape[0])
            _add_outer(scores, below_rows, upper_gradient)
            if hidden > 0:
                _transpose(upper, back)
                _combine(back[:hidden], deltas, errors)
                _through_tanh(errors, units)
                _add_outer(errors, examples[b], lower_gradient)
        _adam_step(weights, gradient, first, second, epoch, rate)


@kernel
def evaluate_net(
    X: Array, rows: Indices, weights: Array, mean: Array, scale: Array, hidden: int, classes: int
) -> Array:
    """Class probabilities of the examples `rows`, one after the other so that their number changes no bits."""
    inputs, out = padded(X.shape[1]), np.empty((rows.shape[0], classes))
    wide = padded(hidden) if hidden > 0 else inputs
    lower, upper = _layers(weights, hidden, classes, inputs, wide)
    example, scores, scratch = np.empty((1, inputs)), np.empty((classes, 1)), np.empty((2, 1))
    units = _with_ones(wide, 1, hidden)[0]
    for r in range(rows.shape[0]):
        _fill(X, rows[r : r + 1], mean, scale, example)
        below = example.reshape((inputs, 1))
        if hidden > 0:
            _combine(lower, below, units[:hidden])
            _tanh(units[:hidden])
            below = units
        _combine(upper, below, scores)
        _softmax(scores, scratch[0], scratch[1])
        for k in range(classes):
            out[r, k] = scores[k, 0]
    return out
