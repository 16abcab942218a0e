"""C4.5's definitions, computed once more and slowly, hold in the trees that come out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, ndtri
from scipy.stats import entropy

from foldwise.core.table import Table
from foldwise.learners import C45
from foldwise.learners.tree.arrays import columns, survey
from foldwise.learners.tree.lists import RANK, ROW, fill, new_lists, presort
from foldwise.learners.tree.route import decide

UNPRUNED = C45(pruned=False, collapse=False)


def crosstab(column, y):
    """Branches × classes, without rows of missing value."""
    known = ~np.isnan(column)
    table = np.zeros((int(np.nanmax(column)) + 1, y.max() + 1))
    np.add.at(table, (column[known].astype(int), y[known]), 1)
    return table


def gain_and_ratio(table, n):
    """Information gain and gain ratio in bits of a table of branches by classes, among `n` examples."""
    sizes = table.sum(axis=1)
    known = sizes.sum()
    inner = sum(s * entropy(row, base=2) for s, row in zip(sizes, table, strict=True) if s)
    gain = known / n * (entropy(table.sum(axis=0), base=2) - inner / known)
    return gain, gain / entropy([*sizes, n - known], base=2)


def nominal_problem(seed, *, missing):
    rng = np.random.default_rng(seed)
    n, widths = int(rng.integers(12, 60)), rng.integers(2, 5, 4)
    y = rng.integers(0, 3, n)
    values = np.column_stack([np.where(rng.random(n) < 0.4, y % w, rng.integers(0, w, n)) for w in widths]).astype(
        float
    )
    values[rng.random(values.shape) < missing] = np.nan
    return Table.build(values, [tuple("abcd"[:w]) for w in widths]), y


@pytest.mark.parametrize("missing", [0.0, 0.2])
@settings(max_examples=60)
@given(seed=st.integers(0, 10**9))
def test_the_root_has_the_largest_gain_ratio_of_at_least_average_gain(missing, seed):
    X, y = nominal_problem(seed, missing=missing)
    assume(np.isfinite(X.values).any(axis=0).all())
    tables = [crosstab(column, y) for column in X.values.T]
    allowed = [(table.sum(axis=1) >= 2).sum() >= 2 for table in tables]
    assume(any(allowed))
    gains, ratios = np.array([gain_and_ratio(table, len(y)) for table in tables]).T
    average = gains[allowed].mean()
    assume((np.abs(gains - (average - 1e-3)) > 1e-6).all())
    ratios[~np.array(allowed) | (gains < average - 1e-3)] = 0
    best = np.sort(ratios)[-2:]
    assume(best[1] - best[0] > 1e-5)
    model = UNPRUNED.fit(X, y, classes=range(3))
    assert model.tree_.attribute[0] == np.argmax(ratios)


@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_a_cut_has_the_largest_gain_and_pays_for_the_choice(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 80))
    x = rng.integers(0, rng.choice([4, 30]), n).astype(float)
    y = ((x > np.median(x)) ^ (rng.random(n) < 0.1)).astype(int)
    assume(0 < y.sum() < n)
    least = min(max(2, 0.1 * n / 2), 25)
    values = np.unique(x)
    gains = {}
    for low in values[:-1]:
        sides = np.array([np.bincount(y[x <= low], minlength=2), np.bincount(y[x > low], minlength=2)])
        if sides.sum(axis=1).min() >= least:
            gains[low] = gain_and_ratio(sides, n)[0]
    tree = UNPRUNED.fit(x[:, None], y, classes=[0, 1]).tree_
    net = max(gains.values(), default=0.0) - np.log2(max(len(gains), 1)) / n
    assume(abs(net) > 1e-5)
    assert (tree.attribute[0] == 0) == (net > 0)
    if net > 0:
        assert gains[tree.cut[0]] > max(gains.values()) - 2e-6


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.integers(2, 5), st.integers(2, 4))
def test_stopping_is_by_the_multiple_hypergeometric_probability(seed, branches, classes):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 6, (branches, classes))
    assume((table.sum(axis=1) > 0).all() and (table.sum(axis=0) > 0).sum() > 1)
    value, label = np.repeat(np.indices(table.shape).reshape(2, -1), table.ravel(), axis=1)
    log_factorial = [gammaln(t + 1).sum() for t in (table.sum(axis=0), table.sum(axis=1), table.sum(), table)]
    level = np.exp(log_factorial[0] + log_factorial[1] - log_factorial[2] - log_factorial[3])
    assume(level < 0.99)
    X = Table.build(value[:, None].astype(float), [tuple("abcde"[:branches])])
    sizes = [
        len(C45(stopping=level * factor, pruned=False, collapse=False, min_instances=1).fit(X, label).tree_.total)
        for factor in (1.001, 0.999)
    ]
    assert sizes == [branches + 1, 1]


def expected_errors(n, e, confidence):
    """Quinlan's pessimistic estimate, as Weka computes it."""
    z = ndtri(1 - confidence)
    if n == 0:
        return 0.0
    if e < 1:
        none = n * (1 - confidence ** (1 / n))
        return e + none + (e * (expected_errors(n, 1, confidence) - 1 - none) if e > 0 else 0)
    if e + 0.5 >= n:
        return e + max(n - e, 0)
    f = (e + 0.5) / n
    return n * (f + z * z / (2 * n) + z * np.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.sampled_from([0.05, 0.25, 0.5]))
def test_no_node_that_is_left_would_be_better_as_a_leaf(seed, confidence):
    X, y = nominal_problem(seed, missing=0.0)
    tree = C45(confidence=confidence, subtree_raising=False).fit(X, y, classes=range(3)).tree_

    def errors(v):
        """Expected errors of subtree `v`; checks every test on the way."""
        leaf = expected_errors(tree.total[v], tree.total[v] - tree.counts[v].max(), float(np.float32(confidence)))
        if tree.attribute[v] < 0:
            return leaf
        subtree = sum(errors(s) for s in range(tree.son[v], tree.son[v] + tree.branches[v]))
        assert leaf > subtree + 0.1
        return subtree

    errors(0)


@given(st.integers(0, 10**9))
def test_columns_are_sorted_as_by_a_stable_sort(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    kinds = [
        rng.integers(-5, 5, n).astype(float),
        rng.normal(size=n),
        rng.integers(0, 1000 * n, n).astype(float),
        np.full(n, 7.0),
    ]
    values = np.column_stack(kinds)
    values[rng.random(values.shape) < rng.choice([0.0, 0.3, 1.0])] = np.nan
    data = columns(values, np.zeros(4), np.zeros(n), 1, survey)
    left_out = rng.random(n) < rng.choice([0.0, 0.5])
    left_out[rng.integers(n)] = False
    ids = np.flatnonzero(~left_out).astype(np.uint32)
    lists = new_lists(data, n, 1)
    fill(lists, ids, presort(data), left_out, data)
    for column, entries, levels in zip(values.T, lists.entries[:, : len(ids)], lists.levels, strict=True):
        order = ids[np.argsort(column[ids], kind="stable")]
        np.testing.assert_array_equal(entries & ROW, order)
        np.testing.assert_array_equal(levels[entries >> RANK], column[order])
        assert (np.diff(levels[: (entries[-1] >> RANK) + 1]) != 0).all()


def test_scores_within_the_tolerance_are_ties():
    scores = np.array([[0.5, 0.5 + 9e-7], [0.5, 0.5 + 2e-6], [0.2, 0.8], [0.8, 0.2]])
    assert decide(scores).tolist() == [0, 1, 1, 0]
