"""Learners without kernels, for small work: the same answers to the bit."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reference.random_tables import Problem, mixed_problem
from sklearn.base import clone

from foldwise.core.kernels import LOOP, PATIENCE, Patience
from foldwise.core.table import Table
from foldwise.learners import C45, NaiveBayes, NearestNeighbours
from foldwise.learners.naive_bayes_kernels import first_largest
from foldwise.learners.naive_bayes_plain import first_largest_of_each
from foldwise.learners.tree import fit, lists, split
from foldwise.learners.tree.fit import PLAIN, compiled_tools, tools_for

LEARNERS = (
    NaiveBayes(),
    NearestNeighbours(),
    NearestNeighbours(k=3),
    NearestNeighbours(k=2, widen_ranges=False),
    NearestNeighbours(k=99),
    C45(),
    C45(subtree_raising=False, min_instances=1, confidence=0.5),
    C45(pruned=False, collapse=False),
)


def answers(learner, problem, seconds):
    """All that a learner answers when it may do so many seconds without kernels."""
    before, PATIENCE.seconds = PATIENCE.seconds, seconds
    try:
        crossed = learner.cross_predict(problem.X, problem.y, problem.folds, classes=problem.classes)
        fitted = clone(learner).fit(problem.X, problem.y, classes=problem.classes)
        return crossed, fitted.predict(problem.X), fitted.predict_proba(problem.X)
    finally:
        PATIENCE.seconds = before


def same_to_the_bit(problem, learners=LEARNERS):
    for learner in learners:
        pairs = zip(answers(learner, problem, 1e9), answers(learner, problem, 0.0), strict=True)
        assert all(plain.tobytes() == compiled.tobytes() for plain, compiled in pairs), learner


@settings(max_examples=25)
@given(st.integers(0, 10**9))
@example(4)
def test_with_and_without_kernels(seed):
    same_to_the_bit(mixed_problem(seed))


@pytest.mark.parametrize("scale", [1e-310, 1e-160, 1e160, 8e307])
def test_with_and_without_kernels_at_the_ends_of_the_numbers(scale):
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (30, 4)) * scale
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 3] = X[0, 3]
    problem = Problem(Table.build(X), rng.integers(0, 3, 30), rng.integers(0, 4, (2, 30)), np.arange(3))
    same_to_the_bit(problem)


def test_trees_are_the_same_with_and_without_kernels():
    problem = mixed_problem(2)
    for learner in (C45(), C45(pruned=False, collapse=False)):
        plain, compiled = (fitted_tree(learner, problem, seconds) for seconds in (1e9, 0.0))
        assert [part.tobytes() for part in plain[:8]] == [part.tobytes() for part in compiled[:8]]
        assert plain.attribute.size > 1


def fitted_tree(learner, problem, seconds):
    before, PATIENCE.seconds = PATIENCE.seconds, seconds
    try:
        return clone(learner).fit(problem.X, problem.y).tree_
    finally:
        PATIENCE.seconds = before


def test_functions_that_stand_for_loops_take_what_the_loops_take():
    found = [value for module in (split, lists, split) for value in vars(module).values() if hasattr(value, LOOP)]
    assert {each.__name__ for each in found} >= {"_scan_whole", "_fill_in_order", "divide_in_two", "_add_rows"}
    assert all(inspect.signature(each) == inspect.signature(getattr(each, LOOP)) for each in found)


def test_whole_numbers_and_minus_zero_are_listed_as_in_the_kernel():
    rng = np.random.default_rng(3)
    X = rng.integers(-3, 4, (80, 3)).astype(float)
    X[X == 0] = rng.choice([0.0, -0.0], np.count_nonzero(X == 0))
    X[rng.random(X.shape) < 0.05] = np.nan
    y = rng.integers(0, 3, 80)
    problem = Problem(Table.build(X), y, rng.integers(0, 4, (2, 80)), np.arange(3))
    same_to_the_bit(problem, LEARNERS[-3:])
    plain, compiled = (fitted_tree(LEARNERS[-1], problem, seconds) for seconds in (1e9, 0.0))
    assert plain.cut.tobytes() == compiled.cut.tobytes()


def test_trees_that_stop_by_log_gamma_are_always_compiled(monkeypatch):
    monkeypatch.setattr(PATIENCE, "seconds", 1e9)
    assert tools_for(0.0) is PLAIN
    assert tools_for(0.0, exact=False) is compiled_tools()


def test_more_is_done_without_kernels_where_they_would_have_to_be_compiled(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    chosen = []
    for kept in (False, True):
        if kept:
            (tmp_path / "tree_1").mkdir()
            (tmp_path / "tree_1" / "fit.decide_folds-1.py311.nbi").touch()
        fit._is_compiled.cache_clear()
        monkeypatch.setattr(PATIENCE, "seconds", 1.0)
        chosen.append(tools_for(5.0))
    fit._is_compiled.cache_clear()
    assert chosen == [PLAIN, compiled_tools()]


def test_many_classes_are_added_up_as_in_the_kernel():
    products = np.random.default_rng(0).random((500, 23)).round(1) + 0.1
    products[:, 7] = np.nextafter(products.max(axis=1), 2)
    assert first_largest_of_each(products).tolist() == [first_largest(row) for row in products]


class TestPatience:
    def test_lasts_until_as_much_was_spent(self):
        patience = Patience(1.0)
        assert [patience.lasts(0.375) for _ in range(4)] == [True, True, False, False]

    def test_ends_with_work_that_is_worth_the_kernels(self):
        patience = Patience(1.0)
        assert not patience.lasts(2.0)
        assert not patience.lasts(0.001)

    def test_no_work_is_always_possible(self):
        assert Patience(0.0).lasts(0.0)


def test_small_work_does_not_even_import_numba():
    program = (
        "import sys; from sklearn.datasets import load_iris; from foldwise.learners import create\n"
        "X, y = load_iris(return_X_y=True)\n"
        "for name in ('nb', '1nn', 'c45', 'majority'):\n"
        "    create(name).fit(X, y).predict(X)\n"
        "    create(name).cross_predict(X, y, [y])\n"
        "print('numba' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout == "False\n", done.stderr
