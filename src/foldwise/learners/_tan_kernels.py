"""Kernels of tree-augmented naive Bayes: scores of arcs, the tree, probability tables and prediction."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from foldwise.core.compile import kernel
from foldwise.core.types import Array

Indices = NDArray[np.int64]

ALPHA = 0.5  # Prior count of each value, in the scores as in the estimates.


@kernel
def _family_score(counts: Array, log_gamma: Array) -> float:
    """Log marginal likelihood of a node from its counts (parent configurations × values).

    `log_gamma[k]` is ln Γ(k/2). The order of the sums is Weka's, so that equal scores are equal here as well.
    """
    score, values = 0.0, counts.shape[1]
    for parent in range(counts.shape[0]):
        total = 0.0
        for v in range(values):
            count = counts[parent, v]
            score += log_gamma[int(2.0 * count) + 1]
            total += ALPHA + count
        score -= log_gamma[int(2.0 * total)]
        score -= values * log_gamma[1]
        score += log_gamma[values]
    return score


@kernel
def _count(codes: Indices, classes: Indices, head: int, tail: int, sizes: Indices, n_classes: int) -> Array:
    """Counts of the head's values for every class and value of the tail; tail −1 for none."""
    wide = sizes[tail] if tail >= 0 else 1
    counts = np.zeros((n_classes * wide, sizes[head]))
    for i in range(codes.shape[0]):
        parent = classes[i] * wide + (codes[i, tail] if tail >= 0 else 0)
        counts[parent, codes[i, head]] += 1.0
    return counts


@kernel
def _swapped(counts: Array, n_classes: int, tail_size: int) -> Array:
    """The counts of the tail's values given class and head, from those of the head's given class and tail."""
    head_size = counts.shape[1]
    out = np.empty((n_classes * head_size, tail_size))
    for c in range(n_classes):
        for t in range(tail_size):
            for h in range(head_size):
                out[c * head_size + h, t] = counts[c * tail_size + t, h]
    return out


@kernel
def arc_gains(codes: Indices, classes: Indices, sizes: Indices, n_classes: int, log_gamma: Array) -> Array:
    """gains[head, tail]: what the head's score gains when the tail joins the class as its parent."""
    p = sizes.shape[0]
    gains = np.zeros((p, p))
    base = np.empty(p)
    for j in range(p):
        base[j] = _family_score(_count(codes, classes, j, -1, sizes, n_classes), log_gamma)
    for head in range(p):
        for tail in range(head):
            counts = _count(codes, classes, head, tail, sizes, n_classes)
            gains[head, tail] = _family_score(counts, log_gamma) - base[head]
            gains[tail, head] = _family_score(_swapped(counts, n_classes, sizes[tail]), log_gamma) - base[tail]
    return gains


@kernel
def _best_arc(gains: Array, linked: NDArray[np.bool_], first: bool) -> tuple[int, int]:
    """The arc (head, tail) of largest gain that joins a new attribute to the tree; the first of equals."""
    p = gains.shape[0]
    best_head, best_tail = -1, -1
    for head in range(p):
        for tail in range(p):
            if head == tail or not (first or linked[head] != linked[tail]):
                continue
            if best_head < 0 or gains[head, tail] > gains[best_head, best_tail]:
                best_head, best_tail = head, tail
    return best_head, best_tail


@kernel
def spanning_tree(gains: Array) -> Indices:
    """Parent of each attribute in the tree of largest gain (grown arc by arc), −1 for the root.

    An arc's tail takes the head as its parent unless it has one already; then the head takes the tail.
    """
    p = gains.shape[0]
    parent, linked = np.full(p, -1), np.zeros(p, np.bool_)
    for link in range(p - 1):
        head, tail = _best_arc(gains, linked, link == 0)
        linked[head] = True
        linked[tail] = True
        if parent[tail] < 0:
            parent[tail] = head
        else:
            parent[head] = tail
    return parent


@kernel
def log_tables(
    codes: Indices, classes: Indices, sizes: Indices, n_classes: int, parent: Indices
) -> tuple[Array, Indices]:
    """Logarithms of P(value | class, parent's value) of all attributes in one vector, and where each starts."""
    p = sizes.shape[0]
    starts = np.zeros(p + 1, np.int64)
    for j in range(p):
        starts[j + 1] = starts[j] + n_classes * (sizes[parent[j]] if parent[j] >= 0 else 1) * sizes[j]
    table = np.empty(starts[p])
    for j in range(p):
        counts = _count(codes, classes, j, parent[j], sizes, n_classes)
        at = starts[j]
        for row in counts:
            total = ALPHA * sizes[j] + row.sum()
            for v in range(sizes[j]):
                table[at] = math.log((ALPHA + row[v]) / total)
                at += 1
    return table, starts


@kernel
def posterior(
    codes: Indices, sizes: Indices, log_prior: Array, parent: Indices, table: Array, starts: Indices
) -> Array:
    """Class probabilities of each example; sums, shift and normalisation in Weka's order."""
    n, n_classes = codes.shape[0], log_prior.shape[0]
    out = np.empty((n, n_classes))
    for i in range(n):
        for c in range(n_classes):
            total = 0.0
            for j in range(sizes.shape[0]):
                configuration = c if parent[j] < 0 else c * sizes[parent[j]] + codes[i, parent[j]]
                total += table[starts[j] + configuration * sizes[j] + codes[i, j]]
            # Weka starts from one, which rounds away the last bits: nearly equal classes become equal
            out[i, c] = 1.0 + (total + log_prior[c])
        largest = out[i].max()
        whole = 0.0
        for c in range(n_classes):
            out[i, c] = math.exp(out[i, c] - largest)
            whole += out[i, c]
        for c in range(n_classes):
            out[i, c] /= whole
    return out
