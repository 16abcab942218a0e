"""Tree-augmented naive Bayes, and the discretisation that it needs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from foldwise.core.compile import kernel
from foldwise.core.table import Table
from foldwise.core.types import Array
from foldwise.learners.base import Codes, Learner

_LOG2 = math.log(2.0)


@kernel
def _x_log_x(x: float) -> float:
    return x * math.log(x) if x > 0.0 else 0.0


@kernel
def _entropy(counts: Array) -> float:
    """Entropy in bits, summed in Weka's order."""
    negative, total = 0.0, 0.0
    for c in counts:
        negative -= _x_log_x(c)
        total += c
    return (negative + _x_log_x(total)) / (total * _LOG2) if total > 0.0 else 0.0


@kernel
def _split_entropy(counts: Array) -> float:
    """Mean entropy in bits of the two rows of counts, weighted by their totals."""
    value, total = 0.0, 0.0
    for side in range(2):
        row_total = 0.0
        for c in counts[side]:
            value += _x_log_x(c)
            row_total += c
        value -= _x_log_x(row_total)
        total += row_total
    return -value / (total * _LOG2)


@kernel
def _best_cut(values: Array, classes: NDArray[np.int64], first: int, last: int, sides: Array) -> int:
    """Index before which to cut the sorted examples first … last − 1 for least entropy; −1 if no cut gains.

    On return `sides` has the class counts of the two parts.
    """
    # one pass: each example moves from the right of the cut to its left, and two sums of counts change
    running = np.zeros((2, sides.shape[1]))
    for i in range(first, last):
        running[1, classes[i]] += 1.0
    least, best = _entropy(running[1]), -1
    for i in range(first, last - 1):
        running[0, classes[i]] += 1.0
        running[1, classes[i]] -= 1.0
        if values[i] < values[i + 1]:
            entropy = _split_entropy(running)
            if entropy < least:
                least, best = entropy, i + 1
                for c in range(sides.shape[1]):
                    sides[0, c], sides[1, c] = running[0, c], running[1, c]
    return best


@kernel
def _occurring(counts: Array) -> int:
    number = 0
    for c in counts:
        number += c > 0.0
    return number


@kernel
def _worth_cutting(sides: Array, n: int) -> bool:
    """Whether the gain pays for the description of the cut (Fayyad & Irani 1993, with n − 1 candidate cuts)."""
    whole = sides[0] + sides[1]
    before, left, right = _entropy(whole), _entropy(sides[0]), _entropy(sides[1])
    k, k_left, k_right = _occurring(whole), _occurring(sides[0]), _occurring(sides[1])
    gain = before - _split_entropy(sides)
    delta = math.log(3.0**k - 2.0) / _LOG2 - (k * before - k_right * right - k_left * left)
    return gain > (math.log(n - 1.0) / _LOG2 + delta) / n


@kernel
def _cut(values: Array, classes: NDArray[np.int64], n_classes: int, cuts: Array) -> int:
    """Write the cut points into `cuts`, in no particular order; return their number."""
    found = 0
    firsts, lasts = np.empty(values.shape[0] + 1, np.int64), np.empty(values.shape[0] + 1, np.int64)
    waiting, firsts[0], lasts[0] = 1, 0, values.shape[0]
    sides = np.zeros((2, n_classes))
    while waiting > 0:
        waiting -= 1
        first, last = firsts[waiting], lasts[waiting]
        if last - first < 2:
            continue
        cut = _best_cut(values, classes, first, last, sides)
        if cut >= 0 and _worth_cutting(sides, last - first):
            cuts[found] = (values[cut - 1] + values[cut]) / 2.0
            found += 1
            firsts[waiting], lasts[waiting] = first, cut
            firsts[waiting + 1], lasts[waiting + 1] = cut, last
            waiting += 2
    return found


def cut_points(values: Array, classes: NDArray[np.int64], n_classes: int) -> Array:
    r"""Cut points of a numeric attribute, in ascending order.

    `values`: sorted, without missing values. `classes`: class of each example, in the order of `values`. `n_classes`:
    number of classes.

    Recursively cuts where the class entropy is least, as long as (Fayyad & Irani 1993)

    .. math:: \mathrm{gain} > \frac{\log_2 (n-1) + \log_2(3^k - 2) - (k E - k_1 E_1 - k_2 E_2)}{n}.

    The same as Weka's ``weka.filters.supervised.attribute.Discretize`` with its defaults.

    U. M. Fayyad, K. B. Irani (1993), Multi-interval discretization of continuous-valued attributes for classification
    learning, IJCAI, 1022–1027.
    """
    cuts = np.empty(len(values))
    return np.sort(cuts[: _cut(values, classes, n_classes, cuts)])


def intervals(values: Array, cuts: Array) -> Array:
    """Number of the interval of each value: that of the first cut point not below it. Missing stays missing.

    >>> intervals(np.array([0.5, 1.0, 1.5, np.nan]), np.array([1.0])).tolist()
    [0.0, 0.0, 1.0, nan]
    """
    return np.where(np.isnan(values), np.nan, np.searchsorted(cuts, values, side="left"))


# ---- Tree-augmented naive Bayes, as Weka's BayesNet with the TAN search.


@dataclass(frozen=True, slots=True, kw_only=True)
class _Network:
    cuts: tuple[Array | None, ...]
    modes: Array
    sizes: Codes
    log_prior: Array
    parent: Codes
    table: Array
    starts: Codes


class TAN(Learner):
    r"""Tree-augmented naive Bayes: every attribute depends on the class and on at most one other attribute.

    Attributes
    ----------
    parents_
        For each attribute the attribute it depends on besides the class; −1 for the root of the tree.

    Notes
    -----
    Numeric attributes are discretised on the training set (`foldwise.learners.tan.cut_points`), then missing
    values become the attribute's most frequent value. The tree [1]_ is grown from the arc with the largest gain in
    log marginal likelihood,

    .. math:: \ln P(D_j \mid C, X_i) - \ln P(D_j \mid C), \quad
       \ln P = \sum_\pi \Bigl[\ln\tfrac{\Gamma(r/2)}{\Gamma(1/2)^r}
       + \sum_v \ln\Gamma(n_{\pi v} + \tfrac12) - \ln\Gamma(n_\pi + \tfrac r2)\Bigr],

    always adding the arc of largest gain between the tree and an attribute outside it. Probabilities are estimated as
    (n + ½) / (N + r/2), with r the number of values.

    The same as Weka's ``BayesNet -D -Q …local.TAN -- -S BAYES -E …SimpleEstimator -- -A 0.5``, but for one case: if the
    training set has no missing value at all, Weka 3.6 reads a missing value of a test example as the first value (and,
    as the parent of another attribute, as the first class too); here it is the most frequent value always.

    References
    ----------
    .. [1] N. Friedman, D. Geiger, M. Goldszmidt (1997), Bayesian network classifiers, Machine Learning 29, 131–163.

    Examples
    --------
    >>> X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]] * 5
    >>> TAN().fit(X, [0, 1, 1, 0] * 5).predict(X[:4]).tolist()
    [0, 1, 1, 0]
    """

    def _fit(self, table: Table, codes: Codes, n_classes: int) -> None:
        self._network = _learn(table, codes, n_classes)
        self.parents_ = self._network.parent

    def _predict_proba(self, table: Table) -> Array:
        return _classify(self._network, table)


def _learn(table: Table, codes: Codes, n_classes: int) -> _Network:
    cuts: list[Array | None] = []
    for column, categories in zip(table.values.T, table.categories, strict=True):
        rows = np.argsort(column, kind="stable")[: np.count_nonzero(~np.isnan(column))]  # missing values are last
        cuts.append(cut_points(column[rows], codes[rows], n_classes) if categories is None else None)
    sizes = np.array(
        [
            max(1, len(names or ())) if c is None else len(c) + 1
            for c, names in zip(cuts, table.categories, strict=True)
        ],
        dtype=np.int64,
    )
    values = _discretised(table.values, cuts)
    # per column the most frequent code; the first of several, and 0 if the column has no value
    modes = np.array(
        [
            np.argmax(np.bincount(column[~np.isnan(column)].astype(np.int64), minlength=size))
            for column, size in zip(values.T, sizes, strict=True)
        ],
        dtype=np.float64,
    )
    X = _filled(values, modes)
    gains = arc_gains(X, codes, sizes, n_classes, gammaln(np.arange(2 * len(codes) + int(sizes.max()) + 2) / 2))
    parent = spanning_tree(gains)
    entries, starts = log_tables(X, codes, sizes, n_classes, parent)
    counts = np.bincount(codes, minlength=n_classes)
    log_prior = np.log((counts + ALPHA) / (len(codes) + ALPHA * n_classes))
    return _Network(
        cuts=tuple(cuts), modes=modes, sizes=sizes, log_prior=log_prior, parent=parent, table=entries, starts=starts
    )


def _classify(network: _Network, table: Table) -> Array:
    X = _filled(_discretised(table.values, list(network.cuts)), network.modes)
    model = [network.sizes, network.log_prior, network.parent, network.table, network.starts]
    # a model read from a memory map is not writeable, and would make numba compile the kernel once more
    return posterior(X, *(np.require(array, requirements="W") for array in model))


def _discretised(values: Array, cuts: list[Array | None]) -> Array:
    if all(c is None for c in cuts):
        return values
    columns = [values[:, j] if c is None else intervals(values[:, j], c) for j, c in enumerate(cuts)]
    return np.stack(columns, axis=1)


def _filled(values: Array, modes: Array) -> Codes:
    return np.where(np.isnan(values), modes, values).astype(np.int64)


# ---- Kernels: scores of arcs, the tree, probability tables and prediction.


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
def arc_gains(codes: Indices, classes: Indices, sizes: Indices, n_classes: int, log_gamma: Array) -> Array:
    """gains[head, tail]: what the head's score gains when the tail joins the class as its parent."""
    p = sizes.shape[0]
    gains = np.zeros((p, p))
    base = np.empty(p)
    for j in range(p):
        base[j] = _family_score(_count(codes, classes, j, -1, sizes, n_classes), log_gamma)
    for head in range(p):
        for tail in range(head):
            for one, other in ((head, tail), (tail, head)):
                counts = _count(codes, classes, one, other, sizes, n_classes)
                gains[one, other] = _family_score(counts, log_gamma) - base[one]
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
    # Prim's algorithm: the tree grows by the arc of largest gain between what is in it and what is not
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
