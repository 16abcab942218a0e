"""The folds and the random binary data behind the Weka transcripts, made by hashing so that they never change.

The transcripts in ``tests/reference/weka/`` hold per-fold counts of correct predictions; the script
``tests/reference/generators/weka/generate.py`` made them from these folds, and the tests use the same ones.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

from foldwise.learners.voted_perceptron import java_shuffle

FOLDS = 10
RUNS = 2
ROWS = 2000
"""Only so many leading rows of a data set are used."""

BINARY_SETS = 60
BINARY_ROWS = 150
BINARY_ATTRIBUTES = 8

_HERE = Path(__file__).parent


def fixed_folds(n, *, runs=RUNS, folds=FOLDS):
    """Fold ids of shape (runs, n): the examples in the order of a hash of (run, example), dealt out in turn."""
    ids = np.empty((runs, n), dtype=np.int64)
    for run in range(runs):
        order = sorted(range(n), key=lambda i: hashlib.blake2b(f"{run}:{i}".encode()).digest())
        ids[run, order] = np.arange(n) % folds
    return ids


def binary_data(index):
    """The binary data set number `index`: X (rows, attributes) and y of zeros and ones.

    The class is random (index % 3 = 0), the majority of three attributes with a quarter flipped (1), or
    (x0 and x1) or x2 with an eighth flipped (2).
    """
    bits = np.unpackbits(np.frombuffer(hashlib.shake_128(f"binary:{index}".encode()).digest(BINARY_ROWS * 2), np.uint8))
    rows = bits.reshape(BINARY_ROWS, 16).astype(np.int64)
    X, noise = rows[:, :BINARY_ATTRIBUTES], rows[:, BINARY_ATTRIBUTES:]
    if index % 3 == 0:
        return X, noise[:, 0]
    if index % 3 == 1:
        return X, (X[:, :3].sum(axis=1) >= 2) ^ noise[:, :2].all(axis=1)
    return X, ((X[:, 0] & X[:, 1]) | X[:, 2]) ^ noise[:, :3].all(axis=1)


def transcript(name):
    """Per data set the counts of correct predictions, shape (runs, folds), from the transcript called `name`."""
    stored = json.loads((_HERE / "weka" / f"{name}.json").read_text())
    return {key: np.array(rows) for key, rows in stored["counts"].items()}


def correct_counts(predicted, y, fold_ids):
    """Counts of correct predictions per run and fold."""
    hits = predicted == np.asarray(y)
    return np.array([[hits[r, ids == k].sum() for k in range(FOLDS)] for r, ids in enumerate(fold_ids)])


def drawn_folds(y, folds, seed):
    """The folds of Weka's own cross-validation (Evaluation.crossValidateModel): shuffled, then stratified."""
    order, place, n = java_shuffle(len(y), seed).tolist(), 1, len(y)
    while place < n:  # Instances.stratify brings examples of one class together …
        for j in range(place, n):
            if y[order[place - 1]] == y[order[j]]:
                order[place], order[j] = order[j], order[place]
                place += 1
        place += 1
    dealt = [i for start in range(folds) for i in order[start::folds]]  # … and deals them out
    sizes = [n // folds + (fold < n % folds) for fold in range(folds)]
    ids = np.empty(n, np.int64)
    ids[dealt] = np.repeat(np.arange(folds), sizes)
    return ids
