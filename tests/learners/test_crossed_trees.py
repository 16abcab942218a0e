"""The trees of a cross-validation in one kernel predict what they predict one by one, also where the room is short."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from foldwise.learners import C45
from foldwise.learners.tree import fit
from foldwise.learners.tree.arrays import columns, survey
from foldwise.learners.tree.fit import PLAIN, compiled_tools


def problem(seed, *, gaps):
    """Numbers that tie, whole numbers and categories, some of them missing; folds of two runs, some rows in none."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 60))
    values = np.column_stack([rng.normal(size=n).round(1), rng.integers(0, 9, n), rng.integers(0, 3, n)]).astype(float)
    values[rng.random(values.shape) < gaps] = np.nan
    codes = rng.integers(0, 3, n)
    folds = rng.integers(-1, 4, (2, n))
    folds[:, 0], folds[:, 1] = 0, 1
    return columns(values, np.array([0, 0, 3]), codes, 3, survey), folds


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.sampled_from([0.0, 0.02, 0.4]), st.booleans(), st.sampled_from([None, 0.5]))
def test_one_room_is_as_good_as_one_for_each_tree(seed, gaps, pruned, stopping):
    data, folds = problem(seed, gaps=gaps)
    rule, tools = C45(pruned=pruned, collapse=pruned, min_instances=1, stopping=stopping)._rule(), compiled_tools()
    together, apart = fit.cross_decide(data, folds, rule, tools), np.zeros_like(folds)
    for run, row in enumerate(folds):
        for fold in range(4):
            alone = fit.cross_decide(data, np.where(row == fold, 0, -1)[None], rule, tools)
            apart[run, row == fold] = alone[0, row == fold]
    np.testing.assert_array_equal(apart, together)
    if stopping is None:  # log Γ may differ in the last bit
        np.testing.assert_array_equal(fit.cross_decide(data, folds, rule, PLAIN), together)


def test_a_room_that_is_too_small_is_made_larger_where_it_stood(monkeypatch):
    rng = np.random.default_rng(3)
    n, width, sizes = 60, 40, []
    values = rng.integers(0, width, (n, 4)).astype(float)
    values[rng.random((n, 4)) < 0.5] = np.nan
    data, folds = columns(values, np.full(4, width), rng.integers(0, 3, n), 3, survey), rng.integers(0, 5, (2, n))
    rule, tools = C45(pruned=False, collapse=False, min_instances=1)._rule(), compiled_tools()

    new_room = fit.new_room

    def noted(data, room, tables):
        sizes.append(room)
        return new_room(data, room, tables)

    monkeypatch.setattr(fit, "new_room", noted)
    together = fit.cross_decide(data, folds, rule, tools)
    assert len(sizes) > 1
    assert sizes == [2**i for i in range(len(sizes))]
    np.testing.assert_array_equal(together, fit.cross_decide(data, folds, rule, PLAIN))
