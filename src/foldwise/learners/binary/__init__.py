"""Whole repeated cross-validations on many data sets of binary attributes and two classes at once.

For simulations: the learners' kernels work on packed bits, draw the stratified folds themselves, and run on all cores.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.kernels import need_kernels
from foldwise.core.table import Table
from foldwise.core.types import Integers
from foldwise.core.validation import integer
from foldwise.learners.registry import create

__all__ = ["cross_validate", "stratified_folds"]

Bytes = NDArray[np.uint8]  # Zeros and ones: attributes and classes.
Words = NDArray[np.uint64]  # Sets of examples, or seeds.
Counts = NDArray[np.uint16]  # Correct predictions: (data sets, runs, folds).

Kernel = Callable[[Bytes, Bytes, Words, Integers, Counts], None]

# name -> module that has cross_validate_batch(X, y, seeds, partners, correct)
_KERNELS = {
    "1nn": "foldwise.learners.binary.nearest_neighbour",
    "c45": "foldwise.learners.binary.c45",
    "nb": "foldwise.learners.binary.naive_bayes",
}
# learners without kernels for bits: they are cross-validated one data set after the other
_OTHERS = ("tan", "votedperceptron")

MAX_ATTRIBUTES = 62
MOST_LISTED = 12  # Attributes up to which 1nn finds neighbours in a table of all 2^p attribute vectors.


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    X: Bytes
    y: Bytes
    seeds: Words


def cross_validate(
    X: ArrayLike, y: ArrayLike, learners: Sequence[str] = ("nb", "c45"), *, seeds: ArrayLike, runs: int = 10,
    folds: int = 10, tested: int | None = None, partners: Integers | None = None, jobs: int | None = None,
) -> dict[str, Counts]:  # fmt: skip
    """Count the correct predictions of each learner in every fold of every run on every data set.

    `X`: attributes, each 0 or 1: (data sets, examples, attributes). `y`: classes, each 0 or 1: (data sets, examples).
    `learners`: "nb", "c45" and, of up to 12 attributes, "1nn", which have kernels for bits; "tan" and
    "votedperceptron", which take much longer. All see the same folds. `seeds`: one whole number per data
    set, which alone determines its folds. `runs`, `folds`: how often to draw folds, and how many. More folds than
    examples leave some folds empty. `tested`: test the first `tested` folds of a run only (default: all). ``folds=10,
    tested=1`` is a random stratified holdout of a tenth. `partners`: per round and fold the fold that is left out with
    it, as `resampling.round_robin.partners` has it: folds are dealt anew after so many runs only. By default each fold
    is left out alone, and dealt anew in every run. `jobs`: threads; by default as many as the machine has cores. The
    counts do not depend on it.

    Returns, per learner, uint16 of shape (data sets, runs, tested).

    >>> X = np.tile([[0, 1], [1, 0]], (10, 1))[None]
    >>> cross_validate(X, X[..., 0], ["nb"], runs=1, folds=5, seeds=[1])["nb"].tolist()
    [[[4, 4, 4, 4, 4]]]
    """
    attributes = _zeros_and_ones(X, "X", 3)
    labels = _zeros_and_ones(y, "y", 2)
    if attributes.shape[:2] != labels.shape:
        raise InvalidInput(f"X has (data sets, examples) = {attributes.shape[:2]}, but y has {labels.shape}")
    if not (1 <= attributes.shape[2] <= MAX_ATTRIBUTES and 2 <= labels.shape[1] < 2**16):
        raise InvalidInput(
            f"X must have 1 to {MAX_ATTRIBUTES} attributes and 2 to 65535 examples, got shape {attributes.shape}"
        )
    numbers = np.asarray(seeds)
    if numbers.shape != labels.shape[:1] or numbers.dtype.kind not in "iu":
        raise InvalidInput(
            f"seeds must be one whole number for each of {labels.shape[0]} data sets, got {numbers.dtype} "
            f"of shape {numbers.shape}"
        )
    batch = _Batch(X=attributes, y=labels, seeds=np.ascontiguousarray(numbers.astype(np.uint64)))
    integer(runs, "runs", minimum=1)
    integer(folds, "folds", minimum=2)
    shape = (len(batch.seeds), runs, folds if tested is None else integer(tested, "tested", minimum=1))
    if shape[2] > folds:
        raise InvalidInput(f"tested must be at most the number of folds ({folds}), got {tested}")
    # a copy of the partners, which can't be written to: numba would compile every kernel once more for such an array
    met = np.arange(folds)[None] if partners is None else np.array(partners, dtype=np.int64)
    threads = integer(jobs, "jobs", minimum=1) if jobs is not None else os.cpu_count() or 1
    correct = {name: np.zeros(shape, dtype=np.uint16) for name in learners}
    for name, out in correct.items():
        _run(_kernel(name, attributes.shape[2]), batch, met, out, threads)
    return correct


def stratified_folds(y: ArrayLike, *, runs: int, folds: int, seed: int) -> Integers:
    """The folds that `cross_validate` draws for one data set, of shape (runs, examples).

    `y`: classes, each 0 or 1. `runs`, `folds`: how often to draw folds, and how many. `seed`: the whole number that
    `cross_validate` is given for the data set.

    >>> np.bincount(stratified_folds([0, 1] * 10, runs=1, folds=5, seed=3)[0]).tolist()
    [4, 4, 4, 4, 4]
    """
    need_kernels("foldwise.learners.binary.packing", "a population of many data sets")
    from foldwise.learners.binary.packing import by_class, draw_folds

    labels = _zeros_and_ones(y, "y", 1)
    integer(runs, "runs", minimum=1)
    integer(folds, "folds", minimum=2)
    number = np.asarray(seed)
    if number.ndim != 0 or number.dtype.kind not in "iu":
        raise InvalidInput(f"seed must be a whole number of at most 64 bits, got {seed!r}")
    drawn = np.empty((runs, len(labels)), dtype=np.int64)
    order, scratch = np.empty((2, len(labels)), dtype=np.int64)
    zeros, own = by_class(labels, order), number.astype(np.uint64).reshape(1)
    for run in range(runs):
        draw_folds(order, zeros, folds, own[0], run, scratch, drawn[run])
    return drawn


def _zeros_and_ones(value: ArrayLike, name: str, ndim: int) -> Bytes:
    array = np.asarray(value)
    if array.ndim != ndim:
        raise InvalidInput(f"{name} must have {ndim} axes, got shape {array.shape}")
    if array.dtype.kind not in "biuf" or (array.dtype != bool and ((array != 0) & (array != 1)).any()):
        raise InvalidInput(f"{name} must have zeros and ones only")
    return np.ascontiguousarray(array, dtype=np.uint8)


def _kernel(name: str, attributes: int) -> Kernel:
    if name not in {*_KERNELS, *_OTHERS}:
        raise UnknownName("binary learner", name, sorted({*_KERNELS, *_OTHERS}))
    need_kernels("foldwise.learners.binary.packing", "a population of many data sets")
    if name in _OTHERS or (name == "1nn" and attributes > MOST_LISTED):
        return partial(_by_learner, name)
    kernel: Kernel = import_module(_KERNELS[name]).cross_validate_batch
    return kernel


def _by_learner(name: str, X: Bytes, y: Bytes, seeds: Words, partners: Integers, correct: Counts) -> None:
    """As the kernels do, by the learner's own cross-validation: folds that are left out together have one number."""
    learner: Any = create(name)
    rounds, folds = partners.shape
    _, runs, tested = correct.shape
    places = np.arange(runs) % rounds
    for values, labels, seed, counts in zip(X, y, seeds, correct, strict=True):
        dealt = stratified_folds(labels, runs=-(-runs // rounds), folds=folds, seed=seed)[np.arange(runs) // rounds]
        pair = np.minimum(dealt, partners[places[:, None], dealt])
        table = Table.build(values.astype(np.float64), [("0", "1")] * values.shape[1])
        predicted = learner.cross_predict(
            table, labels.astype(np.int64), np.where(pair < tested, pair, -1), classes=[0, 1]
        )
        for fold in range(tested):
            counts[:, fold] = ((predicted == labels) & (dealt == fold)).sum(axis=1)


def _run(kernel: Kernel, batch: _Batch, partners: Integers, out: Counts, threads: int) -> None:
    # a few pieces per thread even out their loads; each data set writes only its own counts
    pieces = [p for p in np.array_split(np.arange(len(out)), 4 * threads) if len(p)]

    def work(piece: NDArray[np.intp]) -> None:
        part = slice(int(piece[0]), int(piece[-1]) + 1)
        kernel(batch.X[part], batch.y[part], batch.seeds[part], partners, out[part])

    if threads == 1 or len(pieces) == 1:
        kernel(batch.X, batch.y, batch.seeds, partners, out)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, pieces))
