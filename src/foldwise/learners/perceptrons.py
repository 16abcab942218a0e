"""Linear and one-hidden-layer perceptrons, trained one by one or thousands at a time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.table import Table
from foldwise.core.types import Array
from foldwise.core.validation import integer, positive
from foldwise.learners._perceptron_kernels import evaluate_net, n_parameters, padded, train_net
from foldwise.learners.base import Codes, Learner, indicators

Rows = Sequence[NDArray[np.int64]]  # Per net the indices of its examples.


def inputs_of(X: ArrayLike) -> Array:
    """`X` as numbers, of which NaN is a missing value."""
    try:
        values = np.ascontiguousarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"X must be an array of numbers: {error}") from error
    if np.isinf(values).any():
        raise InvalidInput("X must not have infinite values")
    return values


def indices(value: ArrayLike, name: str) -> Codes:
    """`value` as whole numbers; a mask would be taken for the rows 0 and 1."""
    array = np.asarray(value)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        raise InvalidInput(f"{name} must be a list of whole numbers, got {array.dtype} of shape {array.shape}")
    return np.ascontiguousarray(array, dtype=np.int64)


def check_nets(X: Array, codes: Codes, rows: Rows, n_classes: int, seeds: Sequence[int]) -> None:
    """Refuse what would make the compiled loops read outside their arrays."""
    if X.ndim != 2 or codes.shape != (len(X),):
        raise InvalidInput(f"codes must be one per row of X, got {codes.shape} for X of shape {X.shape}")
    if len(codes) and not (codes.min() >= 0 and codes.max() < n_classes):
        raise InvalidInput(f"codes must be from 0 to {n_classes - 1}, got {codes.min()} to {codes.max()}")
    if len(seeds) != len(rows):
        raise InvalidInput(f"seeds must be one per net ({len(rows)}), got {len(seeds)}")
    check_rows(rows, len(X))
    if any(len(r) == 0 for r in rows):
        raise InvalidInput("rows must name at least one training example per net, but one list is empty")


def check_rows(rows: Rows, n: int) -> None:
    for chosen in rows:
        if len(chosen) and not (np.min(chosen) >= 0 and np.max(chosen) < n):
            raise InvalidInput(f"rows must be from 0 to {n - 1}, got {np.min(chosen)} to {np.max(chosen)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Nets:
    """Trained nets of one architecture."""

    weights: Array  #: nets × parameters; see `foldwise.learners._perceptron_kernels.n_parameters` for the order
    #: mean, scale: nets × inputs: what standardises the inputs of each net (scale 0 where an input was constant)
    mean: Array
    scale: Array
    #: hidden, n_classes: The architecture
    hidden: int
    n_classes: int
    #: Per net the lowest error rate on the rows it was tested on after any epoch, if there are such rows
    lowest: Array | None = None

    def probabilities(self, X: Array, rows: Rows) -> list[Array]:
        X = inputs_of(X)
        rows = [indices(chosen, "rows") for chosen in rows]
        if X.ndim != 2 or X.shape[1] != self.mean.shape[1] or len(rows) != len(self.mean):
            raise InvalidInput(
                f"X must have {self.mean.shape[1]} inputs and rows {len(self.mean)} lists, got shape {X.shape} and "
                f"{len(rows)} lists"
            )
        check_rows(rows, len(X))
        # a model read from a memory map is not writeable, and would make numba compile the kernel once more
        weights, mean, scale = (np.require(a, requirements="W") for a in (self.weights, self.mean, self.scale))
        return [
            evaluate_net(X, chosen, weights[t], mean[t], scale[t], self.hidden, self.n_classes)
            for t, chosen in enumerate(rows)
        ]

    def predict(self, X: Array, rows: Rows) -> list[Codes]:
        """Per net the most probable class of the rows of `X` listed for it; ties go to the first class."""
        return [np.argmax(p, axis=1) for p in self.probabilities(X, rows)]


def train_many(
    X: Array, codes: Codes, rows: Rows, *, n_classes: int, seeds: Sequence[int], hidden: int = 10, epochs: int = 200,
    learning_rate: float = 0.02, shared_scale: bool = False, tested: Rows | None = None, jobs: int | None = 1,
) -> Nets:  # fmt: skip
    """Train one net per list of rows.

    Parameters
    ----------
    X
        Examples × inputs; NaN is a missing value, which counts as the training rows' mean. The examples of many
        data sets may stand below each other.
    codes
        Class of each example, from 0 to `n_classes` − 1.
    rows
        Per net the indices of its training examples.
    n_classes
        Number of output units.
    seeds
        Per net the seed of its initial weights.
    hidden
        Number of tanh units between input and output; 0 for a linear perceptron.
    epochs, learning_rate
        Steps of gradient descent (Adam) over the whole training set, and their size.
    shared_scale
        Whether all inputs are divided by one number, their root mean square deviation, instead of each by its own:
        for inputs in one unit, such as pixels, of which some hardly ever vary.
    tested
        Per net the indices of examples that are predicted after every epoch: `lowest` of the result is the error rate
        at the best moment. It is too low for new examples, because they have chosen the moment.
    jobs
        Number of threads; None means one per core.

    Notes
    -----
    A net's bits depend on its own rows, their order and its seed, not on the other nets.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> nets = train_many(X, np.array([0, 0, 1, 1]), [np.arange(4)] * 2, n_classes=2, seeds=[0, 1], hidden=3)
    >>> [p.tolist() for p in nets.predict(X, [np.arange(4)] * 2)]
    [[0, 0, 1, 1], [0, 0, 1, 1]]
    """
    X = inputs_of(X)
    codes = indices(codes, "codes")
    rows = [indices(chosen, "rows") for chosen in rows]
    integer(n_classes, "n_classes", minimum=1)
    integer(hidden, "hidden", minimum=0)
    integer(epochs, "epochs", minimum=1)
    positive(learning_rate, "learning_rate")
    check_nets(X, codes, rows, n_classes, seeds)
    inputs = X.shape[1]
    known: dict[int, Array] = {}
    for seed in seeds:
        if seed not in known:
            known[seed] = _initial_weights(inputs, hidden, n_classes, seed)
    weights = np.array([known[seed] for seed in seeds]).reshape(len(seeds), n_parameters(inputs, hidden, n_classes))
    mean, scale = np.empty((len(rows), inputs)), np.empty((len(rows), inputs))

    watched = [indices(chosen, "tested") for chosen in ([()] * len(rows) if tested is None else tested)]
    check_rows(watched, len(X))
    if len(watched) != len(rows):
        raise InvalidInput(f"tested must be one list per net ({len(rows)}), got {len(watched)}")
    fewest = np.zeros(len(rows))

    def train(t: int) -> None:
        place = (weights[t], mean[t], scale[t])
        fewest[t] = train_net(
            X, codes, rows[t], *place, hidden, n_classes, epochs, float(learning_rate), bool(shared_scale), watched[t]
        )

    threads = integer(jobs, "jobs", minimum=1) if jobs is not None else os.cpu_count() or 1
    if threads == 1:
        for t in range(len(rows)):
            train(t)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(train, range(len(rows))))
    lowest = None if tested is None else fewest / np.array([max(len(one), 1) for one in watched])
    return Nets(weights=weights, mean=mean, scale=scale, hidden=hidden, n_classes=n_classes, lowest=lowest)


def _initial_weights(inputs: int, hidden: int, classes: int, seed: int) -> Array:
    """Uniform within ±√(6 / (fan in + fan out)) (Glorot & Bengio 2010), biases too; padding is zero."""
    rng = stream(seed, "perceptron", hidden)
    sizes = [(inputs, classes)] if hidden == 0 else [(inputs, hidden), (hidden, classes)]
    layers = []
    for fan_in, units in sizes:
        layer = np.zeros((units, padded(fan_in)))
        layer[:, : fan_in + 1] = rng.uniform(-1, 1, (units, fan_in + 1)) * np.sqrt(6 / (fan_in + units))
        layers.append(layer.ravel())
    return np.concatenate(layers)


class _SoftmaxNet(Learner):
    """What both perceptrons share."""

    hidden: int = 0
    epochs: int
    learning_rate: float
    random_state: int | None

    def _check_parameters(self) -> None:
        integer(self.epochs, "epochs", minimum=1)
        positive(self.learning_rate, "learning_rate")
        if self.random_state is not None:
            integer(self.random_state, "random_state", minimum=0)

    def _fit(self, table: Table, codes: Codes, n_classes: int) -> None:
        self.nets_ = train_many(
            indicators(table), codes, [np.arange(len(table))], n_classes=n_classes, seeds=[int(self.random_state or 0)],
            hidden=self.hidden, epochs=self.epochs, learning_rate=self.learning_rate,
        )  # fmt: skip

    def _predict_proba(self, table: Table) -> Array:
        return self.nets_.probabilities(indicators(table), [np.arange(len(table))])[0]


class LinearPerceptron(_SoftmaxNet):
    """A linear perceptron: one softmax unit per class on the standardised inputs (alpaydin1999).

    Parameters
    ----------
    epochs, learning_rate
        Steps of full-batch gradient descent (Adam) on the cross-entropy, and their size.
    random_state
        Seed of the initial weights, from which everything else follows; None means 0.

    Notes
    -----
    Nominal attributes become indicators. Inputs are standardised on the training examples; one that is constant
    there is ignored. A missing value counts as the training mean.

    Examples
    --------
    >>> LinearPerceptron().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]).predict([[-1.0], [4.0]]).tolist()
    ['a', 'b']
    """

    def __init__(self, *, epochs: int = 200, learning_rate: float = 0.02, random_state: int | None = None) -> None:
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.random_state = random_state


class MultilayerPerceptron(_SoftmaxNet):
    """A perceptron with one hidden layer of tanh units and a softmax output (alpaydin1999).

    Parameters
    ----------
    hidden
        Number of hidden units.
    epochs, learning_rate
        Steps of full-batch gradient descent (Adam) on the cross-entropy, and their size.
    random_state
        Seed of the initial weights, from which everything else follows; None means 0.

    Notes
    -----
    As for `LinearPerceptron`. To train many nets with different seeds at once use `train_many`.

    Examples
    --------
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0]
    >>> MultilayerPerceptron(random_state=1).fit(X, y).predict(X).tolist()
    [0, 1, 1, 0]
    """

    def __init__(
        self, hidden: int = 10, *, epochs: int = 200, learning_rate: float = 0.02, random_state: int | None = None,
    ) -> None:  # fmt: skip
        self.hidden = hidden
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.random_state = random_state

    def _check_parameters(self) -> None:
        integer(self.hidden, "hidden", minimum=1)
        super()._check_parameters()
